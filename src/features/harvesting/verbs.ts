// Answers the six verbs of OAI-PMH (2.0, 4). Which items there are is left to items/.

import type { ItemIndex } from './items/item-index.js'
import type { HarvestItem } from './items/item-table.js'
import type { Lists } from '../../catalogue/lists.js'
import type { RecordReads } from '../../catalogue/record-reads.js'
import { referenceOf } from '../../catalogue/records/record-cache.js'
import type { Redirects } from '../../catalogue/redirects.js'
import type { Serializers } from '../../formats/serializers.js'
import type { Iris } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { createYielder } from '../../lib/scheduling.js'
import { element, nested, writeAnswer, writeError, writeHeader, writeToken } from './answers.js'
import { type OaiRequest, badArgument, parseRequest, parseTimeRange } from './arguments.js'
import { CuratedListSets, type HarvestedLists } from './curated-list-sets.js'
import { OaiError } from './errors.js'
import { type Identifiers, createIdentifiers } from './identifiers.js'
import { identify } from './identify.js'
import { type MetadataFormat, createMetadataFormats } from './metadata-formats.js'
import { firstPage, nextPage } from './pages.js'
import {
  type ResumptionTokens,
  type TokenContent,
  createResumptionTokens,
} from './resumption-token.js'
import { describeSets } from './set-list.js'

