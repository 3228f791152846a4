// Answers the six verbs of OAI-PMH (2.0, 4). Which items there are is left to catalogue/harvest/.

import type { ItemIndex } from './items/item-index.js'
import type { HarvestItem } from './items/item-table.js'
import type { Lists } from '../../catalogue/lists.js'
import type { RecordReads } from '../../catalogue/record-reads.js'
import { referenceOf } from '../../catalogue/records/record-cache.js'
import type { Serializers } from '../../formats/serializers.js'
import type { Iris } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { createYielder } from '../../lib/scheduling.js'
import { element, nested, writeAnswer, writeError, writeHeader, writeToken } from './answers.js'
import { type OaiRequest, badArgument, parseRequest, parseTimeRange } from './arguments.js'
import { OaiError } from './errors.js'
import { createIdentifiers } from './identifiers.js'
import { identify } from './identify.js'
import { type MetadataFormat, createMetadataFormats } from './metadata-formats.js'
import { firstPage, nextPage } from './pages.js'
import { type TokenContent, createResumptionTokens } from './resumption-token.js'
import { describeSets } from './set-list.js'

export type OaiDependencies = {
  readonly items: ItemIndex
  readonly tokenKey: Uint8Array
  readonly catalogue: Pick<Lists, 'readInFull'> & Pick<RecordReads, 'find'>
  readonly iris: Iris
  readonly serializers: Serializers
  readonly vocabularies: Readonly<Record<'languages' | 'genres', Vocabulary>>
  /** What the catalogue is called. */
  readonly siteName: string
  /** Where those who run the catalogue can be reached: a URL, also a `mailto:` one. */
  readonly contact: string | undefined
  readonly now?: () => number
}

/** How many sets a page has. The last may have one more. */
const setsPerPage = 500

type VerbContext = {
  readonly request: OaiRequest
  readonly baseUrl: string
}

/** The content of an answer, and what is written from then on has this time or a later one. */
type VerbAnswer = { readonly content: string; readonly now: number }

/**
 * Creates the function that answers a request, given its arguments as they are encoded in a URL.
 */
