// What is asked of lists of records, and what is answered: one page, all records, the counts of
// facets, a search. Here a query becomes terms of the model. Which records are in a list is left to
// the record index, and what is made of them to the files in lists/.

import type { ResourceName } from '../model/iris.js'
import {
  type CountedValue,
  type Resource,
  type Resources,
  filtersOf,
  ordersOf,
} from '../model/resources.js'
import { ValidationError } from '../model/record/input.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Reference, ResolvedRecord, ViewName } from '../model/record/views.js'
import type { ListSpec } from '../queries/list-queries.js'
import type { FilterCondition } from '../queries/patterns.js'
import { stringLiteral } from '../rdf/terms.js'
import { parseSearchTerms } from './search-terms.js'
import type { BestMatch, FoundPage, Ids, PageRange, Statistics } from './sparql-record-index.js'
import { parseConditions } from './list-conditions.js'
import { relevance } from './search/relevance.js'
import { textFieldNames } from './search/text-fields.js'
import { asTyped, parseTextQuery } from '../queries/text-query.js'
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
  /** Names of orders; `-` before a name means descending. */
  readonly ordering: readonly string[]
  /**
   * The time by which the newest come first where no field is named; `created_at` unless given, and
   * by cursor.
   */
  readonly newestBy?: 'created_at' | 'updated_at'
  /** Whether the reader sees lists of editors that are not public; not unless given. */
  readonly seesAllLists?: boolean
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

export type UpdateTime = { readonly id: string; readonly updated: string }

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
export type JsonPage = PageInfo & { readonly items: readonly string[] }

/** A whole list, read in batches as they are consumed. */
export type RecordStream = {
  readonly count: number
  readonly batches: AsyncIterable<readonly ResolvedRecord[]>
}

/** How many records have a value, in the form in which the filter takes it. */
export type FacetCount = { readonly value: string; readonly count: number }

/** The names of two facets; only rows are counted where no columns are named. */
export type CrossedFacets = { readonly rows: string; readonly columns: string | undefined }

export type CrossedCounts = {
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
  /** The identifiers of a part of a list, in order, and the number of records in the whole list. */
  findIds(name: ResourceName, query: ListQuery, range: PageRange): Promise<FoundPage>
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
  /**
   * The zines among the records with their holdings, by the holdings' identifiers, and the
   * repositories of these; other records as they are.
   */
  withHoldings(listed: readonly ResolvedRecord[]): Promise<readonly ResolvedRecord[]>
  /**
   * How many records of the list have each value that a filter takes: the most frequent first, then
   * by code point. The filter's own condition in the query is ignored unless `isNarrowed`, so the
   * counts tell what choosing another value would give.
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
  /**
   * The best records of a resource that a search finds, in the order of its list with `q`, all as
   * they are at one moment.
   * @throws ValidationError
   */
  bestMatches(name: ResourceName, q: string, limit: number): Promise<readonly BestMatch[]>
  /** These records as lists show them, in their order; those that do not exist are left out. */
  readForLists(references: readonly Reference[]): Promise<readonly ResolvedRecord[]>
  /** Whether searches with `q` are answered: by the index in memory alone. */
  readonly findsWords: boolean
  /** How many records of each resource there are, and when the first and the last were written. */
  statistics(): Promise<Statistics>
  /** Records as whole exports show them, by their keys; those that do not exist are left out. */
  readInFull(references: readonly Reference[]): Promise<ReadonlyMap<string, ResolvedRecord>>
}

export type FacetOptions = {
  /** Only values that so many records have. */
  readonly atLeast?: number
  /** Under the filter's own condition too: the counts tell what a further value would give. */
  readonly isNarrowed?: boolean
  /** Only the most frequent values are needed, and some others; the rest may be left out. */
  readonly mostFrequent?: { readonly limit: number; readonly including: readonly string[] }
}

export type SearchQuery = {
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

export type AnyPageQuery = ListPageQuery | ListCursorQuery

export const wholeList: ListQuery = { filters: new Map(), search: '', ordering: [] }

/**
 * The query in terms of the model. Filters and fields that the resource does not have are ignored.
 * @param model with the identifiers that the filter `list` stands for; none without them
 * @throws ValidationError
 */
export function buildListSpec(
  resource: Resource,
  query: ListQuery | ListCursorQuery,
  model: {
    readonly resources: Resources
    readonly mapper: RdfMapper
    readonly listedIds?: readonly string[]
  },
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
    conditions: parseConditions(resource, query.filters, { listedIds: [], ...model }),
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
  // Of an order that is named twice, the first counts.
  const order = new Map<string, ListSpec['order'][number]>()
  for (const name of query.ordering) {
    const fieldName = name.replace(/^-/, '')
    const isRelevance = isRanked && fieldName === relevance.name
    if (isRelevance && hasCursor)
      throw new ValidationError(new Map([['ordering', [changingOrder]]]))
    const field = isRelevance
      ? relevance
      : ordersOf(resource).find((candidate) => candidate.name === fieldName)
    if (field && !order.has(field.name))
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
export function filterTerm(
  mapper: RdfMapper,
  filter: CountedValue,
  value: string,
): FilterCondition['term'] {
  if ('prefixes' in filter) return stringLiteral(value)
  if ('toIri' in filter) return filter.toIri(value)
  const isBoolean = filter.kind === 'boolean' && ['true', 'false'].includes(value)
  return mapper.termOf(filter, isBoolean ? value === 'true' : value)
}

export function filterValue(mapper: RdfMapper, filter: CountedValue, term: string): string {
  if ('kind' in filter) return String(mapper.valueOf(filter, term))
  return 'fromIri' in filter ? filter.fromIri(term) : term
}

export const referencesTo = (name: ResourceName, ids: Ids): Reference[] =>
  ids.map((id) => ({ target: name, id }))