export type OaiDependencies = {
  readonly items: ItemIndex
  readonly tokenKey: Uint8Array
  readonly lists: HarvestedLists
  readonly redirects: Redirects
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

export class OaiAnswers {
  readonly #dependencies: OaiDependencies
  readonly #items: ItemIndex
  readonly #listSets: CuratedListSets
  readonly #catalogue: OaiDependencies['catalogue']
  readonly #clock: () => number
  readonly #metadataFormats: readonly MetadataFormat[]
  readonly #identifiers: Identifiers
  readonly #tokens: ResumptionTokens
  readonly #verbs: Readonly<
    Record<OaiRequest['verb'], (context: VerbContext) => Promise<VerbAnswer>>
  > = {
    Identify: (context) => this.#identify(context),
    ListMetadataFormats: (context) => this.#listMetadataFormats(context),
    ListSets: (context) => this.#describeSets(context),
    GetRecord: (context) => this.#getRecord(context),
    ListIdentifiers: ({ request }) =>
      this.#listItems(request, async (items) =>
        (await this.#listSets.addTo(items)).map((item) => this.#headerOf(item)),
      ),
    ListRecords: ({ request }) =>
      this.#listItems(request, (items, format) => this.#writeRecords(items, format)),
  }

  constructor(dependencies: OaiDependencies) {
    const { items, catalogue, iris, serializers, tokenKey, now = Date.now } = dependencies
    this.#dependencies = dependencies
    this.#items = items
    this.#listSets = new CuratedListSets(dependencies)
    this.#catalogue = catalogue
    this.#clock = now
    this.#metadataFormats = createMetadataFormats(serializers)
    this.#identifiers = createIdentifiers(iris.base)
    this.#tokens = createResumptionTokens(tokenKey, now)
  }

  /** The answer to a request. @param encoded its arguments as they are encoded in a URL */
  async answer(encoded: string, baseUrl: string): Promise<string> {
    let attributes = {}
    try {
      const request = parseRequest(parseParameters(encoded))
      attributes = { verb: request.verb, ...request.arguments }
      const { content, now } = await this.#verbs[request.verb]({ request, baseUrl })
      return writeAnswer({ responseDate: now, baseUrl, attributes, content })
    } catch (error) {
      if (!(error instanceof OaiError)) throw error
      if (error.code === 'badArgument') attributes = {}
      return writeAnswer({
        responseDate: this.#clock() * 1000,
        baseUrl,
        attributes,
        content: writeError(error),
      })
    }
  }

  async #identify({ baseUrl }: VerbContext): Promise<VerbAnswer> {
    const { siteName, contact } = this.#dependencies
    return this.#items.read((items) => ({
      now: items.now,
      content: identify(items, { siteName, baseUrl, identifiers: this.#identifiers, contact }),
    }))
  }

  async #listMetadataFormats({ request }: VerbContext): Promise<VerbAnswer> {
    const { identifier } = request.arguments
    const result = identifier === undefined ? undefined : await this.#findItem(identifier)
    const offered = this.#metadataFormats.filter(
      ({ kinds }) => !result || kinds.has(referenceOf(result.item.key).target),
    )
    return {
      now: result?.now ?? this.#clock() * 1000,
      content: nested('ListMetadataFormats', ...offered.map(describeFormat)),
    }
  }

  async #describeSets({ request }: VerbContext): Promise<VerbAnswer> {
    const token = this.#readToken(request)
    const { now, sets } = await this.#items.read((items) => ({
      now: items.now,
      sets: describeSets(items, this.#dependencies.vocabularies, this.#listSets.describe()),
    }))
    const start = token ? sets.findIndex(({ spec }) => spec > token.key) : 0
    if (start < 0) throw new OaiError('badResumptionToken', 'There are no further sets.')
    const isLast = sets.length - start <= setsPerPage + 1
    const page = sets.slice(start, isLast ? undefined : start + setsPerPage)
    const lookup = await this.#catalogue.find(page.flatMap(({ repository }) => repository ?? []))
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
        ...this.#tokenElements(token, isLast ? undefined : place, start, sets.length),
      ),
    }
  }

  async #getRecord({ request }: VerbContext): Promise<VerbAnswer> {
    const { identifier = '', metadataPrefix = '' } = request.arguments
    const format = this.#findFormat(metadataPrefix)
    const { item, now } = await this.#findItem(identifier)
    if (!format.kinds.has(referenceOf(item.key).target))
      throw cannotDisseminate(`${identifier} is not available as ${metadataPrefix}.`)
    return { now, content: nested('GetRecord', ...(await this.#writeRecords([item], format))) }
  }

  async #findItem(identifier: string): Promise<{ item: HarvestItem; now: number }> {
    const key = this.#identifiers.toKey(identifier)
    const result = await this.#items.read(({ get, now }) => ({
      now,
      item: key === undefined ? undefined : get(key),
    }))
    if (!result.item) throw new OaiError('idDoesNotExist', `There is no ${identifier} here.`)
    return { item: result.item, now: result.now }
  }

  #findFormat(prefix: string): MetadataFormat {
    const format = this.#metadataFormats.find((candidate) => candidate.prefix === prefix)
    if (!format) {
      const prefixes = this.#metadataFormats.map((offered) => offered.prefix).join(', ')
      throw cannotDisseminate(`There is no ${prefix} here, but ${prefixes}.`)
    }
    return format
  }

  #readToken({ verb, arguments: values }: OaiRequest): TokenContent | undefined {
    const { resumptionToken } = values
    return resumptionToken === undefined ? undefined : this.#tokens.read(resumptionToken, verb)
  }

  async #listItems(
    request: OaiRequest,
    write: (items: readonly HarvestItem[], format: MetadataFormat) => Promise<readonly string[]>,
  ): Promise<VerbAnswer> {
    const { arguments: values } = request
    const token = this.#readToken(request)
    const prefix = token?.prefix ?? values.metadataPrefix ?? ''
    const format = this.#findFormat(prefix)
    const range = token ?? parseTimeRange(request)
    const set = token ? token.set : values.set
    const selection = { set, kinds: format.kinds, from: range.from, before: range.before }
    const { now, result } = await this.#listSets.read(set, (items) =>
      token ? nextPage(items, selection, token) : firstPage(items, selection),
    )
    const { page, isLast, size, end } = result
    const last = page.at(-1)
    // With the time of an answer, from which the next harvest begins.
    if (!last) return { now, content: writeError(noRecordsMatch) }
    const cursor = token?.cursor ?? 0
    const place = {
      ...selection,
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
        ...this.#tokenElements(token, isLast ? undefined : place, cursor, size),
      ),
    }
  }

  /** A list of one page has no token, and the last of several an empty one. */
  #tokenElements(
    before: TokenContent | undefined,
    next: TokenContent | undefined,
    cursor: number,
    size: number,
  ): readonly string[] {
    if (!before && !next) return []
    return [writeToken(next && this.#tokens.write(next), { size, cursor })]
  }

  #headerOf(item: HarvestItem): string {
    return writeHeader(item, this.#identifiers.ofKey(item.key))
  }

  async #writeRecords(
    items: readonly HarvestItem[],
    format: MetadataFormat,
  ): Promise<readonly string[]> {
    const present = items.filter(({ isGone }) => !isGone)
    const records = await this.#catalogue.readInFull(present.map(({ key }) => referenceOf(key)))
    const deletedSince = present.filter(({ key }) => !records.has(key))
    const now = await this.#items.read(({ get }) => deletedSince.map(({ key }) => get(key)))
    const deletions = new Map(now.flatMap((item) => (item?.isGone ? [[item.key, item]] : [])))
    const current = items.map((item) => deletions.get(item.key) ?? item)
    const maybeYield = createYielder()
    const written: string[] = []
    for (const item of await this.#listSets.addTo(current)) {
      written.push(this.#writeRecord(item, records.get(item.key), format))
      await maybeYield()
    }
    return written
  }

  #writeRecord(
    item: HarvestItem,
    record: ResolvedRecord | undefined,
    format: MetadataFormat,
  ): string {
    const header = this.#headerOf(record ? item : { ...item, isGone: true })
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
