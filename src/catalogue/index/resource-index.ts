// The index of one resource: numbers its records, knows which of them are in a list, and in what order.
// A record that is written gets a new number and its old one dies; dead numbers are left out of every
// answer, and are given anew once a sweep has found the last traces of them.

import { type Field, type Filter, type Resource, filtersOf } from '../../model/resources.js'
import type { ListSpec } from '../../queries/list-queries.js'
import { collectInSteps, yieldToEventLoop } from '../../scheduling.js'
import { createCache } from '../../cache.js'
import { splitWords } from '../search-terms.js'
import { type DocIds, createDocIds, binarySearch } from './sorted-ids.js'
import { type IndexEntry, orderedFields } from './index-entry.js'
import { type SortKey, type Keys, sortDocs, compareBy, createSortOrder } from './sort-order.js'
import { type DocSet, detachedCopy, createPostings } from './postings.js'

export type IndexLimits = {
  /** How many records all lists that are kept may have together. */
  readonly kept: number
  /** How many writes a kept list is brought up to date with; after more, it is made anew. */
  readonly caughtUp: number
  /** How many writes are remembered. */
  readonly remembered: number
  /** How many numbers may be dead before they are swept, besides a quarter of all. */
  readonly dead: number
}

export const defaultLimits: IndexLimits = {
  kept: 4e6,
  caughtUp: 64,
  remembered: 1024,
  dead: 10_000,
}

export type ResourceIndex = ReturnType<typeof createResourceIndex>

/** The record that a write put in the place of another; either may be missing. */
type IndexChange = {
  readonly before: number | undefined
  readonly after: { readonly doc: number; readonly entry: IndexEntry } | undefined
}

/** A list as it was when so many writes had been made. */
type CachedList = { readonly listing: ListSpec; readonly docs: DocIds; writes: number }

type Found = readonly number[] | DocSet | undefined

const isArray = (found: Found): found is readonly number[] => Array.isArray(found)

/** Up to this many, comparing them is faster than counting all. */
const maxCompared = 1000

