// The words of the records of one resource: which occur in which field of which record, and how
// long the fields are. Records are numbers here, those of index/documents.ts.

import type { Resource } from '../../model/resources.js'
import {
  type OccurrenceWeights,
  type SavedOccurrences,
  createOccurrences,
  fieldOfPlace,
  placeOf,
} from '../../lib/text-index/occurrences.js'
import { forEachPhrase } from '../../lib/text-index/phrases.js'
import { type RecordWeights, addWeight } from '../../lib/text-index/record-weights.js'
import type { Stems } from '../../lib/text-index/stems.js'
import { textFields } from './text-fields.js'
import { forEachWord } from '../../lib/text-index/text-tokens.js'
import { withRoom } from '../../lib/typed-arrays.js'
import type { WordList } from '../../lib/text-index/word-list.js'

/** A text of a record, with the position of its field in `textFields`. */
export type FieldText = { readonly field: number; readonly text: string }

export type TextIndex = ReturnType<typeof createTextIndex>

export type SavedTexts = {
  readonly occurrences: SavedOccurrences
  readonly lengths: Uint8Array
  readonly totals: readonly { readonly length: number; readonly texts: number }[]
}

/** Between the values of a field, so that no phrase goes from one to the next. */
const gap = 4

export function createTextIndex({ name }: Pick<Resource, 'name'>, words: WordList) {
  const { own } = textFields[name]
  const occurrences = createOccurrences()
  /** By record and field; longer ones count as 255. */
  let lengths = new Uint8Array(1024 * own.length)
  const nameFields = Uint8Array.from(own, ({ isName }) => (isName ? 1 : 0))
  let totals = own.map(() => ({ length: 0, texts: 0 }))
  /** By the weights of fields, which are few, until a record comes or goes. */
  const tables = new Map<string, Float32Array>()

  function add(doc: number, texts: readonly FieldText[]): void {
    const start = doc * own.length
    lengths = withRoom(lengths, start + own.length)
    lengths.fill(0, start, start + own.length)
    const ends = own.map(() => 0)
    for (const { field, text } of texts) {
      const first = ends[field] ?? 0
      const last = forEachWord(text, words, (stem, position) =>
        occurrences.add(stem, doc, placeOf(field, first + position)),
      )
      ends[field] = first + last + gap
      lengths[start + field] = Math.min(255, (lengths[start + field] ?? 0) + last)
    }
    addToTotals(doc, 1)
  }

  /** @param share 1 for a record that came, -1 for one that went */
  function addToTotals(doc: number, share: 1 | -1): void {
    tables.clear()
    totals.forEach((total, field) => {
      const length = lengths[doc * own.length + field] ?? 0
      total.length += share * length
      if (length > 0) total.texts += share
    })
  }

  /** What an occurrence in each field is worth; longer fields count less. */
  function weightsFor(fieldWeights: readonly number[]): OccurrenceWeights {
    const key = fieldWeights.join()
    const table = tables.get(key) ?? makeTable(fieldWeights)
    tables.set(key, table)
    return { table, lengths, width: own.length, names: nameFields }
  }

  function makeTable(fieldWeights: readonly number[]): Float32Array {
    const table = new Float32Array(own.length * 256)
    own.forEach(({ lengthShare = 0.5 }, field) => {
      const weight = fieldWeights[field] ?? 0
      if (weight === 0) return
      const { length, texts } = totals[field] ?? { length: 0, texts: 0 }
      const average = Math.max(1, length / Math.max(1, texts))
      for (let one = 0; one < 256; one += 1)
        table[field * 256 + one] = weight / (1 - lengthShare + (lengthShare * one) / average)
    })
    return table
  }

  /** Adds to the weight of each record what it gets for words that follow each other. */
  function addWeights(
    sequence: readonly Stems[],
    weights: OccurrenceWeights,
    into: RecordWeights,
  ): void {
    const [first, second] = sequence
    if (!first) return
    if (!second) {
      for (const stem of first.stems)
        occurrences.addWeights(stem, first.shareOf(stem), weights, into)
      return
    }
    const { table, names } = weights
    forEachPhrase(occurrences, sequence, (doc, place, share) => {
      const field = fieldOfPlace(place)
      const weight = table[field * 256 + (lengths[doc * own.length + field] ?? 0)] ?? 0
      if (weight === 0) return
      addWeight(into, doc, weight * share)
      if (names[field] === 1) into.names[doc] = 1
    })
  }

  return {
    add,
    /** To be called when a record went: the average length of a field is that of the others. */
    remove: (doc: number): void => addToTotals(doc, -1),
    addWeights,
    weightsFor,
    lengthOf: (doc: number, field: number): number => lengths[doc * own.length + field] ?? 0,
    /** How often a stem occurs, dead records included. */
    count: occurrences.count,
    /** The same without dead records: each occurrence is looked at. */
    countLiving(stem: number, isAlive: (doc: number) => boolean): number {
      let count = 0
      occurrences.forEach(stem, (doc) => {
        if (isAlive(doc)) count += 1
      })
      return count
    },
    compact: (isAlive: (doc: number) => boolean) =>
      occurrences.compact(() => words.stemCount(), isAlive),
    /** To be called after `compact`, when nothing was added since. */
    save: (): SavedTexts => ({ occurrences: occurrences.save(), lengths, totals }),
    /** Fills it while it is empty. */
    restore(saved: SavedTexts): void {
      occurrences.restore(saved.occurrences)
      lengths = saved.lengths.slice()
      totals = saved.totals.map((total) => ({ ...total }))
      tables.clear()
    },
  }
}
