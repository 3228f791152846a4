// Splits a search into terms (docs/reference/lists.md, "Search"). Finding them is left to the
// record index.

import { message } from '../message.js'
import { ValidationError } from '../model/record/input.js'

/** Each term is looked for in all texts, and everybody may search, so their number is limited. */
const maxTerms = 32

/** Separates terms, and the words of the texts in which they are looked for. */
const separators = /[\s,]+/u

/** The words of a text. Every term that the text contains is part of one of them. */
export const splitWords = (text: string): string[] => text.split(separators).filter(Boolean)

/**
 * The terms of a search in lower case, split at white space and commas; a record has to have all of
 * them. A term that is part of another term is left out. The longest comes first: it is likely the
 * rarest.
 * @throws ValidationError when there are too many
 */
export function parseSearchTerms(search: string): string[] {
  const terms = [...new Set(splitWords(search.toLowerCase()))]
  if (terms.length > maxTerms)
    throw new ValidationError(
      new Map([
        ['search', [message('A search takes no more than {count} terms.', { count: maxTerms })]],
      ]),
    )
  const needed: string[] = []
  for (const term of terms.sort((a, b) => b.length - a.length))
    if (!needed.some((other) => other.includes(term))) needed.push(term)
  return needed
}
