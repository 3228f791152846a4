// Where the JSON of records is kept: in memory, within a limit, or in a file, where there is room for that of all
// records. What is returned is current.

import { createCache } from '../../cache.js'
import type { FileCache } from '../../file-cache.js'
import type { PublicView, Reference } from '../../model/record/views.js'
import type { Revision, RevisionNumber } from '../revision.js'
import { recordKey } from './record-cache.js'

/** The JSON of a record in a view, and of what it was made. */
export type MadeJson = {
  readonly json: string
  /** A hash that changes with the JSON; empty in lists. */
  readonly version: string
  readonly readAt: RevisionNumber
  /** The keys of all records that were read for it, also of those that do not exist. */
  readonly recordKeys: readonly string[]
}

export type KeptJson = {
  get(view: PublicView, reference: Reference): MadeJson | undefined
  set(view: PublicView, reference: Reference, made: MadeJson): void
}

/** The weight of all that is kept in memory, in bytes: some 30,000 typical zines. */
const maxWeight = 96 * 1024 * 1024

export function keepJsonInMemory(revision: Revision): KeptJson {
  const cache = createCache<MadeJson>(
    maxWeight,
    ({ json, recordKeys }) => 2 * json.length + 100 * recordKeys.length + 200,
  )
  return {
    get: (view, reference) => cache.get(keyOf(view, reference)),
    set: (view, reference, made) =>
      cache.set(keyOf(view, reference), made, () =>
        revision.isCurrent(made.readAt, made.recordKeys),
      ),
  }
}

/** Each text has a line that says what it was made of, and the JSON in the next line. Where the file gave up, JSON is kept in memory. */
export function keepJsonInFile(revision: Revision, file: FileCache): KeptJson {
  const inMemory = keepJsonInMemory(revision)
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
    set(view, reference, made) {
      if (!file.isUsable()) {
        inMemory.set(view, reference, made)
        return
      }
      const head: Head = [made.version, made.readAt, ...made.recordKeys]
      file.set(keyOf(view, reference), `${JSON.stringify(head)}\n${made.json}`)
    },
  }
}

type Head = readonly [version: string, readAt: RevisionNumber, ...recordKeys: string[]]

const keyOf = (view: PublicView, reference: Reference): string => `${view} ${recordKey(reference)}`
