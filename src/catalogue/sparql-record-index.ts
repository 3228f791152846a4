// What answers lists: which records are in one, in what order, and how many there are of each kind.
// Asked of the store, in the SPARQL that defines what a list is; an index that answers faster has to
// answer the same.

import type { Iris, ResourceName } from '../model/iris.js'
import type { Filter, Resources } from '../model/resources.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Reference } from '../model/record/views.js'
import {
  type ListSpec,
  selectCount,
  selectPage,
  selectFacetCounts,
  selectAll,
} from '../queries/list-queries.js'
import { selectFirstAndLastChange, selectTopic } from '../queries/record-queries.js'
import type { SelectRow, Store } from '../store/store.js'
import { type RecordChange, recordKey } from './records/record-cache.js'

export type PageRange = { readonly limit: number; readonly offset: number }

export type Statistics = {
  readonly counts: Readonly<Record<ResourceName, number>>
  /** When the first record was made and the last one written; undefined when there are none. */
  readonly issued: string | undefined
  readonly modified: string | undefined
}

export type RecordIndex = {
  /** Whether there is such a record. */
  has(reference: Reference): Promise<boolean>
  /** The identifiers of a part of a list, in order, and how many there are in the whole of it. */
  page(listing: ListSpec, span: PageRange): Promise<{ readonly count: number; readonly ids: Ids }>
  /** The identifiers of a list, as it is now. */
  all(listing: ListSpec): Promise<Ids>
  /** How many records of a list have each value of a filter, by the value of its term. */
  facetCounts(listing: ListSpec, filter: Filter): Promise<ReadonlyMap<string, number>>
  statistics(): Promise<Statistics>
  /** Takes note of what was committed: records as they are now, or gone. */
  onCommit(changes: readonly RecordChange[]): void
}

export type Ids = readonly string[]

type SparqlRecordIndexDependencies = {
  readonly store: Store
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

/** Asks the store each time. */
export function createSparqlRecordIndex({
  store,
  iris,
  resources,
  mapper,
}: SparqlRecordIndexDependencies): RecordIndex {
  const graph = iris.graphs.public

  async function has(reference: Reference): Promise<boolean> {
    if (store.isShared) return (await store.readRecords([recordKey(reference)])).size > 0
    const record = iris.record(reference.target, reference.id)
    return (await store.select(selectTopic(record, graph))).length > 0
  }

  async function page(listing: ListSpec, span: PageRange) {
    const count = await counted(listing)
    if (span.offset >= count) return { count, ids: [] }
    return { count, ids: idsOf(await store.select(selectPage(listing, graph, span))) }
  }

  const all = async (listing: ListSpec): Promise<Ids> =>
    idsOf(await store.select(selectAll(listing, graph)))

  const idsOf = (rows: readonly SelectRow[]): Ids =>
    rows.flatMap(({ s }) => (s ? [iris.idFromIri(s.value)] : []))

  async function counted(listing: ListSpec): Promise<number> {
    const [row] = await store.select(selectCount(listing, graph))
    return Number(row?.count?.value ?? 0)
  }

  async function facetCounts(listing: ListSpec, filter: Filter) {
    const rows = await store.select(selectFacetCounts(listing, filter, graph))
    return new Map(
      rows.flatMap(({ value, count }) => (value ? [[value.value, Number(count?.value)]] : [])),
    )
  }

  async function statistics(): Promise<Statistics> {
    const counts = await Promise.all(
      Object.values(resources).map(async (resource) => {
        const all = { resource, filters: [], terms: [], order: [] }
        return [resource.name, await counted(all)] as const
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

  return { has, page, all, facetCounts, statistics, onCommit: () => undefined }
}
