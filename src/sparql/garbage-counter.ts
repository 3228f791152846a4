// Counts the quads that were removed from an Oxigraph in memory. Oxigraph never frees them (garbage
// collection is still to be done in its storage/memory.rs): each takes 1.2 KB and slows queries
// about its subject. A store with much garbage is made anew by worker-pool.ts.

import { countQuads } from '../rdf/nquads.js'
import type { StoreCommit } from '../store/store.js'

export type GarbageCounter = {
  /** Counts the removed quads of a commit. @returns whether the store should be rebuilt */
  add(commit: StoreCommit): boolean
}

/** How many quads may be removed from a store of this size before it is rebuilt. */
export type GarbageLimit = (size: number) => number

/** @param size the number of quads in the store */
export function createGarbageCounter(
  size: () => number,
  limit: GarbageLimit = defaultLimit,
): GarbageCounter {
  let removed = 0
  return {
    add(commit) {
      removed += countQuads(commit.removed)
      return removed > limit(size())
    },
  }
}

/**
 * About 60 MB, or a tenth of the store: a catalogue of 100,000 zines takes half a minute to load.
 */
const defaultLimit: GarbageLimit = (size) => Math.max(50_000, size / 20)
