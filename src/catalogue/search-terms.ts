// What a search asks for.

import { ValidationError } from '../model/record/input.js'

/** Every term costs a look through all texts, so a search that a stranger makes has to end somewhere. */
const maxTerms = 32

/** What stands between terms, and between the words in which they are looked for. */
const separators = /[\s,]+/u

/** The words of a text, in which every term is found that is in the text. */
export const splitWords = (text: string): string[] => text.split(separators).filter(Boolean)

/**
 * The terms, of which every one has to be found, in small letters: split on white space and commas.
 * A term that is part of another one is found with it, and the longest, which is likely the rarest,
 * is looked for first.
 * @throws Invalid when there are too many
 */
export function parseSearchTerms(search: string): string[] {
  const terms = [...new Set(splitWords(search.toLowerCase()))]
  const needed: string[] = []
  for (const term of terms.sort((a, b) => b.length - a.length)) {
    if (needed.some((other) => other.includes(term))) continue
    if (needed.push(term) > maxTerms)
      throw new ValidationError(
        new Map([['search', [`A search takes no more than ${maxTerms} terms.`]]]),
      )
  }
  return needed
}
