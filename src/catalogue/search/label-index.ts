// The words of a vocabulary: which of its entries a search means, by label, label in another language,
// alternative label or code. A vocabulary may grow while the service runs.

import { type Vocabulary, otherLabelsOf } from '../../model/vocabulary.js'
import { tokensOf } from '../../lib/text-index/text-tokens.js'
import type { Stems } from '../../lib/text-index/stems.js'
import type { WordList } from '../../lib/text-index/word-list.js'

type Label = {
  readonly code: string
  /** How much it counts: other labels less than the first. */
  readonly weight: number
  /** The stems at each position. */
  readonly stems: readonly (readonly number[])[]
}

export class LabelIndex {
  readonly #vocabulary: Vocabulary
  readonly #words: WordList
  #entries: Vocabulary['entries'] | undefined
  #epoch: number
  /** The labels in which each stem occurs: most words are in none. */
  #labelsByStem = new Map<number, Label[]>()

  constructor(vocabulary: Vocabulary, words: WordList) {
    this.#vocabulary = vocabulary
    this.#words = words
    this.#epoch = words.epoch()
    this.#read()
  }

  /** The codes whose labels have words that follow each other, with how well they match. */
  matching(sequence: readonly Stems[]): Map<string, number> {
    const shareByCode = new Map<string, number>()
    for (const { code, weight, stems } of this.#labelsWith(sequence)) {
      const share = shareOf(stems, sequence)
      if (share === 0) continue
      const length = Math.max(stems.length, 1)
      const value = (weight * share * (1 + sequence.length / length)) / 2
      if (value > (shareByCode.get(code) ?? 0)) shareByCode.set(code, value)
    }
    return shareByCode
  }

  #read(): ReadonlyMap<number, readonly Label[]> {
    if (this.#entries === this.#vocabulary.entries && this.#epoch === this.#words.epoch())
      return this.#labelsByStem
    this.#entries = this.#vocabulary.entries
    this.#epoch = this.#words.epoch()
    this.#labelsByStem = new Map()
    const labels = this.#entries.flatMap((entry) => [
      this.#readLabel(entry.code, entry.label, 1),
      ...otherLabelsOf(this.#vocabulary, entry).map((label) =>
        this.#readLabel(entry.code, label, 0.8),
      ),
      this.#readLabel(entry.code, entry.code, 0.5),
    ])
    for (const label of labels)
      for (const stem of new Set(label.stems.flat())) {
        const labelsOfStem = this.#labelsByStem.get(stem)
        if (labelsOfStem) labelsOfStem.push(label)
        else this.#labelsByStem.set(stem, [label])
      }
    return this.#labelsByStem
  }

  /** The labels in which a stem of the first word occurs. */
  #labelsWith([first]: readonly Stems[]): ReadonlySet<Label> {
    const byStem = this.#read()
    const labels = new Set<Label>()
    if (!first) return labels
    // A word that is being typed may go on as a hundred thousand others.
    const stems =
      first.stems.length < byStem.size
        ? first.stems
        : [...byStem.keys()].filter((stem) => first.shareOf(stem) > 0)
    for (const stem of stems) for (const label of byStem.get(stem) ?? []) labels.add(label)
    return labels
  }

  #readLabel(code: string, label: string, weight: number): Label {
    const stems: number[][] = []
    for (const { word, position } of tokensOf(label))
      (stems[position] ??= []).push(this.#words.stemNumber(word))
    return { code, weight, stems }
  }
}

function shareOf(label: Label['stems'], sequence: readonly Stems[]): number {
  let best = 0
  for (let start = 0; start + sequence.length <= label.length; start += 1) {
    let share = 1
    for (const [index, stems] of sequence.entries()) {
      let largest = 0
      for (const stem of label[start + index] ?? [])
        largest = Math.max(largest, stems.shareOf(stem))
      share *= largest
      if (share === 0) break
    }
    best = Math.max(best, share)
  }
  return best
}
