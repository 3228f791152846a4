// What the records of a resource get in a search, by their numbers, with a list of those that got
// something: what is done with them takes as long as what was found, and not as all there is.

export type RecordWeights = {
  /** 0 for a record that got nothing. */
  readonly values: Float32Array
  /** 1 for a record that has what is looked for in a name. */
  readonly names: Uint8Array
  /** The records that got something, as many as `count`, in the order in which they did. */
  readonly docs: Int32Array
  count: number
}

/**
 * Weights of nothing.
 * @param size how many records there are, dead ones included
 */
export const createWeights = (size: number): RecordWeights => ({
  values: new Float32Array(size),
  names: new Uint8Array(size),
  docs: new Int32Array(size),
  count: 0,
})

/** Adds to what a record got. Records that came after the weights were taken are left out. */
export function addWeight(into: RecordWeights, doc: number, weight: number): void {
  const before = into.values[doc]
  if (before === undefined) return
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
 * @returns the records that got something, ascending
 */
export function byNumber(into: RecordWeights, ids: readonly (string | undefined)[]): Int32Array {
  const { docs, count } = into
  // Where all are looked at, the number of each is written before it is known whether it counts.
  const sortedDocs = new Int32Array(count + 1)
  const isSparse = !isMost(count, into.values.length)
  if (isSparse) {
    sortedDocs.set(docs.subarray(0, count))
    sortedDocs.subarray(0, count).sort()
  }
  const all = isSparse ? count : selectAll(into, ids.length, sortedDocs)
  let end = 0
  for (let index = 0; index < all; index += 1) {
    const doc = sortedDocs[index] ?? -1
    if (ids[doc] !== undefined) sortedDocs[end++] = doc
  }
  return sortedDocs.subarray(0, end)
}

// Processors guess wrong which of many records got something, so a branch for each takes four times
// as long.
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
