// The words of all texts: each has the number of its stem, by which it is found. Finds the words
// that begin with a prefix; those that are spelled nearly like another are left to nearby-words.ts.

import { type Chunk, type ChunkReader, readChunk, stemOf } from './text-tokens.js'
import { type SavedTextTable, TextTable } from '../text-table.js'
import { withRoom } from '../typed-arrays.js'
import { detachedCopy } from './postings.js'
import { NearbySearch, WordGroups, lettersOf } from './nearby-words.js'
import { mergeSortInSteps } from './sorted-ids.js'
import { SortedWords } from './sorted-words.js'
import { createDistances } from './word-distances.js'

export type SavedWords = {
  /** Words and stems. */
  readonly texts: SavedTextTable
  /**
   * By the number of a text: the number of its stem where it is a word, and -1 where it is only a
   * stem.
   */
  readonly stemsOfWords: Int32Array
  /** By the number of a text: 1 where it is a stem. */
  readonly areStems: Int8Array
  /** By the number of a text: where it is a word, the letters that it has, as bits. */
  readonly letters: Int32Array
  /** The words in the order of their letters. */
  readonly sorted: Int32Array
}

export type NearbyWord = {
  readonly word: string
  readonly stem: number
  readonly distance: number
}

/** Up to so many words are looked through one by one before they are sorted in. */
const maxUnsorted = 2000

/** How many pieces of texts are remembered with their words. */
const maxChunks = 30_000

/** For so many words it is remembered which are nearby. */
const maxNearby = 2000

export class WordList implements ChunkReader<number> {
  // Most words are their own stems, so both are numbered together.
  readonly #texts = new TextTable()
  #stemsOfWords: Int32Array = new Int32Array(0)
  #areStems = new Int8Array(0)
  /** The letters that each word has, as `lettersOf`. */
  #letters: Int32Array = new Int32Array(0)
  #sorted = new SortedWords({ texts: this.#texts, numbers: new Int32Array(0) })
  /** Made when they are first needed. */
  #groups: WordGroups | undefined
  #added: number[] = []
  #nearbyWords = new Map<string, readonly NearbyWord[]>()
  #epoch = 0
  // Words recur: what stands between white spaces is read once.
  #chunks = new Map<string, Chunk<number>>()

