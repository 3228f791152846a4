// The words of the records of one resource: which occur in which field of which record, and how long the fields are.
// Records are numbers here, those of index/documents.ts.

import type { Resource } from '../../model/resources.js'
import { createOccurrences, fieldOfPlace, isLastPosition, placeOf } from './occurrences.js'
import { textFields } from './text-fields.js'
import { tokensOf } from '../../model/text-tokens.js'
import type { WordList } from './word-list.js'

/** A text of a record, with the position of its field in `textFields`. */
export type FieldText = { readonly field: number; readonly text: string }

/** Stems, each with how well it matches what was typed, from 0 to 1. */
export type Stems = ReadonlyMap<number, number>

export type TextIndex = ReturnType<typeof createTextIndex>

/** Between the values of a field, so that no phrase goes from one to the next. */
const gap = 4

export function createTextIndex({ name }: Pick<Resource, 'name'>, words: WordList) {
  const { own } = textFields[name]
  const occurrences = createOccurrences()
  /** By record and field; longer ones count as 255. */
  let lengths = new Uint8Array(1024 * own.length)
  const totals = own.map(() => ({ length: 0, texts: 0 }))

  function add(doc: number, texts: readonly FieldText[]): void {
    const start = doc * own.length
    if (start + own.length > lengths.length) {
      const more = new Uint8Array(Math.ceil((start + own.length) * 1.5))
      more.set(lengths)
      lengths = more
    }
    lengths.fill(0, start, start + own.length)
    const ends = own.map(() => 0)
    for (const { field, text } of texts) {
      const first = ends[field] ?? 0
      let last = 0
      for (const { word, position } of tokensOf(text)) {
        occurrences.add(words.stemNumber(word), doc, placeOf(field, first + position))
        last = position + 1
      }
      ends[field] = first + last + gap
      lengths[start + field] = Math.min(255, (lengths[start + field] ?? 0) + last)
    }
    totals.forEach((total, field) => {
      const length = lengths[start + field] ?? 0
      total.length += length
      if (length > 0) total.texts += 1
    })
  }

  /** By field and length: what an occurrence in a field of that length counts. */
  function weightTables(weights: readonly number[]): readonly Float32Array[] {
    return own.map(({ lengthShare = 0.5 }, field) => {
      const { length, texts } = totals[field] ?? { length: 0, texts: 0 }
      const average = Math.max(1, length / Math.max(1, texts))
      const weight = weights[field] ?? 0
      return Float32Array.from(
        { length: 256 },
        (_, one) => weight / (1 - lengthShare + (lengthShare * one) / average),
      )
    })
  }

  /**
   * Calls a function with each occurrence of words that follow each other.
   * @param sequence the stems that may stand at each position
   */
  function forEachMatch(sequence: readonly Stems[], use: Use): void {
    const [first, ...others] = sequence
    if (!first) return
    if (others.length === 0) {
      for (const [stem, share] of first)
        occurrences.forEach(stem, (doc, place) => use(doc, place, share))
      return
    }
    let starts = new Map<number, number>()
    for (const [stem, share] of first)
      occurrences.forEach(stem, (doc, place) => {
        if (!isLastPosition(place)) starts.set(keyOf(doc, place), share)
      })
    others.forEach((stems, index) => {
      const kept = new Map<number, number>()
      for (const [stem, share] of stems)
        occurrences.forEach(stem, (doc, place) => {
          const start = keyOf(doc, place - index - 1)
          const before = starts.get(start)
          if (before !== undefined && !isLastPosition(place)) kept.set(start, before * share)
        })
      starts = kept
    })
    for (const [key, share] of starts) use(Math.floor(key / 65536), key % 65536, share)
  }

  return {
    add,
    forEachMatch,
    weightTables,
    lengthOf: (doc: number, field: number): number => lengths[doc * own.length + field] ?? 0,
    count: occurrences.count,
    compact: (isAlive: (doc: number) => boolean) => occurrences.compact(words.stemCount, isAlive),
    /**
     * Adds to the weight of each record what it gets for these words.
     * @param tables of `weightTables`
     */
    addWeights(
      sequence: readonly Stems[],
      tables: readonly Float32Array[],
      into: Float32Array,
      onMatch?: (doc: number, field: number) => void,
    ): void {
      const width = own.length
      forEachMatch(sequence, (doc, place, share) => {
        const field = fieldOfPlace(place)
        const weight = tables[field]?.[lengths[doc * width + field] ?? 0] ?? 0
        if (weight === 0) return
        into[doc] = (into[doc] ?? 0) + weight * share
        onMatch?.(doc, field)
      })
    },
  }
}

type Use = (doc: number, place: number, share: number) => void

const keyOf = (doc: number, place: number): number => doc * 65536 + place
