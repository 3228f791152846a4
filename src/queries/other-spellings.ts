// How catalogues write what people type in other words: what stands before the number of an issue,
// and months.

import { foldLetters } from '../lib/text-folding.js'
import { stemOf } from '../lib/text-index/text-tokens.js'

/**
 * Other words for a word of a search, each as words that follow each other.
 * @param before the word before it, empty where there is none
 */
export function otherSpellings(
  word: string,
  { before, after }: { readonly before: string; readonly after: string },
): readonly (readonly string[])[] {
  const stem = stemOf(word)
  if (issueWords.includes(stem) && /^\d/.test(after))
    return issueWords.filter((other) => other !== stem).map((other) => [other])
  const month = monthNumbers.get(word)
  const year = [after, before].find((neighbour) => /^\d{4}$/.test(neighbour))
  return month !== undefined && year !== undefined ? [[year, month]] : []
}

const issueWords = ['no', 'issue', 'number', 'nr', 'num', 'numero', 'n', 'heft', 'ausgabe']

/**
 * Such as `07`, by the name of the month in the languages of the pages, and by its first three
 * letters in English.
 */
const monthNumbers: ReadonlyMap<string, string> = new Map(
  ['en', 'es', 'fr'].flatMap((language) => {
    const months = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, index) => {
      const name = foldLetters(months.format(Date.UTC(2000, index)))
      const number = String(index + 1).padStart(2, '0')
      return [name, ...(language === 'en' ? [name.slice(0, 3)] : [])].map(
        (spelling) => [spelling, number] as const,
      )
    }).flat()
  }),
)
