// What the records of a resource get in a search, by their numbers, with a list of those that got something: what is done with
// them, and clearing them, takes as long as what was found, and not as all there is. They are used again by later searches.

import type { Scratch } from './scratch.js'

export type RecordWeights = {
  /** 0 for a record that got nothing. Others than those that are looked for have `unwanted` or `counted`. */
  readonly values: Float32Array
  /** 1 for a record that has what is looked for in a name. */
  readonly names: Uint8Array
  /** The records that got something, as many as `count`, in the order in which they did. */
  readonly docs: Int32Array
  count: number
  /** Whether only some records are looked for. Of the others that get something it is counted how many there are. */
  isLimited: boolean
  others: number
}

/** The value of a record that is not looked for, before and after it got something. */
const unwanted = -1
const counted = -2

/**
 * Looks for some records only.
 * @param into of nothing
 * @param wanted the numbers of these
 * @param ids of all records; dead ones are not counted
 */
export function limitTo(
  into: RecordWeights,
  wanted: Int32Array,
  ids: readonly (string | undefined)[],
): void {
  const { values } = into
  const { length } = wanted
  into.isLimited = true
  for (let doc = 0; doc < ids.length; doc += 1)
    values[doc] = ids[doc] === undefined ? counted : unwanted
  for (let index = 0; index < length; index += 1) values[wanted[index] ?? -1] = 0
}

/** Has to be called for a record with a negative value that gets something. */
export function countOther(into: RecordWeights, doc: number): void {
  if (into.values[doc] !== unwanted) return
  into.values[doc] = counted
  into.others += 1
}

/** Adds to what a record got. Records that came after the weights were taken are left out. */
export function addWeight(into: RecordWeights, doc: number, weight: number): void {
  const before = into.values[doc]
  if (before === undefined) return
  if (before < 0) {
    countOther(into, doc)
    return
  }
  if (before === 0) into.docs[into.count++] = doc
  into.values[doc] = before + weight
}

/** Raises what a record got to a weight. */
export function raiseWeight(into: RecordWeights, doc: number, weight: number): void {
  const before = into.values[doc]
  if (before === undefined || weight <= before) return
  if (before === 0) into.docs[into.count++] = doc
  into.values[doc] = weight
}

/**
 * @param ids of all records; dead ones are left out
 * @returns the records that got something, ascending, in the scratch memory
 */
export function byNumber(
  into: RecordWeights,
  ids: readonly (string | undefined)[],
  scratch: Scratch,
): Int32Array {
  const { docs, count } = into
  // Where all are looked at, the number of each is written before it is known whether it counts.
  const found = scratch.int32(count + 1)
  const isSparse = !isMost(count, into.values.length)
  if (isSparse) {
    found.set(docs.subarray(0, count))
    found.subarray(0, count).sort()
  }
  const all = isSparse ? count : selectAll(into, ids.length, found)
  let end = 0
  for (let index = 0; index < all; index += 1) {
    const doc = found[index] ?? -1
    if (ids[doc] !== undefined) found[end++] = doc
  }
  return found.subarray(0, end)
}

// Processors guess wrong which of many records got something, so a branch for each takes four times as long.
/** @returns how many of so many records got something */
function selectAll({ values }: RecordWeights, size: number, selected: Int32Array): number {
  let count = 0
  for (let doc = 0; doc < size; doc += 1) {
    selected[count] = doc
    count += Number((values[doc] ?? 0) > 0)
  }
  return count
}

/** Whether so many are found faster by looking at all than by sorting them. */
const isMost = (count: number, all: number): boolean => count > all / 32

/** A search takes up to three at a time, and gives them back. There is one search at a time (text-search.ts). */
export function createWeightsPool() {
  let free: RecordWeights[] = []
  return {
    /**
     * Weights of nothing.
     * @param size how many records there are, dead ones included
     */
    take(size: number): RecordWeights {
      free = free.filter(({ values }) => values.length >= size)
      return free.pop() ?? createWeights(Math.ceil(1.25 * size))
    },
    /** Has to be called when nothing looks at them any more. */
    release(weights: RecordWeights): void {
      clear(weights)
      free.push(weights)
    },
  }
}

const createWeights = (size: number): RecordWeights => ({
  values: new Float32Array(size),
  names: new Uint8Array(size),
  docs: new Int32Array(size),
  count: 0,
  isLimited: false,
  others: 0,
})

function clear(weights: RecordWeights): void {
  const { values, names, docs, count, isLimited } = weights
  if (isLimited || isMost(count, values.length)) {
    values.fill(0)
    names.fill(0)
  } else
    for (let index = 0; index < count; index += 1) {
      const doc = docs[index] ?? 0
      values[doc] = 0
      names[doc] = 0
    }
  weights.count = 0
  weights.isLimited = false
  weights.others = 0
}
