// Finds where words follow each other: the places of the rarest word, of which those stay that all
// others stand beside.

import type { Occurrences } from './occurrences.js'
import { isLastPosition, positionOf } from './occurrences.js'
import type { Stems } from './stems.js'

/**
 * Calls a function with the record and the place of the first word of each match, and with how well
 * it matches.
 * @param sequence the stems that may stand at each position
 */
export function forEachPhrase(
  occurrences: Pick<Occurrences, 'forEach' | 'count'>,
  sequence: readonly Stems[],
  use: (doc: number, place: number, share: number) => void,
): void {
  const counted = sequence.map((stems, offset) => ({
    stems,
    offset,
    count: stems.stems.reduce((sum, stem) => sum + occurrences.count(stem), 0),
  }))
  const [rarest, ...others] = counted.sort((a, b) => a.count - b.count)
  if (!rarest || rarest.count === 0) return
  const starts = new Starts(rarest.count)
  forEachStart(rarest, (doc, place, share) => starts.add(doc, place, share))
  starts.sort()
  others.forEach((placedStems, index) =>
    forEachStart(placedStems, (doc, place, share) => starts.meet(doc, place, share, index + 1)),
  )
  starts.forEach(others.length, use)

  function forEachStart(
    { stems, offset }: { readonly stems: Stems; readonly offset: number },
    onStart: (doc: number, place: number, share: number) => void,
  ): void {
    for (const stem of stems.stems) {
      const share = stems.shareOf(stem)
      occurrences.forEach(stem, (doc, place) => {
        if (positionOf(place) >= offset && !isLastPosition(place))
          onStart(doc, place - offset, share)
      })
    }
  }
}

/**
 * The places where a match may begin, by record and place, with how many of its words were met
 * there. The occurrences of a stem come by record and place too, but for those of records that were
 * written since the last compaction, so a cursor goes along, and seldom back.
 */
class Starts {
  #length = 0
  #docs: Int32Array
  #places: Uint16Array
  #shares: Float32Array
  readonly #met: Uint8Array
  #cursor = 0

  constructor(count: number) {
    this.#docs = new Int32Array(count)
    this.#places = new Uint16Array(count)
    this.#shares = new Float32Array(count)
    this.#met = new Uint8Array(count)
  }

  add(doc: number, place: number, share: number): void {
    this.#docs[this.#length] = doc
    this.#places[this.#length] = place
    this.#shares[this.#length] = share
    this.#length += 1
  }

  /** Has to be called when all are added. */
  sort(): void {
    const sorted = this.#sortedLength()
    if (sorted < this.#length) this.#sortStarts(sorted)
  }

  /** @param step which of the other words it is, from 1 */
  meet(doc: number, place: number, share: number, step: number): void {
    const index = this.#find(doc, place)
    if (index < 0 || this.#met[index] !== step - 1) return
    this.#met[index] = step
    this.#shares[index] = (this.#shares[index] ?? 0) * share
  }

  forEach(steps: number, use: (doc: number, place: number, share: number) => void): void {
    for (let index = 0; index < this.#length; index += 1)
      if (this.#met[index] === steps)
        use(this.#docs[index] ?? -1, this.#places[index] ?? 0, this.#shares[index] ?? 0)
  }

  /** How many of the starts are by record and place before the first that is not. */
  #sortedLength(): number {
    for (let index = 1; index < this.#length; index += 1) {
      const [before, doc] = [this.#docs[index - 1] ?? 0, this.#docs[index] ?? 0]
      if (
        before > doc ||
        (before === doc && (this.#places[index - 1] ?? 0) >= (this.#places[index] ?? 0))
      )
        return index
    }
    return this.#length
  }

  #compare(a: number, b: number): number {
    return (
      (this.#docs[a] ?? 0) - (this.#docs[b] ?? 0) || (this.#places[a] ?? 0) - (this.#places[b] ?? 0)
    )
  }

  /** By record and place, each once. What follows the sorted starts is mostly little. */
  #sortStarts(sorted: number): void {
    const others = Uint32Array.from({ length: this.#length - sorted }, (_, index) => sorted + index)
    others.sort((a, b) => this.#compare(a, b))
    const merged = new Uint32Array(this.#length)
    let [sortedAt, othersAt, end] = [0, 0, 0]
    while (sortedAt < sorted || othersAt < others.length) {
      const next = others[othersAt] ?? -1
      const isFirst = next < 0 || (sortedAt < sorted && this.#compare(sortedAt, next) <= 0)
      const index = isFirst ? sortedAt++ : next
      if (!isFirst) othersAt += 1
      if (end === 0 || this.#compare(merged[end - 1] ?? 0, index) !== 0) merged[end++] = index
    }
    const starts = merged.subarray(0, end)
    const before = { docs: this.#docs, places: this.#places, shares: this.#shares }
    this.#docs = Int32Array.from(starts, (index) => before.docs[index] ?? 0)
    this.#places = Uint16Array.from(starts, (index) => before.places[index] ?? 0)
    this.#shares = Float32Array.from(starts, (index) => before.shares[index] ?? 0)
    this.#length = end
  }

  #isBefore(index: number, doc: number, place: number): boolean {
    const startDoc = this.#docs[index] ?? 0
    return startDoc < doc || (startDoc === doc && (this.#places[index] ?? 0) < place)
  }

  /** How many starts are before a place of a record. */
  #countBefore(doc: number, place: number): number {
    let [low, high] = [0, this.#length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#isBefore(middle, doc, place)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The number of the start of a record at a place; -1 where there is none. */
  #find(doc: number, place: number): number {
    if (this.#cursor > 0 && !this.#isBefore(this.#cursor - 1, doc, place))
      this.#cursor = this.#countBefore(doc, place)
    while (this.#cursor < this.#length && this.#isBefore(this.#cursor, doc, place))
      this.#cursor += 1
    const isThere =
      this.#cursor < this.#length &&
      this.#docs[this.#cursor] === doc &&
      this.#places[this.#cursor] === place
    return isThere ? this.#cursor : -1
  }
}
