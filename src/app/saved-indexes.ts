// How what is made of all records is written to the file of indexes, and read from it
// (index-file.ts).

import type { MemoryRecordIndex, SavedIndexPart } from '../catalogue/index/memory-record-index.js'
import type { RecordNames, SavedNamesPart } from '../catalogue/index/record-names.js'
import type { MemoryRedirects } from '../catalogue/redirects.js'
import type { SavedTripleCounts, TripleCounter } from '../catalogue/triple-counts.js'
import type { IndexFile, SavedIndex } from './index-file.js'
import type { UsedPlaces } from './used-places.js'

// The casts below: `save` wrote the parts.

export const savedRecordIndex = (recordIndex: MemoryRecordIndex): SavedIndex => ({
  save: () => recordIndex.save(),
  restore: (parts) => recordIndex.restore(parts as AsyncIterable<SavedIndexPart>),
})

export const savedNames = (recordNames: RecordNames): SavedIndex => ({
  save: () => recordNames.save(),
  async restore(parts) {
    for await (const part of parts) recordNames.restore(part as SavedNamesPart)
  },
})

export const savedPlaces = (usedPlaces: UsedPlaces): SavedIndex => ({
  async *save() {
    yield await Promise.resolve(usedPlaces.save())
  },
  async restore(parts) {
    for await (const part of parts) usedPlaces.restore(part as readonly string[])
  },
})

type Totals = {
  readonly recordTriples: TripleCounter
  readonly redirects: MemoryRedirects
  /** How many quads all records have. */
  readonly totals: { quads: number }
}

type SavedTotals = {
  readonly quads: number
  readonly triples: SavedTripleCounts
  readonly redirects: ReadonlyMap<string, string>
}

/** What the embedded store has besides. */
export const savedTotals = ({ recordTriples, redirects, totals }: Totals): SavedIndex => ({
  async *save() {
    yield await Promise.resolve<SavedTotals>({
      quads: totals.quads,
      triples: recordTriples.save(),
      redirects: redirects.save(),
    })
  },
  async restore(parts) {
    for await (const part of parts) {
      const state = part as SavedTotals
      totals.quads = state.quads
      recordTriples.restore(state.triples)
      redirects.restore(state.redirects)
    }
  },
})

/**
 * Fills new indexes from the file.
 * @param formsOf how these indexes are saved
 * @returns the indexes; undefined when the file cannot be read
 */
export async function readIndexes<Indexes>(
  file: Pick<IndexFile, 'read'>,
  indexes: Indexes,
  formsOf: (indexes: Indexes) => readonly SavedIndex[],
): Promise<Indexes | undefined> {
  return (await file.read(formsOf(indexes))) ? indexes : undefined
}
