// Reads what people type into a search: words, "exact phrases", -words and field:words
// (docs/reference/lists.md, "Search"). Finding them is left to text-search.ts.

import { ValidationError } from '../model/record/input.js'
import {
  hasUnspacedLetters,
  isUnspacedLetter,
  tokensOf,
  wordsOf,
} from '../lib/text-index/text-tokens.js'
import { otherSpellings } from './other-spellings.js'

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
  /** The first of them, a word, may go on. */
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
  for (const piece of joinFields(q, fields).matchAll(/(?:[^\s"]|"[^"]*(?:"|$))+/gu))
    for (const part of piece[0].matchAll(partPattern)) drafts.push(...readPart(part, fields))
  const typed = drafts.length > 0 ? drafts : readSigns(q)
  if (typed.reduce((sum, { sequences }) => sum + countWords(sequences.at(-1)), 0) > maxWords)
    throw new ValidationError(new Map([['q', [`A search takes no more than ${maxWords} words.`]]]))
  const clauses = addSpellings(markPrefix(markArticles(typed), q))
  const key = JSON.stringify(clauses, (name, value: unknown) =>
    name === 'text' ? undefined : value,
  )
  return { clauses, key, isTolerant: true }
}

/** People put a space behind the colon: `title: raven`. */
const joinFields = (q: string, fields: ReadonlySet<string>): string =>
  q.replace(/(?<![^\s-])([a-z_]+):\s+(?=[^\s:-])/gu, (typed, field: string) =>
    fields.has(field) ? `${field}:` : typed,
  )

/** Four letters of a script without spaces count as one word. */
const countWords = (sequence: readonly string[] = []): number =>
  sequence.reduce((sum, word) => sum + (hasUnspacedLetters(word) ? 1 / 4 : 1), 0)

/** A search for nothing but signs. Beside words, signs are left out. */
const readSigns = (q: string): Clause[] =>
  [...new Set(tokensOf(q).map(({ word }) => word))].map((sign) => ({
    text: sign,
    sequences: [[sign]],
    field: undefined,
    isExcluded: false,
    isExact: true,
    isPrefix: true,
    isOptional: false,
  }))

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
    const sequence = searchedWords(words)
    if (sequence.length === 0) return []
    const isPrefix = isOneLetter(sequence)
    return [{ ...shared, text: words, sequences: [sequence], isExact: true, isPrefix }]
  }
  return groupTokens(words).map((group) => ({
    ...shared,
    ...group,
    isExact: false,
    isPrefix: isOneLetter(group.sequences[0]),
  }))
}

/** Texts have such a letter as the first one of a pair, unless it is the last. */
const isOneLetter = ([word = '', ...others]: readonly string[] = []): boolean =>
  others.length === 0 && isUnspacedLetter(word)

/**
 * The words of a text that may go on in a script without spaces, where texts have the last letter
 * alone.
 */
function searchedWords(text: string): readonly string[] {
  const words = wordsOf(text)
  const [before = '', last = ''] = words.slice(-2)
  const isEndOfPair = before !== last && isUnspacedLetter(last) && before.endsWith(last)
  return isEndOfPair ? words.slice(0, -1) : words
}

/**
 * The words of a text; for one with parts, the whole and its parts, and without its article, if it
 * has one.
 */
function groupTokens(text: string): Pick<Clause, 'text' | 'sequences'>[] {
  return text
    .split(/[^\p{L}\p{M}\p{N}\p{Pd}.'’‘ʼ`&]+/u)
    .flatMap((piece) => (piece.includes('&') ? piece.replaceAll('&', ' & ').split(' ') : [piece]))
    .flatMap((piece) => {
      const parts = searchedWords(piece)
      if (parts.length === 0) return []
      if (hasUnspacedLetters(piece)) return [{ text: piece, sequences: [parts] }]
      const tokens = tokensOf(piece)
      const typed = withoutSignsAround(piece)
      if (parts.length === 1)
        return [{ text: typed, sequences: tokens.map(({ word }) => [word]).reverse() }]
      const whole = tokens.find(({ word }) => word === parts.join(''))
      return whole
        ? [{ text: typed, sequences: [[whole.word], parts] }]
        : parts.map((part) => ({ text: part, sequences: [[part]] }))
    })
}

function withoutSignsAround(piece: string): string {
  const letters = [...piece.matchAll(/[\p{L}\p{M}\p{N}]/gu)]
  const [first, last] = [letters[0], letters.at(-1)]
  return first && last ? piece.slice(first.index, last.index + last[0].length) : piece
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

/**
 * The last word may go on, unless something follows it. One letter does so only beside another word
 * that has to occur.
 */
function markPrefix(clauses: readonly Clause[], q: string): Clause[] {
  const last = clauses.at(-1)
  const word = last?.sequences[0]?.[0] ?? ''
  const isPrefix =
    last !== undefined &&
    !last.isExact &&
    !last.isExcluded &&
    isOneWord(last) &&
    /[\p{L}\p{M}\p{N}]$/u.test(q.trimEnd()) &&
    (/^\d+$/.test(word)
      ? word.length >= 3
      : word.length >= 2 || clauses.slice(0, -1).some(isRequired))
  return isPrefix ? [...clauses.slice(0, -1), { ...last, isPrefix }] : [...clauses]
}

const isRequired = ({ isExcluded, isOptional }: Clause): boolean => !isExcluded && !isOptional

/** Whether it is one word, however it is written, and not a phrase. */
export const isOneWord = ({ sequences }: Pick<Clause, 'sequences'>): boolean =>
  sequences.every(({ length }) => length === 1)

/**
 * Adds how catalogues write the same in other words: what is before the number of an issue, and a
 * month with its year.
 */
const addSpellings = (clauses: readonly Clause[]): Clause[] =>
  clauses.map((clause, index) => {
    const [before = '', word = '', after = ''] = [-1, 0, 1].map((offset) =>
      wordOf(clauses[index + offset]),
    )
    return {
      ...clause,
      sequences: [...clause.sequences, ...otherSpellings(word, { before, after })],
    }
  })

/** The word of a clause; empty for what is in quotes or excluded. */
const wordOf = (clause: Clause | undefined): string =>
  clause && !clause.isExact && !clause.isExcluded ? (clause.sequences[0]?.[0] ?? '') : ''
