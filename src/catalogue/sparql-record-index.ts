// The record index: which records a list has, in what order, and how many there are. This one
// queries the store with the generated SPARQL that defines what a list is
// (src/queries/list-queries.ts). The index in memory answers the same, faster
// (index/memory-record-index.ts).

import { RequestError } from '../errors.js'
import type { MostFrequent } from '../lib/text-index/postings.js'
import type { Iris, ResourceName } from '../model/iris.js'
import type { Field, Resource, Resources } from '../model/resources.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { redirectOfEntry } from '../model/record/redirect.js'
import type { Reference } from '../model/record/views.js'
import {
  type Counted,
  type ListSpec,
  type PositionTerms,
  selectPageFrom,
  selectCount,
  selectCrossCounts,
  selectPage,
  selectSortedPart,
  selectFacetCounts,
  selectAll,
} from '../queries/list-queries.js'
import type { TextQuery } from '../queries/text-query.js'
import { selectFirstAndLastChange, selectReferrers } from '../queries/record-queries.js'
import { compareCodePoints } from '../rdf/terms.js'
import type { SelectRow, Store } from '../store/store.js'
import { type ListPosition, type SortValues, positionBetween } from './list-position.js'
import { recordKey } from './records/record-cache.js'

/** Which part of a list a page has. */
export type PageRange = { readonly limit: number; readonly offset: number }

/** So many records from a position in the order of a list, or from its beginning. */
export type PositionRange = { readonly limit: number; readonly start: ListPosition | undefined }

export type Statistics = {
  readonly counts: Readonly<Record<ResourceName, number>>
  /**
   * The times of the first creation and of the last change; undefined when there are no records.
   */
  readonly issued: string | undefined
  readonly modified: string | undefined
}

export type RecordIndex = {
  /** Whether it answers searches with `q`. */
  readonly findsWords: boolean
  /** Whether the record exists. */
  has(reference: Reference): Promise<boolean>
  /** The identifiers of a part of a list, in order, and the number of records in the whole list. */
  page(listSpec: ListSpec, range: PageRange): Promise<FoundPage>
  /** The same from a position on. */
  pageFrom(listSpec: ListSpec, range: PositionRange): Promise<PageFrom>
  /**
   * For each record of a part of a list, the values that it is sorted by, with the identifier last.
   */
  sortValues(listSpec: ListSpec, range: PageRange): Promise<readonly SortValues[]>
  /** The identifiers of a whole list, in order. */
  all(listSpec: ListSpec): Promise<Ids>
  /** The identifiers of the records of a resource that refer to a record with a field, sorted. */
  referrers(by: ReferenceField, to: Reference): Promise<Ids>
  /** The number of records in a list. */
  count(listSpec: ListSpec): Promise<number>
  /**
   * How many records of a list have each value, by the value of its term.
   * @param options it may leave out all other values
   */
  facetCounts(
    listSpec: ListSpec,
    counted: Counted,
    options?: MostFrequent,
  ): Promise<ReadonlyMap<string, number>>
  /** How many records of a list have each pair of values. Other work runs meanwhile. */
  crossCounts(listSpec: ListSpec, rows: Counted, columns: Counted): Promise<CrossCounts>
  /** The records of several resources that a search finds, the best first. */
  ranked(names: readonly ResourceName[], text: TextQuery, range: PageRange): Promise<Ranked>
  /** The search of a list with the words that were likely meant; undefined where there is none. */
  correct(listSpec: ListSpec): Promise<string | undefined>
  statistics(): Promise<Statistics>
}

export type Ids = readonly string[]

/** A field of a resource that refers to records. */
export type ReferenceField = { readonly resource: Resource; readonly field: Field }

/** Records of several resources, and how many there are in all, and of each. */
export type Ranked = {
  readonly count: number
  readonly counts: Readonly<Record<ResourceName, number>>
  readonly references: readonly Reference[]
  /** Whether words with other spellings were taken. */
  readonly isFuzzy: boolean
}

/** How many records of a list have each value of two facets, and each pair of them. */
export type CrossCounts = {
  readonly rows: ReadonlyMap<string, number>
  readonly columns: ReadonlyMap<string, number>
  readonly cells: readonly CrossCount[]
}

export type CrossCount = { readonly row: string; readonly column: string; readonly count: number }

export type FoundPage = { readonly count: number; readonly ids: Ids }

export type PageFrom = FoundPage & {
  /** Where the next page begins; undefined on the last. */
  readonly next: ListPosition | undefined
}

