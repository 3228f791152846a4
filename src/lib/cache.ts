// A cache in memory, limited by weight: what was not used for a while is dropped. Every cache of
// the service is one of these. When an item expires is said by whoever adds it
// (docs/explanation/requests.md, "Caches").

import { collectGarbageSoon, machineMemory } from './memory.js'

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

/** The part of its weight that a cache may have: all, from two GiB of memory on. */
const share = Math.min(1, machineMemory / (2 * 2 ** 30))

/** What is used less often than this is dropped, so that memory is given back after busy hours. */
const unusedMs = 5 * 60_000

type CacheEntry<Item> = { readonly item: Item; readonly isCurrent: IsCurrent }

/**
 * Holds its items in two generations. An item that is used moves to the recent one. When the recent
 * one has half of the allowed weight, and every five minutes, the older one is dropped and the recent
 * one takes its place. So reading costs no bookkeeping beyond that move.
 * @param maxWeight how much all items may weigh together, their keys included, besides the last one;
 * less on a small machine
 */
export function createCache<Item>(
  maxWeight: number,
  weightOf: (item: Item) => number,
): Cache<Item> {
  let recent = new Map<string, CacheEntry<Item>>()
  let older = new Map<string, CacheEntry<Item>>()
  let weight = 0
  /** Set while there is an item. */
  let timer: NodeJS.Timeout | undefined

  function setEntry(key: string, entry: CacheEntry<Item>): void {
    recent.set(key, entry)
    // A key can be longer than its item. An item that is set again counts again until the next
    // change of generations.
    weight += weightOf(entry.item) + key.length
    timer ??= callLater(dropUnused)
    if (weight > (share * maxWeight) / 2) changeGenerations()
  }

  function changeGenerations(): void {
    older = recent
    recent = new Map()
    weight = 0
  }

  function dropUnused(): void {
    if (older.size > 0) collectGarbageSoon()
    changeGenerations()
    timer = older.size > 0 ? callLater(dropUnused) : undefined
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

/** The timer holds the function weakly, so that it keeps no cache that nobody uses any more. */
function callLater(dropUnused: () => void): NodeJS.Timeout {
  const weakly = new WeakRef(dropUnused)
  return setTimeout(() => weakly.deref()?.(), unusedMs).unref()
}
