// Finds where words follow each other: the places of the rarest word, of which those stay that all others stand beside.

import type { Occurrences } from './occurrences.js'
import { isLastPosition, positionOf } from './occurrences.js'
import type { Stems } from './stems.js'

/**
 * Calls a function with the record and the place of the first word of each match, and with how well it matches.
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
  others.forEach((one, index) =>
    forEachStart(one, (doc, place, share) => starts.meet(doc, place, share, index + 1)),
  )
  starts.forEach(others.length, use)

  function forEachStart(
    { stems, offset }: { readonly stems: Stems; readonly offset: number },
    found: (doc: number, place: number, share: number) => void,
  ): void {
    for (const stem of stems.stems)
      occurrences.forEach(stem, (doc, place) => {
        if (positionOf(place) >= offset && !isLastPosition(place))
          found(doc, place - offset, stems.shareOf(stem))
      })
  }
}

/** The places where a match may begin, with how many of its words were met there: a hash table of numbers. */
function createStarts(count: number) {
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2))
  const docs = new Int32Array(size).fill(-1)
  const places = new Uint16Array(size)
  const met = new Uint8Array(size)
  const shares = new Float32Array(size)

  function slotOf(doc: number, place: number): number {
    let slot = (Math.imul(doc, 0x9e3779b1) ^ Math.imul(place, 0x85ebca6b)) & (size - 1)
    while (docs[slot] !== -1 && (docs[slot] !== doc || places[slot] !== place))
      slot = (slot + 1) & (size - 1)
    return slot
  }

  return {
    add(doc: number, place: number, share: number): void {
      const slot = slotOf(doc, place)
      docs[slot] = doc
      places[slot] = place
      shares[slot] = share
    },
    /** @param step which of the other words it is, from 1 */
    meet(doc: number, place: number, share: number, step: number): void {
      const slot = slotOf(doc, place)
      if (docs[slot] === -1 || met[slot] !== step - 1) return
      met[slot] = step
      shares[slot] = (shares[slot] ?? 0) * share
    },
    forEach(steps: number, use: (doc: number, place: number, share: number) => void): void {
      for (let slot = 0; slot < size; slot += 1)
        if (docs[slot] !== -1 && met[slot] === steps)
          use(docs[slot] ?? -1, places[slot] ?? 0, shares[slot] ?? 0)
    },
  }
}
