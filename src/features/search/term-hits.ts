// Which subjects and genres somebody means who types or searches words: by their labels in any
// language, with the number of their zines.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { wordsOf } from '../../lib/text-index/text-tokens.js'
import { labelOfCode, languageOfCode } from '../../messages/labels.js'
import type { Translator } from '../../messages/translator.js'
import { type Vocabulary, otherLabelsOf } from '../../model/vocabulary.js'

export type TermKind = 'subjects' | 'genres'

export type TermHit = {
  readonly kind: TermKind
  readonly code: string
  readonly label: string
  /** That of the label. */
  readonly language: string
  /** How many zines have it. */
  readonly count: number
  readonly rank: number
}

/** Finds the terms that have all words, the best first. */
export type FindTerms = (q: string, translator: Translator) => Promise<readonly TermHit[]>

const filters = { subjects: 'subject', genres: 'genre' } as const

export type TermSearches = Readonly<Record<TermKind, FindTerms>>

type TermSearchDependencies = {
  readonly catalogue: Pick<Catalogue, 'facetCounts'>
  readonly vocabularies: Readonly<Record<TermKind, Vocabulary>>
}

export const createTermSearches = ({
  catalogue,
  vocabularies,
}: TermSearchDependencies): TermSearches => ({
  subjects: createTermSearch('subjects', vocabularies.subjects, catalogue),
  genres: createTermSearch('genres', vocabularies.genres, catalogue),
})

/** The best terms of zines, at most so many of each kind. */
export async function findUsedTerms(
  searches: TermSearches,
  { q, translator, most }: { q: string; translator: Translator; most: number },
): Promise<readonly TermHit[]> {
  const hits: TermHit[] = []
  for (const find of [searches.subjects, searches.genres])
    hits.push(...(await find(q, translator)).filter(({ count }) => count > 0).slice(0, most))
  return hits
}

function createTermSearch(
  kind: TermKind,
  vocabulary: Vocabulary,
  catalogue: TermSearchDependencies['catalogue'],
): FindTerms {
  let entries: Vocabulary['entries'] | undefined
  let folded: readonly (readonly (readonly string[])[])[] = []
  return async (q, translator) => {
    if (entries !== vocabulary.entries) {
      entries = vocabulary.entries
      folded = entries.map((entry) =>
        [entry.label, ...otherLabelsOf(vocabulary, entry)].map(wordsOf),
      )
    }
    const queryWords = wordsOf(q)
    const ranked = entries.flatMap(({ code }, index) => {
      const rank = Math.min(...(folded[index] ?? []).map((words) => rankOf(words, queryWords)))
      return rank < Infinity ? [{ code, rank }] : []
    })
    if (ranked.length === 0) return []
    const uses = new Map(
      (await catalogue.facetCounts('zines', filters[kind])).map(({ value, count }) => [
        value,
        count,
      ]),
    )
    return ranked
      .map(({ code, rank }) => ({
        kind,
        code,
        rank,
        label: labelOfCode(translator, vocabulary, code),
        language: languageOfCode(translator, vocabulary, code),
        count: uses.get(code) ?? 0,
      }))
      .sort((a, b) => a.rank - b.rank || b.count - a.count)
  }
}

/**
 * How well words match what was typed, of which the last may go on: 0 is best, Infinity not at all.
 */
export function rankOf(words: readonly string[], queryWords: readonly string[]): number {
  const last = queryWords.at(-1)
  if (last === undefined) return Infinity
  const isBeginning = queryWords.every((word, index) =>
    index === queryWords.length - 1 ? words[index]?.startsWith(word) : words[index] === word,
  )
  if (isBeginning) return words.length === queryWords.length && words.at(-1) === last ? 0 : 1
  const hasAll = queryWords.every((word) =>
    words.some((candidate) => (word === last ? candidate.startsWith(word) : candidate === word)),
  )
  return hasAll ? 2 : Infinity
}
