// Lists of records: one page, all records, the facet counts of a filter, and the statistics of the
// whole catalogue. Which records are in a list is left to the record index.

import { type ResourceName, forEachResource } from '../model/iris.js'
import {
  type CountedValue,
  type Resource,
  type Resources,
  countedValuesOf,
  filtersOf,
} from '../model/resources.js'
import { ValidationError } from '../model/record/input.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { textValue } from '../model/record/values.js'
import type { Reference, ResolvedRecord, ViewName } from '../model/record/views.js'
import type { ListSpec } from '../queries/list-queries.js'
import type { FilterCondition } from '../queries/patterns.js'
import { compareCodePoints, stringLiteral } from '../rdf/terms.js'
import { createSerialQueue, createYielder } from '../lib/scheduling.js'
import { noSuchPage } from './errors.js'
import { readCursor, writeCursor } from './list-cursor.js'
import type { JsonCache } from './records/json-cache.js'
import { type RecordReader, recordKey } from './records/record-cache.js'
import type { ResolveReferences } from './records/resolve-references.js'
import { parseSearchTerms } from './search-terms.js'
import type { Ids, PageRange, RecordIndex, Statistics } from './sparql-record-index.js'
import { parseConditions } from './list-conditions.js'
import { relevance } from './search/relevance.js'
import { textFieldNames } from './search/text-fields.js'
import { readFacet, readNamedFacet } from './list-facets.js'
import { type TextQuery, asTyped, parseTextQuery } from '../queries/text-query.js'
import { parseTimeCondition } from './time-conditions.js'

/** A list as a client wrote it in the query of a URL (docs/reference/lists.md, "Lists"). */
export type ListQuery = {
  /**
   * By the name of the filter, also `updated_since` and `updated_before`; an empty value is no
   * filter.
   */
  readonly filters: ReadonlyMap<string, string>
  readonly search: string
  /** A search that ranks; blank for none. */
  readonly q?: string
  /** Field names; `-` before a name means descending. */
  readonly ordering: readonly string[]
  /**
   * The time by which the newest come first where no field is named; `created_at` unless given, and
   * by cursor.
   */
  readonly newestBy?: 'created_at' | 'updated_at'
}

