// Finds the words of a list that are spelled nearly like another one.

import type { TextTable } from '../text-table.js'
import { type SortedWords, maskOf } from './sorted-words.js'
import { createDistanceRows, tooFar } from './word-distances.js'

/** The words that are looked through. */
type Vocabulary = {
  readonly words: SortedWords
  readonly groups: WordGroups
  readonly texts: TextTable
}

/** A word, by its number, and how many letters it is off. */
type FoundWord = { readonly number: number; readonly distance: number }

/** More words than so many are not looked at one by one. */
const maxReadInGroup = 1024

/**
 * Goes through the sorted words with one row of distances for each letter: words with the same
 * beginning share its rows, and all words with a beginning that is too far off are skipped at once,
 * as are those that lack too many of the letters.
 */
export class NearbySearch {
  readonly #vocabulary: Vocabulary
  readonly #maxDistance: number
  readonly #maxLength: number
  /** The letters of the word that is looked for. */
  readonly #letters: number
  readonly #rows: ReturnType<typeof createDistanceRows>
  readonly #matches: FoundWord[] = []
  // One letter more shows that a word is too long.
  #word: Uint16Array
  #previous: Uint16Array
  readonly #bytes: Uint8Array
  /** How many rows are those of the word before. */
  #filled = 0
  #depth = 0

  constructor(vocabulary: Vocabulary, target: string, maxDistance: number) {
    this.#vocabulary = vocabulary
    this.#maxDistance = maxDistance
    this.#maxLength = target.length + maxDistance
    this.#letters = lettersOf(target)
    this.#rows = createDistanceRows(target, maxDistance)
    this.#word = new Uint16Array(this.#maxLength + 1)
    this.#previous = new Uint16Array(this.#maxLength + 1)
    this.#bytes = new Uint8Array(this.#maxLength + 1)
  }

