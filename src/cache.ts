// A cache with a maximum weight that drops what was not used for a while. It has two maps: used
// items are in the first; when that has half of the maximum weight, it becomes the second and the
// old second is dropped.

export type Cache<Item> = {
  get(key: string): Item | undefined
  set(key: string, item: Item): void
  delete(key: string): void
}

/** @param maxWeight the maximum weight of all items and their keys; the last item may exceed it */
export function createCache<Item>(
  maxWeight: number,
  weightOf: (item: Item) => number,
): Cache<Item> {
  let first = new Map<string, Item>()
  let second = new Map<string, Item>()
  let weight = 0

  function set(key: string, item: Item): void {
    first.set(key, item)
    // Keys count, because one can be longer than its item. An item that is set again counts again.
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
