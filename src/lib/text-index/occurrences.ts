// Where each stem occurs: the record, the field and the position in it, in arrays of numbers. A
// record is not removed at once: callers ignore dead numbers, and `compact` leaves them out, as in
// index/postings.ts.

import { createAddedNumbers } from './added-numbers.js'
import { PostingLog } from './posting-log.js'
import type { RecordWeights } from './record-weights.js'

/** The field and the position of a word in 16 bits. */
export const placeOf = (field: number, position: number): number =>
  (field << positionBits) | Math.min(position, maxPosition)

const positionBits = 12
const maxPosition = (1 << positionBits) - 1

export const fieldOfPlace = (place: number): number => place >>> positionBits

/** The position, without the field. */
export const positionOf = (place: number): number => place & maxPosition

/** Positions from here on are not exact. */
export const isLastPosition = (place: number): boolean => (place & maxPosition) === maxPosition

/** What an occurrence is worth, by its field and the length of that. */
export type OccurrenceWeights = {
  /** At 256 times the field, by length. */
  readonly table: Float32Array
  /** By record and field. */
  readonly lengths: Uint8Array
  /** How many fields there are. */
  readonly width: number
  /**
   * By field: 1 for those that are names, of which it is marked which records have the stem in one.
   */
  readonly names: Uint8Array
}

export type SavedOccurrences = {
  readonly docs: Int32Array
  readonly places: Uint16Array
  /** Those of stem n are from `ends[n - 1]` up to `ends[n]`. */
  readonly ends: Int32Array
}

/** How many stems are compacted in a step. */
const stepSize = 2000

export class Occurrences {
  #docs: Int32Array = new Int32Array(0)
  #places: Uint16Array = new Uint16Array(0)
  /** Those of stem n are from `ends[n - 1]` up to `ends[n]`. */
  #ends: Int32Array = new Int32Array(0)
  /** By stem: pairs of record and place. */
  readonly #added = createAddedNumbers()
  /** What is added before the first compaction, which no search finds until then. */
  #log: PostingLog | undefined = new PostingLog(true)

