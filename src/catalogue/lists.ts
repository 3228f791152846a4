// Lists: a page of one, the whole of one, and how much there is in all.

import type { ResourceName } from '../model/iris.js'
import { type Filter, type Resource, type Resources, filtersOf } from '../model/resources.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Reference, ResolvedRecord, ViewName } from '../model/record/views.js'
import type { FilterCondition, ListSpec } from '../queries/list-queries.js'
import { compareCodePoints, stringLiteral } from '../rdf/terms.js'
import { createSerialQueue } from '../scheduling.js'
import type { RecordReader } from './records/record-cache.js'
import { PageNotFoundError } from './errors.js'
import type { RecordIndex, Ids, Statistics } from './sparql-record-index.js'
import type { JsonCache } from './records/json-cache.js'
import { parseSearchTerms } from './search-terms.js'
import type { ResolveReferences } from './records/resolve-references.js'

/** What a client asks of a list, as it wrote it. */
export type ListQuery = {
  /** By the name of the field; an empty value is no filter. */
  readonly filters: ReadonlyMap<string, string>
  readonly search: string
  /** Field names, each with `-` before it for the other direction. */
  readonly ordering: readonly string[]
}

export type ListPageQuery = ListQuery & {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export type ListPage = { readonly count: number; readonly records: readonly ResolvedRecord[] }

/** A page whose records are JSON already. */
export type JsonPage = { readonly count: number; readonly items: readonly string[] }

/** A list of any length: its records come some at a time, as fast as they are taken. */
export type RecordStream = {
  readonly count: number
  readonly batches: AsyncIterable<readonly ResolvedRecord[]>
}

/** How many records have a value, as the filter takes it. */
export type FacetCount = { readonly value: string; readonly count: number }

export type Lists = {
  /**
   * A page of records, with the cards of those that the view of them names.
   * @throws NoSuchPage past the last page
   */
  list(name: ResourceName, request: ListPageQuery, view?: ViewName): Promise<ListPage>
  /** The same page with its records as lists show them, sooner. @throws NoSuchPage past the last page */
  listJson(name: ResourceName, request: ListPageQuery): Promise<JsonPage>
  /** The whole list, as it was when it was asked for; records that were removed since are left out. */
  stream(name: ResourceName, sought: ListQuery): Promise<RecordStream>
  /**
   * How many records of the list have each value that a filter takes, the most frequent first, then by
   * code point. A filter leaves its own tally alone: it tells what there would be without it.
   */
  facetCounts(
    name: ResourceName,
    filter: string,
    sought?: ListQuery,
  ): Promise<readonly FacetCount[]>
  /** How many records there are of each kind, and in what time they were written. */
  statistics(): Promise<Statistics>
}

// How many records are read at once for a list that is walked through: whoever asks for something else
// meanwhile waits for them. With 200 they wait twenty times as long, for an export that is no faster.
const batchSize = 8

const wholeList: ListQuery = { filters: new Map(), search: '', ordering: [] }

type ListsDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly cards: RecordReader
  readonly gather: ResolveReferences
  readonly jsonCache: JsonCache
}

export function createLists(parts: ListsDependencies): Lists {
  const { recordIndex, resources, mapper, cards, gather, jsonCache } = parts
  const inTurn = createSerialQueue()

  async function list(
    name: ResourceName,
    request: ListPageQuery,
    view: ViewName = 'list',
  ): Promise<ListPage> {
    const { count, references } = await pageOfList(name, request)
    const known = await cards.get(references)
    const results = references.map(known).filter((card) => card !== undefined)
    return { count, records: await gather(resources[name], results, view, 'get') }
  }

  async function listJson(name: ResourceName, request: ListPageQuery): Promise<JsonPage> {
    const { count, references } = await pageOfList(name, request)
    return { count, items: await jsonCache.listItems(references) }
  }

  async function pageOfList(name: ResourceName, request: ListPageQuery) {
    const offset = (request.page - 1) * request.pageSize
    const span = { limit: request.pageSize, offset }
    const { count, ids } = await recordIndex.page(
      buildListSpec(resources[name], request, mapper),
      span,
    )
    // The first page of nothing is an empty page.
    if (offset > 0 && offset >= count) throw new PageNotFoundError()
    return { count, references: referencesTo(name, ids) }
  }

  const referencesTo = (name: ResourceName, ids: Ids): Reference[] =>
    ids.map((id) => ({ target: name, id }))

  async function facetCounts(
    name: ResourceName,
    filterName: string,
    sought: ListQuery = wholeList,
  ): Promise<readonly FacetCount[]> {
    const resource = resources[name]
    const filter = filtersOf(resource).find((one) => one.name === filterName)
    if (!filter) throw new Error(`no filter of ${name} is called ${filterName}`)
    const listing = buildListSpec(resource, sought, mapper)
    const filters = listing.filters.filter((one) => one.filter.name !== filterName)
    const counts = await recordIndex.facetCounts({ ...listing, filters }, filter)
    return [...counts]
      .map(([term, count]) => ({ value: filterValue(mapper, filter, term), count }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value))
  }

  async function stream(name: ResourceName, sought: ListQuery): Promise<RecordStream> {
    const ids = await recordIndex.all(buildListSpec(resources[name], sought, mapper))
    return { count: ids.length, batches: batchesOf(resources[name], ids) }
  }

  /** The records, a batch at a time; between two of them whoever else waits is answered. */
  async function* batchesOf(resource: Resource, ids: Ids) {
    for (let start = 0; start < ids.length; start += batchSize) {
      const some = referencesTo(resource.name, ids.slice(start, start + batchSize))
      yield await inTurn(async () => {
        const known = await cards.getUncached(some)
        const found = some.map(known).filter((card) => card !== undefined)
        return gather(resource, found, 'detail', 'getUncached')
      })
    }
  }

  return { list, listJson, stream, facetCounts, statistics: () => recordIndex.statistics() }
}

/** What a request asks for, in the terms of the resource; what it does not know is passed over. */
export function buildListSpec(resource: Resource, request: ListQuery, mapper: RdfMapper): ListSpec {
  const filters = filtersOf(resource).flatMap((filter): FilterCondition[] => {
    const value = request.filters.get(filter.name)
    return value ? [{ filter, term: filterTerm(mapper, filter, value) }] : []
  })
  // A field named twice orders by the first of the two.
  const order = new Map<string, ListSpec['order'][number]>()
  for (const name of request.ordering) {
    const field = resource.byName.get(name.replace(/^-/, ''))
    if (field?.sortable && !order.has(field.name))
      order.set(field.name, { field, descending: name.startsWith('-') })
  }
  const newest = resource.byName.get('created_at')
  const byDefault = newest ? [{ field: newest, descending: true }] : []
  return {
    resource,
    filters,
    terms: resource.fields.some((field) => field.searchable)
      ? parseSearchTerms(request.search)
      : [],
    order: order.size > 0 ? [...order.values()] : byDefault,
  }
}

// A boolean takes true and false; anything else is a text, which no boolean equals.
function filterTerm(mapper: RdfMapper, filter: Filter, value: string): FilterCondition['term'] {
  if ('prefixes' in filter) return stringLiteral(value)
  const isBoolean = filter.kind === 'boolean' && ['true', 'false'].includes(value)
  return mapper.termOf(filter, isBoolean ? value === 'true' : value)
}

const filterValue = (mapper: RdfMapper, filter: Filter, term: string): string =>
  'prefixes' in filter ? term : String(mapper.valueOf(filter, term))
