// Whether an identifier has a word of a name. An identifier is a part of addresses, which last.

import { foldWords } from './folding.js'

/** Shorter words, such as initials, are in many identifiers. */
const minLength = 3

/** Shorter words are also parts of other words: `ann` of `planning`. */
const minLengthOfPart = 5

/**
 * Whether a word of the name is a word of the identifier; or, if it is a long one, anywhere in its
 * letters, such as in `adalovelace` or `love-lace`. Case and accents do not matter.
 */
export function isNameInIdentifier(identifier: string, name: string): boolean {
  const words = foldWords(identifier)
  const letters = words.join('')
  return foldWords(name).some(
    (word) =>
      (word.length >= minLength && words.includes(word)) ||
      (word.length >= minLengthOfPart && letters.includes(word)),
  )
}
