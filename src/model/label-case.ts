// Writes the labels of a vocabulary as they stand within a sentence: "Feminism" becomes "feminism",
// and "Islam" stays.

import type { Vocabulary } from './vocabulary.js'

/** The beginnings of names of peoples, religions and places, which are always written large. */
const names =
  /^(?:Afr|Americ|Arab|Asia|Black|Buddh|Catholic|Chican|Christ|Deaf|Europ|Hindu|Indigenous|Islam|Jew|Juda|Latin|Marx|Mexic|Muslim|Palestin|Pacific|Quaker|Roma(?:ni)?\b|Sikh|Wicca)/u

/** By entries: the words that are written large within their definitions. */
const largeWords = new WeakMap<Vocabulary['entries'], ReadonlySet<string>>()

/**
 * A label of an entry within a sentence: with a small letter, unless it begins with a name or is
 * written as a title.
 */
export function labelInSentence({ entries }: Vocabulary, label: string): string {
  const [first = '', ...others] = label.split(' ')
  const isTitle = others.some(isLarge) || !/^\p{Lu}[\p{Ll}-]+$/u.test(first)
  if (isTitle || names.test(first) || largeWordsIn(entries).has(first)) return label
  return label.charAt(0).toLowerCase() + label.slice(1)
}

const isLarge = (word: string): boolean => /^\p{Lu}/u.test(word)

function largeWordsIn(entries: Vocabulary['entries']): ReadonlySet<string> {
  const known = largeWords.get(entries)
  if (known) return known
  const words = new Set<string>()
  for (const { definition = '' } of entries)
    for (const sentence of definition.split(/[.:]\s+/))
      for (const word of sentence.split(/[^\p{L}-]+/u).slice(1)) if (isLarge(word)) words.add(word)
  largeWords.set(entries, words)
  return words
}
