// The items of a set in the order of their dates. An item whose date changes is added again, nearly
// always at the end; its entry before is outdated, is passed over, and is removed when there are
// many of those.

import { compareCodePoints } from '../../../rdf/terms.js'

/** The number of an item in the table of items. */
export type Item = number

/** A place in the order of a list. */
export type DatedPosition = { readonly date: number; readonly key: string }

export type DatedList = {
  /** Adds an item with a date. Its entry with another date is outdated from now on. */
  add(item: Item, date: number): void
  /**
   * The items whose entries are current, in their order.
   * @param from the least date
   * @param after begins after this position
   */
  items(from: number, after?: DatedPosition): Generator<Item>
  /** How many of them there are that a condition holds for, with dates less than `before`. */
  count(from: number, before: number, isCounted: (item: Item) => boolean): number
}

type DatedListOptions = {
  readonly keyOf: (item: Item) => string
  /** Whether the item still has the date, and is still in the set of the list. */
  readonly isCurrent: (item: Item, date: number) => boolean
}

/** A list with fewer outdated entries is left as it is. */
const minOutdated = 1000

export function createDatedList({ keyOf, isCurrent }: DatedListOptions): DatedList {
  let dates: number[] = []
  let items: Item[] = []
  /** How many entries the list had when none was outdated. */
  let currentCount = 0

  /** Whether the entry comes after the position. */
  function isAfter(index: number, { date, key }: DatedPosition): boolean {
    const own = dates[index] ?? 0
    return own === date ? compareCodePoints(keyOf(items[index] ?? 0), key) > 0 : own > date
  }

  /** The index of the first entry for which the condition holds; it holds for all after it. */
  function firstIndex(holds: (index: number) => boolean): number {
    let [low, high] = [0, items.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (holds(middle)) high = middle
      else low = middle + 1
    }
    return low
  }

  function removeOutdated(): void {
    const kept = items.flatMap((item, index) => (isCurrent(item, dates[index] ?? 0) ? [index] : []))
    dates = kept.map((index) => dates[index] ?? 0)
    items = kept.map((index) => items[index] ?? 0)
    currentCount = items.length
  }

  return {
    add(item, date) {
      const position = { date, key: keyOf(item) }
      const last = items.length - 1
      if (last < 0 || !isAfter(last, position)) {
        if (items[last] === item && dates[last] === date) return
        dates.push(date)
        items.push(item)
      } else {
        const index = firstIndex((one) => isAfter(one, position))
        if (items[index - 1] === item && dates[index - 1] === date) return
        dates.splice(index, 0, date)
        items.splice(index, 0, item)
      }
      if (items.length > 2 * currentCount + minOutdated) removeOutdated()
    },
    *items(from, after) {
      const start = Math.max(
        firstIndex((index) => (dates[index] ?? 0) >= from),
        after ? firstIndex((index) => isAfter(index, after)) : 0,
      )
      for (let index = start; index < items.length; index += 1) {
        const item = items[index] ?? 0
        if (isCurrent(item, dates[index] ?? 0)) yield item
      }
    },
    count(from, before, isCounted) {
      let count = 0
      let index = firstIndex((one) => (dates[one] ?? 0) >= from)
      for (; index < items.length && (dates[index] ?? 0) < before; index += 1) {
        const item = items[index] ?? 0
        if (isCurrent(item, dates[index] ?? 0) && isCounted(item)) count += 1
      }
      return count
    },
  }
}
