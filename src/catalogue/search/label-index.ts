// The words of a vocabulary: which of its entries a search means, by label, alternative label or
// code. A vocabulary may grow while the service runs.

import { type Vocabulary, altLabelsOf } from '../../model/vocabulary.js'
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

export type LabelIndex = {
  /** The codes whose labels have words that follow each other, with how well they match. */
  matching(sequence: readonly Stems[]): Map<string, number>
}

export function createLabelIndex(vocabulary: Vocabulary, words: WordList): LabelIndex {
  let entries: Vocabulary['entries'] | undefined
  let epoch = words.epoch()
  /** The labels in which each stem occurs: most words are in none. */
  let labelsByStem = new Map<number, Label[]>()

  function read(): typeof labelsByStem {
    if (entries === vocabulary.entries && epoch === words.epoch()) return labelsByStem
    entries = vocabulary.entries
    epoch = words.epoch()
    labelsByStem = new Map()
    const labels = entries.flatMap(({ code, label }) => [
      readLabel(code, label, 1),
      ...altLabelsOf(vocabulary, code).map((one) => readLabel(code, one, 0.8)),
      readLabel(code, code, 0.5),
    ])
    for (const label of labels)
      for (const stem of new Set(label.stems.flat())) {
        const own = labelsByStem.get(stem)
        if (own) own.push(label)
        else labelsByStem.set(stem, [label])
      }
    return labelsByStem
  }

  /** The labels in which a stem of the first word occurs. */
  function labelsWith([first]: readonly Stems[]): ReadonlySet<Label> {
    const byStem = read()
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

  function readLabel(code: string, label: string, weight: number): Label {
    const stems: number[][] = []
    for (const { word, position } of tokensOf(label))
      (stems[position] ??= []).push(words.stemNumber(word))
    return { code, weight, stems }
  }

  read()
  return {
    matching(sequence) {
      const found = new Map<string, number>()
      for (const { code, weight, stems } of labelsWith(sequence)) {
        const share = shareOf(stems, sequence)
        if (share === 0) continue
        const length = Math.max(stems.length, 1)
        const value = (weight * share * (1 + sequence.length / length)) / 2
        if (value > (found.get(code) ?? 0)) found.set(code, value)
      }
      return found
    },
  }
}

function shareOf(label: Label['stems'], sequence: readonly Stems[]): number {
  let best = 0
  for (let start = 0; start + sequence.length <= label.length; start += 1) {
    let share = 1
    for (const [index, stems] of sequence.entries()) {
      let own = 0
      for (const stem of label[start + index] ?? []) own = Math.max(own, stems.shareOf(stem))
      share *= own
      if (share === 0) break
    }
    best = Math.max(best, share)
  }
  return best
}