export type ListPageQuery = ListQuery & {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export type ListCursorQuery = ListQuery & {
  /** The `nextCursor` of the page before; empty for the first page. */
  readonly cursor: string
  readonly pageSize: number
}

type UpdateTime = { readonly id: string; readonly updated: string }

type PageInfo = {
  /** The number of records in the whole list. */
  readonly count: number
  /** Where the next page begins; undefined on the last page, and on pages by number. */
  readonly nextCursor: string | undefined
  /**
   * A search with other words, which were likely meant; undefined where enough is found, or none is
   * known.
   */
  readonly didYouMean?: string | undefined
}

export type ListPage = PageInfo & { readonly records: readonly ResolvedRecord[] }

/** The same with each record as the JSON that lists show. */
type JsonPage = PageInfo & { readonly items: readonly string[] }

/** A whole list, read in batches as they are consumed. */
export type RecordStream = {
  readonly count: number
  readonly batches: AsyncIterable<readonly ResolvedRecord[]>
}

/** How many records have a value, in the form in which the filter takes it. */
export type FacetCount = { readonly value: string; readonly count: number }

/** The names of two facets; only rows are counted where no columns are named. */
type CrossedFacets = { readonly rows: string; readonly columns: string | undefined }

type CrossedCounts = {
  /** The number of zines in the list. */
  readonly count: number
  /** The most frequent first. */
  readonly rows: readonly FacetCount[]
  readonly columns: readonly FacetCount[]
  /** By the row, then by the column; pairs that no zine has are missing. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** A maker as a list of all names has them. */
export type AgentName = {
  readonly id: string
  readonly displayName: string
  /**
   * The name that they are filed under, such as `Matrix, Dot`; that which is shown where there is
   * none.
   */
  readonly filedAs: string
}

export type Lists = {
  /**
   * A page of records, with the records that the view shows of those they refer to.
   * @throws NotFoundError past the last page
   * @throws InvalidError
   */
  list(name: ResourceName, query: AnyPageQuery, view?: ViewName): Promise<ListPage>
  /** The page as JSON, from a cache. @throws NotFoundError @throws InvalidError */
  listJson(name: ResourceName, query: AnyPageQuery): Promise<JsonPage>
  /**
   * A part of a list in the order of creation: the identifiers, and when the records were last
   * changed.
   */
  updateTimes(
    name: ResourceName,
    query: Pick<ListQuery, 'filters'>,
    range: PageRange,
  ): Promise<readonly UpdateTime[]>
  /**
   * The whole list as it is now; records that are removed before their batch is read are left out.
   */
  stream(name: ResourceName, query: ListQuery): Promise<RecordStream>
  /** The zines with their holdings, by the holdings' identifiers, and the repositories of these. */
  withHoldings(zines: readonly ResolvedRecord[]): Promise<readonly ResolvedRecord[]>
  /**
   * How many records of the list have each value that a filter takes: the most frequent first, then
   * by code point. The filter's own condition in the query is ignored, so the counts tell what
   * choosing another value would give.
   */
  facetCounts(
    name: ResourceName,
    filter: string,
    query?: ListQuery,
    options?: FacetOptions,
  ): Promise<readonly FacetCount[]>
  /** The same for a facet that is no filter: `zineFacets` of list-facets.ts. */
  namedFacetCounts(
    name: ResourceName,
    facet: string,
    query: ListQuery,
  ): Promise<readonly FacetCount[]>
  /** How many records a list has. */
  count(name: ResourceName, query: ListQuery): Promise<number>
  /** The names of all agents, in no order that people expect. */
  agentNames(): Promise<readonly AgentName[]>
  /**
   * How many zines of a list have each value of two facets of list-facets.ts, under all filters.
   */
  crossCounts(facets: CrossedFacets, query: ListQuery): Promise<CrossedCounts>
  /**
   * The records of several resources that a search finds, the best first.
   * @throws NotFoundError
   */
  searchAll(query: SearchQuery): Promise<SearchPage>
  /** These records as lists show them, in their order; those that do not exist are left out. */
  readForLists(references: readonly Reference[]): Promise<readonly ResolvedRecord[]>
  /** Whether searches with `q` are answered: by the index in memory alone. */
  readonly findsWords: boolean
  /** How many records of each resource there are, and when the first and the last were written. */
  statistics(): Promise<Statistics>
  /** Records as whole exports show them, by their keys; those that do not exist are left out. */
  readInFull(references: readonly Reference[]): Promise<ReadonlyMap<string, ResolvedRecord>>
}

type FacetOptions = {
  /** Only values that so many records have. */
  readonly atLeast?: number
  /** Only the most frequent values are needed, and some others; the rest may be left out. */
  readonly mostFrequent?: { readonly limit: number; readonly including: readonly string[] }
}

type SearchQuery = {
  readonly names: readonly ResourceName[]
  readonly q: string
  readonly page: number
  readonly pageSize: number
}

export type SearchPage = {
  readonly count: number
  /** How many of them are of each resource. */
  readonly counts: Readonly<Record<ResourceName, number>>
  readonly results: readonly { readonly reference: Reference; readonly json: string }[]
  readonly didYouMean: string | undefined
}

type AnyPageQuery = ListPageQuery | ListCursorQuery

// How many records are read at once for a stream. Other requests wait for one batch: with 200 they
// wait twenty times as long, and the export is no faster.
const batchSize = 8

/**
 * Up to so many results that have the words as they were typed, a search of all resources gets a
 * correction.
 */
const maxCorrected = 3

const noCounts = forEachResource(() => 0)

const wholeList: ListQuery = { filters: new Map(), search: '', ordering: [] }

type ListsDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly records: RecordReader
  readonly resolve: ResolveReferences
  readonly jsonCache: JsonCache
}

export function createLists({
  recordIndex,
  resources,
  mapper,
  records,
  resolve,
  jsonCache,
}: ListsDependencies): Lists {
  const batchQueue = createSerialQueue()
  const model = { resources, mapper }

  async function list(
    name: ResourceName,
    query: AnyPageQuery,
    view: ViewName = 'list',
  ): Promise<ListPage> {
    const { references, ...page } = await findPage(name, query)
    const lookup = await records.get(references)
    const found = references.map(lookup).filter((values) => values !== undefined)
    return { ...page, records: await resolve(resources[name], found, view, 'again') }
  }

  async function listJson(name: ResourceName, query: AnyPageQuery): Promise<JsonPage> {
    const { references, ...page } = await findPage(name, query)
    return { ...page, items: await jsonCache.listItems(references) }
  }

  async function findPage(name: ResourceName, query: AnyPageQuery) {
    const listSpec = buildListSpec(resources[name], query, model)
    const { ids, ...page } =
      'cursor' in query
        ? await findPageFrom(listSpec, query)
        : await findPageByNumber(listSpec, query)
    const didYouMean = listSpec.text && (await recordIndex.correct(listSpec))
    return { ...page, didYouMean, references: referencesTo(name, ids) }
  }

  async function findPageByNumber(listSpec: ListSpec, { page, pageSize }: ListPageQuery) {
    const range = { limit: pageSize, offset: (page - 1) * pageSize }
    const { count, ids } = await recordIndex.page(listSpec, range)
    // The first page of an empty list is an empty page.
    if (range.offset > 0 && range.offset >= count) throw noSuchPage()
    return { count, ids, nextCursor: undefined }
  }

  async function findPageFrom(listSpec: ListSpec, { cursor, pageSize }: ListCursorQuery) {
    const start = cursor === '' ? undefined : readCursor(listSpec, cursor)
    const { count, ids, next } = await recordIndex.pageFrom(listSpec, { limit: pageSize, start })
    return { count, ids, nextCursor: next && writeCursor(listSpec, next) }
  }

  const referencesTo = (name: ResourceName, ids: Ids): Reference[] =>
    ids.map((id) => ({ target: name, id }))

  async function facetCounts(
    name: ResourceName,
    filterName: string,
    query: ListQuery = wholeList,
    { atLeast = 1, mostFrequent }: FacetOptions = {},
  ): Promise<readonly FacetCount[]> {
    const resource = resources[name]
    const filter = countedValuesOf(resource).find((one) => one.name === filterName)
    if (!filter) throw new Error(`${name} have no filter ${filterName}`)
    const listSpec = buildListSpec(resource, query, model)
    const otherFilters = listSpec.filters.filter((one) => one.filter.name !== filterName)
    const counts = await recordIndex.facetCounts(
      { ...listSpec, filters: otherFilters },
      filter,
      mostFrequent && {
        limit: mostFrequent.limit,
        including: mostFrequent.including.map((value) => filterTerm(mapper, filter, value).value),
      },
    )
    return [...counts]
      .filter(([, count]) => count >= atLeast)
      .map(([term, count]) => ({ value: filterValue(mapper, filter, term), count }))
      .sort(mostFrequentFirst)
  }

  async function namedFacetCounts(name: ResourceName, facetName: string, query: ListQuery) {
    const { facet, valueOf } = readNamedFacet(facetName, model)
    const listSpec = buildListSpec(resources[name], query, model)
    const counts = await recordIndex.facetCounts(listSpec, facet)
    return [...counts]
      .map(([term, count]) => ({ value: valueOf(term), count }))
      .sort(mostFrequentFirst)
  }

  async function crossCounts(
    { rows, columns }: CrossedFacets,
    query: ListQuery,
  ): Promise<CrossedCounts> {
    const listSpec = buildListSpec(resources.zines, query, model)
    const count = await recordIndex.count(listSpec)
    const ofRows = readFacet(rows, model)
    if (columns === undefined) {
      const counts = await recordIndex.facetCounts(listSpec, ofRows.counted)
      return { count, rows: valuesOfFacet(ofRows, counts), columns: [], cells: new Map() }
    }
    const ofColumns = readFacet(columns, model)
    const found = await recordIndex.crossCounts(listSpec, ofRows.counted, ofColumns.counted)
    const cells = new Map<string, Map<string, number>>()
    const maybeYield = createYielder()
    for (const { row, column, count } of found.cells) {
      await maybeYield()
      const [own, other] = [ofRows.valueOf(row), ofColumns.valueOf(column)]
      if (own === undefined || other === undefined) continue
      const ofRow = cells.get(own) ?? new Map<string, number>()
      cells.set(own, ofRow.set(other, count))
    }
    return {
      count,
      rows: valuesOfFacet(ofRows, found.rows),
      columns: valuesOfFacet(ofColumns, found.columns),
      cells,
    }
  }

  const count = async (name: ResourceName, query: ListQuery): Promise<number> =>
    recordIndex.count(buildListSpec(resources[name], query, model))

  async function agentNames(): Promise<readonly AgentName[]> {
    const { agents } = resources
    const order = ['display_name', 'sort_name'].flatMap((name) => {
      const field = agents.byName.get(name)
      return field ? [{ field, descending: false }] : []
    })
    const listSpec = { resource: agents, filters: [], terms: [], order }
    const count = await recordIndex.count(listSpec)
    const found = await recordIndex.sortValues(listSpec, { limit: count, offset: 0 })
    return found.map(([displayName = '', sortName, id]) => ({
      id: String(id),
      displayName: String(displayName),
      filedAs: String(sortName ?? displayName),
    }))
  }

  async function searchAll({ names, q, page, pageSize }: SearchQuery): Promise<SearchPage> {
    if (q.trim() === '') return { count: 0, counts: noCounts, results: [], didYouMean: undefined }
    const text = parseTextQuery(q, textFieldNames)
    const range = { limit: pageSize, offset: (page - 1) * pageSize }
    const { count, counts, isFuzzy, references } = await recordIndex.ranked(names, text, range)
    if (range.offset > 0 && range.offset >= count) throw noSuchPage()
    const results = await Promise.all(
      references.map(async (reference) => {
        const [json] = await jsonCache.listItems([reference])
        // One that is removed meanwhile is left out.
        return json === undefined ? [] : [{ reference, json }]
      }),
    )
    const isRare = isFuzzy || count <= maxCorrected
    const didYouMean = isRare ? await correctAll(names, text) : undefined
    return { count, counts, results: results.flat(), didYouMean }
  }

  async function readForLists(references: readonly Reference[]) {
    const lookup = await records.get(references)
    const found = await Promise.all(
      references.map(async (reference) => {
        const values = lookup(reference)
        return values ? resolve(resources[reference.target], [values], 'list', 'again') : []
      }),
    )
    return found.flat()
  }

  /** The first correction that there is. */
  async function correctAll(names: readonly ResourceName[], text: TextQuery) {
    for (const name of names) {
      const listSpec = { resource: resources[name], filters: [], terms: [], order: [], text }
      const corrected = await recordIndex.correct(listSpec)
      if (corrected !== undefined) return corrected
    }
    return undefined
  }

  async function updateTimes(
    name: ResourceName,
    { filters }: Pick<ListQuery, 'filters'>,
    range: PageRange,
  ): Promise<readonly UpdateTime[]> {
    const resource = resources[name]
    const order = ['created_at', 'updated_at'].flatMap((fieldName) => {
      const field = resource.byName.get(fieldName)
      return field ? [{ field, descending: false }] : []
    })
    const listSpec = { ...buildListSpec(resource, { ...wholeList, filters }, model), order }
    const values = await recordIndex.sortValues(listSpec, range)
    return values.map(([, updated, id]) => ({ id: String(id), updated: String(updated) }))
  }

  async function stream(name: ResourceName, query: ListQuery): Promise<RecordStream> {
    const ids = await recordIndex.all(buildListSpec(resources[name], query, model))
    return { count: ids.length, batches: readInBatches(resources[name], ids) }
  }

  /**
   * Reads one batch at a time of all streams together, so that other requests wait for one at most.
   */
  async function* readInBatches(resource: Resource, ids: Ids) {
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = referencesTo(resource.name, ids.slice(start, start + batchSize))
      yield await batchQueue(async () => {
        const lookup = await records.get(batch, 'once')
        const found = batch.map(lookup).filter((values) => values !== undefined)
        return resolve(resource, found, 'detail', 'once')
      })
    }
  }

  async function readInFull(
    references: readonly Reference[],
  ): Promise<ReadonlyMap<string, ResolvedRecord>> {
    const found = new Map<string, ResolvedRecord>()
    for (const resource of Object.values(resources)) {
      const ids = references.filter(({ target }) => target === resource.name).map(({ id }) => id)
      for await (const batch of readInBatches(resource, ids))
        for (const record of batch) {
          const id = textValue(record.values, resource.id.name)
          found.set(recordKey({ target: resource.name, id }), record)
        }
    }
    return found
  }

  async function withHoldings(
    zines: readonly ResolvedRecord[],
  ): Promise<readonly ResolvedRecord[]> {
    const found: ResolvedRecord[] = []
    for (let start = 0; start < zines.length; start += batchSize) {
      const batch = zines.slice(start, start + batchSize)
      found.push(...(await batchQueue(() => Promise.all(batch.map(addHoldings)))))
    }
    return found
  }

  async function addHoldings(zine: ResolvedRecord): Promise<ResolvedRecord> {
    const filters = new Map([['zine_id', textValue(zine.values, zine.resource.id.name)]])
    const ids = await recordIndex.all(
      buildListSpec(resources.holdings, { ...wholeList, filters }, model),
    )
    const references = referencesTo('holdings', [...ids].sort(compareCodePoints))
    const lookup = await records.get(references, 'once')
    const values = references.map(lookup).filter((one) => one !== undefined)
    // The list view has the zine and the repository of a holding.
    const holdings = await resolve(resources.holdings, values, 'list', 'once')
    return { ...zine, holdings }
  }

  return {
    list,
    listJson,
    updateTimes,
    stream,
    withHoldings,
    facetCounts,
    namedFacetCounts,
    count,
    agentNames,
    crossCounts,
    searchAll,
    readForLists,
    findsWords: recordIndex.findsWords,
    statistics: () => recordIndex.statistics(),
    readInFull,
  }
}

