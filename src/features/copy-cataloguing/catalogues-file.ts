// Reads `catalogues.json` of the data directory: the catalogues from which records are taken over
// (docs/how-to/administer.md, "Other catalogues").

import { readFile } from 'node:fs/promises'

import { ExpectedError } from '../../errors.js'
import { OutgoingRequestError } from '../../lib/outgoing/errors.js'
import { checkPublicUrl } from '../../lib/outgoing/public-request.js'

/**
 * Another service of this kind; a catalogue with SRU and MARCXML; one that gives records by
 * OAI-PMH.
 */
const kinds = ['service', 'sru', 'oai-pmh'] as const

export type NamedCatalogue = {
  /** What pages call it. */
  readonly name: string
  readonly type: (typeof kinds)[number]
  readonly url: string
  /**
   * Of SRU: the CQL index of titles, what MARCXML is called, and the address of a record, with
   * `{id}` for its 001.
   */
  readonly index?: string
  readonly schema?: string
  readonly record?: string
  /** Of OAI-PMH: the metadataPrefix of what is read. */
  readonly prefix?: string
}

const options: Readonly<Record<NamedCatalogue['type'], readonly string[]>> = {
  service: [],
  sru: ['index', 'schema', 'record'],
  'oai-pmh': ['prefix'],
}

/**
 * The catalogues in their order; none without a file.
 * @param allowedHosts which may have addresses that are not public
 * @throws ExpectedError
 */
export async function readCatalogues(
  file: string,
  allowedHosts: readonly string[],
): Promise<readonly NamedCatalogue[]> {
  const text = await readText(file)
  if (text === undefined) return []
  const fail = (what: string): never => {
    throw new ExpectedError(`${file}: ${what}`)
  }
  const entries = parseJson(text, fail)
  if (!Array.isArray(entries)) return fail('is no list of catalogues: [{ "name": …, … }]')
  const catalogues = entries.map((entry: unknown, index) =>
    parseCatalogue(entry, allowedHosts, (what) => fail(`catalogue ${index + 1}: ${what}`)),
  )
  const names = catalogues.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? catalogues : fail(`two catalogues are called "${twice}"`)
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new ExpectedError(`${file}: cannot be read (${code ?? String(error)})`, {
      cause: error,
    })
  }
}

type Fail = (what: string) => never

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(`is no JSON (${(error as Error).message})`)
  }
}

function parseCatalogue(
  entry: unknown,
  allowedHosts: readonly string[],
  fail: Fail,
): NamedCatalogue {
  if (typeof entry !== 'object' || entry === null) return fail('is no object')
  const members = new Map<string, unknown>(Object.entries(entry))
  const type = kinds.find((kind) => kind === members.get('type'))
  if (type === undefined) return fail(`"type" takes ${kinds.join(', ')}`)
  const known = ['name', 'type', 'url', ...options[type]]
  const texts: Record<string, string> = {}
  for (const [name, value] of members) {
    if (!known.includes(name)) return fail(`"${name}" is not known; it has ${known.join(', ')}`)
    if (typeof value !== 'string' || value.trim() === '') return fail(`"${name}" takes a text`)
    texts[name] = value.trim()
  }
  const { name, url } = texts
  if (name === undefined || url === undefined) return fail('"name" and "url" are needed')
  checkUrl(url, allowedHosts, fail)
  if (texts.record !== undefined) checkUrl(texts.record, allowedHosts, fail)
  return { ...texts, name, type, url }
}

function checkUrl(url: string, allowedHosts: readonly string[], fail: Fail): void {
  try {
    checkPublicUrl(url, allowedHosts)
  } catch (error) {
    if (!(error instanceof OutgoingRequestError)) throw error
    fail(error.message)
  }
}