type SparqlRecordIndexDependencies = {
  readonly store: Store
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

export function createSparqlRecordIndex({
  store,
  iris,
  resources,
  mapper,
}: SparqlRecordIndexDependencies): RecordIndex {
  const graph = iris.graphs.public

  async function has(reference: Reference): Promise<boolean> {
    const key = recordKey(reference)
    const nquads = (await store.readRecords([key])).get(key)
    return nquads !== undefined && redirectOfEntry(iris, nquads) === undefined
  }

  async function page(listSpec: ListSpec, range: PageRange) {
    const count = await countRecords(listSpec)
    if (range.offset >= count) return { count, ids: [] }
    return { count, ids: idsOf(await store.select(selectPage(listSpec, graph, range))) }
  }

  async function pageFrom(listSpec: ListSpec, { limit, start }: PositionRange): Promise<PageFrom> {
    const count = await countRecords(listSpec)
    // With one more, which the next page begins with.
    const range = { limit: limit + 1, start: start && termsOf(listSpec, start) }
    const found = await store.select(selectPageFrom(listSpec, graph, range))
    const [last, following] = [found[limit - 1], found[limit]]
    const next =
      last && following
        ? positionBetween(
            listSpec.order,
            sortValuesOf(listSpec, last),
            sortValuesOf(listSpec, following),
          )
        : undefined
    return { count, ids: idsOf(found.slice(0, limit)), next }
  }

  const termsOf = ({ resource, order }: ListSpec, position: ListPosition): PositionTerms =>
    position.map((value, index) =>
      value === undefined ? undefined : mapper.termOf(order[index]?.field ?? resource.id, value),
    )

  const sortValuesOf = ({ order }: ListSpec, row: SelectRow): SortValues => [
    ...order.map(({ field }, index) => {
      const key = row[`key${index}`]
      return key && mapper.valueOf(field, key.value)
    }),
    ...idsOf([row]),
  ]

  async function sortValues(listSpec: ListSpec, range: PageRange): Promise<readonly SortValues[]> {
    const found = await store.select(selectSortedPart(listSpec, graph, range))
    return found.map((row) => sortValuesOf(listSpec, row))
  }

  const all = async (listSpec: ListSpec): Promise<Ids> =>
    idsOf(await store.select(selectAll(listSpec, graph)))

  const idsOf = (rows: readonly SelectRow[]): Ids =>
    rows.flatMap(({ s }) => (s ? [iris.idFromIri(s.value)] : []))

  async function countRecords(listSpec: ListSpec): Promise<number> {
    const [row] = await store.select(selectCount(listSpec, graph))
    return Number(row?.count?.value ?? 0)
  }

  async function facetCounts(listSpec: ListSpec, counted: Counted) {
    const rows = await store.select(selectFacetCounts(listSpec, counted, graph))
    return new Map(
      rows.flatMap(({ value0, count }) => (value0 ? [[value0.value, Number(count?.value)]] : [])),
    )
  }

  async function crossCounts(
    listSpec: ListSpec,
    rows: Counted,
    columns: Counted,
  ): Promise<CrossCounts> {
    const found = await store.select(selectCrossCounts(listSpec, [rows, columns], graph))
    return {
      rows: await facetCounts(listSpec, rows),
      columns: await facetCounts(listSpec, columns),
      cells: found.flatMap(({ value0, value1, count }) =>
        value0 && value1
          ? [{ row: value0.value, column: value1.value, count: Number(count?.value) }]
          : [],
      ),
    }
  }

  async function referrers({ resource, field }: ReferenceField, { target, id }: Reference) {
    const [property] = field.path
    if (!property) throw new Error(`${resource.name}.${field.name} has no property`)
    const rows = await store.select(selectReferrers(iris.thing(target, id), property, graph))
    return rows.flatMap(({ s }) => (s ? [iris.idFromIri(s.value)] : [])).sort(compareCodePoints)
  }

  async function statistics(): Promise<Statistics> {
    const counts = await Promise.all(
      Object.values(resources).map(async (resource) => {
        const listSpec = { resource, filters: [], terms: [], order: [] }
        return [resource.name, await countRecords(listSpec)] as const
      }),
    )
    const [times] = await store.select(selectFirstAndLastChange(graph))
    const timeOf = (time: SelectRow[string]): string | undefined =>
      time && mapper.timeOf(time.value)
    return {
      counts: Object.fromEntries(counts) as Statistics['counts'],
      issued: timeOf(times?.first),
      modified: timeOf(times?.last),
    }
  }

  return {
    findsWords: false,
    has,
    page: withoutText(page),
    pageFrom: withoutText(pageFrom),
    sortValues: withoutText(sortValues),
    all: withoutText(all),
    referrers,
    count: withoutText(countRecords),
    facetCounts: withoutText(facetCounts),
    crossCounts: withoutText(crossCounts),
    ranked: () => Promise.reject(noTextSearch()),
    correct: () => Promise.resolve(undefined),
    statistics,
  }
}

/** Only the index in memory finds and orders records by words. */
const withoutText =
  <Rest extends readonly unknown[], Result>(
    read: (listSpec: ListSpec, ...rest: Rest) => Promise<Result>,
  ) =>
  (listSpec: ListSpec, ...rest: Rest): Promise<Result> =>
    listSpec.text ? Promise.reject(noTextSearch()) : read(listSpec, ...rest)

const noTextSearch = (): RequestError =>
  new RequestError(
    'unsupported',
    'This service has no index of words in memory, so it does not take q. Use search instead.',
  )