const mostFrequentFirst = (a: FacetCount, b: FacetCount): number =>
  b.count - a.count || compareCodePoints(a.value, b.value)

const valuesOfFacet = (
  { valueOf }: ReturnType<typeof readFacet>,
  counts: ReadonlyMap<string, number>,
): readonly FacetCount[] =>
  [...counts]
    .flatMap(([term, count]) => {
      const value = valueOf(term)
      return value === undefined ? [] : [{ value, count }]
    })
    .sort(mostFrequentFirst)

/**
 * The query in terms of the model. Filters and fields that the resource does not have are ignored.
 * @throws ValidationError
 */
export function buildListSpec(
  resource: Resource,
  query: ListQuery | ListCursorQuery,
  model: { readonly resources: Resources; readonly mapper: RdfMapper },
): ListSpec {
  const { mapper } = model
  const filters: FilterCondition[] = []
  for (const filter of filtersOf(resource)) {
    const value = query.filters.get(filter.name)
    if (value) filters.push({ filter, term: filterTerm(mapper, filter, value) })
  }
  const text = query.q?.trim() ? parseTextQuery(query.q, textFieldNames) : undefined
  const isSearchable = resource.fields.some((field) => field.searchable)
  return {
    resource,
    filters,
    terms: isSearchable ? parseSearchTerms(query.search) : [],
    times: parseTimeCondition(resource, query.filters),
    order: orderOf(resource, query, text !== undefined),
    // Which words are spelled otherwise depends on all records, too.
    text: text && 'cursor' in query ? asTyped(text) : text,
    conditions: parseConditions(resource, query.filters, model),
  }
}

