// Reads the logo and the About page of an institution: `site/logo.svg` or `site/logo.png`, and
// `site/about.md`, in the data directory (docs/how-to/administer.md, "Name, logo and About page").

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { SaxesParser } from '@rubensworks/saxes'

import { ExpectedError } from '../errors.js'
import { type RenderedMarkdown, renderMarkdown } from './markdown.js'
import { aboutFileName, logoFileNames } from './site-file-names.js'

export type Logo = {
  readonly name: LogoName
  /** The media type. */
  readonly type: string
  readonly content: Buffer
  /** Changes with the content. */
  readonly hash: string
}

export type AboutPage = RenderedMarkdown & { readonly markdown: string }

/** Undefined for what there is no file of. */
export type SiteFiles = {
  readonly logo: Logo | undefined
  readonly about: AboutPage | undefined
}

type LogoName = (typeof logoFileNames)[number]

const logos = {
  'logo.svg': { type: 'image/svg+xml', check: checkSvg },
  'logo.png': { type: 'image/png', check: checkPng },
} as const satisfies Readonly<
  Record<LogoName, { readonly type: string; readonly check: (file: string, bytes: Buffer) => void }>
>

/** Every page loads the logo. */
const maxLogoBytes = 512 * 1024

const maxAboutBytes = 256 * 1024

/** @throws ExpectedError */
export async function readSiteFiles(directory: string): Promise<SiteFiles> {
  const candidates = await Promise.all(logoFileNames.map((name) => readLogo(directory, name)))
  const [logo, ...others] = candidates.filter((candidate) => candidate !== undefined)
  if (others.length > 0)
    throw new ExpectedError(
      `${directory}: there are ${logoFileNames.join(' and ')}; only one can be shown`,
    )
  const markdown = await readText(join(directory, aboutFileName))
  return {
    logo,
    about: markdown === undefined ? undefined : { markdown, ...renderMarkdown(markdown) },
  }
}

async function readLogo(directory: string, name: LogoName): Promise<Logo | undefined> {
  const file = join(directory, name)
  const content = await readSmallFile(file, maxLogoBytes)
  if (!content) return undefined
  const { type, check } = logos[name]
  check(file, content)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  return { name, type, content, hash }
}

async function readText(file: string): Promise<string | undefined> {
  const content = await readSmallFile(file, maxAboutBytes)
  return content && decode(file, content)
}

async function readSmallFile(file: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(file)
    if (size > maxBytes)
      throw new ExpectedError(`${file}: is larger than ${maxBytes / 1024} KiB (${size} bytes)`)
    return await readFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (error instanceof ExpectedError) throw error
    throw new ExpectedError(`${file}: cannot be read (${code ?? String(error)})`, { cause: error })
  }
}

/** @throws ExpectedError for what is not UTF-8 */
function decode(file: string, content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new ExpectedError(`${file}: is not UTF-8`, { cause })
  }
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** @throws ExpectedError */
function checkPng(file: string, content: Buffer): void {
  if (!content.subarray(0, pngSignature.length).equals(pngSignature))
    throw new ExpectedError(`${file}: is no PNG image`)
}

const svgNamespace = 'http://www.w3.org/2000/svg'

/** Only its form is checked: it is served so that nothing in it runs. @throws ExpectedError */
function checkSvg(file: string, content: Buffer): void {
  const text = decode(file, content)
  const parser = new SaxesParser({ xmlns: true })
  let root: string | undefined
  let problem: string | undefined
  parser.on('error', ({ message }) => (problem ??= message))
  parser.on('opentag', ({ uri, local }) => (root ??= `${uri} ${local}`))
  parser.write(text).close()
  if (problem === undefined && root !== `${svgNamespace} svg`)
    problem = 'its root is no svg element'
  if (problem !== undefined) throw new ExpectedError(`${file}: is no SVG image: ${problem}`)
}