export function createOaiAnswers(dependencies: OaiDependencies) {
  const { items: index, catalogue, iris, now: clock = Date.now } = dependencies
  const metadataFormats = createMetadataFormats(dependencies.serializers)
  const identifiers = createIdentifiers(iris.base)
  const tokens = createResumptionTokens(dependencies.tokenKey, clock)

  const answers: Readonly<
    Record<OaiRequest['verb'], (context: VerbContext) => Promise<VerbAnswer>>
  > = {
    Identify: async ({ baseUrl }) =>
      index.read((items) => ({
        now: items.now,
        content: identify(items, {
          siteName: dependencies.siteName,
          baseUrl,
          identifiers,
          contact: dependencies.contact,
        }),
      })),

    async ListMetadataFormats({ request }) {
      const { identifier } = request.arguments
      const found = identifier === undefined ? undefined : await findItem(identifier)
      const offered = metadataFormats.filter(
        ({ kinds }) => !found || kinds.has(referenceOf(found.item.key).target),
      )
      return {
        now: found?.now ?? clock() * 1000,
        content: nested('ListMetadataFormats', ...offered.map(describeFormat)),
      }
    },

    async ListSets({ request }) {
      const token = readToken(request)
      const { now, sets } = await index.read((items) => ({
        now: items.now,
        sets: describeSets(items, dependencies.vocabularies),
      }))
      const start = token ? sets.findIndex(({ spec }) => spec > token.key) : 0
      if (start < 0) throw new OaiError('badResumptionToken', 'There are no further sets.')
      const isLast = sets.length - start <= setsPerPage + 1
      const page = sets.slice(start, isLast ? undefined : start + setsPerPage)
      const lookup = await catalogue.find(page.flatMap(({ repository }) => repository ?? []))
      const elements = page.map(({ spec, name, repository }) => {
        const title = repository && lookup(repository)?.repository_name
        const setName = typeof title === 'string' && title !== '' ? title : name
        return nested('set', element('setSpec', spec), element('setName', setName))
      })
      const place = {
        verb: request.verb,
        prefix: '',
        set: undefined,
        from: 0,
        before: Infinity,
        end: 0,
        date: 0,
        key: page.at(-1)?.spec ?? '',
        cursor: start + page.length,
        size: sets.length,
      }
      return {
        now,
        content: nested(
          'ListSets',
          ...elements,
          ...tokenElements(token, isLast ? undefined : place, start, sets.length),
        ),
      }
    },

    async GetRecord({ request }) {
      const { identifier = '', metadataPrefix = '' } = request.arguments
      const format = findFormat(metadataPrefix)
      const { item, now } = await findItem(identifier)
      if (!format.kinds.has(referenceOf(item.key).target))
        throw cannotDisseminate(`${identifier} is not available as ${metadataPrefix}.`)
      return { now, content: nested('GetRecord', ...(await writeRecords([item], format))) }
    },

    ListIdentifiers: ({ request }) =>
      listItems(request, (items) => Promise.resolve(items.map(headerOf))),

    ListRecords: ({ request }) => listItems(request, writeRecords),
  }

  return async (encoded: string, baseUrl: string): Promise<string> => {
    let attributes = {}
    try {
      const request = parseRequest(parseParameters(encoded))
      attributes = { verb: request.verb, ...request.arguments }
      const { content, now } = await answers[request.verb]({ request, baseUrl })
      return writeAnswer({ responseDate: now, baseUrl, attributes, content })
    } catch (error) {
      if (!(error instanceof OaiError)) throw error
      if (error.code === 'badArgument') attributes = {}
      return writeAnswer({
        responseDate: clock() * 1000,
        baseUrl,
        attributes,
        content: writeError(error),
      })
    }
  }

  async function findItem(identifier: string): Promise<{ item: HarvestItem; now: number }> {
    const key = identifiers.toKey(identifier)
    const found = await index.read(({ get, now }) => ({
      now,
      item: key === undefined ? undefined : get(key),
    }))
    if (!found.item) throw new OaiError('idDoesNotExist', `There is no ${identifier} here.`)
    return { item: found.item, now: found.now }
  }

  function findFormat(prefix: string): MetadataFormat {
    const format = metadataFormats.find((one) => one.prefix === prefix)
    if (!format)
      throw cannotDisseminate(
        `There is no ${prefix} here, but ${metadataFormats.map((one) => one.prefix).join(', ')}.`,
      )
    return format
  }

  function readToken({ verb, arguments: given }: OaiRequest): TokenContent | undefined {
    const { resumptionToken } = given
    return resumptionToken === undefined ? undefined : tokens.read(resumptionToken, verb)
  }

  async function listItems(
    request: OaiRequest,
    write: (items: readonly HarvestItem[], format: MetadataFormat) => Promise<readonly string[]>,
  ): Promise<VerbAnswer> {
    const { arguments: given } = request
    const token = readToken(request)
    const prefix = token?.prefix ?? given.metadataPrefix ?? ''
    const format = findFormat(prefix)
    const range = token ?? parseTimeRange(request)
    const set = token ? token.set : given.set
    const wanted = { set, kinds: format.kinds, from: range.from, before: range.before }
    const { now, page, isLast, size, end } = await index.read((items) => ({
      now: items.now,
      ...(token ? nextPage(items, wanted, token) : firstPage(items, wanted)),
    }))
    const last = page.at(-1)
    // With the time of an answer, from which the next harvest begins.
    if (!last) return { now, content: writeError(noRecordsMatch) }
    const cursor = token?.cursor ?? 0
    const place = {
      ...wanted,
      verb: request.verb,
      prefix,
      end,
      date: last.date,
      key: last.key,
      cursor: cursor + page.length,
      size,
    }
    return {
      now,
      content: nested(
        request.verb,
        ...(await write(page, format)),
        ...tokenElements(token, isLast ? undefined : place, cursor, size),
      ),
    }
  }

  /** A list of one page has no token, and the last of several an empty one. */
  function tokenElements(
    before: TokenContent | undefined,
    next: TokenContent | undefined,
    cursor: number,
    size: number,
  ): readonly string[] {
    if (!before && !next) return []
    return [writeToken(next && tokens.write(next), { size, cursor })]
  }

  function headerOf(item: HarvestItem): string {
    return writeHeader(item, identifiers.ofKey(item.key))
  }

  async function writeRecords(
    items: readonly HarvestItem[],
    format: MetadataFormat,
  ): Promise<readonly string[]> {
    const present = items.filter(({ isGone }) => !isGone)
    const records = await catalogue.readInFull(present.map(({ key }) => referenceOf(key)))
    const deletedSince = present.filter(({ key }) => !records.has(key))
    const now = await index.read(({ get }) => deletedSince.map(({ key }) => get(key)))
    const gone = new Map(now.flatMap((item) => (item?.isGone ? [[item.key, item]] : [])))
    const maybeYield = createYielder()
    const written: string[] = []
    for (const item of items) {
      written.push(writeRecord(gone.get(item.key) ?? item, records.get(item.key), format))
      await maybeYield()
    }
    return written
  }

  function writeRecord(
    item: HarvestItem,
    record: ResolvedRecord | undefined,
    format: MetadataFormat,
  ): string {
    const header = headerOf(record ? item : { ...item, isGone: true })
    const metadata = record ? [`<metadata>\n${format.write(record)}</metadata>`] : []
    return nested('record', header, ...metadata)
  }
}

const describeFormat = ({ prefix, schema, namespace }: MetadataFormat): string =>
  nested(
    'metadataFormat',
    element('metadataPrefix', prefix),
    element('schema', schema),
    element('metadataNamespace', namespace),
  )

const noRecordsMatch = new OaiError('noRecordsMatch', 'There are no such records.')

const cannotDisseminate = (message: string): OaiError =>
  new OaiError('cannotDisseminateFormat', message)

/** @throws OaiError badArgument for what is no percent-encoded UTF-8 */
function parseParameters(encoded: string): URLSearchParams {
  try {
    decodeURIComponent(encoded)
  } catch {
    throw badArgument('The arguments are not percent-encoded UTF-8.')
  }
  return new URLSearchParams(encoded)
}
