// The entries of the cache of JSON: in memory, within a limit, or in a file, which has room for those of all records.
// What is returned is current.

import { createCache } from '../../cache.js'
import type { FileCache } from '../../file-cache.js'
import type { PublicView, Reference } from '../../model/record/views.js'
import type { Revision, RevisionNumber } from '../revision.js'
import { recordKey } from './record-cache.js'

/** The JSON of a record in a view, and of what it was made. */
export type JsonEntry = {
  readonly json: string
  /** A hash that changes with the JSON; empty in lists. */
  readonly version: string
  readonly readAt: RevisionNumber
  /** The keys of all records that were read for it, also of those that do not exist. */
  readonly recordKeys: readonly string[]
}

export type JsonEntries = {
  get(view: PublicView, reference: Reference): JsonEntry | undefined
  set(view: PublicView, reference: Reference, entry: JsonEntry): void
}

/** The weight of all entries in memory, in bytes: some 30,000 typical zines. */
const maxWeight = 96 * 1024 * 1024

export function createJsonEntriesInMemory(revision: Revision): JsonEntries {
  const cache = createCache<JsonEntry>(
    maxWeight,
    ({ json, recordKeys }) => 2 * json.length + 100 * recordKeys.length + 200,
  )
  return {
    get: (view, reference) => cache.get(keyOf(view, reference)),
    set: (view, reference, entry) =>
      cache.set(keyOf(view, reference), entry, () =>
        revision.isCurrent(entry.readAt, entry.recordKeys),
      ),
  }
}

/** Each text has a line that says what it was made of, and the JSON in the next line. Where the file gave up, entries are in memory. */
export function createJsonEntriesInFile(revision: Revision, file: FileCache): JsonEntries {
  const inMemory = createJsonEntriesInMemory(revision)
  return {
    get(view, reference) {
      if (!file.isUsable()) return inMemory.get(view, reference)
      const text = file.get(keyOf(view, reference))
      if (text === undefined) return undefined
      const end = text.indexOf('\n')
      // The cast: `set` wrote it.
      const [version, readAt, ...recordKeys] = JSON.parse(text.slice(0, end)) as Head
      if (!revision.isCurrent(readAt, recordKeys)) return undefined
      return { json: text.slice(end + 1), version, readAt, recordKeys }
    },
    set(view, reference, entry) {
      if (!file.isUsable()) {
        inMemory.set(view, reference, entry)
        return
      }
      const head: Head = [entry.version, entry.readAt, ...entry.recordKeys]
      file.set(keyOf(view, reference), `${JSON.stringify(head)}\n${entry.json}`)
    },
  }
}

type Head = readonly [version: string, readAt: RevisionNumber, ...recordKeys: string[]]

const keyOf = (view: PublicView, reference: Reference): string => `${view} ${recordKey(reference)}`
