// How worn a store in memory is. Oxigraph keeps every quad that was removed, for queries that began
// before (its storage/memory.rs has "garbage collection" yet to be done): a changed quad takes 1.2 KB, and
// whoever asks for its subject walks past it. So a store of which much was removed is filled anew.

import { countQuads } from '../../rdf/nquads.js'
import type { StoreCommit } from '../store.js'

export type GarbageCounter = {
  /** Takes note of a commit, and tells whether the store is worn out. */
  add(commit: StoreCommit): boolean
}

/** How many quads may have been removed from a store, by how many it has. */
export type GarbageLimit = (size: number) => number

/** @param size how many quads the store has */
export function createGarbageCounter(
  size: () => number,
  most: GarbageLimit = mostRemoved,
): GarbageCounter {
  let removed = 0
  return {
    add(commit) {
      removed += countQuads(commit.removed)
      return removed > most(size())
    },
  }
}

/** Some 60 MB, or a tenth of what there is: a catalogue of 100,000 zines takes half a minute to load. */
const mostRemoved: GarbageLimit = (size) => Math.max(50_000, size / 20)