  add(stem: number, doc: number, place: number): void {
    if (this.#log) this.#log.add(stem, doc, place)
    else this.#added.add(stem, doc, place)
  }

  /** Adds to the weight of each record what the occurrences of a stem are worth. */
  addWeights(stem: number, share: number, weights: OccurrenceWeights, into: RecordWeights): void {
    const [docs, places] = [this.#docs, this.#places]
    const occurrences = { docs, places, begin: this.#beginOf(stem), end: this.#endOf(stem) }
    addOccurrences(occurrences, share, weights, into)
    const pairs = this.#added.of(stem)
    if (pairs.length > 0) addOccurrences(fromPairs(pairs), share, weights, into)
  }

  /**
   * Calls a function with the record and the place of each occurrence of a stem, by record as
   * they were added.
   */
  forEach(stem: number, use: (doc: number, place: number) => void): void {
    const [docs, places] = [this.#docs, this.#places]
    const end = this.#endOf(stem)
    for (let index = this.#beginOf(stem); index < end; index += 1)
      use(docs[index] ?? -1, places[index] ?? 0)
    const pairs = this.#added.of(stem)
    for (let index = 0; index < pairs.length; index += 2)
      use(pairs[index] ?? -1, pairs[index + 1] ?? 0)
  }

  /** How often a stem occurs, dead records included. */
  count(stem: number): number {
    return this.#endOf(stem) - this.#beginOf(stem) + this.#added.of(stem).length / 2
  }

  *compact(stemCount: () => number, isAlive: (doc: number) => boolean): Generator<void> {
    if (this.#log) {
      // What is added from now on waits for the next compaction.
      const first = this.#log
      this.#log = undefined
      const packed = yield* first.pack(stemCount(), isAlive)
      this.#pack(packed.docs, packed.places, packed.ends)
      return
    }
    const beingPacked = this.#added.beginPacking()
    const stems = stemCount()
    const [docs, places] = [this.#docs, this.#places]
    let total = docs.length
    for (const pairs of beingPacked.values()) total += pairs.length / 2
    const nextDocs = new Int32Array(total)
    const nextPlaces = new Uint16Array(total)
    const nextEnds = new Int32Array(stems)
    let end = 0
    for (let stem = 0; stem < stems; stem += 1) {
      const last = this.#endOf(stem)
      for (let index = this.#beginOf(stem); index < last; index += 1) {
        const doc = docs[index] ?? -1
        if (!isAlive(doc)) continue
        nextDocs[end] = doc
        nextPlaces[end++] = places[index] ?? 0
      }
      const pairs = beingPacked.get(stem) ?? []
      for (let index = 0; index < pairs.length; index += 2) {
        const doc = pairs[index] ?? -1
        if (!isAlive(doc)) continue
        nextDocs[end] = doc
        nextPlaces[end++] = pairs[index + 1] ?? 0
      }
      nextEnds[stem] = end
      if (stem % stepSize === 0) yield
    }
    this.#pack(nextDocs, nextPlaces, nextEnds)
    this.#added.endPacking()
  }

  /** To be called after `compact`, when nothing was added since. */
  save(): SavedOccurrences {
    return { docs: this.#docs, places: this.#places, ends: this.#ends }
  }

  /** Fills it while it is empty. */
  restore(state: SavedOccurrences): void {
    this.#docs = state.docs.slice()
    this.#places = state.places.slice()
    this.#ends = state.ends.slice()
    this.#log = undefined
  }

  #beginOf(stem: number): number {
    return stem === 0 ? 0 : this.#endOf(stem - 1)
  }

  #endOf(stem: number): number {
    return stem < this.#ends.length ? (this.#ends[stem] ?? 0) : this.#docs.length
  }

  #pack(nextDocs: Int32Array, nextPlaces: Uint16Array, nextEnds: Int32Array): void {
    const end = nextEnds.at(-1) ?? 0
    this.#docs = end < nextDocs.length ? nextDocs.slice(0, end) : nextDocs
    this.#places = end < nextPlaces.length ? nextPlaces.slice(0, end) : nextPlaces
    this.#ends = withoutTail(nextEnds)
  }
}

/** The occurrences from one position to another. */
type PlacedOccurrences = Pick<SavedOccurrences, 'docs' | 'places'> & {
  readonly begin: number
  readonly end: number
}

/** @param pairs of record and place */
function fromPairs(pairs: readonly number[]): PlacedOccurrences {
  const length = pairs.length / 2
  const [docs, places] = [new Int32Array(length), new Uint16Array(length)]
  for (let index = 0; index < length; index += 1) {
    docs[index] = pairs[2 * index] ?? -1
    places[index] = pairs[2 * index + 1] ?? 0
  }
  return { docs, places, begin: 0, end: length }
}

// Without a call or a property for each: of frequent words there are millions.
function addOccurrences(
  { docs, places, begin, end }: PlacedOccurrences,
  share: number,
  { table, lengths, width, names }: OccurrenceWeights,
  into: RecordWeights,
): void {
  const { values, names: areNames, docs: weightedDocs } = into
  let { count } = into
  for (let index = begin; index < end; index += 1) {
    const doc = docs[index] ?? -1
    const before = values[doc]
    if (before === undefined) continue
    const field = fieldOfPlace(places[index] ?? 0)
    const weight = table[(field << 8) | (lengths[doc * width + field] ?? 0)] ?? 0
    if (weight === 0) continue
    if (before === 0) weightedDocs[count++] = doc
    values[doc] = before + weight * share
    if (names[field] === 1) areNames[doc] = 1
  }
  into.count = count
}

/**
 * The ends up to the last stem that occurs: other resources have many that do not occur in this
 * one.
 */
function withoutTail(ends: Int32Array): Int32Array {
  let { length } = ends
  while (length > 1 && ends[length - 1] === ends[length - 2]) length -= 1
  return length < ends.length ? ends.slice(0, length) : ends
}
