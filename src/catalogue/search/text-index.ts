// The words of the records of one resource: which occur in which field of which record, and how
// long the fields are. Records are numbers here, those of index/documents.ts.

import type { Resource } from '../../model/resources.js'
import {
  type OccurrenceWeights,
  type SavedOccurrences,
  Occurrences,
  fieldOfPlace,
  placeOf,
} from '../../lib/text-index/occurrences.js'
import { forEachPhrase } from '../../lib/text-index/phrases.js'
import { type RecordWeights, addWeight } from '../../lib/text-index/record-weights.js'
import type { Stems } from '../../lib/text-index/stems.js'
import { type OwnText, textFields } from './text-fields.js'
import { forEachWord } from '../../lib/text-index/text-tokens.js'
import { withRoom } from '../../lib/typed-arrays.js'
import type { WordList } from '../../lib/text-index/word-list.js'

/** A text of a record, with the position of its field in `textFields`. */
export type FieldText = { readonly field: number; readonly text: string }

export type SavedTexts = {
  readonly occurrences: SavedOccurrences
  readonly lengths: Uint8Array
  readonly totals: readonly { readonly length: number; readonly texts: number }[]
}

/** Between the values of a field, so that no phrase goes from one to the next. */
const gap = 4

export class TextIndex {
  readonly #words: WordList
  readonly #ownFields: readonly OwnText[]
  readonly #occurrences = new Occurrences()
  /** By record and field; longer ones count as 255. */
  #lengths: Uint8Array
  readonly #nameFields: Uint8Array
  #totals: { length: number; texts: number }[]
  /** By the weights of fields, which are few, until a record comes or goes. */
  readonly #tables = new Map<string, Float32Array>()

  constructor({ name }: Pick<Resource, 'name'>, words: WordList) {
    this.#words = words
    this.#ownFields = textFields[name].ownFields
    this.#lengths = new Uint8Array(1024 * this.#ownFields.length)
    this.#nameFields = Uint8Array.from(this.#ownFields, ({ isName }) => (isName ? 1 : 0))
    this.#totals = this.#ownFields.map(() => ({ length: 0, texts: 0 }))
  }

  add(doc: number, texts: readonly FieldText[]): void {
    const start = doc * this.#ownFields.length
    this.#lengths = withRoom(this.#lengths, start + this.#ownFields.length)
    this.#lengths.fill(0, start, start + this.#ownFields.length)
    const ends = this.#ownFields.map(() => 0)
    for (const { field, text } of texts) {
      const first = ends[field] ?? 0
      const last = forEachWord(text, this.#words, (stem, position) =>
        this.#occurrences.add(stem, doc, placeOf(field, first + position)),
      )
      ends[field] = first + last + gap
      this.#lengths[start + field] = Math.min(255, (this.#lengths[start + field] ?? 0) + last)
    }
    this.#addToTotals(doc, 1)
  }

  /** To be called when a record went: the average length of a field is that of the others. */
  remove(doc: number): void {
    this.#addToTotals(doc, -1)
  }

  /** Adds to the weight of each record what it gets for words that follow each other. */
  addWeights(sequence: readonly Stems[], weights: OccurrenceWeights, into: RecordWeights): void {
    const [first, second] = sequence
    if (!first) return
    if (!second) {
      for (const stem of first.stems)
        this.#occurrences.addWeights(stem, first.shareOf(stem), weights, into)
      return
    }
    const { table, names } = weights
    forEachPhrase(this.#occurrences, sequence, (doc, place, share) => {
      const field = fieldOfPlace(place)
      const weight =
        table[field * 256 + (this.#lengths[doc * this.#ownFields.length + field] ?? 0)] ?? 0
      if (weight === 0) return
      addWeight(into, doc, weight * share)
      if (names[field] === 1) into.names[doc] = 1
    })
  }

  /** What an occurrence in each field is worth; longer fields count less. */
  weightsFor(fieldWeights: readonly number[]): OccurrenceWeights {
    const key = fieldWeights.join()
    const table = this.#tables.get(key) ?? this.#makeTable(fieldWeights)
    this.#tables.set(key, table)
    return { table, lengths: this.#lengths, width: this.#ownFields.length, names: this.#nameFields }
  }

  lengthOf(doc: number, field: number): number {
    return this.#lengths[doc * this.#ownFields.length + field] ?? 0
  }

  /** How often a stem occurs, dead records included. */
  count(stem: number): number {
    return this.#occurrences.count(stem)
  }

  /** The same without dead records: each occurrence is looked at. */
  countLiving(stem: number, isAlive: (doc: number) => boolean): number {
    let count = 0
    this.#occurrences.forEach(stem, (doc) => {
      if (isAlive(doc)) count += 1
    })
    return count
  }

  compact(isAlive: (doc: number) => boolean): Generator<void> {
    return this.#occurrences.compact(() => this.#words.stemCount(), isAlive)
  }

  /** To be called after `compact`, when nothing was added since. */
  save(): SavedTexts {
    return { occurrences: this.#occurrences.save(), lengths: this.#lengths, totals: this.#totals }
  }

  /** Fills it while it is empty. */
  restore(state: SavedTexts): void {
    this.#occurrences.restore(state.occurrences)
    this.#lengths = state.lengths.slice()
    this.#totals = state.totals.map((total) => ({ ...total }))
    this.#tables.clear()
  }

  /** @param share 1 for a record that came, -1 for one that went */
  #addToTotals(doc: number, share: 1 | -1): void {
    this.#tables.clear()
    this.#totals.forEach((total, field) => {
      const length = this.#lengths[doc * this.#ownFields.length + field] ?? 0
      total.length += share * length
      if (length > 0) total.texts += share
    })
  }

  #makeTable(fieldWeights: readonly number[]): Float32Array {
    const table = new Float32Array(this.#ownFields.length * 256)
    this.#ownFields.forEach(({ lengthShare = 0.5 }, field) => {
      const weight = fieldWeights[field] ?? 0
      if (weight === 0) return
      const { length, texts } = this.#totals[field] ?? { length: 0, texts: 0 }
      const average = Math.max(1, length / Math.max(1, texts))
      for (let byte = 0; byte < 256; byte += 1)
        table[field * 256 + byte] = weight / (1 - lengthShare + (lengthShare * byte) / average)
    })
    return table
  }
}
