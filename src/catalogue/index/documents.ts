// The records of a resource index by number ("doc"): their identifiers and the keys that they are
// sorted by. A record that is written again gets a new number. The old one is dead: answers leave it
// out, and it is given to another record once nothing in the index has it any more.

import { type IndexEntry } from './index-entry.js'
import { detachedCopy } from './postings.js'
import type { Keys } from './sort-order.js'

export type Documents = ReturnType<typeof createDocuments>

export type SavedDocuments = {
  /** By number. */
  readonly ids: readonly (string | undefined)[]
  readonly keys: readonly Keys[]
  readonly free: readonly number[]
}

/** @param keyCount how many keys an entry has */
export function createDocuments(keyCount: number) {
  const ids: (string | undefined)[] = []
  const numbers = new Map<string, number>()
  const keys = Array.from({ length: keyCount }, (): Keys => [])
  const free: number[] = []
  let dead: number[] = []

  return {
    /** By number; undefined where there is no record. */
    ids: ids as readonly (string | undefined)[],
    /** By the position of the key, then by number. */
    keys: keys as readonly Keys[],
    numberOf: (id: string): number | undefined => numbers.get(id),
    numbers: (): Int32Array => Int32Array.from(numbers.values()),
    count: (): number => numbers.size,
    isAlive: (doc: number): boolean => ids[doc] !== undefined,
    add(entry: IndexEntry): number {
      const doc = free.pop() ?? ids.length
      const id = detachedCopy(entry.id)
      ids[doc] = id
      numbers.set(id, doc)
      keys.forEach((own, position) => {
        const key = entry.keys[position]
        own[doc] = typeof key === 'string' ? detachedCopy(key) : key
      })
      return doc
    },
    remove(id: string, doc: number): void {
      numbers.delete(id)
      ids[doc] = undefined
      dead.push(doc)
    },
    /** Whether so many numbers are dead, and a quarter of all. */
    hasManyDead: (minimum: number): boolean => dead.length > Math.max(minimum, ids.length / 4),
    /** The dead numbers, of which the caller has to remove all traces before it frees them. */
    takeDead(): readonly number[] {
      const taken = dead
      dead = []
      return taken
    },
    release(docs: readonly number[]): void {
      for (const doc of docs) free.push(doc)
    },
    /** To be called when no number is dead. */
    save: (): SavedDocuments => ({ ids, keys, free }),
    /** Fills it while it is empty. */
    restore(saved: SavedDocuments): void {
      saved.ids.forEach((id, doc) => {
        ids.push(id)
        if (id !== undefined) numbers.set(id, doc)
      })
      saved.keys.forEach((own, position) => {
        for (const key of own) keys[position]?.push(key)
      })
      for (const doc of saved.free) free.push(doc)
    },
  }
}
