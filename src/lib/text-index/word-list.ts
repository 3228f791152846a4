// The words of all texts: each has the number of its stem, by which it is found. Finds the words
// that begin with a prefix and those that are spelled nearly like another.

import { type Chunk, type ChunkReader, readChunk, stemOf } from './text-tokens.js'
import { type SavedTextTable, TextTable } from '../text-table.js'
import { withRoom } from '../typed-arrays.js'
import { detachedCopy } from './postings.js'
import { countLeading, mergeSortInSteps } from './sorted-ids.js'

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
  #sorted: SortedWords = noWords
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
    const begin = firstNotBefore(this.#sorted, this.#texts, beginning)
    const end = firstAfter(this.#sorted, this.#texts, beginning, beginning.length, begin)
    const found: number[] = []
    for (let index = begin; index < end; index += 1)
      found.push(this.#stemOfWord(this.#sorted.numbers[index] ?? 0))
    for (const number of this.#added)
      if (this.#texts.compareBeginning(number, beginning) === 0)
        found.push(this.#stemOfWord(number))
    return found
  }

  /** The words that are up to so many letters off, with how many. */
  nearby(word: string, maxDistance: number): readonly NearbyWord[] {
    this.#sortIfMany()
    const ofSorted = this.#nearbySorted(word, maxDistance)
    if (this.#added.length === 0) return ofSorted
    const distanceOf = createDistances(word, maxDistance)
    const ofAdded = this.#added
      .map((number) => {
        const own = this.#texts.at(number)
        return { word: own, stem: this.#stemOfWord(number), distance: distanceOf(own) }
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
        yield* mergeSortInSteps(Int32Array.from(this.#added), (one, other) =>
          this.#texts.compare(one, other),
        ),
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
  restore(saved: SavedWords): void {
    this.#chunks = new Map()
    this.#nearbyWords = new Map()
    this.#added = []
    this.#texts.restore(saved.texts)
    this.#stemsOfWords = saved.stemsOfWords.slice()
    this.#areStems = saved.areStems.slice()
    this.#letters = saved.letters.slice()
    this.#sorted = withBeginnings(saved.sorted.slice(), this.#texts)
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
      Int32Array.from(this.#added).sort((one, other) => this.#texts.compare(one, other)),
      this.#added.length,
    )
  }

  #takeSorted(more: Int32Array, count: number): void {
    this.#sorted = mergeSorted(this.#sorted, withBeginnings(more, this.#texts), this.#texts)
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
    this.#groups ??= groupWords(this.#sorted, this.#letters)
    const found = nearbyIn(this.#sorted, this.#groups, this.#texts, word, maxDistance).map(
      ({ number, distance }) => ({
        word: this.#texts.at(number),
        stem: this.#stemOfWord(number),
        distance,
      }),
    )
    if (this.#nearbyWords.size >= maxNearby) this.#nearbyWords = new Map()
    this.#nearbyWords.set(word, found)
    return found
  }
}

/** Words in the order of their letters. */
type SortedWords = {
  readonly numbers: Int32Array
  /** The first four bytes of each, which tell most of them apart without a look at their texts. */
  readonly beginnings: Uint32Array
}

const noWords: SortedWords = { numbers: new Int32Array(0), beginnings: new Uint32Array(0) }

function withBeginnings(numbers: Int32Array, texts: TextTable): SortedWords {
  const beginnings = new Uint32Array(numbers.length)
  for (let index = 0; index < numbers.length; index += 1)
    beginnings[index] = texts.firstBytes(numbers[index] ?? 0)
  return { numbers, beginnings }
}

function mergeSorted(some: SortedWords, others: SortedWords, texts: TextTable): SortedWords {
  if (some.numbers.length === 0) return others
  const length = some.numbers.length + others.numbers.length
  const merged = { numbers: new Int32Array(length), beginnings: new Uint32Array(length) }
  let [one, other] = [0, 0]
  for (let index = 0; index < length; index += 1) {
    const isFirst =
      other === others.numbers.length ||
      (one < some.numbers.length && compareWords(some, one, others, other, texts) < 0)
    const from = isFirst ? some : others
    const position = isFirst ? one++ : other++
    merged.numbers[index] = from.numbers[position] ?? 0
    merged.beginnings[index] = from.beginnings[position] ?? 0
  }
  return merged
}

function compareWords(
  some: SortedWords,
  one: number,
  others: SortedWords,
  other: number,
  texts: TextTable,
): number {
  const difference = (some.beginnings[one] ?? 0) - (others.beginnings[other] ?? 0)
  return difference === 0
    ? texts.compare(some.numbers[one] ?? 0, others.numbers[other] ?? 0)
    : difference
}

/** The position of the first word that does not come before these bytes. */
const firstNotBefore = ({ numbers }: SortedWords, texts: TextTable, bytes: Uint8Array): number =>
  countLeading(numbers, (number) => texts.compareBeginning(number, bytes) < 0)

/** A number with 32 bits, the upper ones of which are those of the first bytes. */
const maskOf = (count: number): number => (count < 4 ? ~(0xffffffff >>> (8 * count)) : -1)

/**
 * The position, from that of a word that begins with the first of these bytes, of the first that
 * does not.
 */
function firstAfter(
  { numbers, beginnings }: SortedWords,
  texts: TextTable,
  bytes: Uint8Array,
  count: number,
  from: number,
): number {
  const mask = maskOf(count)
  let first = 0
  for (let index = 0; index < 4; index += 1)
    first = (first << 8) | (index < count ? (bytes[index] ?? 0) : 0)
  const beginsSo = (index: number): boolean =>
    index < numbers.length &&
    ((beginnings[index] ?? 0) & mask) === first &&
    (count <= 4 || texts.compareBeginning(numbers[index] ?? 0, bytes, count) === 0)
  let step = 1
  let end = from
  while (beginsSo(end)) {
    end += step
    step *= 2
  }
  // The last that was seen to begin so is half a step before.
  let [low, high] = [end === from ? from : end - step / 2 + 1, Math.min(end, numbers.length)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (beginsSo(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The words with the same first four bytes, by the number of such a group. */
type WordGroups = {
  /** The positions of their first words. */
  readonly starts: Int32Array
  readonly beginnings: Uint32Array
  /** The letters that the words of a group have; all, where they are many. */
  readonly lettersOfGroup: (group: number) => number
  /** Those of a word, by its position. */
  readonly lettersOfWord: (index: number) => number
}

/** More words than so many are not looked at one by one. */
const maxReadInGroup = 1024

/** @param letters by the numbers of words, which get more while words are added */
function groupWords({ numbers, beginnings }: SortedWords, letters: Int32Array): WordGroups {
  const { length } = numbers
  const allStarts = new Int32Array(length)
  const allBeginnings = new Uint32Array(length)
  let count = 0
  let last = -1
  for (let index = 0; index < length; index += 1) {
    const beginning = beginnings[index] ?? 0
    if (beginning === last) continue
    last = beginning
    allStarts[count] = index
    allBeginnings[count++] = beginning
  }
  const starts = allStarts.slice(0, count)
  /** 0 where they were not asked for. */
  const known = new Int32Array(count)

  const lettersOfWord = (index: number): number => letters[numbers[index] ?? -1] ?? 0

  function addUpLetters(group: number): number {
    const start = starts[group] ?? 0
    const end = starts[group + 1] ?? length
    if (end - start > maxReadInGroup) return allLetters
    let bits = 0
    for (let index = start; index < end; index += 1) bits |= lettersOfWord(index)
    return bits
  }

  return {
    starts,
    beginnings: allBeginnings.slice(0, count),
    lettersOfGroup: (group) => (known[group] ||= addUpLetters(group)),
    lettersOfWord,
  }
}

const allLetters = -1

/** A bit for each letter of a word, as `letterBit`. */
function lettersOf(word: string): number {
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
 * Goes through the sorted words with one row of distances for each letter: words with the same
 * beginning share its rows, and all words with a beginning that is too far off are skipped at once,
 * as are those that lack too many of the letters.
 */
function nearbyIn(
  words: SortedWords,
  { starts, beginnings, lettersOfGroup, lettersOfWord }: WordGroups,
  texts: TextTable,
  wanted: string,
  maxDistance: number,
): { number: number; distance: number }[] {
  const rows = createDistanceRows(wanted, maxDistance)
  const maxLength = wanted.length + maxDistance
  const found: { number: number; distance: number }[] = []
  // One letter more shows that a word is too long.
  let [word, previous] = [new Uint16Array(maxLength + 1), new Uint16Array(maxLength + 1)]
  const bytes = new Uint8Array(maxLength + 1)
  let filled = 0
  let depth = 0

  /** Fills the rows for these letters of the word. @returns whether it is too far off by then */
  function isTooFar(from: number, to: number): boolean {
    depth = from
    while (depth < to) {
      depth += 1
      if (rows.fill(depth, word) > maxDistance) return true
    }
    return false
  }

  /** How many of the first letters have their rows from the word before. */
  const countFilled = (length: number): number =>
    commonLength(previous, word, Math.min(length, filled))

  /**
   * The position of the next word that does not have the same first letters, as far as the rows are
   * filled.
   */
  function skipBeginning(from: number): number {
    for (let index = 0; index < depth; index += 1) {
      const letter = word[index] ?? 0
      if (letter > 127) {
        const beginning = String.fromCharCode(...word.subarray(0, depth))
        // Half of a letter is no beginning of bytes.
        if (!beginning.isWellFormed()) return from + 1
        const encoded = Buffer.from(beginning)
        return firstAfter(words, texts, encoded, encoded.length, from)
      }
      bytes[index] = letter
    }
    return firstAfter(words, texts, bytes, depth, from)
  }

  const letters = lettersOf(wanted)
  const lacksLetters = (own: number): boolean => hasMoreBits(letters & ~own, maxDistance)
  const hasOthers = (own: number): boolean => hasMoreBits(own & ~letters, maxDistance)

  /** Looks at the words of a group, from one position to another. */
  function searchWords(from: number, to: number): void {
    const isLong = to - from > maxReadInGroup
    for (let index = from; index < to;) {
      const own = lettersOfWord(index)
      if (!isLong && (lacksLetters(own) || hasOthers(own))) {
        index += 1
        continue
      }
      const number = words.numbers[index] ?? 0
      const length = texts.readLetters(number, word)
      const isSkipped = isTooFar(countFilled(length), length) || length > maxLength
      const distance = isSkipped ? tooFar : rows.distance(length)
      if (distance <= maxDistance) found.push({ number, distance })
      index = isSkipped && isLong ? skipBeginning(index) : index + 1
      keepRows()
    }
  }

  function keepRows(): void {
    filled = depth
    ;[word, previous] = [previous, word]
  }

  // What the first bytes of words are that are too far off, and which bytes these are.
  let [far, farMask] = [1, 0]
  for (let group = 0; group < starts.length; group += 1) {
    const beginning = beginnings[group] ?? 0
    if ((beginning & farMask) === far || lacksLetters(lettersOfGroup(group))) continue
    const ahead = readBeginning(beginning, word)
    const isFar = isTooFar(countFilled(ahead), ahead)
    keepRows()
    if (isFar) {
      farMask = maskOf(depth)
      far = beginning & farMask
    } else searchWords(starts[group] ?? 0, starts[group + 1] ?? words.numbers.length)
  }
  return found
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

/**
 * How many letters words are off from another one; more than looked for where they are too far off.
 */
function createDistances(wanted: string, maxDistance: number): (word: string) => number {
  const rows = createDistanceRows(wanted, maxDistance)
  return (word) => {
    if (Math.abs(word.length - wanted.length) > maxDistance) return tooFar
    const letters = utf16Of(word)
    for (let depth = 1; depth <= word.length; depth += 1)
      if (rows.fill(depth, letters) > maxDistance) return tooFar
    return rows.distance(word.length)
  }
}

/** Whether a word is up to so many letters off from another one. */
export function createNearbyTest(wanted: string, maxDistance: number): (word: string) => boolean {
  const distanceOf = createDistances(wanted, maxDistance)
  return (word) => distanceOf(word) <= maxDistance
}

const utf16Of = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))

/**
 * Row n has the distances of the first n letters of a word from the beginnings of the wanted one.
 * Beginnings whose lengths differ by more than the distance that is looked for are left out.
 */
function createDistanceRows(wanted: string, maxDistance: number) {
  const width = wanted.length + 1
  const rows = new Uint8Array((wanted.length + maxDistance + 2) * width)
  const least = new Uint8Array(wanted.length + maxDistance + 2)
  const letters = utf16Of(wanted)
  for (let column = 0; column < width; column += 1) rows[column] = Math.min(column, tooFar)
  return {
    distance: (depth: number): number =>
      wanted.length > depth + maxDistance
        ? tooFar
        : (rows[depth * width + wanted.length] ?? tooFar),
    /**
     * Letters added, left out, replaced or swapped with their neighbour.
     * @returns the least that words with this beginning can be off
     */
    fill(depth: number, word: Uint16Array): number {
      const row = depth * width
      const above = row - width
      const letter = word[depth - 1] ?? 0
      const letterBefore = depth > 1 ? (word[depth - 2] ?? 0) : -1
      const first = Math.max(1, depth - maxDistance)
      const last = Math.min(width - 1, depth + maxDistance)
      let smallest = first === 1 ? depth : tooFar
      // The next row looks at what is beside these columns.
      rows[row + first - 1] = smallest
      if (last < width - 1) rows[row + last + 1] = tooFar
      for (let column = first; column <= last; column += 1) {
        const own = letters[column - 1] ?? 0
        let value = (rows[above + column - 1] ?? 0) + (letter === own ? 0 : 1)
        const added = (rows[above + column] ?? 0) + 1
        if (added < value) value = added
        const omitted = (rows[row + column - 1] ?? 0) + 1
        if (omitted < value) value = omitted
        if (column > 1 && letter === letters[column - 2] && letterBefore === own) {
          const swapped = (rows[above - width + column - 2] ?? 0) + 1
          if (swapped < value) value = swapped
        }
        rows[row + column] = value
        if (value < smallest) smallest = value
      }
      least[depth] = smallest
      // A swap may still save what this row has lost, from the row above.
      return Math.min(smallest, (least[depth - 1] ?? 0) + 1)
    },
  }
}

/** A distance that is never looked for. */
const tooFar = 250

/** How many of the first letters are the same. */
function commonLength(one: Uint16Array, other: Uint16Array, length: number): number {
  let index = 0
  while (index < length && one[index] === other[index]) index += 1
  return index
}
