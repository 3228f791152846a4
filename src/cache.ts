// What was made lately, by what it was made for. There are two shelves: what is asked for is on the
// first, and once that is half of all there may be, the other is cleared and they change places. So
// what was not asked for in a while is gone, and asking moves nothing.

export type Cache<Item> = {
  get(key: string): Item | undefined
  set(key: string, item: Item): void
  delete(key: string): void
}

/** @param maxWeight how much all items may weigh together, their keys included, besides the last one */
export function createCache<Item>(
  maxWeight: number,
  weightOf: (item: Item) => number,
): Cache<Item> {
  let first = new Map<string, Item>()
  let second = new Map<string, Item>()
  let weight = 0

  function set(key: string, item: Item): void {
    first.set(key, item)
    // A key can be longer than what it stands for. What is kept anew counts anew, until they change places.
    weight += weightOf(item) + key.length
    if (weight <= maxWeight / 2) return
    second = first
    first = new Map()
    weight = 0
  }

  return {
    get(key) {
      const item = first.get(key)
      if (item !== undefined) return item
      const older = second.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    delete(key) {
      first.delete(key)
      second.delete(key)
    },
  }
}
