// Splits texts into the words that are searched: folded by model/text-folding.ts, with their position in the text. A word
// with hyphens or full stops inside is there in parts and as a whole, and so are initials that stand side by side.

import { foldLetters, singularOf } from './text-folding.js'

export type TextToken = {
  /** Folded. */
  readonly word: string
  /** Counted in words from 0; a whole word has the position of its first part. */
  readonly position: number
}

/** The word that a word is found by: its singular. A word with digits has none of its own. */
export const stemOf = (word: string): string => (/\d/.test(word) ? word : singularOf(word))

/** What stands between two white spaces: its words, and how many positions they take. */
type Chunk = {
  readonly tokens: readonly TextToken[]
  readonly length: number
  /** One letter alone. */
  readonly isInitial: boolean
}

const compoundPattern = /[\p{L}\p{N}]+(?:[-‐‑.][\p{L}\p{N}]+)*/gu

const maxWholeLength = 40

// Words recur, and folding one takes longer than looking it up.
const maxKnownChunks = 20_000
let knownChunks = new Map<string, Chunk>()

export function tokensOf(text: string): TextToken[] {
  const tokens: TextToken[] = []
  let position = 0
  let initials: { letters: string; readonly position: number } | undefined
  const endInitials = (): void => {
    if (initials && initials.letters.length > 1)
      tokens.push({ word: initials.letters, position: initials.position })
    initials = undefined
  }
  for (const part of text.split(/\s+/)) {
    if (part === '') continue
    const chunk = chunkOf(part)
    if (chunk.length === 0) continue
    for (const { word, position: own } of chunk.tokens)
      tokens.push({ word, position: position + own })
    if (chunk.isInitial) {
      initials ??= { letters: '', position }
      initials.letters += chunk.tokens[0]?.word ?? ''
    } else endInitials()
    position += chunk.length
  }
  endInitials()
  return tokens
}

function chunkOf(part: string): Chunk {
  const known = knownChunks.get(part)
  if (known) return known
  const chunk = readChunk(part)
  if (knownChunks.size >= maxKnownChunks) knownChunks = new Map()
  if (part.length <= maxWholeLength) knownChunks.set(part, chunk)
  return chunk
}

function readChunk(part: string): Chunk {
  const tokens: TextToken[] = []
  let length = 0
  for (const [compound] of foldLetters(part).matchAll(compoundPattern)) {
    const words = compound.split(/[-‐‑.]/)
    words.forEach((word, index) => tokens.push({ word, position: length + index }))
    const whole = words.join('')
    if (words.length > 1 && whole.length <= maxWholeLength)
      tokens.push({ word: whole, position: length })
    length += words.length
  }
  const isInitial = length === 1 && /^\p{L}$/u.test(tokens[0]?.word ?? '')
  return { tokens, length, isInitial }
}

/** The words of a text in order, without the wholes. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const { word, position } of tokensOf(text)) words[position] ??= word
  return words
}