export function createResourceIndex(resource: Resource, limits: IndexLimits = defaultLimits) {
  const ordered = orderedFields(resource)
  const filters = filtersOf(resource)

  const ids: (string | undefined)[] = []
  const numbers = new Map<string, number>()
  const keys = ordered.map((): Keys => [])
  const byId = createSortOrder([], ids)
  const orders = keys.map((own) => createSortOrder(own, ids))
  const values = filters.map(createPostings)
  const words = createPostings()

  /** Numbers that nothing has any more, and those that are dead but may be found still. */
  const free: number[] = []
  let dead: number[] = []
  let sweeping: Promise<void> | undefined

  let writes = 0
  let changes: IndexChange[] = []
  const lists = createCache<CachedList>(limits.kept, ({ docs }) => docs.length + 100)

  /** Puts in a record that is not there yet; it is in no list before `settle`. */
  function add(entry: IndexEntry): number {
    const doc = free.pop() ?? ids.length
    const id = detachedCopy(entry.id)
    ids[doc] = id
    numbers.set(id, doc)
    keys.forEach((own, place) => {
      const key = entry.keys[place]
      own[doc] = typeof key === 'string' ? detachedCopy(key) : key
    })
    values.forEach((own, place) => {
      for (const value of entry.values[place] ?? []) own.add(value, doc)
    })
    for (const word of new Set(entry.texts.flatMap(splitWords))) words.add(word, doc)
    return doc
  }

  /** Puts everything that was taken in order, in small steps. */
  function* build(): Generator<void> {
    for (const order of [byId, ...orders]) yield* order.fill(Int32Array.from(numbers.values()))
    for (const postings of [...values, words]) yield* postings.compact(isAlive)
    for (const order of orders) {
      order.ranks()
      yield
    }
  }

  const isAlive = (doc: number): boolean => ids[doc] !== undefined

  /** Takes note of a write: what a record is now, or that it is gone. */
  function update(id: string, entry: IndexEntry | undefined): void {
    const before = numbers.get(id)
    if (before !== undefined) remove(id, before)
    const doc = entry && add(entry)
    if (doc !== undefined) for (const order of [byId, ...orders]) order.insert(doc)
    writes += 1
    changes.push({ before, after: entry && doc !== undefined ? { doc, entry } : undefined })
    // Half of them at a time, since each time the others move.
    if (changes.length > 2 * limits.remembered) changes = changes.slice(-limits.remembered)
    if (dead.length > Math.max(limits.dead, ids.length / 4)) sweeping ??= sweep()
  }

  function remove(id: string, doc: number): void {
    for (const order of [byId, ...orders]) order.remove(doc)
    numbers.delete(id)
    ids[doc] = undefined
    dead.push(doc)
  }

  async function sweep(): Promise<void> {
    const swept = dead
    dead = []
    for (const postings of [...values, words]) await collectInSteps(postings.compact(isAlive))
    free.push(...swept)
    sweeping = undefined
  }

  /**
   * Finds the numbers of a list, in its order, as they are now.
   * @param use takes from them what it needs; by the next pause they may be others
   */
  async function find<Result>(
    listing: ListSpec,
    use: (docs: Int32Array) => Result,
  ): Promise<Result> {
    const question = cacheKey(listing)
    const kept = lists.get(question)
    if (kept && catchUp(kept, limits.caughtUp)) return use(kept.docs.all())
    for (;;) {
      const list = await make(listing)
      if (!catchUp(list, limits.remembered)) continue
      lists.set(question, list)
      return use(list.docs.all())
    }
  }

  async function make(listing: ListSpec): Promise<CachedList> {
    const began = writes
    const found = await search(listing)
    return { listing, docs: createDocIds(inOrder(listing, found)), writes: began }
  }

  /** The records that a list has, by number or marked; undefined stands for all. */
  async function search({ filters: wanted, terms }: ListSpec): Promise<Found> {
    let found: readonly number[] | undefined
    for (const { filter, term } of wanted) {
      const having = values[filters.indexOf(filter)]?.docsWith(term.value) ?? []
      found = found ? intersection(found, having) : having
    }
    let marks: DocSet | undefined
    for (const [place, term] of terms.entries()) {
      // Each term takes some milliseconds.
      if (place > 0) await yieldToEventLoop()
      const own = deadMarks()
      words.addDocsContaining(term, own, numbers.size)
      marks = marks ? marks.map((mark, doc) => mark & (own[doc] ?? 0)) : own
    }
    return found?.filter((doc) => isAlive(doc) && (marks?.[doc] ?? 1) === 1) ?? marks
  }

  const noMarks = (): DocSet => new Uint8Array(ids.length)

  /** Marks those whom nobody looks for. */
  function deadMarks(): DocSet {
    const marks = noMarks()
    ids.forEach((id, doc) => {
      if (id === undefined) marks[doc] = 1
    })
    return marks
  }

  function marksOf(docs: readonly number[] | Int32Array): DocSet {
    const marks = noMarks()
    for (const doc of docs) marks[doc] = 1
    return marks
  }

  function intersection(some: readonly number[], others: readonly number[]): readonly number[] {
    const [fewer, more] = some.length < others.length ? [some, others] : [others, some]
    const marks = marksOf(more)
    return fewer.filter((doc) => marks[doc] === 1)
  }

  function inOrder({ order }: ListSpec, found: Found): Int32Array {
    if (isArray(found) && found.length <= maxCompared)
      return Int32Array.from(found).sort(comparing(order))
    const marks = isArray(found) ? marksOf(found) : found
    return sortDocs(
      byId,
      directionsOf(order).map(({ place, descending }) => ({
        order: orders[place] ?? byId,
        descending,
      })),
      marks,
    )
  }

  const comparing = (order: ListSpec['order']) =>
    compareBy(
      directionsOf(order).map(({ place, descending }): SortKey => ({
        keys: keys[place] ?? [],
        descending,
      })),
      ids,
    )

  const directionsOf = (order: ListSpec['order']) =>
    order.map(({ field, descending }) => ({ place: ordered.indexOf(field), descending }))

  /** Brings a list up to date, if what was written since is remembered and not too much. */
  function catchUp(list: CachedList, most: number): boolean {
    const missed = writes - list.writes
    if (missed > Math.min(most, changes.length)) return false
    if (missed === 0) return true
    const touched = new Map<number, IndexEntry | undefined>()
    for (const { before, after } of changes.slice(-missed)) {
      if (before !== undefined) touched.set(before, undefined)
      if (after) touched.set(after.doc, after.entry)
    }
    for (const doc of touched.keys()) {
      const place = list.docs.all().indexOf(doc)
      if (place >= 0) list.docs.remove(place)
    }
    const compare = comparing(list.listing.order)
    for (const [doc, entry] of touched)
      if (entry && belongs(list.listing, entry))
        list.docs.insert(binarySearch(list.docs, doc, compare), doc)
    list.writes = writes
    return true
  }

  const belongs = ({ filters: wanted, terms }: ListSpec, entry: IndexEntry): boolean =>
    wanted.every(({ filter, term }) =>
      entry.values[filters.indexOf(filter)]?.includes(term.value),
    ) && terms.every((term) => entry.texts.some((text) => text.includes(term)))

  function tally(listing: ListSpec, filter: Filter): Promise<Map<string, number>> {
    const place = filters.indexOf(filter)
    return find(
      listing,
      (docs) => values[place]?.countByText(marksOf(docs)) ?? new Map<string, number>(),
    )
  }

  /** The first and the last key of a field. */
  function firstAndLastKey(field: Field): readonly [Keys[number], Keys[number]] {
    const place = ordered.indexOf(field)
    const docs = orders[place]?.all()
    const keyOf = (doc: number | undefined) => (doc === undefined ? undefined : keys[place]?.[doc])
    return [keyOf(docs?.[0]), keyOf(docs?.at(-1))]
  }

  return {
    add,
    build,
    update,
    find,
    tally,
    firstAndLastKey,
    has: (id: string): boolean => numbers.has(id),
    idOf: (doc: number): string => ids[doc] ?? '',
    count: () => numbers.size,
  }
}

/** What tells one list from another. */
const cacheKey = ({ filters, terms, order }: ListSpec): string =>
  JSON.stringify([
    filters.map(({ filter, term }) => [filter.name, term.value]),
    terms,
    order.map(({ field, descending }) => [field.name, descending]),
  ])
