// The words by which the search of a copy finds records: those of the search of the service. The index is
// made with them, and the browser reads what is typed with them.

import { isSign, stemOf, tokensOf } from '../../lib/text-index/text-tokens.js'

/** The words of a text as they are written, for the index. */
export const wordsAsWritten = (text: string): string[] =>
  tokensOf(text)
    .map(({ word }) => word)
    .filter((word) => !isSign(word))

/** A word that is searched. */
export type SearchedWord = {
  readonly word: string
  /** It may go on: the last one that is typed. */
  readonly isPrefix: boolean
}

/** The words that all have to occur. */
export function searchedWords(q: string): readonly SearchedWord[] {
  const typed = q.split(/\s+/).flatMap((part) => {
    const words = wordsAsWritten(part)
    // A word with hyphens is there in parts and as a whole: the parts are enough.
    return words.length > 1 ? words.slice(0, -1) : words
  })
  // Letters and digits that nothing follows may go on (docs/reference/lists.md, "Search").
  const goesOn = /[\p{L}\p{M}\p{N}]$/u.test(q.trimEnd())
  return typed.map((word, index) => ({
    word,
    isPrefix: goesOn && index === typed.length - 1 && word.length >= (/^\d+$/.test(word) ? 3 : 2),
  }))
}

/** What all words begin with that a searched one finds. */
export const beginningOf = ({ word, isPrefix }: SearchedWord): string =>
  isPrefix ? commonStart(word, stemOf(word)) : stemStart(stemOf(word))

/** Whether a searched word finds a word. */
export const isFoundBy = ({ word, isPrefix }: SearchedWord, candidate: string): boolean =>
  stemOf(candidate) === stemOf(word) || (isPrefix && candidate.startsWith(word))

/** `cities` has the stem `city`. */
const stemStart = (stem: string): string => (stem.endsWith('y') ? stem.slice(0, -1) : stem)

const commonStart = (word: string, stem: string): string => {
  const start = stemStart(stem)
  return word.startsWith(start) ? start : word
}
