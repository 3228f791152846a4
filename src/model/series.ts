// The series that a zine is an issue of, from what its record says, and the name of the series in
// its IRI (docs/reference/data-model.md, "Series").

import { hash } from 'node:crypto'

import { type RecordValues, listValue, textValue } from './record/values.js'
import { foldLetters } from '../lib/text-folding.js'

export type Series = {
  /** The last part of its IRI. */
  readonly slug: string
  readonly title: string
  /** Whether the record says the series; else it is that of the title and the first creator. */
  readonly isStated: boolean
}

/** The fields of a zine that say its series. */
export const seriesFields = ['series_title', 'title', 'creator'] as const

/** The series that a record states, or else that of its title and first creator. */
export function seriesOf(values: RecordValues): readonly Series[] {
  const stated = listValue(values, 'series_title')
  if (stated.length > 0) {
    // Titles that differ in their punctuation are those of one series.
    const bySlug = new Map([...stated].reverse().map((title) => [slugOf(title), title]))
    return [...bySlug].reverse().map(([slug, title]) => ({ slug, title, isStated: true }))
  }
  const title = textValue(values, 'title')
  const [maker] = listValue(values, 'creator')
  if (title === '' || maker === undefined) return []
  return [{ slug: slugOf(title, maker), title, isStated: false }]
}

/** How many characters of the title are in a slug. */
const maxTitleLength = 60

/**
 * The words of the title, and a hash of these and the maker. A hash, since the identifier of an
 * agent may be a name, which should not be in addresses; and titles without letters, or with the
 * same beginning, need one anyway.
 */
function slugOf(title: string, maker?: string): string {
  const words = wordsOf(title)
  const key = JSON.stringify([words === '' ? title : words, maker ?? null])
  const suffix = hash('sha256', key, 'hex').slice(0, 10)
  const start = Array.from(words).slice(0, maxTitleLength).join('').replace(/-$/, '')
  return start === '' ? suffix : `${start}-${suffix}`
}

/**
 * The words that titles of one series share, whatever their case, accents, punctuation and article.
 */
function wordsOf(title: string): string {
  const words = foldLetters(title).match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length > 1 && articles.has(first)) words.shift()
  // Inverted: Raven, The.
  else if (words.length > 1 && articles.has(last) && /,\s*\p{L}+\s*$/u.test(title)) words.pop()
  return words.join('-')
}

const articles = new Set(['the', 'a', 'an'])
