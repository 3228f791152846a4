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
  const starts = createStarts(rarest.count)
  forEachStart(rarest, (doc, place, share) => starts.add(doc, place, share))
  starts.sort()
  others.forEach((one, index) =>
    forEachStart(one, (doc, place, share) => starts.meet(doc, place, share, index + 1)),
  )
  starts.forEach(others.length, use)

  function forEachStart(
    { stems, offset }: { readonly stems: Stems; readonly offset: number },
    found: (doc: number, place: number, share: number) => void,
  ): void {
    for (const stem of stems.stems) {
      const share = stems.shareOf(stem)
      occurrences.forEach(stem, (doc, place) => {
        if (positionOf(place) >= offset && !isLastPosition(place)) found(doc, place - offset, share)
      })
    }
  }
}

/**
 * The places where a match may begin, by record and place, with how many of its words were met
 * there. The occurrences of a stem come by record and place too, but for those of records that were
 * written since the last compaction, so a cursor goes along, and seldom back.
 */
function createStarts(count: number) {
  let length = 0
  let docs = new Int32Array(count)
  let places = new Uint16Array(count)
  let shares = new Float32Array(count)
  const met = new Uint8Array(count)
  let cursor = 0

  /** How many of the starts are by record and place before the first that is not. */
  function sortedLength(): number {
    for (let index = 1; index < length; index += 1) {
      const [before, doc] = [docs[index - 1] ?? 0, docs[index] ?? 0]
      if (before > doc || (before === doc && (places[index - 1] ?? 0) >= (places[index] ?? 0)))
        return index
    }
    return length
  }

  const compare = (one: number, other: number): number =>
    (docs[one] ?? 0) - (docs[other] ?? 0) || (places[one] ?? 0) - (places[other] ?? 0)

  /** By record and place, each once. What follows the sorted starts is mostly little. */
  function sortStarts(sorted: number): void {
    const others = Uint32Array.from({ length: length - sorted }, (_, index) => sorted + index)
    others.sort(compare)
    const merged = new Uint32Array(length)
    let [one, other, end] = [0, 0, 0]
    while (one < sorted || other < others.length) {
      const next = others[other] ?? -1
      const isFirst = next < 0 || (one < sorted && compare(one, next) <= 0)
      const index = isFirst ? one++ : next
      if (!isFirst) other += 1
      if (end === 0 || compare(merged[end - 1] ?? 0, index) !== 0) merged[end++] = index
    }
    const starts = merged.subarray(0, end)
    const before = { docs, places, shares }
    docs = Int32Array.from(starts, (index) => before.docs[index] ?? 0)
    places = Uint16Array.from(starts, (index) => before.places[index] ?? 0)
    shares = Float32Array.from(starts, (index) => before.shares[index] ?? 0)
    length = end
  }

  const isBefore = (index: number, doc: number, place: number): boolean => {
    const own = docs[index] ?? 0
    return own < doc || (own === doc && (places[index] ?? 0) < place)
  }

  /** How many starts are before a place of a record. */
  function countBefore(doc: number, place: number): number {
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(middle, doc, place)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The number of the start of a record at a place; -1 where there is none. */
  function find(doc: number, place: number): number {
    if (cursor > 0 && !isBefore(cursor - 1, doc, place)) cursor = countBefore(doc, place)
    while (cursor < length && isBefore(cursor, doc, place)) cursor += 1
    const isThere = cursor < length && docs[cursor] === doc && places[cursor] === place
    return isThere ? cursor : -1
  }

  return {
    add(doc: number, place: number, share: number): void {
      docs[length] = doc
      places[length] = place
      shares[length] = share
      length += 1
    },
    /** Has to be called when all are added. */
    sort(): void {
      const sorted = sortedLength()
      if (sorted < length) sortStarts(sorted)
    },
    /** @param step which of the other words it is, from 1 */
    meet(doc: number, place: number, share: number, step: number): void {
      const index = find(doc, place)
      if (index < 0 || met[index] !== step - 1) return
      met[index] = step
      shares[index] = (shares[index] ?? 0) * share
    },
    forEach(steps: number, use: (doc: number, place: number, share: number) => void): void {
      for (let index = 0; index < length; index += 1)
        if (met[index] === steps) use(docs[index] ?? -1, places[index] ?? 0, shares[index] ?? 0)
    },
  }
}
