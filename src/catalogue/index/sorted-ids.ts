// Records by number: an array of numbers in some order, into which one more is put and out of which
// one is taken in microseconds, however long it is.

export type DocIds = {
  readonly length: number
  at(place: number): number
  /** A view; it holds until the next change. */
  all(): Int32Array
  insert(place: number, doc: number): void
  remove(place: number): void
}

/** @param content becomes the array's own */
export function createDocIds(content: Int32Array): DocIds {
  let numbers: Int32Array = content
  let length = content.length
  return {
    get length() {
      return length
    },
    at: (place) => numbers[place] ?? -1,
    all: () => numbers.subarray(0, length),
    insert(place, doc) {
      if (length === numbers.length) {
        const more = new Int32Array(16 + Math.ceil(length * 1.25))
        more.set(numbers)
        numbers = more
      }
      numbers.copyWithin(place + 1, place, length)
      numbers[place] = doc
      length += 1
    },
    remove(place) {
      numbers.copyWithin(place, place + 1, length)
      length -= 1
    },
  }
}

export type Compare = (a: number, b: number) => number

/** The place of a record in an array that is in order, or the place where it would be. */
export function binarySearch(docs: DocIds, doc: number, compare: Compare): number {
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(docs.at(middle), doc) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** How many are sorted or merged at a time. */
const stepSize = 4096

/** Sorts in small steps. */
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
  for (let place = runs.start; place < end; place += 1) {
    const [a = -1, b = -1] = [from[left], from[right]]
    const isLeft = left < middle && (right >= end || compare(a, b) <= 0)
    to[place] = isLeft ? a : b
    if (isLeft) left += 1
    else right += 1
    if (place % stepSize === 0) yield
  }
}
