// The records of a resource index by number ("doc"): their identifiers and the keys that they are
// sorted by. A record that is written again gets a new number. The old one is dead: answers leave
// it out, and it is given to another record once nothing in the index has it any more.

import type { IndexEntry } from './index-entry.js'
import { withRoom } from '../../lib/typed-arrays.js'
import { detachedCopy } from '../../lib/text-index/postings.js'
import type { Keys } from './sort-order.js'

export type SavedDocuments = {
  /** By number. */
  readonly ids: readonly (string | undefined)[]
  readonly keys: readonly Keys[]
  readonly free: readonly number[]
}

/** @param keyCount how many keys an entry has */
export class Documents {
  /** By number; undefined where there is no record. */
  readonly ids: readonly (string | undefined)[]
  /** By the position of the key, then by number. */
  readonly keys: readonly Keys[]
  /** The same, to be changed. */
  readonly #ids: (string | undefined)[] = []
  readonly #numbers = createIdNumbers(this.#ids)
  readonly #free: number[] = []
  #dead: number[] = []
  /** 1 for each number that no record has. */
  #unused = new Uint8Array(0)

  constructor(keyCount: number) {
    this.ids = this.#ids
    this.keys = Array.from({ length: keyCount }, (): Keys => [])
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.find(id)
  }

  /** The numbers of all records, ascending. */
  numbers(): Int32Array {
    const all = new Int32Array(this.#numbers.count())
    let count = 0
    this.#ids.forEach((id, doc) => {
      if (id !== undefined) all[count++] = doc
    })
    return all
  }

  count(): number {
    return this.#numbers.count()
  }

  /** A field, since it is passed to those who go through numbers. */
  readonly isAlive = (doc: number): boolean => this.#ids[doc] !== undefined

  /** @returns new marks of the numbers that no record has */
  markUnused(): Uint8Array {
    return this.#unused.slice(0, this.#ids.length)
  }

  add(entry: IndexEntry): number {
    const doc = this.#free.pop() ?? this.#ids.length
    const id = detachedCopy(entry.id)
    this.#ids[doc] = id
    this.#unused = withRoom(this.#unused, this.#ids.length)
    this.#unused[doc] = 0
    this.#numbers.add(doc)
    this.keys.forEach((column, position) => {
      const key = entry.keys[position]
      column[doc] = typeof key === 'string' ? detachedCopy(key) : key
    })
    return doc
  }

  remove(doc: number): void {
    this.#numbers.remove(doc)
    this.#ids[doc] = undefined
    this.#unused[doc] = 1
    this.#dead.push(doc)
  }

  /** Whether so many numbers are dead, and a quarter of all. */
  hasManyDead(minimum: number): boolean {
    return this.#dead.length > Math.max(minimum, this.#ids.length / 4)
  }

  /** The dead numbers, of which the caller has to remove all traces before it frees them. */
  takeDead(): readonly number[] {
    const dead = this.#dead
    this.#dead = []
    return dead
  }

  release(docs: readonly number[]): void {
    for (const doc of docs) this.#free.push(doc)
  }

  /** To be called when no number is dead. */
  save(): SavedDocuments {
    return { ids: this.#ids, keys: this.keys, free: this.#free }
  }

  /** Fills it while it is empty. */
  restore(state: SavedDocuments): void {
    this.#unused = new Uint8Array(state.ids.length)
    state.ids.forEach((id, doc) => {
      this.#ids.push(id)
      if (id !== undefined) this.#numbers.add(doc)
      else this.#unused[doc] = 1
    })
    state.keys.forEach((column, position) => {
      for (const key of column) this.keys[position]?.push(key)
    })
    for (const doc of state.free) this.#free.push(doc)
  }
}

/** Finds numbers by identifiers: an open hash table, which takes a fifth of what a Map takes. */
function createIdNumbers(ids: readonly (string | undefined)[]) {
  /** 1 more than a number, or 0. */
  let slots = new Int32Array(32)
  let count = 0

  /** Where the number of an identifier is, or where it may be put. */
  function slotOf(id: string): number {
    const mask = slots.length - 1
    let slot = hashOf(id) & mask
    for (;;) {
      const doc = (slots[slot] ?? 0) - 1
      if (doc < 0 || ids[doc] === id) return slot
      slot = (slot + 1) & mask
    }
  }

  function put(doc: number): void {
    slots[slotOf(ids[doc] ?? '')] = doc + 1
  }

  return {
    count: (): number => count,
    find: (id: string): number | undefined => {
      const doc = (slots[slotOf(id)] ?? 0) - 1
      return doc < 0 ? undefined : doc
    },
    /** Has to be called when a number got an identifier that none had. */
    add(doc: number): void {
      count += 1
      if (4 * count > 3 * slots.length) {
        const before = slots
        slots = new Int32Array(2 * before.length)
        for (const slot of before) if (slot > 0) put(slot - 1)
      }
      put(doc)
    },
    /** Has to be called while the number still has its identifier. */
    remove(doc: number): void {
      count -= 1
      const mask = slots.length - 1
      let slot = slotOf(ids[doc] ?? '')
      slots[slot] = 0
      // What was put behind it, for want of a free place, is put anew.
      for (;;) {
        slot = (slot + 1) & mask
        const next = (slots[slot] ?? 0) - 1
        if (next < 0) return
        slots[slot] = 0
        put(next)
      }
    },
  }
}

/** FNV-1a, and its upper bits mixed into the lower ones. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
