// Sorts records by one or several fields, and by the identifier where the fields are equal. Records
// without a value come last in both directions.

import { compareCodePoints } from '../../rdf/terms.js'
import {
  type Compare,
  type DocIds,
  createDocIds,
  binarySearch,
  mergeSortInSteps,
} from '../../lib/text-index/sorted-ids.js'
import type { Key } from './index-entry.js'

/** The sort key of each record, by its number. */
export type Keys = (Key | undefined)[]

/** One field that records are sorted by. */
export type SortKey = {
  readonly keys: ArrayLike<Key | undefined>
  readonly descending: boolean
}

/** Compares records by these keys, in turn. */
export const createComparator =
  (directions: readonly SortKey[], ids: readonly (string | undefined)[]): Compare =>
  (a, b) => {
    for (const { keys, descending } of directions) {
      const difference = compareInDirection(keys[a], keys[b], descending)
      if (difference !== 0) return difference
    }
    return compareCodePoints(ids[a] ?? '', ids[b] ?? '')
  }

/**
 * The first keys that records are sorted by, with the identifier last, of which the last divides.
 */
export type KeyPosition = readonly (Key | undefined)[]

/** Whether a record comes before a position (`ListPosition` of list-position.ts). */
export const createPositionTest =
  (
    directions: readonly SortKey[],
    ids: readonly (string | undefined)[],
    position: KeyPosition,
  ): ((doc: number) => boolean) =>
  (doc) => {
    for (const [index, key] of position.entries()) {
      const { keys, descending }: SortKey = directions[index] ?? { keys: ids, descending: false }
      const keyOfDoc = keys[doc]
      const difference = compareInDirection(keyOfDoc, key, descending)
      if (difference !== 0) return difference < 0
      // What has the dividing value itself, or none like it, comes before it only in descending
      // order.
      if (index === position.length - 1) return descending && keyOfDoc !== undefined
    }
    return false
  }

function compareInDirection(a: Key | undefined, b: Key | undefined, descending: boolean): number {
  if (a === b) return 0
  if (a === undefined) return 1
  if (b === undefined) return -1
  return descending ? compareKeys(b, a) : compareKeys(a, b)
}

const compareKeys = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b))

/** Ranks by record number. Records without a key have the rank `last`. */
type Ranks = { readonly ranks: Int32Array; readonly last: number }

/** All records sorted by one field, ascending, while records are inserted and removed. */
export class SortOrder {
  readonly #keys: Keys
  readonly #ids: readonly (string | undefined)[]
  readonly #compare: Compare
  #docs: DocIds = createDocIds(new Int32Array(0))
  #ranked: Ranks | undefined
  #placed: Int32Array | undefined

  constructor(keys: Keys, ids: readonly (string | undefined)[]) {
    this.#keys = keys
    this.#ids = ids
    this.#compare = createComparator([{ keys, descending: false }], ids)
  }

  all(): Int32Array {
    return this.#docs.all()
  }

  insert(doc: number): void {
    this.#docs.insert(binarySearch(this.#docs, doc, this.#compare), doc)
    this.#onChange()
  }

  /** Has to be called while the record still has its keys. */
  remove(doc: number): void {
    this.#docs.remove(binarySearch(this.#docs, doc, this.#compare))
    this.#onChange()
  }

