// The items of a set in the order of their dates. An item whose date changes is added again, nearly
// always at the end; its entry before is outdated, is passed over, and is removed when there are
// many of those.

import { compareCodePoints } from '../../../rdf/terms.js'

/** The number of an item in the table of items. */
export type Item = number

/** A place in the order of a list. */
export type DatedPosition = { readonly date: number; readonly key: string }

type DatedListOptions = {
  readonly keyOf: (item: Item) => string
  /** Whether the item still has the date, and is still in the set of the list. */
  readonly isCurrent: (item: Item, date: number) => boolean
}

/** A list with fewer outdated entries is left as it is. */
const minOutdated = 1000

export class DatedList {
  readonly #keyOf: DatedListOptions['keyOf']
  readonly #isCurrent: DatedListOptions['isCurrent']
  #dates: number[] = []
  #items: Item[] = []
  /** How many entries the list had when none was outdated. */
  #currentCount = 0

  constructor({ keyOf, isCurrent }: DatedListOptions) {
    this.#keyOf = keyOf
    this.#isCurrent = isCurrent
  }

  /** Adds an item with a date. Its entry with another date is outdated from now on. */
  add(item: Item, date: number): void {
    const position = { date, key: this.#keyOf(item) }
    const { length } = this.#items
    const isLast = length === 0 || !this.#isAfter(length - 1, position)
    const index = isLast ? length : this.#firstIndex((entry) => this.#isAfter(entry, position))
    if (this.#items[index - 1] === item && this.#dates[index - 1] === date) return
    this.#dates.splice(index, 0, date)
    this.#items.splice(index, 0, item)
    if (this.#items.length > 2 * this.#currentCount + minOutdated) this.#removeOutdated()
  }

  /**
   * The items whose entries are current, in their order.
   * @param from the least date
   * @param after begins after this position
   */
  *items(from: number, after?: DatedPosition): Generator<Item> {
    const start = Math.max(
      this.#firstIndexFrom(from),
      after ? this.#firstIndex((index) => this.#isAfter(index, after)) : 0,
    )
    for (let index = start; index < this.#items.length; index += 1) {
      const item = this.#items[index] ?? 0
      if (this.#isCurrent(item, this.#dates[index] ?? 0)) yield item
    }
  }

  /** How many of them there are that a condition holds for, with dates less than `before`. */
  count(from: number, before: number, isCounted: (item: Item) => boolean): number {
    let count = 0
    let index = this.#firstIndexFrom(from)
    for (; index < this.#items.length && (this.#dates[index] ?? 0) < before; index += 1) {
      const item = this.#items[index] ?? 0
      if (this.#isCurrent(item, this.#dates[index] ?? 0) && isCounted(item)) count += 1
    }
    return count
  }

  /** The index of the first entry with this date or a later one. */
  #firstIndexFrom(date: number): number {
    return this.#firstIndex((index) => (this.#dates[index] ?? 0) >= date)
  }

  /** The index of the first entry for which the condition holds; it holds for all after it. */
  #firstIndex(holds: (index: number) => boolean): number {
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (holds(middle)) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether the entry comes after the position. */
  #isAfter(index: number, { date, key }: DatedPosition): boolean {
    const entryDate = this.#dates[index] ?? 0
    return entryDate === date
      ? compareCodePoints(this.#keyOf(this.#items[index] ?? 0), key) > 0
      : entryDate > date
  }

  #removeOutdated(): void {
    const current = this.#items.flatMap((item, index) =>
      this.#isCurrent(item, this.#dates[index] ?? 0) ? [index] : [],
    )
    this.#dates = current.map((index) => this.#dates[index] ?? 0)
    this.#items = current.map((index) => this.#items[index] ?? 0)
    this.#currentCount = this.#items.length
  }
}
