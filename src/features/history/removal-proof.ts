// The proof that a text is gone: in how many files, records and answers its bytes still are. The text
// is kept nowhere. It is asked for in what finds by text, since an index may know more than records
// show.

import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'

import { InvalidError } from '../../errors.js'
import { message } from '../../message.js'
import { referenceOf } from '../../catalogue/records/record-cache.js'
import { resourceNames } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import { TextTraces } from '../../lib/text-traces.js'
import { prefixes } from '../../store/key-value/keys.js'

export type RemovalProof = {
  /** The files of the data directory that have it, by their paths there. */
  readonly files: readonly string[]
  /** The records that have it, also in private fields. */
  readonly records: readonly Reference[]
  /** How many other entries of the store have it, by the beginnings of their keys. */
  readonly entries: Readonly<Record<string, number>>
  /**
   * The addresses whose answers to everybody have it, without the text itself where it is a part of
   * them; undefined where nobody answers.
   */
  readonly answers: readonly string[] | undefined
}

/** What is searched. */
export type SearchedData = {
  readonly dataDir: string
  /** Calls `visit` with all entries of the store, as they are. */
  readonly visitEntries: (visit: (key: string, value: string) => void) => Promise<void>
  /** Where the service answers; undefined where it does not run. */
  readonly origin: string | undefined
}

/** So many texts can be looked for at once, of so many characters each. */
const limits = { count: 20, length: 1000 }

/**
 * @param texts what is to be gone, each with at least one character that is no space
 * @throws InvalidError for too many texts, or too long ones
 */
export async function proveRemoval(
  { dataDir, visitEntries, origin }: SearchedData,
  texts: readonly string[],
): Promise<RemovalProof> {
  if (texts.length > limits.count || texts.some((text) => text.length > limits.length))
    throw new InvalidError(
      message('Look for at most {count} texts, each of at most {length} characters.', limits),
      { field: 'text' },
    )
  const traces = new TextTraces(texts)
  const matches = await findEntries(traces, visitEntries)
  const files: string[] = []
  for await (const file of traces.filesIn(dataDir)) files.push(file)
  if (origin === undefined) return { ...matches, files: files.sort(), answers: undefined }
  const answers = [...(await findAnswers(traces, origin)), ...(await search(texts, origin))]
  return { ...matches, files: files.sort(), answers }
}

/** The texts on the lines of a text. */
export const textsIn = (lines: string): readonly string[] =>
  lines.split(/\r?\n/).filter((line) => line.trim() !== '')

/** Whether nothing has the texts. */
export const isGone = ({ files, records, entries, answers = [] }: RemovalProof): boolean =>
  files.length + records.length + Object.keys(entries).length + answers.length === 0

async function findEntries(traces: TextTraces, visitEntries: SearchedData['visitEntries']) {
  const records: Reference[] = []
  const entries: Record<string, number> = {}
  await visitEntries((key, value) => {
    if (!traces.areIn(Buffer.from(`${key}\n${value}`))) return
    if (key.startsWith(prefixes.records))
      records.push(referenceOf(key.slice(prefixes.records.length)))
    else {
      const kind = key.slice(0, key.indexOf('/'))
      entries[kind] = (entries[kind] ?? 0) + 1
    }
  })
  return { records, entries }
}

/** What everybody may ask for and shows all records, or what became of them. */
const wholeAnswers: readonly string[] = [
  '/dumps/catalogue.nt.gz',
  ...resourceNames.map((name) => `/api/export/${name}/?format=csv`),
  '/sitemap.xml',
]

/** Answers in pages: the first address, what names the next page, and the address of that one. */
type PagedAnswer = {
  readonly first: string
  readonly next: RegExp
  readonly addressOf: (named: string) => string
}

/** The path of an IRI. BASE_URL, before it, may have a path too, at which nothing is asked here. */
const pathFrom =
  (beginning: string) =>
  (iri: string): string =>
    iri.slice(iri.lastIndexOf(beginning))

const pagedAnswers: readonly PagedAnswer[] = [
  {
    first: '/api/changes/?since=0&limit=1000',
    next: /"next":"([^"]+)"/,
    addressOf: pathFrom('/api/changes/'),
  },
  {
    first: '/activity/',
    next: /"(?:first|next)":\{"id":"([^"]+)"/,
    addressOf: pathFrom('/activity/page/'),
  },
  { first: '/ldes', next: /(?:view|node)>? <([^<>]+)>/, addressOf: pathFrom('/ldes/page/') },
  {
    first: '/oai?verb=ListIdentifiers&metadataPrefix=oai_dc',
    next: /<resumptionToken[^<>]*>([^<>]+)</,
    addressOf: (token) => `/oai?verb=ListIdentifiers&resumptionToken=${encodeURIComponent(token)}`,
  },
]

async function findAnswers(traces: TextTraces, origin: string): Promise<readonly string[]> {
  const paths: string[] = []
  for (const path of wholeAnswers)
    if (await traces.areInStream(await bytesOf(origin + path))) paths.push(path)
  for (const { first, next, addressOf } of pagedAnswers) {
    let before: string | undefined
    for (let path: string | undefined = first; path !== undefined && path !== before;) {
      const answer = await ask(origin + path)
      // What the log had from its beginning is not kept.
      if (answer.status === 410) break
      const text = await answer.text()
      if (traces.areIn(Buffer.from(text))) paths.push(path)
      before = path
      const named = next.exec(text)?.[1]
      path = named === undefined ? undefined : addressOf(named)
    }
  }
  return paths
}

/** What finds by a text, without the text. */
const searches: readonly string[] = [
  '/api/search/?q=',
  '/api/suggest/?q=',
  '/reconcile?query=',
  ...resourceNames.flatMap((name) => [`/api/${name}/?search=`, `/api/${name}/?q=`]),
]

/**
 * Asks what finds by a text for each text; and without its last letter, which what completes words
 * or corrects them would put there again.
 */
async function search(texts: readonly string[], origin: string): Promise<readonly string[]> {
  const paths = new Set<string>()
  for (const text of texts) {
    const traces = new TextTraces([text])
    for (const query of [text, text.replace(/.$/u, '')])
      for (const path of query.trim() === '' ? [] : searches) {
        const response = await fetch(origin + path + encodeURIComponent(query))
        if (notAsked.includes(response.status)) continue
        const answer: unknown = await requireAnswer(response).json()
        if (traces.areIn(Buffer.from(JSON.stringify(withoutRequest(answer))))) paths.add(path)
      }
  }
  return [...paths]
}

/** The text is no query here, or too long for an address; or words are not searched, without an index. */
const notAsked: readonly number[] = [400, 414, 431, 501]

/** The answer without the links, which repeat what was asked. */
const withoutRequest = (answer: unknown): unknown =>
  typeof answer === 'object' ? { ...answer, next: null, previous: null } : answer

async function bytesOf(url: string): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await ask(url)
  // The casts: the types of the two kinds of streams differ in what this does not use.
  const bytes = Readable.fromWeb((body ?? new ReadableStream()) as never)
  return url.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
}

/** @throws Error as `requireAnswer` */
async function ask(url: string): Promise<Response> {
  return requireAnswer(await fetch(url, { redirect: 'manual' }))
}

/** @throws Error when the answer is none that has the data */
function requireAnswer(response: Response): Response {
  if (!response.ok && response.status !== 410)
    throw new Error(`${new URL(response.url).pathname} answered ${response.status}`)
  return response
}
