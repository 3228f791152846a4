// Sorted arrays of record numbers: inserting and removing one takes microseconds, however long the
// array is. Sorting and merging are done in small steps, so that other work can run between them.

import { withRoom } from '../typed-arrays.js'

export type DocIds = {
  readonly length: number
  at(position: number): number
  /** A view of the array, valid until the next change. */
  all(): Int32Array
  insert(position: number, doc: number): void
  replace(position: number, doc: number): void
  remove(position: number): void
}

/** @param content becomes the array's own */
export function createDocIds(content: Int32Array): DocIds {
  let numbers: Int32Array = content
  let length = content.length
  return {
    get length() {
      return length
    },
    at: (position) => numbers[position] ?? -1,
    all: () => numbers.subarray(0, length),
    insert(position, doc) {
      numbers = withRoom(numbers, length + 1)
      numbers.copyWithin(position + 1, position, length)
      numbers[position] = doc
      length += 1
    },
    replace(position, doc) {
      numbers[position] = doc
    },
    remove(position) {
      numbers.copyWithin(position, position + 1, length)
      length -= 1
    },
  }
}

export type Compare = (a: number, b: number) => number

/**
 * The position of a record in a sorted array, or the position where it would have to be inserted.
 */
export function binarySearch(docs: DocIds, doc: number, compare: Compare): number {
  // What was written last comes after all others in the orders by time.
  if (docs.length > 0 && compare(docs.at(docs.length - 1), doc) < 0) return docs.length
  return countLeading(docs, (other) => compare(other, doc) < 0)
}

/** How many records of a sorted array are at its beginning, where these come before all others. */
export function countLeading(
  docs: Pick<Int32Array, 'length' | 'at'>,
  isLeading: (doc: number) => boolean,
): number {
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isLeading(docs.at(middle) ?? -1)) low = middle + 1
    else high = middle
  }
  return low
}

/** How many numbers are sorted or merged in a step. */
const stepSize = 4096

/** Merge sort that yields after every step. */
export function* mergeSortInSteps(docs: Int32Array, compare: Compare): Generator<void, Int32Array> {
  for (let start = 0; start < docs.length; start += stepSize) {
    docs.subarray(start, start + stepSize).sort(compare)
    yield
  }
  let [from, to]: [Int32Array, Int32Array] = [docs, new Int32Array(docs.length)]
  for (let width = stepSize; width < docs.length; width *= 2) {
    for (let start = 0; start < docs.length; start += 2 * width)
      yield* merge(from, to, { start, middle: start + width, end: start + 2 * width }, compare)
    ;[from, to] = [to, from]
  }
  return from
}

type Runs = { readonly start: number; readonly middle: number; readonly end: number }

function* merge(from: Int32Array, to: Int32Array, runs: Runs, compare: Compare): Generator<void> {
  const middle = Math.min(runs.middle, from.length)
  const end = Math.min(runs.end, from.length)
  let [left, right] = [runs.start, middle]
  for (let position = runs.start; position < end; position += 1) {
    const [a = -1, b = -1] = [from[left], from[right]]
    const isLeft = left < middle && (right >= end || compare(a, b) <= 0)
    to[position] = isLeft ? a : b
    if (isLeft) left += 1
    else right += 1
    if (position % stepSize === 0) yield
  }
}
