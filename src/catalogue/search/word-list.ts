// The words of all texts: each has the number of its stem, by which it is found. Finds the words that begin with a prefix
// and those that are spelled nearly like another.

import { detachedCopy } from '../index/postings.js'
import { type Chunk, type ChunkReader, readChunk, stemOf } from '../../model/text-tokens.js'

export type WordList = ChunkReader<number> & {
  /** The number of a word's stem; it gets one when it is new. */
  stemNumber(word: string): number
  /** The number of a word's stem; undefined where no text has it. */
  findStem(word: string): number | undefined
  /** The stems of the words that begin with these letters; the same stem may come several times. */
  startingWith(prefix: string): readonly number[]
  /** The words that are up to so many letters off, with how many. */
  nearby(word: string, maxDistance: number): readonly NearbyWord[]
  /** Sorts what was added, so that the next search does not have to. */
  sort(): void
  readonly stemCount: () => number
  /** All words with their stems. */
  save(): SavedWords
  /** Replaces all words, so the numbers of stems are others from then on. */
  restore(saved: SavedWords): void
  /** Another number after each `restore`. */
  readonly epoch: () => number
}

export type SavedWords = {
  /** By their numbers. */
  readonly stems: readonly string[]
  /** Sorted. */
  readonly words: readonly string[]
  /** The number of the stem of each word. */
  readonly stemsOfWords: Int32Array
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
const maxNearby = 200

export function createWordList(): WordList {
  const stems = new Map<string, number>()
  const byWord = new Map<string, number>()
  let sorted: string[] = []
  /** The stems of the sorted words. */
  let sortedStems: Int32Array = new Int32Array(0)
  let added: string[] = []
  let nearbyWords = new Map<string, readonly NearbyWord[]>()
  let epoch = 0

  function stemNumber(word: string): number {
    const known = byWord.get(word)
    if (known !== undefined) return known
    const own = detachedCopy(word)
    const stem = stemOf(own)
    const number = stems.get(stem) ?? stems.size
    stems.set(stem, number)
    byWord.set(own, number)
    added.push(own)
    return number
  }

  // Words recur: what stands between white spaces is read once.
  let chunks = new Map<string, Chunk<number>>()

  function chunkOf(part: string): Chunk<number> {
    const known = chunks.get(part)
    if (known) return known
    const { words, ...chunk } = readChunk(part)
    const read = { ...chunk, words: words.map(stemNumber) }
    if (chunks.size >= maxChunks) chunks = new Map()
    chunks.set(detachedCopy(part), read)
    return read
  }

  function sort(): void {
    if (added.length === 0) return
    added.sort()
    sorted = mergeSorted(sorted, added)
    sortedStems = Int32Array.from(sorted, (word) => byWord.get(word) ?? -1)
    added = []
    nearbyWords = new Map()
  }

  function sortIfMany(): void {
    if (added.length > maxUnsorted) sort()
  }

  return {
    chunkOf,
    wordOf: stemNumber,
    stemNumber,
    findStem: (word) => stems.get(stemOf(word)),
    startingWith(prefix) {
      sortIfMany()
      const found: number[] = []
      const end = lowerBound(sorted, `${prefix}\uffff`)
      for (let index = lowerBound(sorted, prefix); index < end; index += 1)
        found.push(sortedStems[index] ?? -1)
      for (const word of added) if (word.startsWith(prefix)) found.push(byWord.get(word) ?? -1)
      return found
    },
    nearby(word, maxDistance) {
      sort()
      const known = nearbyWords.get(word)
      if (known) return known
      const found = nearbyIn(sorted, word, maxDistance).map(({ index, distance }) => ({
        word: sorted[index] ?? '',
        stem: sortedStems[index] ?? -1,
        distance,
      }))
      if (nearbyWords.size >= maxNearby) nearbyWords = new Map()
      nearbyWords.set(word, found)
      return found
    },
    sort,
    stemCount: () => stems.size,
    save() {
      sort()
      return { stems: [...stems.keys()], words: sorted, stemsOfWords: sortedStems }
    },
    restore(saved) {
      stems.clear()
      byWord.clear()
      chunks = new Map()
      nearbyWords = new Map()
      added = []
      saved.stems.forEach((stem, number) => stems.set(stem, number))
      saved.words.forEach((word, index) => byWord.set(word, saved.stemsOfWords[index] ?? 0))
      sorted = [...saved.words]
      sortedStems = saved.stemsOfWords.slice()
      epoch += 1
    },
    epoch: () => epoch,
  }
}

function mergeSorted(some: readonly string[], others: readonly string[]): string[] {
  const merged: string[] = []
  let other = 0
  for (const one of some) {
    while (other < others.length && (others[other] ?? '') < one) merged.push(others[other++] ?? '')
    merged.push(one)
  }
  while (other < others.length) merged.push(others[other++] ?? '')
  return merged
}

function lowerBound(words: readonly string[], text: string, from = 0): number {
  let [low, high] = [from, words.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((words[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Goes through the sorted words with one row of distances for each letter: words with the same beginning share its rows,
 * and all words with a beginning that is too far off are skipped at once.
 */
function nearbyIn(
  words: readonly string[],
  wanted: string,
  maxDistance: number,
): { index: number; distance: number }[] {
  const rows = createDistanceRows(wanted, maxDistance)
  const maxLength = wanted.length + maxDistance
  const found: { index: number; distance: number }[] = []
  let previous = ''
  let filled = 0
  for (let index = 0; index < words.length;) {
    const word = words[index] ?? ''
    let depth = Math.min(commonLength(previous, word), filled)
    previous = word
    const end = Math.min(word.length, maxLength + 1)
    let isTooFar = word.length > maxLength
    while (depth < end) {
      depth += 1
      if (rows.fill(depth, word) > maxDistance) {
        isTooFar = true
        break
      }
    }
    filled = depth
    if (isTooFar) {
      // All words that begin like this one are as far off.
      index = skipBeginning(words, index, depth)
      continue
    }
    const distance = rows.distance(word.length)
    if (distance <= maxDistance) found.push({ index, distance })
    index += 1
  }
  return found
}

/** Whether a word is up to so many letters off from another one. */
export function createNearbyTest(wanted: string, maxDistance: number): (word: string) => boolean {
  const rows = createDistanceRows(wanted, maxDistance)
  return (word) => {
    if (Math.abs(word.length - wanted.length) > maxDistance) return false
    for (let depth = 1; depth <= word.length; depth += 1)
      if (rows.fill(depth, word) > maxDistance) return false
    return rows.distance(word.length) <= maxDistance
  }
}

/** Row n has the distances of the first n letters of a word from the beginnings of the wanted one. */
function createDistanceRows(wanted: string, maxDistance: number) {
  const width = wanted.length + 1
  const rows = new Uint8Array((wanted.length + maxDistance + 2) * width)
  const least = new Uint8Array(wanted.length + maxDistance + 2)
  const letters = Uint16Array.from(wanted, (_, index) => wanted.charCodeAt(index))
  for (let column = 0; column < width; column += 1) rows[column] = Math.min(column, 250)
  return {
    distance: (depth: number): number => rows[depth * width + wanted.length] ?? 255,
    /**
     * Letters added, left out, replaced or swapped with their neighbour.
     * @returns the least that words with this beginning can be off
     */
    fill(depth: number, word: string): number {
      const row = depth * width
      const above = row - width
      const letter = word.charCodeAt(depth - 1)
      const letterBefore = depth > 1 ? word.charCodeAt(depth - 2) : -1
      rows[row] = depth
      let smallest = depth
      for (let column = 1; column < width; column += 1) {
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

/** The position of the next word that does not have the same first letters. */
function skipBeginning(words: readonly string[], from: number, length: number): number {
  const beginning = (words[from] ?? '').slice(0, length)
  let step = 1
  let last = from
  while (words[last + step]?.startsWith(beginning)) {
    last += step
    step *= 2
  }
  let [low, high] = [last + 1, Math.min(last + step, words.length)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (words[middle]?.startsWith(beginning)) low = middle + 1
    else high = middle
  }
  return low
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let index = 0
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1
  return index
}
