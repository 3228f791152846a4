// Splits texts into the words that are searched: folded by text-folding.ts, with their position in
// the text. A word with hyphens or full stops inside is there in parts and as a whole, and so are
// initials that stand side by side. A word behind an article with an apostrophe is there with it
// and without it. Scripts without spaces are read in pairs of letters.

import { foldLetters, singularOf } from '../text-folding.js'

export type TextToken = {
  /** Folded; a sign as it is. */
  readonly word: string
  /**
   * Counted in words from 0; a whole word has the position of its first part, a sign that of the
   * word after it.
   */
  readonly position: number
}

/** The word that a word is found by: its singular. A word with digits has none of its own. */
export const stemOf = (word: string): string => (/\d/.test(word) ? word : singularOf(word))

/**
 * What stands between two white spaces: its words in some form, and how many positions they take.
 */
export type Chunk<Word> = {
  readonly words: readonly Word[]
  /** By word. */
  readonly positions: readonly number[]
  readonly length: number
  /** The letter, where it is one letter alone. */
  readonly initial: string | undefined
}

const compoundPattern = /[\p{L}\p{N}]+(?:[-‐‑.\uE000][\p{L}\p{N}]+)*/gu

/**
 * Letters of scripts that put no space between words, or none inside long ones, as Korean does:
 * `한국독립출판` is three words.
 */
const unspacedLetter =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
/** One such letter, or all others until such a letter or a joining sign. */
const partPattern =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[^-‐‑.\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu

/** A part of a word, which takes one position, and where it stands in the text. */
type Part = { readonly letters: string; readonly start: number; readonly end: number }

/**
 * The words of a folded text, each in its parts. In scripts without spaces each letter is a part
 * together with the one that follows it, so that what is looked for is found inside a sentence.
 */
export function readParts(folded: string): Part[][] {
  return Array.from(folded.matchAll(compoundPattern), ({ 0: compound, index: start }) => {
    const matches = Array.from(compound.matchAll(partPattern))
    return matches.map(({ 0: letters, index }, position) => {
      const next = matches[position + 1]
      const isPair =
        next?.index === index + letters.length &&
        unspacedLetter.test(letters) &&
        unspacedLetter.test(next[0])
      const partLetters = isPair ? letters + next[0] : letters
      return { letters: partLetters, start: start + index, end: start + index + partLetters.length }
    })
  })
}

/** Whether a word is one letter of a script without spaces. */
export const isUnspacedLetter = (word: string): boolean =>
  unspacedLetter.test(word) && Array.from(word).length === 1

/** Whether a text has letters of scripts without spaces. */
export const hasUnspacedLetters = (text: string): boolean => unspacedLetter.test(text)

/**
 * Articles, and the like, that lose their vowel before a word: `l’anarchie`, `qu’est`, `dell'arte`.
 */
const elidedArticle =
  /(?<![\p{L}\p{N}])([cdjlmnst]|(?:jus|lors|puis|quoi|quel|pres)?qu|entr|(?:a|da|de|ne|co|su|que|be)ll|gl|quest|sant|un)['’‘ʼ`](?=[\p{L}\p{M}]{2})/giu
/** Stands for the apostrophe of one, which folding leaves out. */
const elision = '\uE000'

/** Longer words and signs are only there in parts. */
const maxWholeLength = 40

/** Without quotes, and without dashes, which stand between most titles of contents. */
const joinedSigns = /(?:(?!["\p{Pd}])[\p{S}\p{P}])+/gu

/** The words of a text without white space, and its signs. */
export function readChunk(part: string): Chunk<string> {
  const words: string[] = []
  const positions: number[] = []
  let length = 0
  const add = (word: string, position: number): void => {
    words.push(word)
    positions.push(position)
  }
  const folded = foldLetters(part.replace(elidedArticle, `$1${elision}`))
  for (const parts of readParts(folded)) {
    const plainParts = parts.map(({ letters }) => letters.replaceAll(elision, ''))
    parts.forEach(({ letters }, index) => {
      add(plainParts[index] ?? '', length + index)
      if (letters.includes(elision))
        add(letters.slice(letters.lastIndexOf(elision) + 1), length + index)
    })
    const whole = plainParts.join('')
    if (parts.length > 1 && whole.length <= maxWholeLength && !hasUnspacedLetters(whole))
      add(whole, length)
    length += parts.length
  }
  const [first = ''] = words
  const isInitial = length === 1 && /^\p{L}$/u.test(first) && !hasUnspacedLetters(first)
  // Signs take no position, so that phrases go on behind them.
  for (const sign of signsIn(folded, length === 0)) add(sign, length)
  return { words, positions, length, initial: isInitial ? first : undefined }
}

/** Symbols and emoji; where there are no words, also all signs together, such as `!!!`. */
function signsIn(folded: string, isAlone: boolean): ReadonlySet<string> {
  const symbols = folded.match(/\p{S}+/gu) ?? []
  const signs = isAlone ? (folded.match(joinedSigns) ?? []) : []
  return new Set([...signs, ...symbols].filter(({ length }) => length <= maxWholeLength))
}

/** Whether it is no word, but a sign. */
export const isSign = (word: string): boolean => !/[\p{L}\p{N}]/u.test(word)

/** How words are read. */
export type ChunkReader<Word> = {
  /** The words of a text without white space. */
  chunkOf(part: string): Chunk<Word>
  /** A word that stands by itself. */
  wordOf(letters: string): Word
}

/** Calls a function with each word of a text. @returns how many positions the text takes */
export function forEachWord<Word>(
  text: string,
  reader: ChunkReader<Word>,
  use: (word: Word, position: number) => void,
): number {
  let position = 0
  let initials = ''
  for (const part of text.split(/\s+/)) {
    if (part === '') continue
    const { words, positions, length, initial } = reader.chunkOf(part)
    if (initials.length > 1 && initial === undefined && length > 0)
      use(reader.wordOf(initials), position - initials.length)
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index]
      if (word !== undefined) use(word, position + (positions[index] ?? 0))
    }
    if (length > 0) initials = initial === undefined ? '' : initials + initial
    position += length
  }
  if (initials.length > 1) use(reader.wordOf(initials), position - initials.length)
  return position
}

const plainReader: ChunkReader<string> = { chunkOf: readChunk, wordOf: (letters) => letters }

export function tokensOf(text: string): TextToken[] {
  const tokens: TextToken[] = []
  forEachWord(text, plainReader, (word, position) => void tokens.push({ word, position }))
  return tokens
}

/** The words of a text in order, without the wholes and without signs. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const { word, position } of tokensOf(text)) if (!isSign(word)) words[position] ??= word
  return words
}
