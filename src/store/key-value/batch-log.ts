// The batches: an entry for each commit of many changes that were asked for at once. An entry is
// written in the same atomic write as the changes, which are in the log of changes.

import type { RecordChangeType } from './change-log.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from './keys.js'

/** How many records of one kind a batch changed, by what it did. */
export type BatchCounts = Readonly<Partial<Record<RecordChangeType, number>>>

export type Batch = {
  readonly id: string
  /** The time of the commit. */
  readonly at: string
  /** The name of the account; absent where none was used. */
  readonly account?: string
  /** How its changes came, such as `batch` or `undo`. */
  readonly how: string
  /** `all` if one bad line would have kept it from being written, `each` if not. */
  readonly mode: 'all' | 'each'
  /** How many records it changed. */
  readonly count: number
  /** How many records of each kind it changed. */
  readonly kinds: Readonly<Record<string, BatchCounts>>
  /** The key of one of its records, whose changes in the log lead to the commit. */
  readonly record: string
  /** Of a batch of several commits: the key of one record of each further commit. */
  readonly parts?: readonly string[]
  /** How many of its commits were undone, the last ones first. */
  readonly partsUndone?: number
  /** The identifier of the batch that this one undid. */
  readonly undoes?: string
  /** The identifier of the batch that undid this one. */
  readonly undoneBy?: string
}

export type BatchLog = {
  /** All batches, the newest first. */
  all(): Promise<readonly Batch[]>
  get(id: string): Promise<Batch | undefined>
}

export function createBatchLog(store: Pick<KeyValueStore, 'get' | 'entries'>): BatchLog {
  return {
    async all() {
      const batches: Batch[] = []
      for await (const [, value] of store.entries(prefixes.batches)) batches.push(parseBatch(value))
      return batches.sort((a, b) => (a.at < b.at ? 1 : -1))
    },
    async get(id) {
      const value = await store.get(prefixes.batches + id)
      return value === undefined ? undefined : parseBatch(value)
    },
  }
}

/** The batches of a process that only reads: the process that writes has them. */
export const noBatchLog: BatchLog = {
  all: () => Promise.resolve([]),
  get: () => Promise.resolve(undefined),
}

/** The entry of a batch, to be written with its changes. */
export const batchEntry = (batch: Batch): KeyValueWrite => ({
  key: prefixes.batches + batch.id,
  value: JSON.stringify(batch),
})

// The cast: `batchEntry` wrote it.
export const parseBatch = (value: string): Batch => JSON.parse(value) as Batch
