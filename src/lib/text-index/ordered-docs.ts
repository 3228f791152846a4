// The records of a list in its order, of which mostly the first are looked at: of a search that
// finds many, only those are sorted.

import type { Compare } from './sorted-ids.js'

/** Numbers of records in an order. They are not changed. */
export type OrderedDocs = {
  readonly length: number
  /** Those from a position up to another one. */
  slice(start: number, end: number): Int32Array
  all(): Int32Array
  /** All, in any order. */
  unsorted(): Int32Array
}

export const inOrder = (docs: Int32Array): OrderedDocs => ({
  length: docs.length,
  slice: (start, end) => docs.subarray(start, end),
  all: () => docs,
  unsorted: () => docs,
})

type BestFirstOptions = {
  /** By the number of the record, while `slice` or `all` is called; none is negative. */
  readonly scores: () => Int32Array
  /** Compares by score, the highest first, and what has the same. */
  readonly compare: () => Compare
  /** Sorts all. */
  readonly sort: () => Int32Array
}

/** So many of the best are sorted first. */
const topLength = 128
/** So many with one of their scores are collected before the best of them are chosen. */
const maxCandidates = 1024

/** @param docs in any order; they are not changed */
export function bestFirst(
  docs: Int32Array,
  { scores, compare, sort }: BestFirstOptions,
): OrderedDocs {
  let top: Int32Array | undefined
  let sorted: Int32Array | undefined
  const all = (): Int32Array => (sorted ??= sort())

  return {
    length: docs.length,
    slice(start, end) {
      const areFew = docs.length <= topLength
      if (sorted || areFew || end > topLength) return all().subarray(start, end)
      top ??= topOf(docs, scores(), compare())
      return top.subarray(start, end)
    },
    all,
    unsorted: () => docs,
  }
}

/** At least as many as are sorted first, in their order. */
function topOf(docs: Int32Array, scores: Int32Array, compare: Compare): Int32Array {
  const least = scoreOfLast(docs, scores)
  const { length } = docs
  const topDocs = new Int32Array(Math.min(maxCandidates, length))
  let count = 0
  /** The last of the best so far, once some were left out. */
  let last: number | undefined
  for (let index = 0; index < length; index += 1) {
    const doc = docs[index] ?? -1
    if ((scores[doc] ?? 0) < least) continue
    if (last !== undefined && compare(last, doc) < 0) continue
    if (count === topDocs.length) {
      topDocs.sort(compare)
      count = topLength
      last = topDocs[topLength - 1]
    }
    topDocs[count++] = doc
  }
  return topDocs.subarray(0, count).sort(compare)
}

/**
 * The score of the last of those that are sorted first, or a little less: scores are counted by
 * their highest bits, then those that have the bits that were found by their next ones.
 */
function scoreOfLast(docs: Int32Array, scores: Int32Array): number {
  const { length } = docs
  let left = topLength
  let beginning = 0
  for (const shift of [20, 10, 0]) {
    const first = beginning << 10
    const counts = new Int32Array(shift === 20 ? 2 ** 11 : 2 ** 10)
    for (let index = 0; index < length; index += 1) {
      const digit = ((scores[docs[index] ?? -1] ?? 0) >>> shift) - first
      if (digit >= 0 && digit < counts.length) counts[digit] = (counts[digit] ?? 0) + 1
    }
    let digit = counts.length
    let counted = 0
    while (digit > 0 && counted < left) counted += counts[(digit -= 1)] ?? 0
    const digitCount = counts[digit] ?? 0
    left -= counted - digitCount
    beginning = first + digit
    if (digitCount <= topLength) return beginning << shift
  }
  return beginning
}
