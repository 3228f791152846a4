// Splits texts into the words that are searched: folded by text-folding.ts, with their position in the text. A word with
// hyphens or full stops inside is there in parts and as a whole, and so are initials that stand side by side.

import { foldLetters, singularOf } from './text-folding.js'

export type TextToken = {
  /** Folded. */
  readonly word: string
  /** Counted in words from 0; a whole word has the position of its first part. */
  readonly position: number
}

/** The word that a word is found by: its singular. A word with digits has none of its own. */
export const stemOf = (word: string): string => (/\d/.test(word) ? word : singularOf(word))

/** What stands between two white spaces: its words in some form, and how many positions they take. */
export type Chunk<Word> = {
  readonly words: readonly Word[]
  /** By word. */
  readonly positions: readonly number[]
  readonly length: number
  /** The letter, where it is one letter alone. */
  readonly initial: string | undefined
}

export const compoundPattern = /[\p{L}\p{N}]+(?:[-‐‑.][\p{L}\p{N}]+)*/gu
export const partSeparator = /[-‐‑.]/

const maxWholeLength = 40

/** The words of a text without white space. */
export function readChunk(part: string): Chunk<string> {
  const words: string[] = []
  const positions: number[] = []
  let length = 0
  const add = (word: string, position: number): void => {
    words.push(word)
    positions.push(position)
  }
  for (const [compound] of foldLetters(part).matchAll(compoundPattern)) {
    const parts = compound.split(partSeparator)
    parts.forEach((word, index) => add(word, length + index))
    const whole = parts.join('')
    if (parts.length > 1 && whole.length <= maxWholeLength) add(whole, length)
    length += parts.length
  }
  const [first = ''] = words
  return { words, positions, length, initial: /^\p{L}$/u.test(first) ? first : undefined }
}

/** How words are read. */
export type ChunkReader<Word> = {
  /** The words of a text without white space. */
  readonly chunkOf: (part: string) => Chunk<Word>
  /** A word that stands by itself. */
  readonly wordOf: (letters: string) => Word
}

/** Calls a function with each word of a text. @returns how many positions the text takes */
export function forEachWord<Word>(
  text: string,
  { chunkOf, wordOf }: ChunkReader<Word>,
  use: (word: Word, position: number) => void,
): number {
  let position = 0
  let initials = ''
  for (const part of text.split(/\s+/)) {
    if (part === '') continue
    const { words, positions, length, initial } = chunkOf(part)
    if (initials.length > 1 && initial === undefined && length > 0)
      use(wordOf(initials), position - initials.length)
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index]
      if (word !== undefined) use(word, position + (positions[index] ?? 0))
    }
    if (length > 0) initials = initial === undefined ? '' : initials + initial
    position += length
  }
  if (initials.length > 1) use(wordOf(initials), position - initials.length)
  return position
}

const plainReader: ChunkReader<string> = { chunkOf: readChunk, wordOf: (letters) => letters }

export function tokensOf(text: string): TextToken[] {
  const tokens: TextToken[] = []
  forEachWord(text, plainReader, (word, position) => void tokens.push({ word, position }))
  return tokens
}

/** The words of a text in order, without the wholes. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const { word, position } of tokensOf(text)) words[position] ??= word
  return words
}
