// What two texts are compared by, whatever their case, accents, punctuation and number. Letters and
// plurals are folded by model/text-folding.ts.

import { foldLetters } from '../text-folding.js'

export { singularOf } from '../text-folding.js'

/**
 * The words of a text in lower case, without accents and punctuation; `&` is `and`, apostrophes
 * join. Letters that stand alone side by side, such as initials, are one word.
 */
export const foldWords = (text: string): string[] => joinInitials(foldSingleWords(text))

/** The same, where each initial is a word. */
export const foldSingleWords = (text: string): string[] =>
  foldLetters(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** `g b jones` → `gb jones`. */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = []
  let isAfterInitial = false
  for (const word of words) {
    const isInitial = /^\p{L}$/u.test(word)
    if (isInitial && isAfterInitial) joined.push(`${joined.pop() ?? ''}${word}`)
    else joined.push(word)
    isAfterInitial = isInitial
  }
  return joined
}

export const fold = (text: string): string => foldWords(text).join(' ')

/** What `slugOf` makes, of any length. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Makes a part of an identifier of a text: lower-case words joined by hyphens; empty where it has
 * none.
 */
export const slugOf = (text: string, maxLength = 80): string => {
  const slug = foldWords(text.replace(/&(?:amp;)?/g, ' ')).join('-')
  if (slug.length <= maxLength) return slug
  const cut = slug.slice(0, maxLength + 1)
  return cut.slice(0, cut.includes('-') ? cut.lastIndexOf('-') : maxLength)
}
