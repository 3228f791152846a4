// Words in the order of their letters, by number: where those are that begin with some bytes.

import type { TextTable } from '../text-table.js'
import { countLeading } from './sorted-ids.js'

type SortedWordsParts = {
  readonly texts: TextTable
  /** The words, sorted. */
  readonly numbers: Int32Array
  /** Of each the first four bytes; made unless given. */
  readonly beginnings?: Uint32Array
}

export class SortedWords {
  readonly numbers: Int32Array
  /** The first four bytes of each, which tell most of them apart without a look at their texts. */
  readonly beginnings: Uint32Array
  readonly #texts: TextTable

  constructor({ texts, numbers, beginnings }: SortedWordsParts) {
    this.#texts = texts
    this.numbers = numbers
    this.beginnings = beginnings ?? beginningsOf(numbers, texts)
  }

  get length(): number {
    return this.numbers.length
  }

  merge(others: SortedWords): SortedWords {
    if (this.length === 0) return others
    const length = this.length + others.length
    const merged = { numbers: new Int32Array(length), beginnings: new Uint32Array(length) }
    let [at, othersAt] = [0, 0]
    for (let index = 0; index < length; index += 1) {
      const isFirst =
        othersAt === others.length || (at < this.length && this.#compare(at, others, othersAt) < 0)
      const from = isFirst ? this : others
      const position = isFirst ? at++ : othersAt++
      merged.numbers[index] = from.numbers[position] ?? 0
      merged.beginnings[index] = from.beginnings[position] ?? 0
    }
    return new SortedWords({ texts: this.#texts, ...merged })
  }

  /** The position of the first word that does not come before these bytes. */
  firstNotBefore(bytes: Uint8Array): number {
    return countLeading(this.numbers, (number) => this.#texts.compareBeginning(number, bytes) < 0)
  }

  /**
   * The position of the first word that does not begin with the first of these bytes.
   * @param from the position of one that does
   */
  firstAfter(bytes: Uint8Array, count: number, from: number): number {
    const beginsSo = this.#beginningTest(bytes, count)
    let step = 1
    let end = from
    while (beginsSo(end)) {
      end += step
      step *= 2
    }
    // The last that was seen to begin so is half a step before.
    let [low, high] = [end === from ? from : end - step / 2 + 1, Math.min(end, this.length)]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (beginsSo(middle)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Compares a word with one of others, both by position. */
  #compare(position: number, others: SortedWords, otherPosition: number): number {
    const difference = (this.beginnings[position] ?? 0) - (others.beginnings[otherPosition] ?? 0)
    return difference === 0
      ? this.#texts.compare(this.numbers[position] ?? 0, others.numbers[otherPosition] ?? 0)
      : difference
  }

  /** Whether the word at a position begins with the first of these bytes. */
  #beginningTest(bytes: Uint8Array, count: number): (index: number) => boolean {
    const { numbers, beginnings } = this
    const mask = maskOf(count)
    let first = 0
    for (let index = 0; index < 4; index += 1)
      first = (first << 8) | (index < count ? (bytes[index] ?? 0) : 0)
    return (index) =>
      index < numbers.length &&
      ((beginnings[index] ?? 0) & mask) === first &&
      (count <= 4 || this.#texts.compareBeginning(numbers[index] ?? 0, bytes, count) === 0)
  }
}

function beginningsOf(numbers: Int32Array, texts: TextTable): Uint32Array {
  const beginnings = new Uint32Array(numbers.length)
  for (let index = 0; index < numbers.length; index += 1)
    beginnings[index] = texts.firstBytes(numbers[index] ?? 0)
  return beginnings
}

/** A number with 32 bits, the upper ones of which are those of the first bytes. */
export const maskOf = (count: number): number => (count < 4 ? ~(0xffffffff >>> (8 * count)) : -1)
