// The entries of the cache of JSON: in memory, within a limit, or in a file, which has room for those of all records.
// The record of an entry that is returned was not written since. Those that it shows may have been.

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
  /** What was kept of a record; undefined where there is nothing, or the record itself was written since. */
  get(view: PublicView, reference: Reference): JsonEntry | undefined
  set(view: PublicView, reference: Reference, entry: JsonEntry): void
}

/** The weight of all entries in memory, in bytes: some 30,000 typical zines. */
const maxWeight = 96 * 1024 * 1024

/**
 * The weight of the entries of lists that are in memory too, in bytes: some 25,000 typical zines, which take 30 MB. A page
 * of a list has many records, and each takes a call of the system to be read from the file.
 */
const maxListWeight = 64 * 1024 * 1024

export function createJsonEntriesInMemory(revision: Revision, weight = maxWeight): JsonEntries {
  const cache = createCache<JsonEntry>(
    weight,
    ({ json, recordKeys }) => 2 * json.length + 100 * recordKeys.length + 200,
  )
  return {
    get: (view, reference) => cache.get(keyOf(view, reference)),
    set(view, reference, entry) {
      const own = [recordKey(reference)]
      cache.set(keyOf(view, reference), entry, () => revision.isCurrent(entry.readAt, own))
    },
  }
}

/** Each text has a line that says what it was made of, and the JSON in the next line. Where the file gave up, entries are in memory. */
export function createJsonEntriesInFile(revision: Revision, file: FileCache): JsonEntries {
  const inMemory = createJsonEntriesInMemory(revision)
  const ofLists = createJsonEntriesInMemory(revision, maxListWeight)

  function read(view: PublicView, reference: Reference): JsonEntry | undefined {
    const text = file.get(keyOf(view, reference))
    if (text === undefined) return undefined
    const end = text.indexOf('\n')
    // The cast: `set` wrote it.
    const [version, readAt, ...recordKeys] = JSON.parse(text.slice(0, end)) as Head
    if (!revision.isCurrent(readAt, [recordKey(reference)])) return undefined
    return { json: text.slice(end + 1), version, readAt, recordKeys }
  }

  return {
    get(view, reference) {
      if (!file.isUsable()) return inMemory.get(view, reference)
      if (view !== 'list') return read(view, reference)
      const known = ofLists.get(view, reference)
      if (known) return known
      const found = read(view, reference)
      if (found) ofLists.set(view, reference, found)
      return found
    },
    set(view, reference, entry) {
      // Others may never be shown.
      if (view === 'list' && ofLists.get(view, reference)) ofLists.set(view, reference, entry)
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
