// The redactions that are not done: an entry for each, which is written in the same atomic write as
// what it changes in records and their histories. It is removed when no file has the value any more,
// or the identifier that was forgotten. Until then a start goes on with it.

import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from './keys.js'

export type UnfinishedRedaction = UnfinishedRemoval | UnfinishedForgetting

/** The removal of a value, or of all that was before the present record. */
export type UnfinishedRemoval = {
  readonly id: string
  /** The key of the record, and those of the identifiers that it had before. */
  readonly records: readonly string[]
  /** Absent where the whole past is removed. */
  readonly field?: string
  /** Absent when only the disk has it. */
  readonly value?: string
}

/** The forgetting of identifiers. */
export type UnfinishedForgetting = {
  readonly id: string
  /** None when only the disk has them. */
  readonly forgotten: readonly ForgottenKey[]
}

/** The key of a record, and the identifier of the record that stays, if there is one. */
type ForgottenKey = { readonly record: string; readonly into?: string }

export const isForgetting = (redaction: UnfinishedRedaction): redaction is UnfinishedForgetting =>
  'forgotten' in redaction

export type UnfinishedRedactions = {
  all(): Promise<readonly UnfinishedRedaction[]>
  /**
   * Removes the redaction with its value or its identifiers, and from the disk all that was written over and deleted.
   * @throws Error, DiskFullError, DiskFailedError; then it is still unfinished
   */
  finish(redaction: UnfinishedRedaction): Promise<void>
}

export const createUnfinishedRedactions = (
  store: Pick<KeyValueStore, 'entries' | 'write' | 'compact'>,
): UnfinishedRedactions => ({
  async all() {
    const unfinished: UnfinishedRedaction[] = []
    for await (const [, value] of store.entries(prefixes.redactions))
      unfinished.push(parseUnfinishedRedaction(value))
    return unfinished
  },
  async finish(redaction) {
    // What is removed goes first, and the entry when the disk does not have it.
    await store.write([unfinishedRedactionEntry(withoutRemoved(redaction))])
    await store.compact()
    await store.write([{ key: keyOf(redaction), value: undefined }])
  },
})

function withoutRemoved(redaction: UnfinishedRedaction): UnfinishedRedaction {
  if (isForgetting(redaction)) return { id: redaction.id, forgotten: [] }
  const { id, records, field } = redaction
  return { id, records, ...(field === undefined ? {} : { field }) }
}

/** Those of a process that only reads: the process that writes has them. */
export const noUnfinishedRedactions: UnfinishedRedactions = {
  all: () => Promise.resolve([]),
  finish: () => Promise.reject(new Error('this process only reads')),
}

/** The entry of a redaction, to be written with what it changes. */
export const unfinishedRedactionEntry = (redaction: UnfinishedRedaction): KeyValueWrite => ({
  key: keyOf(redaction),
  value: JSON.stringify(redaction),
})

// The cast: `unfinishedRedactionEntry` wrote it.
export const parseUnfinishedRedaction = (value: string): UnfinishedRedaction =>
  JSON.parse(value) as UnfinishedRedaction

const keyOf = ({ id }: Pick<UnfinishedRedaction, 'id'>): string => prefixes.redactions + id
