// Orders of records: by a field, by several, and by the identifier where all else is the same.
// Records without a value come last, whatever the direction.

import { compareCodePoints } from '../../rdf/terms.js'
import { type Compare, type Docs, docsOf, placeOf, sort } from './docs.js'
import type { Key } from './entry.js'

/** The key of each record by its number. */
export type Keys = (Key | undefined)[]

/** One step of an order. */
export type Direction = { readonly keys: Keys; readonly descending: boolean }

/** Compares records by these keys, one after the other. */
export const compareBy =
  (directions: readonly Direction[], ids: readonly (string | undefined)[]): Compare =>
  (a, b) => {
    for (const { keys, descending } of directions) {
      const [left, right] = [keys[a], keys[b]]
      if (left === right) continue
      if (left === undefined) return 1
      if (right === undefined) return -1
      const difference = compareKeys(left, right)
      if (difference !== 0) return descending ? -difference : difference
    }
    return compareCodePoints(ids[a] ?? '', ids[b] ?? '')
  }

const compareKeys = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b))

/** All records in the ascending order of one field, kept so while records come and go. */
export type Order = {
  all(): Int32Array
  insert(doc: number): void
  /** The keys of the record have to be there still. */
  remove(doc: number): void
  /** Takes all records, in small steps. */
  fill(docs: Int32Array): Generator<void>
  /** The number of the place of each record's key among all keys, by the record's number. */
  ranks(): Ranks
}

/** Records without a key have the last rank of all. */
export type Ranks = { readonly ranks: Int32Array; readonly last: number }

export function openOrder(keys: Keys, ids: readonly (string | undefined)[]): Order {
  const compare = compareBy([{ keys, descending: false }], ids)
  let docs: Docs = docsOf(new Int32Array(0))
  let ranked: Ranks | undefined

  function rank(): Ranks {
    const ranks = new Int32Array(ids.length)
    let last = 0
    let before: Key | undefined
    docs.all().forEach((doc, place) => {
      const key = keys[doc]
      if (place > 0 && key !== before && key !== undefined) last += 1
      ranks[doc] = key === undefined ? -1 : last
      before = key
    })
    last += 1
    docs.all().forEach((doc) => {
      if (ranks[doc] === -1) ranks[doc] = last
    })
    return { ranks, last }
  }

  return {
    all: () => docs.all(),
    insert(doc) {
      docs.insert(placeOf(docs, doc, compare), doc)
      ranked = undefined
    },
    remove(doc) {
      docs.remove(placeOf(docs, doc, compare))
      ranked = undefined
    },
    *fill(content) {
      docs = docsOf(yield* sort(content, compare))
      ranked = undefined
    },
    ranks: () => (ranked ??= rank()),
  }
}

export type Step = { readonly order: Order; readonly descending: boolean }

/**
 * Puts records, which come in the order of their identifiers, in the order of several steps: from the
 * last of them to the first, each time by counting, which leaves those of equal rank as they are.
 */
export function arrange(docs: Int32Array, steps: readonly Step[]): Int32Array {
  let arranged = docs
  for (const { order, descending } of steps.toReversed()) {
    const { ranks, last } = order.ranks()
    const rankOf = (doc: number): number => {
      const rank = ranks[doc] ?? last
      return descending && rank < last ? last - 1 - rank : rank
    }
    const counts = new Int32Array(last + 1)
    for (const doc of arranged) add(counts, rankOf(doc), 1)
    const places = new Int32Array(last + 1)
    for (let rank = 0; rank < last; rank += 1)
      places[rank + 1] = (places[rank] ?? 0) + (counts[rank] ?? 0)
    const next = new Int32Array(arranged.length)
    for (const doc of arranged) next[add(places, rankOf(doc), 1)] = doc
    arranged = next
  }
  return arranged
}

/** Adds to a number of an array, and tells what it was. */
function add(numbers: Int32Array, place: number, more: number): number {
  const before = numbers[place] ?? 0
  numbers[place] = before + more
  return before
}
