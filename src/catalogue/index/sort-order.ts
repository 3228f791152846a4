// Orders of records: by a field, by several, and by the identifier where all else is the same.
// Records without a value come last, whatever the direction.

import { compareCodePoints } from '../../rdf/terms.js'
import {
  type Compare,
  type DocIds,
  createDocIds,
  binarySearch,
  mergeSortInSteps,
} from './sorted-ids.js'
import type { Key } from './index-entry.js'

/** The key of each record by its number. */
export type Keys = (Key | undefined)[]

/** One step of an order. */
export type SortKey = { readonly keys: Keys; readonly descending: boolean }

/** Compares records by these keys, one after the other. */
export const compareBy =
  (directions: readonly SortKey[], ids: readonly (string | undefined)[]): Compare =>
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
export type SortOrder = {
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

export function createSortOrder(keys: Keys, ids: readonly (string | undefined)[]): SortOrder {
  const compare = compareBy([{ keys, descending: false }], ids)
  let docs: DocIds = createDocIds(new Int32Array(0))
  let ranked: Ranks | undefined

  function rank(): Ranks {
    const all = docs.all()
    const ranks = new Int32Array(ids.length)
    let last = 0
    for (let place = 0; place < all.length; place += 1) {
      const doc = all[place] ?? 0
      const key = keys[doc]
      // From one key to the next; and from the last key to where there is none.
      if (place > 0 && key !== keys[all[place - 1] ?? 0]) last += 1
      ranks[doc] = last
    }
    const lastDoc = all.at(-1)
    if (lastDoc === undefined || keys[lastDoc] !== undefined) last += 1
    return { ranks, last }
  }

  return {
    all: () => docs.all(),
    insert(doc) {
      docs.insert(binarySearch(docs, doc, compare), doc)
      ranked = undefined
    },
    remove(doc) {
      docs.remove(binarySearch(docs, doc, compare))
      ranked = undefined
    },
    *fill(content) {
      docs = createDocIds(yield* mergeSortInSteps(content, compare))
      ranked = undefined
    },
    ranks: () => (ranked ??= rank()),
  }
}

export type SortStep = { readonly order: SortOrder; readonly descending: boolean }

/**
 * The records that are marked, or all, in the order of several steps: from the last of them to the
 * first, each time by counting, which leaves those of equal rank as they are. The usual order, newest
 * first, is that of all records backwards.
 */
export function sortDocs(
  byId: SortOrder,
  steps: readonly SortStep[],
  marks?: Uint8Array,
): Int32Array {
  const last = steps.at(-1)
  const taken = last && inOrderOf(last)
  const all = taken ?? byId.all()
  const found = marks ? all.filter((doc) => marks[doc] === 1) : all.slice()
  return (taken ? steps.slice(0, -1) : steps).reduceRight(sortByRank, found)
}

/** All records in the order of a step; undefined where that is neither the one they are kept in nor that backwards. */
function inOrderOf({ order, descending }: SortStep): Int32Array | undefined {
  if (!descending) return order.all()
  return isStrict(order) ? order.all().toReversed() : undefined
}

/** Whether no two records have the same key, and none has none. */
const isStrict = (order: SortOrder): boolean => order.ranks().last === order.all().length

function sortByRank(docs: Int32Array, { order, descending }: SortStep): Int32Array {
  const { ranks, last } = order.ranks()
  const places = new Int32Array(last + 2)
  const own = new Int32Array(docs.length)
  for (let place = 0; place < docs.length; place += 1) {
    const rank = ranks[docs[place] ?? 0] ?? last
    const taken = descending && rank < last ? last - 1 - rank : rank
    own[place] = taken
    places[taken + 1] = (places[taken + 1] ?? 0) + 1
  }
  for (let rank = 0; rank < last; rank += 1)
    places[rank + 1] = (places[rank + 1] ?? 0) + (places[rank] ?? 0)
  const sorted = new Int32Array(docs.length)
  for (let place = 0; place < docs.length; place += 1) {
    const rank = own[place] ?? 0
    const next = places[rank] ?? 0
    sorted[next] = docs[place] ?? 0
    places[rank] = next + 1
  }
  return sorted
}
