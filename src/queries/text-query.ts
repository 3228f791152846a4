// Reads what people type into a search: words, "exact phrases", -words and field:words (docs/api.md, "Search").
// Finding them is left to text-search.ts.

import { ValidationError } from '../model/record/input.js'
import { tokensOf, wordsOf } from '../model/text-tokens.js'

/** One condition of a search. */
export type Clause = {
  /** As it was typed, without quotes, field and minus. */
  readonly text: string
  /** The words that have to follow each other; one or several ways to write the same. */
  readonly sequences: readonly (readonly string[])[]
  /** The API's name of the only field that is searched. */
  readonly field: string | undefined
  /** Records that match it are not found. */
  readonly isExcluded: boolean
  /** It was in quotes. */
  readonly isExact: boolean
  /** The word may go on. */
  readonly isPrefix: boolean
  /** An article: records without it are found too. */
  readonly isOptional: boolean
}

export type TextQuery = {
  readonly clauses: readonly Clause[]
  /** The same for every way to write the same query. */
  readonly key: string
  /** Whether words may be spelled otherwise, where nothing has all of them as they were typed. */
  readonly isTolerant: boolean
}

const maxWords = 32

const articles = new Set(['the', 'a', 'an'])
/** Articles of other languages, which count as such only where a title begins or ends with them. */
const foreignArticles = new Set(['el', 'la', 'los', 'las', 'le', 'les', 'der', 'die', 'das', 'il'])

const partPattern = /(?<minus>-)?(?:(?<field>[a-z_]+):)?(?:"(?<phrase>[^"]*)"?|(?<text>[^\s"]+))/gu

/**
 * @param fields the names that may stand before a colon; another name is a word
 * @throws ValidationError when there are too many words
 */
export function parseTextQuery(q: string, fields: ReadonlySet<string>): TextQuery {
  const drafts: Clause[] = []
  // A minus inside a word is a hyphen.
  for (const piece of q.matchAll(/(?:[^\s"]|"[^"]*(?:"|$))+/gu))
    for (const part of piece[0].matchAll(partPattern)) drafts.push(...readPart(part, fields))
  const words = drafts.reduce((sum, { sequences }) => sum + (sequences.at(-1)?.length ?? 0), 0)
  if (words > maxWords)
    throw new ValidationError(new Map([['q', [`A search takes no more than ${maxWords} words.`]]]))
  const clauses = markPrefix(markArticles(drafts), q)
  return { clauses, key: JSON.stringify(clauses), isTolerant: true }
}

/** The same search of words as they were typed, whatever is found. */
export const asTyped = (query: TextQuery): TextQuery => ({
  ...query,
  key: `${query.key} as typed`,
  isTolerant: false,
})

function readPart(part: RegExpExecArray, fields: ReadonlySet<string>): Clause[] {
  const { minus, field, phrase, text = '' } = part.groups ?? {}
  const isField = field !== undefined && fields.has(field)
  const content = phrase ?? text
  const words = isField || field === undefined ? content : `${field} ${content}`
  // Only at the start of a word; elsewhere it is a hyphen.
  const isExcluded = minus !== undefined && part.index === 0
  const shared = { field: isField ? field : undefined, isExcluded, isOptional: false }
  if (phrase !== undefined && (isField || field === undefined)) {
    const sequence = wordsOf(words)
    if (sequence.length === 0) return []
    return [{ ...shared, text: words, sequences: [sequence], isExact: true, isPrefix: false }]
  }
  return groupTokens(words).map((sequences) => ({
    ...shared,
    text: sequences.at(-1)?.join('-') ?? '',
    sequences,
    isExact: false,
    isPrefix: false,
  }))
}

/** The words of a text; for one with parts, the whole and its parts. */
function groupTokens(text: string): string[][][] {
  return text
    .split(/[^\p{L}\p{M}\p{N}\p{Pd}.'’‘ʼ`&]+/u)
    .flatMap((piece) => (piece.includes('&') ? piece.replaceAll('&', ' & ').split(' ') : [piece]))
    .flatMap((piece) => {
      const parts = wordsOf(piece)
      if (parts.length === 0) return []
      if (parts.length === 1) return [[parts]]
      const whole = tokensOf(piece).find(({ word }) => word === parts.join(''))
      return whole ? [[[whole.word], parts]] : parts.map((part) => [[part]])
    })
}

/** An article has to occur only where nothing else is searched. */
function markArticles(clauses: readonly Clause[]): Clause[] {
  const isArticle = ({ sequences, isExact, isExcluded }: Clause, index: number): boolean => {
    const word = sequences[0]?.[0] ?? ''
    if (isExact || isExcluded || sequences.length > 1) return false
    const isAtEnd = index === 0 || index === clauses.length - 1
    return articles.has(word) || (isAtEnd && foreignArticles.has(word))
  }
  if (clauses.every((clause, index) => clause.isExcluded || isArticle(clause, index)))
    return [...clauses]
  return clauses.map((clause, index) => ({ ...clause, isOptional: isArticle(clause, index) }))
}

/** The last word may go on, unless something follows it. */
function markPrefix(clauses: readonly Clause[], q: string): Clause[] {
  const last = clauses.at(-1)
  const word = last?.sequences[0]?.[0] ?? ''
  const isPrefix =
    last !== undefined &&
    !last.isExact &&
    !last.isExcluded &&
    last.sequences.length === 1 &&
    /[\p{L}\p{M}\p{N}]$/u.test(q.trimEnd()) &&
    (/^\d+$/.test(word) ? word.length >= 3 : word.length >= 2)
  return isPrefix ? [...clauses.slice(0, -1), { ...last, isPrefix }] : [...clauses]
}
