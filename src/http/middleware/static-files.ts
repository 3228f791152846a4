// Serves the files that pages use: style sheets, scripts, fonts. They are read once at start. Their
// URLs contain a hash of the content, so that browsers may cache them for ever.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'

import type { Middleware } from 'koa'

import type { InlineStyle } from '../context.js'
import {
  type ContentCoding,
  acceptedCoding,
  compress,
  isCompressible,
  tagOfCoding,
} from '../response/content-coding.js'
import { checkReadOnly } from '../response/read-only.js'

export type Assets = {
  /** The URL of a file by its name. @throws Error if there is no such file */
  readonly urlOf: (name: string) => string
  /**
   * A style sheet as it stands in a page; undefined for a large one.
   * @throws Error if there is no such file
   */
  readonly inlineStyleOf: (name: string) => InlineStyle | undefined
  readonly serve: Middleware
}

type StaticFile = {
  readonly type: string
  readonly content: Buffer
  readonly hash: string
  /** Made when it is first requested. */
  readonly compressed: Partial<Record<ContentCoding, Promise<Buffer>>>
  inlineStyle?: InlineStyle
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The largest style sheet that pages have in them; that of a library is larger. */
const maxInlineBytes = 32 * 1024

const prefix = '/assets/'
const immutable = 'public, max-age=31536000, immutable'

/** @param paths of the files, which are served by their names */
export async function loadAssets(paths: readonly string[]): Promise<Assets> {
  const files = new Map(await Promise.all(paths.map(readAsset)))
  for (const [name, file] of files)
    if (name.endsWith('.css')) files.set(name, withVersions(file, files))

  function requireFile(name: string): StaticFile {
    const file = files.get(name)
    if (!file) throw new Error(`there is no asset ${name}`)
    return file
  }

  return {
    urlOf: (name) => `${prefix}${name}?v=${requireFile(name).hash}`,
    inlineStyleOf(name) {
      const file = requireFile(name)
      if (file.content.length > maxInlineBytes) return undefined
      return (file.inlineStyle ??= toInlineStyle(file.content))
    },
    async serve(ctx, next) {
      const name = ctx.path.startsWith(prefix) ? ctx.path.slice(prefix.length) : ''
      const file = files.get(name)
      if (!file) {
        await next()
        return
      }
      if (!checkReadOnly(ctx)) return
      ctx.set('Cache-Control', ctx.query.v === file.hash ? immutable : 'no-cache')
      ctx.vary('Accept-Encoding')
      const coding = isCompressible(file.type)
        ? acceptedCoding(ctx.req.headers['accept-encoding'])
        : undefined
      const etag = `"${file.hash}"`
      ctx.set('ETag', coding ? tagOfCoding(etag, coding) : etag)
      ctx.type = file.type
      // A service worker is for pages of editing, not for those of readers.
      if (name.endsWith('-worker.js')) ctx.set('Service-Worker-Allowed', '/manage/')
      ctx.status = 200
      if (ctx.fresh) ctx.status = 304
      else if (coding) {
        ctx.set('Content-Encoding', coding)
        ctx.body = await (file.compressed[coding] ??= compress(file.content, coding))
      } else ctx.body = file.content
    },
  }
}

function toInlineStyle(content: Buffer): InlineStyle {
  const css = content
    .toString('utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '\n')
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}

/** A style sheet that names the images and fonts which it uses by their URLs with a hash. */
function withVersions(style: StaticFile, files: ReadonlyMap<string, StaticFile>): StaticFile {
  const css = style.content
    .toString('utf8')
    .replace(/(?<=url\('\/assets\/)[\w.-]+(?='\))/g, (name) => {
      const file = files.get(name)
      return file ? `${name}?v=${file.hash}` : name
    })
  return toStaticFile('.css', Buffer.from(css))
}

async function readAsset(path: string): Promise<[name: string, StaticFile]> {
  return [basename(path), toStaticFile(extname(path), await readFile(path))]
}

function toStaticFile(extension: string, content: Buffer): StaticFile {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  const type = mediaTypes[extension] ?? 'application/octet-stream'
  return { type, content, hash, compressed: {} }
}
