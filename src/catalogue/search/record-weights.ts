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

/** @returns the records that got something, ascending, in the scratch memory */
export function byNumber({ values, docs, count }: RecordWeights, scratch: Scratch): Int32Array {
  const found = scratch.int32(count)
  if (!isMost(count, values.length)) {
    found.set(docs.subarray(0, count))
    return found.sort()
  }
  let end = 0
  for (let doc = 0; doc < values.length; doc += 1) if ((values[doc] ?? 0) > 0) found[end++] = doc
  return found
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
