// The index of one resource: numbers its records, knows which of them are in a list, and in what order.
// A record that is written gets a new number and its old one dies; dead numbers are left out of every
// answer, and are given anew once a sweep has found the last traces of them.

import { type Field, type Filter, type Resource, filtersOf } from '../../model/resources.js'
import type { Listing } from '../../queries/list-queries.js'
import { inSteps, pause } from '../../scheduling.js'
import { openKept } from '../../cache.js'
import { wordsIn } from '../search-terms.js'
import { type Docs, docsOf, placeOf } from './sorted-ids.js'
import { type Entry, orderedFields } from './index-entry.js'
import { type Direction, type Keys, arrange, compareBy, openOrder } from './sort-order.js'
import { type Marks, copied, openPostings } from './postings.js'

export type Limits = {
  /** How many records all lists that are kept may have together. */
  readonly kept: number
  /** How many writes a kept list is brought up to date with; after more, it is made anew. */
  readonly caughtUp: number
  /** How many writes are remembered. */
  readonly remembered: number
  /** How many numbers may be dead before they are swept, besides a quarter of all. */
  readonly dead: number
}

export const usualLimits: Limits = { kept: 4e6, caughtUp: 64, remembered: 1024, dead: 10_000 }

export type Shelf = ReturnType<typeof openShelf>

/** The record that a write put in the place of another; either may be missing. */
type Change = {
  readonly before: number | undefined
  readonly after: { readonly doc: number; readonly entry: Entry } | undefined
}

/** A list as it was when so many writes had been made. */
type List = { readonly listing: Listing; readonly docs: Docs; writes: number }

type Found = readonly number[] | Marks | undefined

const isArray = (found: Found): found is readonly number[] => Array.isArray(found)

/** Up to this many, comparing them is faster than counting all. */
const few = 1000

