// Finds where in a text the words of a search stand, so that they can be marked. It reads texts as
// the index does (model/text-tokens.ts), and compares words as text-search.ts does.

import type { TextRange } from '../../model/marked-text.js'
import { foldLetters } from '../../lib/text-folding.js'
import { isSign, readChunk, readParts, stemOf } from '../../lib/text-index/text-tokens.js'
import type { Clause } from '../../queries/text-query.js'
import { toleratedDistance } from './text-search.js'
import { createNearbyTest } from '../../lib/text-index/word-distances.js'

/** Finds the ranges of a text in which a clause of a search occurs; none where it does not. */
export type FindRanges = (text: TokenText) => readonly TextRange[]

type Token = {
  readonly word: string
  readonly position: number
  readonly length: number
  /** Where a sign stands, which has no position of its own. */
  readonly range?: TextRange
}

/** What stands between two white spaces, with the position of its first word. */
type TextChunk = { readonly text: string; readonly start: number; readonly position: number }

export type TokenText = {
  readonly tokens: readonly Token[]
  readonly chunks: readonly TextChunk[]
}

export function readTokens(text: string): TokenText {
  const tokens: Token[] = []
  const chunks: TextChunk[] = []
  let position = 0
  let initials = ''
  const endInitials = (): void => {
    const { length } = initials
    if (length > 1) tokens.push({ word: initials, position: position - length, length })
    initials = ''
  }
  for (const { 0: part, index: start } of text.matchAll(/\S+/g)) {
    const { words, positions, length, initial } = readChunk(part)
    if (length > 0) {
      if (initial === undefined) endInitials()
      chunks.push({ text: part, start, position })
    }
    words.forEach((word, index) => {
      if (isSign(word)) {
        tokens.push({ word, position: -1, length: 1, range: [start, start + part.length] })
        return
      }
      const offset = positions[index] ?? 0
      // A whole comes after its parts, at the position of the first.
      const parts = new Set(positions.slice(positions.indexOf(offset), index))
      tokens.push({ word, position: position + offset, length: Math.max(1, parts.size) })
    })
    position += length
    if (initial !== undefined) initials += initial
  }
  endInitials()
  return { tokens, chunks }
}

/** @param isTolerant whether words that are spelled nearly alike are found too */
export function createRangeFinder(
  clauses: readonly Clause[],
  position: number,
  isTolerant: boolean,
): FindRanges {
  const clause = clauses[position]
  if (!clause) return () => []
  const sequences = clause.sequences.map((words) =>
    words.map((word) => createWordTest(word, clause, isTolerant)),
  )
  const joined = isTolerant ? joinedWords(clauses, position) : []
  return (text) => {
    const ranges: TextRange[] = []
    for (const sequence of sequences)
      for (const token of text.tokens) {
        const length = matchFrom(text, token, sequence)
        if (length > 0) ranges.push(token.range ?? rangeOf(text, token.position, length))
      }
    if (!isTolerant) return ranges
    const [word = ''] = clause.sequences[0] ?? []
    text.tokens.forEach((token, index) => {
      if (joined.includes(token.word)) ranges.push(rangeOf(text, token.position, token.length))
      const next = text.tokens[index + 1]
      if (next && `${token.word}${next.word}` === word)
        ranges.push(rangeOf(text, token.position, next.position + next.length - token.position))
    })
    return ranges
  }
}

type WordTest = (word: string) => boolean

function createWordTest(word: string, { isPrefix }: Clause, isTolerant: boolean): WordTest {
  const stem = stemOf(word)
  const distance = toleratedDistance(word)
  const isNearby =
    isTolerant && distance > 0 ? createNearbyTest(word, distance) : (): boolean => false
  return (other) =>
    stemOf(other) === stem || (isPrefix && other.startsWith(word)) || isNearby(other)
}

/**
 * How many positions the words take from a token on; 0 where they do not follow each other there.
 */
function matchFrom(
  { tokens }: TokenText,
  first: Token,
  [test, ...rest]: readonly WordTest[],
): number {
  if (!test?.(first.word)) return 0
  let { length } = first
  for (const next of rest) {
    const following = tokens.find(
      (token) => token.position === first.position + length && next(token.word),
    )
    if (!following) return 0
    length += following.length
  }
  return length
}

/** The words that a clause makes with the one before and the one after it. */
function joinedWords(clauses: readonly Clause[], position: number): readonly string[] {
  const wordAt = (index: number): string => clauses[index]?.sequences[0]?.join('') ?? ''
  const [before = '', word = '', after = ''] = [-1, 0, 1].map((offset) => wordAt(position + offset))
  return [...(before === '' ? [] : [before + word]), ...(after === '' ? [] : [word + after])]
}

/** The part of a text that some of its words take. */
function rangeOf({ chunks }: TokenText, first: number, length: number): TextRange {
  return [partAt(chunks, first)[0], partAt(chunks, first + length - 1)[1]]
}

function partAt(chunks: readonly TextChunk[], position: number): TextRange {
  const chunk = chunks.findLast((candidate) => candidate.position <= position)
  if (!chunk) return [0, 0]
  const range = partRanges(chunk.text)[position - chunk.position] ?? [0, chunk.text.length]
  return [chunk.start + range[0], chunk.start + range[1]]
}

/**
 * Where the words of a chunk stand in it: its letters are folded one by one, to know which became
 * which.
 */
function partRanges(chunk: string): TextRange[] {
  let folded = ''
  const sources: TextRange[] = []
  for (const { 0: letter, index } of chunk.matchAll(/[^]\p{M}*/gu)) {
    const letters = foldLetters(letter)
    folded += letters
    sources.push(...letters.split('').map((): TextRange => [index, index + letter.length]))
  }
  const ranges: TextRange[] = []
  for (const { start, end } of readParts(folded).flat()) {
    const [first, last] = [sources[start], sources[end - 1]]
    ranges.push([first?.[0] ?? 0, last?.[1] ?? chunk.length])
  }
  return ranges
}
