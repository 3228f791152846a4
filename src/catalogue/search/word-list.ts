// The words of all texts: each has the number of its stem, by which it is found. Finds the words that begin with a prefix
// and those that are spelled nearly like another.

import { detachedCopy } from '../index/postings.js'
import { stemOf } from '../../model/text-tokens.js'

export type WordList = {
  /** The number of a word's stem; it gets one when it is new. */
  stemNumber(word: string): number
  /** The number of a word's stem; undefined where no text has it. */
  findStem(word: string): number | undefined
  /** The stems of the words that begin with these letters. */
  startingWith(prefix: string): Set<number>
  /** The words that are up to so many letters off, with how many. */
  nearby(word: string, maxDistance: number): readonly NearbyWord[]
  /** Sorts what was added, so that the next search does not have to. */
  sort(): void
  readonly stemCount: () => number
}

export type NearbyWord = {
  readonly word: string
  readonly stem: number
  readonly distance: number
}

/** Up to so many words are looked through one by one before they are sorted in. */
const maxUnsorted = 2000

export function createWordList(): WordList {
  const stems = new Map<string, number>()
  const byWord = new Map<string, number>()
  let sorted: string[] = []
  let added: string[] = []

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

  function sort(): void {
    if (added.length === 0) return
    added.sort()
    sorted = mergeSorted(sorted, added)
    added = []
  }

  function sortIfMany(): void {
    if (added.length > maxUnsorted) sort()
  }

  return {
    stemNumber,
    findStem: (word) => stems.get(stemOf(word)),
    startingWith(prefix) {
      sortIfMany()
      const found = new Set<number>()
      for (let index = lowerBound(sorted, prefix); index < sorted.length; index += 1) {
        const word = sorted[index] ?? ''
        if (!word.startsWith(prefix)) break
        found.add(byWord.get(word) ?? -1)
      }
      for (const word of added) if (word.startsWith(prefix)) found.add(byWord.get(word) ?? -1)
      return found
    },
    nearby(word, maxDistance) {
      if (added.length > 0) sort()
      return nearbyIn(sorted, word, maxDistance).map((one) => ({
        ...one,
        stem: byWord.get(one.word) ?? -1,
      }))
    },
    sort,
    stemCount: () => stems.size,
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
): { word: string; distance: number }[] {
  const width = wanted.length + 1
  const maxLength = wanted.length + maxDistance
  const rows = Array.from({ length: maxLength + 2 }, () => new Uint8Array(width))
  rows[0]?.set(Array.from({ length: width }, (_, index) => Math.min(index, 250)))
  const found: { word: string; distance: number }[] = []
  let previous = ''
  let valid = 0
  for (let index = 0; index < words.length;) {
    const word = words[index] ?? ''
    let depth = Math.min(commonLength(previous, word), valid)
    previous = word
    let isTooFar = false
    const end = Math.min(word.length, maxLength + 1)
    while (depth < end) {
      depth += 1
      if (fillRow(rows, depth, word, wanted) > maxDistance) {
        isTooFar = true
        break
      }
    }
    valid = depth
    if (isTooFar || word.length > maxLength) {
      // All words that begin like this one are as far off.
      const beginning = word.slice(0, depth)
      const next = lowerBound(words, `${beginning}\uffff`, index + 1)
      index = Math.max(index + 1, next)
      continue
    }
    const distance = rows[word.length]?.[wanted.length] ?? 255
    if (distance <= maxDistance) found.push({ word, distance })
    index += 1
  }
  return found
}

/** Letters added, left out, replaced or swapped with their neighbour. @returns the least of the row */
function fillRow(rows: readonly Uint8Array[], depth: number, word: string, wanted: string): number {
  const [row, above, twoAbove] = [rows[depth], rows[depth - 1], rows[depth - 2]]
  if (!row || !above) return 255
  row[0] = depth
  let least = depth
  for (let column = 1; column <= wanted.length; column += 1) {
    const isSame = word[depth - 1] === wanted[column - 1]
    let value = Math.min(
      (above[column] ?? 250) + 1,
      (row[column - 1] ?? 250) + 1,
      (above[column - 1] ?? 250) + (isSame ? 0 : 1),
    )
    const isSwapped =
      twoAbove !== undefined &&
      column > 1 &&
      word[depth - 1] === wanted[column - 2] &&
      word[depth - 2] === wanted[column - 1]
    if (isSwapped) value = Math.min(value, (twoAbove[column - 2] ?? 250) + 1)
    row[column] = value
    if (value < least) least = value
  }
  // A swap may still save what this row and the one above have lost.
  return Math.min(least, ...(above.length > 0 ? [leastOf(above) + 1] : []))
}

function leastOf(row: Uint8Array): number {
  let least = 255
  for (const value of row) if (value < least) least = value
  return least
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let index = 0
  while (index < length && one[index] === other[index]) index += 1
  return index
}
