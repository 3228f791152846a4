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
import { type NamedNode, compareCodePoints } from '../rdf/terms.js'
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
  /**
   * The identifiers of the records of a resource that refer to any of these records with a field,
   * sorted.
   */
  referrers(by: ReferenceField, to: readonly Reference[]): Promise<Ids>
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
  /** The best records of a list that has a search and is ordered by relevance alone. */
  best(listSpec: ListSpec, limit: number): Promise<readonly BestMatch[]>
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

/** A record that a search finds, and how well it matches: higher is better. */
export type BestMatch = { readonly id: string; readonly score: number }

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

export class SparqlRecordIndex implements RecordIndex {
  readonly findsWords = false
  readonly #store: Store
  readonly #iris: Iris
  readonly #resources: Resources
  readonly #mapper: RdfMapper
  readonly #graph: NamedNode

  constructor({ store, iris, resources, mapper }: SparqlRecordIndexDependencies) {
    this.#store = store
    this.#iris = iris
    this.#resources = resources
    this.#mapper = mapper
    this.#graph = iris.graphs.public
  }

  async has(reference: Reference): Promise<boolean> {
    const key = recordKey(reference)
    const nquads = (await this.#store.readRecords([key])).get(key)
    return nquads !== undefined && redirectOfEntry(this.#iris, nquads) === undefined
  }

  async page(listSpec: ListSpec, range: PageRange): Promise<FoundPage> {
    refuseText(listSpec)
    const count = await this.count(listSpec)
    if (range.offset >= count) return { count, ids: [] }
    return {
      count,
      ids: this.#idsOf(await this.#store.select(selectPage(listSpec, this.#graph, range))),
    }
  }

  async pageFrom(listSpec: ListSpec, { limit, start }: PositionRange): Promise<PageFrom> {
    refuseText(listSpec)
    const count = await this.count(listSpec)
    // With one more, which the next page begins with.
    const range = { limit: limit + 1, start: start && this.#termsOf(listSpec, start) }
    const rows = await this.#store.select(selectPageFrom(listSpec, this.#graph, range))
    const [last, following] = [rows[limit - 1], rows[limit]]
    const next =
      last && following
        ? positionBetween(
            listSpec.order,
            this.#sortValuesOf(listSpec, last),
            this.#sortValuesOf(listSpec, following),
          )
        : undefined
    return { count, ids: this.#idsOf(rows.slice(0, limit)), next }
  }

  async sortValues(listSpec: ListSpec, range: PageRange): Promise<readonly SortValues[]> {
    refuseText(listSpec)
    const rows = await this.#store.select(selectSortedPart(listSpec, this.#graph, range))
    return rows.map((row) => this.#sortValuesOf(listSpec, row))
  }

  async all(listSpec: ListSpec): Promise<Ids> {
    refuseText(listSpec)
    return this.#idsOf(await this.#store.select(selectAll(listSpec, this.#graph)))
  }

  async count(listSpec: ListSpec): Promise<number> {
    refuseText(listSpec)
    const [row] = await this.#store.select(selectCount(listSpec, this.#graph))
    return Number(row?.count?.value ?? 0)
  }

  async facetCounts(listSpec: ListSpec, counted: Counted): Promise<ReadonlyMap<string, number>> {
    refuseText(listSpec)
    const rows = await this.#store.select(selectFacetCounts(listSpec, counted, this.#graph))
    return new Map(
      rows.flatMap(({ value0, count }) => (value0 ? [[value0.value, Number(count?.value)]] : [])),
    )
  }

  async crossCounts(listSpec: ListSpec, rows: Counted, columns: Counted): Promise<CrossCounts> {
    refuseText(listSpec)
    const cells = await this.#store.select(
      selectCrossCounts(listSpec, [rows, columns], this.#graph),
    )
    return {
      rows: await this.facetCounts(listSpec, rows),
      columns: await this.facetCounts(listSpec, columns),
      cells: cells.flatMap(({ value0, value1, count }) =>
        value0 && value1
          ? [{ row: value0.value, column: value1.value, count: Number(count?.value) }]
          : [],
      ),
    }
  }

  async referrers({ resource, field }: ReferenceField, to: readonly Reference[]): Promise<Ids> {
    const [property] = field.path
    if (!property) throw new Error(`${resource.name}.${field.name} has no property`)
    const things = to.map(({ target, id }) => this.#iris.thing(target, id))
    const rows = await this.#store.select(selectReferrers(things, property, this.#graph))
    return rows
      .flatMap(({ s }) => (s ? [this.#iris.idFromIri(s.value)] : []))
      .sort(compareCodePoints)
  }

  ranked(): Promise<Ranked> {
    return Promise.reject(noTextSearch())
  }

  best(): Promise<readonly BestMatch[]> {
    return Promise.reject(noTextSearch())
  }

  correct(): Promise<string | undefined> {
    return Promise.resolve(undefined)
  }

  async statistics(): Promise<Statistics> {
    const counts = await Promise.all(
      Object.values(this.#resources).map(async (resource) => {
        const listSpec = { resource, filters: [], terms: [], order: [] }
        return [resource.name, await this.count(listSpec)] as const
      }),
    )
    const [times] = await this.#store.select(selectFirstAndLastChange(this.#graph))
    const timeOf = (time: SelectRow[string]): string | undefined =>
      time && this.#mapper.timeOf(time.value)
    return {
      counts: Object.fromEntries(counts) as Statistics['counts'],
      issued: timeOf(times?.first),
      modified: timeOf(times?.last),
    }
  }

  #termsOf({ resource, order }: ListSpec, position: ListPosition): PositionTerms {
    return position.map((value, index) =>
      value === undefined
        ? undefined
        : this.#mapper.termOf(order[index]?.field ?? resource.id, value),
    )
  }

  #sortValuesOf({ order }: ListSpec, row: SelectRow): SortValues {
    return [
      ...order.map(({ field }, index) => {
        const key = row[`key${index}`]
        return key && this.#mapper.valueOf(field, key.value)
      }),
      ...this.#idsOf([row]),
    ]
  }

  #idsOf(rows: readonly SelectRow[]): Ids {
    return rows.flatMap(({ s }) => (s ? [this.#iris.idFromIri(s.value)] : []))
  }
}

/** Only the index in memory finds and orders records by words. */
function refuseText({ text }: ListSpec): void {
  if (text) throw noTextSearch()
}

const noTextSearch = (): RequestError =>
  new RequestError(
    'unsupported',
    'This service has no index of words in memory, so it does not take q. Use search instead.',
  )
