// A cache in memory, limited by weight: what was not used for a while is dropped. Every cache of
// the service is one of these. When an item expires is said by whoever adds it
// (docs/explanation/requests.md, "Caches").

/**
 * Whether something made earlier would be the same if it were made now. It may say no without need.
 */
export type IsCurrent = () => boolean

export type Cache<Item> = {
  /** The item of a key; undefined when there is none, or when it is no longer current. */
  get(key: string): Item | undefined
  /** @param isCurrent until when `get` returns the item; always, unless given */
  set(key: string, item: Item, isCurrent?: IsCurrent): void
  delete(key: string): void
  clear(): void
}

type CacheEntry<Item> = { readonly item: Item; readonly isCurrent: IsCurrent }

/**
 * Holds its items in two generations. An item that is used moves to the recent one. When the recent
 * one has half of the allowed weight, the older one is dropped and the recent one takes its place.
 * So reading costs no bookkeeping beyond that move.
 * @param maxWeight how much all items may weigh together, their keys included, besides the last one
 */
export function createCache<Item>(
  maxWeight: number,
  weightOf: (item: Item) => number,
): Cache<Item> {
  let recent = new Map<string, CacheEntry<Item>>()
  let older = new Map<string, CacheEntry<Item>>()
  let weight = 0

  function setEntry(key: string, entry: CacheEntry<Item>): void {
    recent.set(key, entry)
    // A key can be longer than its item. An item that is set again counts again until the next
    // change of generations.
    weight += weightOf(entry.item) + key.length
    if (weight <= maxWeight / 2) return
    older = recent
    recent = new Map()
    weight = 0
  }

  function remove(key: string): void {
    recent.delete(key)
    older.delete(key)
  }

  return {
    get(key) {
      const used = recent.get(key)
      const entry = used ?? older.get(key)
      if (!entry) return undefined
      if (!entry.isCurrent()) {
        remove(key)
        return undefined
      }
      if (!used) setEntry(key, entry)
      return entry.item
    },
    set: (key, item, isCurrent = always) => setEntry(key, { item, isCurrent }),
    delete: remove,
    clear() {
      recent.clear()
      older.clear()
      weight = 0
    },
  }
}

const always: IsCurrent = () => true