export function openShelf(resource: Resource, limits: Limits = usualLimits) {
  const ordered = orderedFields(resource)
  const filters = filtersOf(resource)

  const ids: (string | undefined)[] = []
  const numbers = new Map<string, number>()
  const keys = ordered.map((): Keys => [])
  const byId = openOrder([], ids)
  const orders = keys.map((own) => openOrder(own, ids))
  const values = filters.map(openPostings)
  const words = openPostings()

  /** Numbers that nothing has any more, and those that are dead but may be found still. */
  const free: number[] = []
  let dead: number[] = []
  let sweeping: Promise<void> | undefined

  let writes = 0
  let changes: Change[] = []
  const lists = openKept<List>(limits.kept, ({ docs }) => docs.length + 100)

  /** Puts in a record that is not there yet; it is in no list before `settle`. */
  function take(entry: Entry): number {
    const doc = free.pop() ?? ids.length
    const id = copied(entry.id)
    ids[doc] = id
    numbers.set(id, doc)
    keys.forEach((own, place) => {
      const key = entry.keys[place]
      own[doc] = typeof key === 'string' ? copied(key) : key
    })
    values.forEach((own, place) => {
      for (const value of entry.values[place] ?? []) own.add(value, doc)
    })
    for (const word of new Set(entry.texts.flatMap(wordsIn))) words.add(word, doc)
    return doc
  }

  /** Puts everything that was taken in order, in small steps. */
  function* settle(): Generator<void> {
    for (const order of [byId, ...orders]) yield* order.fill(Int32Array.from(numbers.values()))
    for (const postings of [...values, words]) yield* postings.pack(isAlive)
    for (const order of orders) {
      order.ranks()
      yield
    }
  }

  const isAlive = (doc: number): boolean => ids[doc] !== undefined

  /** Takes note of a write: what a record is now, or that it is gone. */
  function put(id: string, entry: Entry | undefined): void {
    const before = numbers.get(id)
    if (before !== undefined) remove(id, before)
    const doc = entry && take(entry)
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
    for (const postings of [...values, words]) await inSteps(postings.pack(isAlive))
    free.push(...swept)
    sweeping = undefined
  }

  /**
   * Finds the numbers of a list, in its order, as they are now.
   * @param use takes from them what it needs; by the next pause they may be others
   */
  async function find<Result>(
    listing: Listing,
    use: (docs: Int32Array) => Result,
  ): Promise<Result> {
    const question = questionOf(listing)
    const kept = lists.get(question)
    if (kept && catchUp(kept, limits.caughtUp)) return use(kept.docs.all())
    for (;;) {
      const list = await make(listing)
      if (!catchUp(list, limits.remembered)) continue
      lists.keep(question, list)
      return use(list.docs.all())
    }
  }

  async function make(listing: Listing): Promise<List> {
    const began = writes
    const found = await search(listing)
    return { listing, docs: docsOf(inOrder(listing, found)), writes: began }
  }

  /** The records that a list has, by number or marked; undefined stands for all. */
  async function search({ filters: wanted, terms }: Listing): Promise<Found> {
    let found: readonly number[] | undefined
    for (const { filter, term } of wanted) {
      const having = values[filters.indexOf(filter)]?.having(term.value) ?? []
      found = found ? intersection(found, having) : having
    }
    let marks: Marks | undefined
    for (const [place, term] of terms.entries()) {
      // Each term takes some milliseconds.
      if (place > 0) await pause()
      const own = deadMarks()
      words.markContaining(term, own, numbers.size)
      marks = marks ? marks.map((mark, doc) => mark & (own[doc] ?? 0)) : own
    }
    return found?.filter((doc) => isAlive(doc) && (marks?.[doc] ?? 1) === 1) ?? marks
  }

  const noMarks = (): Marks => new Uint8Array(ids.length)

  /** Marks those whom nobody looks for. */
  function deadMarks(): Marks {
    const marks = noMarks()
    ids.forEach((id, doc) => {
      if (id === undefined) marks[doc] = 1
    })
    return marks
  }

  function marksOf(docs: readonly number[] | Int32Array): Marks {
    const marks = noMarks()
    for (const doc of docs) marks[doc] = 1
    return marks
  }

  function intersection(some: readonly number[], others: readonly number[]): readonly number[] {
    const [fewer, more] = some.length < others.length ? [some, others] : [others, some]
    const marks = marksOf(more)
    return fewer.filter((doc) => marks[doc] === 1)
  }

  function inOrder({ order }: Listing, found: Found): Int32Array {
    if (isArray(found) && found.length <= few) return Int32Array.from(found).sort(comparing(order))
    const marks = isArray(found) ? marksOf(found) : found
    return arrange(
      byId,
      directionsOf(order).map(({ place, descending }) => ({
        order: orders[place] ?? byId,
        descending,
      })),
      marks,
    )
  }

  const comparing = (order: Listing['order']) =>
    compareBy(
      directionsOf(order).map(({ place, descending }): Direction => ({
        keys: keys[place] ?? [],
        descending,
      })),
      ids,
    )

  const directionsOf = (order: Listing['order']) =>
    order.map(({ field, descending }) => ({ place: ordered.indexOf(field), descending }))

  /** Brings a list up to date, if what was written since is remembered and not too much. */
  function catchUp(list: List, most: number): boolean {
    const missed = writes - list.writes
    if (missed > Math.min(most, changes.length)) return false
    if (missed === 0) return true
    const touched = new Map<number, Entry | undefined>()
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
        list.docs.insert(placeOf(list.docs, doc, compare), doc)
    list.writes = writes
    return true
  }

  const belongs = ({ filters: wanted, terms }: Listing, entry: Entry): boolean =>
    wanted.every(({ filter, term }) =>
      entry.values[filters.indexOf(filter)]?.includes(term.value),
    ) && terms.every((term) => entry.texts.some((text) => text.includes(term)))

  function tally(listing: Listing, filter: Filter): Promise<Map<string, number>> {
    const place = filters.indexOf(filter)
    return find(listing, (docs) => values[place]?.tally(marksOf(docs)) ?? new Map<string, number>())
  }

  /** The first and the last key of a field. */
  function ends(field: Field): readonly [Keys[number], Keys[number]] {
    const place = ordered.indexOf(field)
    const docs = orders[place]?.all()
    const keyOf = (doc: number | undefined) => (doc === undefined ? undefined : keys[place]?.[doc])
    return [keyOf(docs?.[0]), keyOf(docs?.at(-1))]
  }

  return {
    take,
    settle,
    put,
    find,
    tally,
    ends,
    has: (id: string): boolean => numbers.has(id),
    idOf: (doc: number): string => ids[doc] ?? '',
    count: () => numbers.size,
  }
}

/** What tells one list from another. */
const questionOf = ({ filters, terms, order }: Listing): string =>
  JSON.stringify([
    filters.map(({ filter, term }) => [filter.name, term.value]),
    terms,
    order.map(({ field, descending }) => [field.name, descending]),
  ])
