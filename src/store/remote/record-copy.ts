// A copy of the records in a file, so that a process that only reads asks the remote store for few
// of them. It is filled from what is read for the index, and kept current by the commits
// (docs/explanation/remote-store.md, "The copy of the records"). Whoever reads it asks first
// whether all commits are known.

import type { FileCache } from '../../lib/file-cache.js'
import type { Commit } from '../commit-listeners.js'

/** A record as it was read. */
type ReadRecord = readonly [key: string, nquads: string]

export type RecordCopy = {
  /** The N-Quads of a record by its key; undefined where they are not known. */
  get(key: string): string | undefined
  /**
   * Forgets everything, and adds all records while they are read.
   * @param read begins to read them. Of those that are written meanwhile it may have earlier states
   */
  fill<Page extends readonly ReadRecord[]>(read: () => AsyncIterable<Page>): AsyncIterable<Page>
  /** Goes up with each commit and each gap. */
  changes(): number
  /**
   * Adds records as they are after the last commit that is known, unless there were changes since
   * they were read.
   */
  add(records: Iterable<ReadRecord>, changesBefore: number): void
  /** Call with what was written, before others learn of it. */
  onCommit(commit: Commit): void
  /**
   * Call when it is not known what was written. Until the next filling begins, it has
   * nothing.
   */
  onGap(): void
}

export function createRecordCopy(file: FileCache): RecordCopy {
  /** Nothing in the file is known to be current until it is empty. */
  let hasGap = true
  let [changes, gaps] = [0, 0]
  /** The keys of what was written since the filling began that is under way. */
  let writtenSince: Set<string> | undefined

  async function* fill<Page extends readonly ReadRecord[]>(
    read: () => AsyncIterable<Page>,
  ): AsyncGenerator<Page> {
    onGap()
    const gapsBefore = gaps
    await file.clear()
    if (gaps === gapsBefore) hasGap = false
    const writtenMeanwhile = (writtenSince = new Set())
    try {
      for await (const page of read()) {
        if (gaps === gapsBefore)
          for (const [key, nquads] of page) if (!writtenMeanwhile.has(key)) file.set(key, nquads)
        yield page
      }
    } finally {
      if (writtenSince === writtenMeanwhile) writtenSince = undefined
    }
  }

  function onGap(): void {
    changes += 1
    gaps += 1
    hasGap = true
  }

  return {
    get: (key) => (hasGap ? undefined : file.get(key)),
    fill,
    changes: () => changes,
    add(records, changesBefore) {
      if (hasGap || changes !== changesBefore) return
      for (const [key, nquads] of records) if (file.get(key) !== nquads) file.set(key, nquads)
    },
    onCommit({ records }) {
      changes += 1
      for (const { key, nquads = '' } of records) {
        writtenSince?.add(key)
        file.set(key, nquads)
      }
    },
    onGap,
  }
}

/** Where every record is read from the store. */
export const noRecordCopy: RecordCopy = {
  get: () => undefined,
  fill: (read) => read(),
  changes: () => 0,
  add: () => undefined,
  onCommit: () => undefined,
  onGap: () => undefined,
}