/**
 * A list that is read by cursor has an order that depends on no other record: writes would move the
 * place where the next page begins (docs/reference/lists.md, "Cursors").
 */
function orderOf(
  resource: Resource,
  query: ListQuery | ListCursorQuery,
  isRanked: boolean,
): ListSpec['order'] {
  const hasCursor = 'cursor' in query
  // Of a field that is named twice, the first counts.
  const order = new Map<string, ListSpec['order'][number]>()
  for (const name of query.ordering) {
    const fieldName = name.replace(/^-/, '')
    const isRelevance = isRanked && fieldName === relevance.name
    if (isRelevance && hasCursor)
      throw new ValidationError(new Map([['ordering', [changingOrder]]]))
    const field = isRelevance ? relevance : resource.byName.get(fieldName)
    if (field?.sortable && !order.has(field.name))
      // The best come first, and with `-` last.
      order.set(field.name, { field, descending: name.startsWith('-') !== isRelevance })
  }
  if (order.size > 0) return [...order.values()]
  if (isRanked && !hasCursor) return [{ field: relevance, descending: true }]
  const newestBy = hasCursor ? undefined : query.newestBy
  const time = resource.byName.get(newestBy ?? 'created_at')
  return time ? [{ field: time, descending: true }] : []
}

const changingOrder =
  'A list that is read by cursor is not ordered by relevance, which changes with every write.'

// A boolean is filtered by true and false. Any other value is taken as a text, which equals no
// boolean.
function filterTerm(
  mapper: RdfMapper,
  filter: CountedValue,
  value: string,
): FilterCondition['term'] {
  if ('prefixes' in filter) return stringLiteral(value)
  if ('toIri' in filter) return filter.toIri(value)
  const isBoolean = filter.kind === 'boolean' && ['true', 'false'].includes(value)
  return mapper.termOf(filter, isBoolean ? value === 'true' : value)
}

function filterValue(mapper: RdfMapper, filter: CountedValue, term: string): string {
  if ('kind' in filter) return String(mapper.valueOf(filter, term))
  return 'fromIri' in filter ? filter.fromIri(term) : term
}