  /** Where a record is. Has to be called while it still has its keys. */
  positionOf(doc: number): number {
    return binarySearch(this.#docs, doc, this.#compare)
  }

  /** Puts a record in the place of one with the same keys, without moving the others. */
  replace(position: number, doc: number): void {
    this.#docs.replace(position, doc)
    this.#onChange()
  }

  /** Replaces the content by these records, sorted in small steps. */
  *fill(content: Int32Array): Generator<void> {
    this.#docs = createDocIds(yield* mergeSortInSteps(content, this.#compare))
    this.#onChange()
  }

  /** Replaces the content by records that are sorted. */
  restore(sorted: Int32Array): void {
    this.#docs = createDocIds(sorted.slice())
    this.#onChange()
  }

  /** The rank of each record's key among all distinct keys. */
  ranks(): Ranks {
    return (this.#ranked ??= this.#rank())
  }

  /** Where each record is, by its number. */
  positions(): Int32Array {
    return (this.#placed ??= this.#place())
  }

  #onChange(): void {
    this.#ranked = undefined
    this.#placed = undefined
  }

  #rank(): Ranks {
    const all = this.#docs.all()
    const ranks = new Int32Array(this.#ids.length)
    let last = 0
    for (let position = 0; position < all.length; position += 1) {
      const doc = all[position] ?? 0
      const key = this.#keys[doc]
      // The rank rises with each new key, and for the first record without one.
      if (position > 0 && key !== this.#keys[all[position - 1] ?? 0]) last += 1
      ranks[doc] = last
    }
    const lastDoc = all.at(-1)
    if (lastDoc === undefined || this.#keys[lastDoc] !== undefined) last += 1
    return { ranks, last }
  }

  #place(): Int32Array {
    const all = this.#docs.all()
    const positions = new Int32Array(this.#ids.length)
    for (let position = 0; position < all.length; position += 1)
      positions[all[position] ?? 0] = position
    return positions
  }
}

export type SortStep =
  | { readonly order: SortOrder; readonly descending: boolean }
  /** By a number for each record, from 0, by its own number. */
  | { readonly scores: Int32Array; readonly descending: boolean }

/**
 * The marked records, or all, sorted by several steps: from the last step to the first by counting
 * sort, which is stable. The usual order, newest first, is the kept order of all records reversed.
 */
export function sortDocs(
  byId: SortOrder,
  steps: readonly SortStep[],
  marks?: Uint8Array,
): Int32Array {
  const last = steps.at(-1)
  const docsInOrder = last && inOrderOf(last, marks)
  return (docsInOrder ? steps.slice(0, -1) : steps).reduceRight<Int32Array>(
    (docs, step) => ('scores' in step ? sortByScore(docs, step) : sortByRank(docs, step)),
    docsInOrder ?? inKeptOrder(byId, marks),
  )
}

/**
 * The same for few of many records. Once positions and ranks are known, which a write changes, it
 * takes as long as what is sorted.
 * @param docs in any order; they are not changed
 */
export function sortFew(byId: SortOrder, steps: readonly SortStep[], docs: Int32Array): Int32Array {
  const positions = byId.positions()
  const sortedById = sortByKey(docs, keysOf(docs, positions), positions.length)
  return steps.reduceRight((sorted, step) => {
    if ('scores' in step) return sortByScore(sorted, step)
    const { keys, last } = ranksOf(sorted, step)
    return sortByKey(sorted, keys, last)
  }, sortedById)
}

/** The positions of these records in their array, in the order of their identifiers. */
export function sortIndexesById(byId: SortOrder, docs: Int32Array): Int32Array {
  const positions = byId.positions()
  const { length } = docs
  const indexes = new Int32Array(length)
  for (let index = 0; index < length; index += 1) indexes[index] = index
  return sortByKey(indexes, keysOf(docs, positions), positions.length)
}

function keysOf(docs: Int32Array, keys: Int32Array): Int32Array {
  const { length } = docs
  const ofDocs = new Int32Array(length)
  for (let index = 0; index < length; index += 1) ofDocs[index] = keys[docs[index] ?? -1] ?? 0
  return ofDocs
}

/** A loop: `filter` takes several times as long. */
export function onlyMarked(docs: Int32Array, marks: Uint8Array): Int32Array {
  const { length } = docs
  const matching = new Int32Array(length)
  let count = 0
  for (let position = 0; position < length; position += 1) {
    const doc = docs[position] ?? -1
    if (marks[doc] === 1) matching[count++] = doc
  }
  return matching.slice(0, count)
}

/**
 * The marked records, or all, in the order of a step; undefined where it is neither the kept order
 * nor its reverse.
 */
function inOrderOf(step: SortStep, marks: Uint8Array | undefined): Int32Array | undefined {
  if ('scores' in step) return undefined
  const { order, descending } = step
  if (!descending) return inKeptOrder(order, marks)
  if (!isStrict(order)) return undefined
  return inKeptOrder(order, marks).reverse()
}

const inKeptOrder = (order: SortOrder, marks: Uint8Array | undefined): Int32Array =>
  marks ? onlyMarked(order.all(), marks) : order.all().slice()

/** Whether every record has a key, and no two have the same. */
const isStrict = (order: SortOrder): boolean => order.ranks().last === order.all().length

function sortByScore(
  docs: Int32Array,
  { scores, descending }: Extract<SortStep, { scores: unknown }>,
): Int32Array {
  const { length } = docs
  const keys = new Int32Array(length)
  let highest = 0
  for (let position = 0; position < length; position += 1) {
    const score = scores[docs[position] ?? -1] ?? 0
    keys[position] = score
    if (score > highest) highest = score
  }
  if (descending)
    for (let position = 0; position < length; position += 1)
      keys[position] = highest - (keys[position] ?? 0)
  return sortByKey(docs, keys, highest)
}

/**
 * Numbers by their keys, stable: a radix sort, which takes a tenth of the time that comparing takes
 * where most records are found.
 * @param highest no key is higher, and none is negative
 */
export function sortByKey(
  numbers: Int32Array,
  numberKeys: Int32Array,
  highest: number,
): Int32Array {
  const { length } = numbers
  let [sorted, keys] = [numbers, numberKeys]
  for (let shift = 0; shift < 32 && highest >>> shift > 0; shift += digitBits) {
    const places = new Int32Array(digits + 1)
    for (let index = 0; index < length; index += 1) {
      const digit = (((keys[index] ?? 0) >>> shift) & (digits - 1)) + 1
      places[digit] = (places[digit] ?? 0) + 1
    }
    for (let digit = 1; digit < digits; digit += 1)
      places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0)
    const nextNumbers = new Int32Array(length)
    const nextKeys = new Int32Array(length)
    for (let index = 0; index < length; index += 1) {
      const key = keys[index] ?? 0
      const digit = (key >>> shift) & (digits - 1)
      const place = places[digit] ?? 0
      places[digit] = place + 1
      nextNumbers[place] = sorted[index] ?? 0
      nextKeys[place] = key
    }
    sorted = nextNumbers
    keys = nextKeys
  }
  return sorted
}

/** How many bits of a key are sorted at a time. */
const digitBits = 11
const digits = 2 ** digitBits

type RankStep = Extract<SortStep, { order: unknown }>

function sortByRank(docs: Int32Array, step: RankStep): Int32Array {
  const { keys, last } = ranksOf(docs, step)
  const { length } = docs
  const places = new Int32Array(last + 2)
  for (let position = 0; position < length; position += 1) {
    const next = (keys[position] ?? 0) + 1
    places[next] = (places[next] ?? 0) + 1
  }
  for (let rank = 0; rank < last; rank += 1)
    places[rank + 1] = (places[rank + 1] ?? 0) + (places[rank] ?? 0)
  const sorted = new Int32Array(length)
  for (let position = 0; position < length; position += 1) {
    const rank = keys[position] ?? 0
    const next = places[rank] ?? 0
    sorted[next] = docs[position] ?? 0
    places[rank] = next + 1
  }
  return sorted
}

/**
 * The rank of each of these records in the direction of a step. `last` is that of those without a
 * key.
 */
function ranksOf(docs: Int32Array, { order, descending }: RankStep) {
  const { ranks, last } = order.ranks()
  const { length } = docs
  const keys = new Int32Array(length)
  for (let position = 0; position < length; position += 1) {
    const rank = ranks[docs[position] ?? 0] ?? last
    keys[position] = descending && rank < last ? last - 1 - rank : rank
  }
  return { keys, last }
}
