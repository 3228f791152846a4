// The log of changes: an entry for each change of a record, numbered from 1 without gaps, and written
// in the same batch as the record. What an entry tells of the values is left to src/catalogue/history.

import { randomUUID } from 'node:crypto'

import { encodeSegment } from '../../rdf/terms.js'
import type { KeyValueStore, KeyValueWrite } from './key-value-store.js'
import { logNameKey, prefixes } from './keys.js'

/** What the log says of one change of a record. */
export type Change = {
  /** The time of the change. */
  readonly at: string
  /** The name of the account; absent where none was used, as by `load`. */
  readonly account?: string
  /** How the change came, such as `api`. */
  readonly how: string
  readonly change: ChangeType
  /** The identifier of the record that stays, after a merge. */
  readonly into?: string
  /** The identifier that this one led to before the change, because its record had been merged. */
  readonly intoBefore?: string
  /** The identifier of the batch that the change belongs to. */
  readonly batch?: string
  /** What is needed to make the values before the change from those after it. */
  readonly before?: Readonly<Record<string, unknown>>
}

export type ChangeType = 'created' | 'updated' | 'deleted' | 'merged'

/** A change of the record with this key that is to be written. */
export type KeyedChange = Change & { readonly record: string }

/** An entry of the log. */
export type LoggedChange = KeyedChange & {
  readonly sequence: number
  /** The number of the first change of the commit that this one belongs to. */
  readonly commit: number
}

export type ChangeLog = {
  /** Tells this log from that of another catalogue, and from that before a backup was restored. */
  readonly name: string
  /** The number of the last change; 0 when there is none. */
  last(): number
  /** The time of the last change; undefined when there is none. */
  lastTime(): Promise<string | undefined>
  /** The changes after this number, in their order, as they are now. */
  read(since: number): AsyncIterable<LoggedChange>
  /** The changes of a commit, in their order. */
  ofCommit(commit: number): Promise<readonly LoggedChange[]>
  /** The numbers of the changes that deleted records, and the keys of these; the oldest first. */
  deletions(): AsyncIterable<{ readonly sequence: number; readonly record: string }>
  /** One change; undefined when there is none with this number. */
  get(sequence: number): Promise<LoggedChange | undefined>
  /** The changes of a record, the oldest first. */
  ofRecord(key: string): Promise<readonly LoggedChange[]>
  /**
   * Writes entries of the key-value store together with changes, which are numbered here.
   * @throws DiskFullError, DiskFailedError
   */
  write(entries: readonly KeyValueWrite[], changes: readonly KeyedChange[]): Promise<void>
  /**
   * Calls the listener after changes were written, when reads see them.
   * @returns a function that ends this
   */
  subscribe(listener: () => void): () => void
}