  /** The words that are up to so many letters off. Called once. */
  find(): readonly FoundWord[] {
    const { groups } = this.#vocabulary
    const { starts, beginnings } = groups
    // What the first bytes of words are that are too far off, and which bytes these are.
    let [far, farMask] = [1, 0]
    for (let group = 0; group < starts.length; group += 1) {
      const beginning = beginnings[group] ?? 0
      if ((beginning & farMask) === far || this.#lacksLetters(groups.lettersOfGroup(group)))
        continue
      const ahead = readBeginning(beginning, this.#word)
      const isFar = this.#isTooFar(this.#countFilled(ahead), ahead)
      this.#keepRows()
      if (isFar) {
        farMask = maskOf(this.#depth)
        far = beginning & farMask
      } else this.#searchWords(starts[group] ?? 0, groups.endOf(group))
    }
    return this.#matches
  }

  /** Looks at the words of a group, from one position to another. */
  #searchWords(from: number, to: number): void {
    const { words, groups, texts } = this.#vocabulary
    const isLong = to - from > maxReadInGroup
    for (let index = from; index < to;) {
      const wordLetters = groups.lettersOfWord(index)
      if (!isLong && (this.#lacksLetters(wordLetters) || this.#hasOthers(wordLetters))) {
        index += 1
        continue
      }
      const number = words.numbers[index] ?? 0
      const length = texts.readLetters(number, this.#word)
      const isSkipped =
        this.#isTooFar(this.#countFilled(length), length) || length > this.#maxLength
      const distance = isSkipped ? tooFar : this.#rows.distance(length)
      if (distance <= this.#maxDistance) this.#matches.push({ number, distance })
      index = isSkipped && isLong ? this.#skipBeginning(index) : index + 1
      this.#keepRows()
    }
  }

  #lacksLetters(wordLetters: number): boolean {
    return hasMoreBits(this.#letters & ~wordLetters, this.#maxDistance)
  }

  #hasOthers(wordLetters: number): boolean {
    return hasMoreBits(wordLetters & ~this.#letters, this.#maxDistance)
  }

  /** How many of the first letters have their rows from the word before. */
  #countFilled(length: number): number {
    return commonLength(this.#previous, this.#word, Math.min(length, this.#filled))
  }

  /** Fills the rows for these letters of the word. @returns whether it is too far off by then */
  #isTooFar(from: number, to: number): boolean {
    this.#depth = from
    while (this.#depth < to) {
      this.#depth += 1
      if (this.#rows.fill(this.#depth, this.#word) > this.#maxDistance) return true
    }
    return false
  }

  #keepRows(): void {
    this.#filled = this.#depth
    const word = this.#word
    this.#word = this.#previous
    this.#previous = word
  }

  /**
   * The position of the next word that does not have the same first letters, as far as the rows are
   * filled.
   */
  #skipBeginning(from: number): number {
    const { words } = this.#vocabulary
    const depth = this.#depth
    for (let index = 0; index < depth; index += 1) {
      const letter = this.#word[index] ?? 0
      if (letter > 127) {
        const beginning = String.fromCharCode(...this.#word.subarray(0, depth))
        // Half of a letter is no beginning of bytes.
        if (!beginning.isWellFormed()) return from + 1
        const encoded = Buffer.from(beginning)
        return words.firstAfter(encoded, encoded.length, from)
      }
      this.#bytes[index] = letter
    }
    return words.firstAfter(this.#bytes, depth, from)
  }
}

/** The words with the same first four bytes, by the number of such a group. */
export class WordGroups {
  readonly #words: SortedWords
  /** By the numbers of words, which get more while words are added. */
  readonly #letters: Int32Array
  /** The positions of their first words. */
  readonly starts: Int32Array
  readonly beginnings: Uint32Array
  /** The letters of each group; 0 where they were not asked for. */
  readonly #known: Int32Array

  constructor(words: SortedWords, letters: Int32Array) {
    this.#words = words
    this.#letters = letters
    const { length } = words
    const starts = new Int32Array(length)
    const beginnings = new Uint32Array(length)
    let count = 0
    let last = -1
    for (let index = 0; index < length; index += 1) {
      const beginning = words.beginnings[index] ?? 0
      if (beginning === last) continue
      last = beginning
      starts[count] = index
      beginnings[count++] = beginning
    }
    this.starts = starts.slice(0, count)
    this.beginnings = beginnings.slice(0, count)
    this.#known = new Int32Array(count)
  }

  /** The position after the last word of a group. */
  endOf(group: number): number {
    return this.starts[group + 1] ?? this.#words.length
  }

  /** The letters that the words of a group have; all, where they are many. */
  lettersOfGroup(group: number): number {
    return (this.#known[group] ||= this.#addUpLetters(group))
  }

  /** Those of a word, by its position. */
  lettersOfWord(index: number): number {
    return this.#letters[this.#words.numbers[index] ?? -1] ?? 0
  }

  #addUpLetters(group: number): number {
    const start = this.starts[group] ?? 0
    const end = this.endOf(group)
    if (end - start > maxReadInGroup) return allLetters
    let bits = 0
    for (let index = start; index < end; index += 1) bits |= this.lettersOfWord(index)
    return bits
  }
}

const allLetters = -1

/** A bit for each letter of a word, as `letterBit`. */
export function lettersOf(word: string): number {
  let bits = 0
  for (let index = 0; index < word.length; index += 1) bits |= letterBit(word.charCodeAt(index))
  return bits
}

/** A bit for each letter from a to z; digits, and other letters, share some. */
const letterBit = (letter: number): number => 1 << (letter < 64 ? 27 + (letter % 5) : letter & 31)

/** Whether there are more bits than this. */
function hasMoreBits(bits: number, max: number): boolean {
  let rest = bits
  for (let count = 0; count < max; count += 1) rest &= rest - 1
  return rest !== 0
}

/**
 * The letters of the first four bytes of a word.
 * @returns how many: none where it has other ones than those of ASCII
 */
function readBeginning(bytes: number, into: Uint16Array): number {
  // Bytes above 127 are parts of letters, and 0 is none.
  if ((bytes & 0x80808080) !== 0) return 0
  for (let index = 0; index < 4; index += 1) {
    const letter = (bytes >>> (24 - 8 * index)) & 255
    if (letter === 0) return index
    into[index] = letter
  }
  return 4
}

/** How many of the first letters are the same. */
function commonLength(first: Uint16Array, second: Uint16Array, length: number): number {
  let index = 0
  while (index < length && first[index] === second[index]) index += 1
  return index
}
