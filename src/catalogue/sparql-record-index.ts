// What answers lists: which records are in one, in what order, and how many there are of each kind.
// Asked of the store, in the SPARQL that defines what a list is; an index that answers faster has to
// answer the same.

import type { Addresses, ResourceName } from '../model/iris.js'
import type { Filter, Resources } from '../model/resources.js'
import type { Lens } from '../model/record/rdf-mapper.js'
import type { Reference } from '../model/record/views.js'
import { type Listing, countOf, pageOf, tallyOf, wholeOf } from '../queries/list-queries.js'
import { firstAndLastChange, topicOf } from '../queries/record-queries.js'
import type { Row, Store } from '../store/store.js'
import { type Written, keyOf } from './records/record-cache.js'

export type Span = { readonly limit: number; readonly offset: number }

export type Survey = {
  readonly counts: Readonly<Record<ResourceName, number>>
  /** When the first record was made and the last one written; undefined when there are none. */
  readonly issued: string | undefined
  readonly modified: string | undefined
}

export type Finder = {
  /** Whether there is such a record. */
  has(reference: Reference): Promise<boolean>
  /** The identifiers of a part of a list, in order, and how many there are in the whole of it. */
  page(listing: Listing, span: Span): Promise<{ readonly count: number; readonly ids: Ids }>
  /** The identifiers of a list, as it is now. */
  whole(listing: Listing): Promise<Ids>
  /** How many records of a list have each value of a filter, by the value of its term. */
  tally(listing: Listing, filter: Filter): Promise<ReadonlyMap<string, number>>
  survey(): Promise<Survey>
  /** Takes note of what was committed: records as they are now, or gone. */
  note(changes: readonly Written[]): void
}

export type Ids = readonly string[]

type Parts = {
  readonly store: Store
  readonly addresses: Addresses
  readonly resources: Resources
  readonly lens: Lens
}

/** Asks the store each time. */
export function askStore({ store, addresses, resources, lens }: Parts): Finder {
  const graph = addresses.graphs.public

  async function has(reference: Reference): Promise<boolean> {
    if (store.read) return (await store.read([keyOf(reference)])).size > 0
    const record = addresses.record(reference.target, reference.id)
    return (await store.select(topicOf(record, graph))).length > 0
  }

  async function page(listing: Listing, span: Span) {
    const count = await counted(listing)
    if (span.offset >= count) return { count, ids: [] }
    return { count, ids: idsOf(await store.select(pageOf(listing, graph, span))) }
  }

  const whole = async (listing: Listing): Promise<Ids> =>
    idsOf(await store.select(wholeOf(listing, graph)))

  const idsOf = (rows: readonly Row[]): Ids =>
    rows.flatMap(({ s }) => (s ? [addresses.identifierOf(s.value)] : []))

  async function counted(listing: Listing): Promise<number> {
    const [row] = await store.select(countOf(listing, graph))
    return Number(row?.count?.value ?? 0)
  }

  async function tally(listing: Listing, filter: Filter) {
    const rows = await store.select(tallyOf(listing, filter, graph))
    return new Map(
      rows.flatMap(({ value, count }) => (value ? [[value.value, Number(count?.value)]] : [])),
    )
  }

  async function survey(): Promise<Survey> {
    const counts = await Promise.all(
      Object.values(resources).map(async (resource) => {
        const all = { resource, filters: [], terms: [], order: [] }
        return [resource.name, await counted(all)] as const
      }),
    )
    const [times] = await store.select(firstAndLastChange(graph))
    const timeOf = (time: Row[string]): string | undefined => time && lens.timeOf(time.value)
    return {
      counts: Object.fromEntries(counts) as Survey['counts'],
      issued: timeOf(times?.first),
      modified: timeOf(times?.last),
    }
  }

  return { has, page, whole, tally, survey, note: () => undefined }
}