type QueuedWrite = {
  readonly entries: readonly KeyValueWrite[]
  readonly changes: readonly KeyedChange[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Reads where the log ends. A store without a log gets an empty one. */
export async function loadChangeLog(store: KeyValueStore): Promise<ChangeLog> {
  const name = (await store.get(logNameKey)) ?? randomUUID()
  await store.write([{ key: logNameKey, value: name }])
  let last = sequenceOf(await store.lastKey(prefixes.changes))
  let queue: QueuedWrite[] = []
  let flushing: Promise<void> | undefined
  const listeners = new Set<() => void>()

  // A number is given only when the entries before it are written, so that a write which fails leaves no
  // gap. Writes that arrive meanwhile are written together.
  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const group = queue
      queue = []
      const numbered = numberChanges(last, group)
      try {
        await store.write([...group.flatMap(({ entries }) => entries), ...numbered.entries])
        last = numbered.last
        for (const { resolve } of group) resolve()
        setImmediate(() => listeners.forEach((listener) => listener()))
      } catch (error) {
        for (const { reject } of group) reject(error as Error)
      }
    }
    flushing = undefined
  }

  async function* read(since: number): AsyncGenerator<LoggedChange> {
    for await (const [key, value] of store.entries(prefixes.changes, changeKey(since)))
      yield parseChange(key, value)
  }

  async function get(sequence: number): Promise<LoggedChange | undefined> {
    const key = changeKey(sequence)
    const value = await store.get(key)
    return value === undefined ? undefined : parseChange(key, value)
  }

  return {
    name,
    last: () => last,
    lastTime: async () => (await get(last))?.at,
    get,
    read,
    async ofCommit(commit) {
      const found: LoggedChange[] = []
      for await (const change of read(commit - 1)) {
        if (change.commit !== commit) break
        found.push(change)
      }
      return found
    },
    async *deletions() {
      for await (const [key, record] of store.entries(prefixes.deletions))
        yield { sequence: sequenceOf(key), record }
    },
    async ofRecord(record) {
      const sequences: number[] = []
      for await (const [key] of store.entries(historyPrefix(record)))
        sequences.push(sequenceOf(key))
      const found = await Promise.all(sequences.map(get))
      return found.filter((change) => change !== undefined)
    },
    write(entries, changes) {
      const written = new Promise<void>((resolve, reject) =>
        queue.push({ entries, changes, resolve, reject }),
      )
      flushing ??= flush()
      return written
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The log of a process that only reads: the process that writes has it. */
export const noChangeLog: ChangeLog = {
  name: '',
  last: () => 0,
  lastTime: () => Promise.resolve(undefined),
  get: () => Promise.resolve(undefined),
  read: () => nothing(),
  ofCommit: () => Promise.resolve([]),
  deletions: () => nothing(),
  ofRecord: () => Promise.resolve([]),
  write: () => Promise.reject(new Error('this process only reads')),
  subscribe: () => () => undefined,
}

async function* nothing(): AsyncGenerator<never> {
  // A process that only reads has no changes.
}

/** The changes of records with their keys; records without a change are left out. */
export const loggedChanges = (
  changes: readonly { readonly key: string; readonly change?: Change | undefined }[],
): KeyedChange[] =>
  changes.flatMap(({ key, change }) => (change ? [{ record: key, ...change }] : []))

/** The entries of changes that come after the last one, each commit's with the same `commit`. */
function numberChanges(
  last: number,
  commits: readonly { readonly changes: readonly KeyedChange[] }[],
): { readonly entries: readonly KeyValueWrite[]; readonly last: number } {
  const entries: KeyValueWrite[] = []
  let sequence = last
  for (const { changes } of commits) {
    const commit = sequence + 1
    for (const change of changes) {
      sequence += 1
      const isFirst = sequence === commit
      const stored = isFirst ? change : { ...change, commit }
      entries.push(
        { key: changeKey(sequence), value: JSON.stringify(stored) },
        { key: historyPrefix(change.record) + digits(sequence), value: '' },
      )
      if (change.change === 'deleted')
        entries.push({ key: prefixes.deletions + digits(sequence), value: change.record })
    }
  }
  return { entries, last: sequence }
}

/** The key of a change in the key-value store. */
export const changeKey = (sequence: number): string => prefixes.changes + digits(sequence)

/** The beginning of the keys that lead to the changes of a record; its number follows. */
export const historyPrefix = (record: string): string =>
  `${prefixes.history}${encodeSegment(record)}/`

/** So many digits that the keys sort like the numbers. */
const digits = (sequence: number): string => String(sequence).padStart(12, '0')

/** The number at the end of a key; 0 without a key. */
const sequenceOf = (key: string | undefined): number =>
  Number(key?.slice(key.lastIndexOf('/') + 1) ?? 0)

export function parseChange(key: string, value: string): LoggedChange {
  const sequence = sequenceOf(key)
  // The cast: `numberChanges` wrote it.
  return { commit: sequence, ...(JSON.parse(value) as KeyedChange), sequence }
}