  chunkOf(part: string): Chunk<number> {
    const known = this.#chunks.get(part)
    if (known) return known
    const { words, ...chunk } = readChunk(part)
    const read = { ...chunk, words: words.map((word) => this.stemNumber(word)) }
    if (this.#chunks.size >= maxChunks) this.#chunks = new Map()
    this.#chunks.set(detachedCopy(part), read)
    return read
  }

  wordOf(word: string): number {
    return this.stemNumber(word)
  }

  /** The number of a word's stem; it gets one when it is new. */
  stemNumber(word: string): number {
    const number = this.#numberOf(word)
    const known = this.#stemOfWord(number)
    if (known >= 0) return known
    const stem = this.#numberOf(stemOf(word))
    this.#stemsOfWords[number] = stem
    this.#areStems[stem] = 1
    this.#letters[number] = lettersOf(word)
    this.#added.push(number)
    return stem
  }

  /** The number of a word's stem; undefined where no text has it. */
  findStem(word: string): number | undefined {
    const number = this.#texts.find(stemOf(word))
    return number !== undefined && this.#areStems[number] === 1 ? number : undefined
  }

  /** The stems of the words that begin with these letters; the same stem may come several times. */
  startingWith(prefix: string): readonly number[] {
    this.#sortIfMany()
    const beginning = Buffer.from(prefix)
    const begin = this.#sorted.firstNotBefore(beginning)
    const end = this.#sorted.firstAfter(beginning, beginning.length, begin)
    const stems: number[] = []
    for (let index = begin; index < end; index += 1)
      stems.push(this.#stemOfWord(this.#sorted.numbers[index] ?? 0))
    for (const number of this.#added)
      if (this.#texts.compareBeginning(number, beginning) === 0)
        stems.push(this.#stemOfWord(number))
    return stems
  }

  /** The words that are up to so many letters off, with how many. */
  nearby(word: string, maxDistance: number): readonly NearbyWord[] {
    this.#sortIfMany()
    const ofSorted = this.#nearbySorted(word, maxDistance)
    if (this.#added.length === 0) return ofSorted
    const distanceOf = createDistances(word, maxDistance)
    const ofAdded = this.#added
      .map((number) => {
        const addedWord = this.#texts.at(number)
        return { word: addedWord, stem: this.#stemOfWord(number), distance: distanceOf(addedWord) }
      })
      .filter(({ distance }) => distance <= maxDistance)
    return [...ofSorted, ...ofAdded]
  }

  /**
   * Sorts what was added, so that the next search does not have to, and forgets what was kept to
   * add faster. Nothing may be searched meanwhile.
   */
  *build(): Generator<void> {
    const { length } = this.#added
    if (length > 0)
      this.#takeSorted(
        yield* mergeSortInSteps(Int32Array.from(this.#added), (a, b) => this.#texts.compare(a, b)),
        length,
      )
    this.#chunks = new Map()
  }

  /** The numbers of stems are below this one; not all of them are in use. */
  stemCount(): number {
    return this.#texts.length
  }

  /** All words with their stems. */
  save(): SavedWords {
    this.#sort()
    const { length } = this.#texts
    return {
      texts: this.#texts.save(),
      stemsOfWords: this.#stemsOfWords.subarray(0, length),
      areStems: this.#areStems.subarray(0, length),
      letters: this.#letters.subarray(0, length),
      sorted: this.#sorted.numbers,
    }
  }

  /** Replaces all words, so the numbers of stems are others from then on. */
  restore(state: SavedWords): void {
    this.#chunks = new Map()
    this.#nearbyWords = new Map()
    this.#added = []
    this.#texts.restore(state.texts)
    this.#stemsOfWords = state.stemsOfWords.slice()
    this.#areStems = state.areStems.slice()
    this.#letters = state.letters.slice()
    this.#sorted = new SortedWords({ texts: this.#texts, numbers: state.sorted.slice() })
    this.#groups = undefined
    this.#epoch += 1
  }

  /** Another number after each `restore`. */
  epoch(): number {
    return this.#epoch
  }

  #stemOfWord(number: number): number {
    return this.#stemsOfWords[number] ?? -1
  }

  #numberOf(text: string): number {
    const { length } = this.#texts
    const number = this.#texts.add(text)
    if (number === length) {
      this.#stemsOfWords = withRoom(this.#stemsOfWords, number + 1)
      this.#areStems = withRoom(this.#areStems, number + 1)
      this.#letters = withRoom(this.#letters, number + 1)
      this.#stemsOfWords[number] = -1
    }
    return number
  }

  #sort(): void {
    if (this.#added.length === 0) return
    this.#takeSorted(
      Int32Array.from(this.#added).sort((a, b) => this.#texts.compare(a, b)),
      this.#added.length,
    )
  }

  #takeSorted(more: Int32Array, count: number): void {
    this.#sorted = this.#sorted.merge(new SortedWords({ texts: this.#texts, numbers: more }))
    this.#groups = undefined
    this.#added = this.#added.slice(count)
    this.#nearbyWords = new Map()
  }

  #sortIfMany(): void {
    if (this.#added.length > maxUnsorted) this.#sort()
  }

  #nearbySorted(word: string, maxDistance: number): readonly NearbyWord[] {
    const known = this.#nearbyWords.get(word)
    if (known) return known
    const [words, texts] = [this.#sorted, this.#texts]
    const groups = (this.#groups ??= new WordGroups(words, this.#letters))
    const nearbyWords = new NearbySearch({ words, groups, texts }, word, maxDistance)
      .find()
      .map(({ number, distance }) => ({
        word: texts.at(number),
        stem: this.#stemOfWord(number),
        distance,
      }))
    if (this.#nearbyWords.size >= maxNearby) this.#nearbyWords = new Map()
    this.#nearbyWords.set(word, nearbyWords)
    return nearbyWords
  }
}
