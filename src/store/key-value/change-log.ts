// The log of changes: an entry for each change of a record, numbered from 1 without gaps, and
// written in the same batch as the record. What an entry tells of the values is left to
// src/catalogue/history. An entry of an identifier that was forgotten keeps its number and its
// time, and names no record.

import { randomUUID } from 'node:crypto'

import { encodeSegment } from '../../rdf/terms.js'
import { createGroupQueue, createYielder, limitConcurrency } from '../../lib/scheduling.js'
import { DiskFullError } from '../../lib/key-value/errors.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { lastForgettingKey, logNameKey, prefixes } from './keys.js'

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
  /** The fields of which a value before or after the change was removed for good. */
  readonly redacted?: readonly string[]
  /**
   * Of a change that only looks like a deletion or a creation: the record was hidden, or shown
   * again, and has values before and after it.
   */
  readonly turned?: 'hidden' | 'shown'
}

export type ChangeType = RecordChangeType | 'forgotten'

/** What a change did of which the log says the record. */
export type RecordChangeType = 'created' | 'updated' | 'deleted' | 'merged'

/**
 * A change of the record with this key that is to be written. Of a forgotten identifier the key has
 * only the kind, with the slash behind it.
 */
export type KeyedChange = Change & { readonly record: string }

/** An entry of the log. */
export type LoggedChange = KeyedChange & {
  readonly sequence: number
  /** The number of the first change of the commit that this one belongs to. */
  readonly commit: number
  /** Of the first change of a commit: the number of its first change of a hidden record. */
  readonly firstHidden?: number
}

export type LoggedRecordChange = LoggedChange & { readonly change: RecordChangeType }

export type ChangeLog = {
  /** Tells this log from that of another catalogue, and from that before a backup was restored. */
  readonly name: string
  /** The number of the last change; 0 when there is none. */
  last(): number
  /** The number of the last change of which the public is told nothing. */
  lastHidden(): number
  /** The number of the oldest change that is kept; that of the next one when there is none. */
  first(): number
  /** The time of the last change; undefined when there is none. */
  lastTime(): Promise<string | undefined>
  /** The changes after this number, in their order, as they are now. */
  read(since: number): AsyncIterable<LoggedChange>
  /** The changes of a commit, in their order. */
  ofCommit(commit: number): Promise<readonly LoggedChange[]>
  /** The numbers of the changes that deleted records, and the keys of these; the oldest first. */
  deletions(): AsyncIterable<{ readonly sequence: number; readonly record: string }>
  /** The same of the changes that deleted hidden records. */
  hiddenDeletions(): AsyncIterable<{ readonly sequence: number; readonly record: string }>
  /** One change; undefined when there is none with this number. */
  get(sequence: number): Promise<LoggedChange | undefined>
  /** The changes of a record, the oldest first. */
  ofRecord(key: string): Promise<readonly LoggedRecordChange[]>
  /**
   * Writes entries of the key-value store together with changes, which are numbered here.
   * @param hidden those of hidden records, which get numbers of their own, so that the others have
   * no gaps
   * @throws DiskFullError, DiskFailedError
   */
  write(
    entries: readonly KeyValueWrite[],
    changes: readonly KeyedChange[],
    hidden?: readonly KeyedChange[],
  ): Promise<void>
  /** The number of the last change by which identifiers were forgotten; 0 if none ever was. */
  lastForgetting(): number
  /** How many of the oldest versions of a record were forgotten. */
  forgottenVersions(record: string): Promise<number>
  /**
   * Forgets all changes before a time but the last one of the log, and the batches that they belong
   * to.
   * @returns their number
   * @throws DiskFullError, DiskFailedError
   */
  forgetBefore(time: string): Promise<number>
}

type LoggedWrite = {
  readonly entries: readonly KeyValueWrite[]
  readonly changes: readonly KeyedChange[]
  readonly hidden: readonly KeyedChange[]
}

/** Reads where the log ends. A store without a log gets an empty one. */
export async function loadChangeLog(store: KeyValueStore): Promise<ChangeLog> {
  const last = sequenceOf(await store.lastKey(prefixes.changes))
  return new StoredChangeLog(store, {
    name: (await store.get(logNameKey)) ?? (await writeNewName(store)),
    last,
    lastHidden: sequenceOf(await store.lastKey(prefixes.hiddenChanges)) || hiddenStart,
    first: (await firstSequence(store)) ?? last + 1,
    lastForgetting: Number((await store.get(lastForgettingKey)) ?? 0),
  })
}

type LogEnds = {
  readonly name: string
  readonly last: number
  readonly lastHidden: number
  readonly first: number
  readonly lastForgetting: number
}

class StoredChangeLog implements ChangeLog {
  readonly name: string
  readonly #store: KeyValueStore
  #last: number
  #lastHidden: number
  #first: number
  #lastForgetting: number

  constructor(store: KeyValueStore, { name, last, lastHidden, first, lastForgetting }: LogEnds) {
    this.name = name
    this.#store = store
    this.#last = last
    this.#lastHidden = lastHidden
    this.#first = first
    this.#lastForgetting = lastForgetting
  }

  last(): number {
    return this.#last
  }

  lastHidden(): number {
    return this.#lastHidden
  }

  first(): number {
    return this.#first
  }

  lastForgetting(): number {
    return this.#lastForgetting
  }

  async lastTime(): Promise<string | undefined> {
    return (await this.get(this.#last))?.at
  }

  async get(sequence: number): Promise<LoggedChange | undefined> {
    const key = changeKey(sequence)
    const value = await this.#store.get(key)
    return value === undefined ? undefined : parseChange(key, value)
  }

  async *read(since: number): AsyncGenerator<LoggedChange> {
    const prefix = isHiddenNumber(since) ? prefixes.hiddenChanges : prefixes.changes
    for await (const [key, value] of this.#store.entries(prefix, changeKey(since)))
      yield parseChange(key, value)
  }

  async ofCommit(commit: number): Promise<readonly LoggedChange[]> {
    const changes = await this.#changesOf(commit, commit)
    const { firstHidden } = changes[0] ?? {}
    if (firstHidden === undefined) return changes
    return [...changes, ...(await this.#changesOf(commit, firstHidden))]
  }

  deletions(): AsyncGenerator<{ readonly sequence: number; readonly record: string }> {
    return this.#deletionsWith(prefixes.deletions)
  }

  hiddenDeletions(): AsyncGenerator<{ readonly sequence: number; readonly record: string }> {
    return this.#deletionsWith(prefixes.hiddenDeletions)
  }

  async ofRecord(record: string): Promise<readonly LoggedRecordChange[]> {
    const sequences: number[] = []
    for await (const [key] of this.#store.entries(historyPrefix(record)))
      sequences.push(sequenceOf(key))
    const entries = await Promise.all(sequences.map((sequence) => this.get(sequence)))
    const changes = entries.filter(isRecordChange)
    // The numbers of changes while it was hidden are beyond all others.
    return sequences.some(isHiddenNumber) ? changes.sort((a, b) => (a.at < b.at ? -1 : 1)) : changes
  }

  write(
    entries: readonly KeyValueWrite[],
    changes: readonly KeyedChange[],
    hidden: readonly KeyedChange[] = [],
  ): Promise<void> {
    return this.#writeTogether({ entries, changes, hidden })
  }

  async forgottenVersions(record: string): Promise<number> {
    return Number((await this.#store.get(forgottenKey(record))) ?? 0)
  }

  async forgetBefore(time: string): Promise<number> {
    const old: LoggedChange[] = []
    let count = 0
    for (const start of [0, hiddenStart])
      for await (const change of this.read(start)) {
        if (change.at >= time || change.sequence === this.#last) break
        old.push(change)
        count += 1
        // Before they are gone, so that nobody who reads from there misses any without a word.
        if (start === 0) this.#first = change.sequence + 1
        if (old.length === forgetBatchSize) await forget(this.#store, old.splice(0))
      }
    await forget(this.#store, old)
    return count
  }

  async #changesOf(commit: number, start: number): Promise<readonly LoggedChange[]> {
    const changes: LoggedChange[] = []
    for await (const change of this.read(start - 1)) {
      if (change.commit !== commit) break
      changes.push(change)
    }
    return changes
  }

  async *#deletionsWith(prefix: string) {
    for await (const [key, record] of this.#store.entries(prefix))
      yield { sequence: sequenceOf(key), record }
  }

  // A number is given only when the entries before it are written, so that a write which fails
  // leaves no gap.
  readonly #writeTogether = createGroupQueue<LoggedWrite>(limitConcurrency(1), async (group) => {
    const ends = { last: this.#last, lastHidden: this.#lastHidden }
    const numbered = await numberChanges(ends, group)
    await this.#store.write([...group.flatMap(({ entries }) => entries), ...numbered.entries])
    this.#last = numbered.last
    this.#lastHidden = numbered.lastHidden
    this.#lastForgetting = numbered.lastForgetting ?? this.#lastForgetting
  })
}

const isRecordChange = (change: LoggedChange | undefined): change is LoggedRecordChange =>
  change !== undefined && change.change !== 'forgotten'

/** Gives the log its name. On a full disk it is another one at the next start. */
async function writeNewName(store: KeyValueStore): Promise<string> {
  const name = randomUUID()
  try {
    await store.write([{ key: logNameKey, value: name }])
  } catch (error) {
    if (!(error instanceof DiskFullError)) throw error
  }
  return name
}

/** How many changes are forgotten by one write. */
const forgetBatchSize = 500

/**
 * Forgets changes, which are the oldest of the log, and remembers how many versions each record
 * had. The batches that they belong to are forgotten too, since these could not be undone any more.
 */
async function forget(store: KeyValueStore, changes: readonly LoggedChange[]): Promise<void> {
  const versions = new Map<string, number>()
  const batches = new Set<string>()
  for (const { record, change, batch } of changes) {
    if (batch !== undefined) batches.add(batch)
    if (change === 'forgotten') continue
    const known = versions.get(record) ?? (await store.get(forgottenKey(record)))
    // A record from before there was a log had a version already.
    versions.set(record, Number(known ?? (change === 'created' ? 0 : 1)) + 1)
  }
  await store.write([
    ...changes.flatMap(({ sequence, record, change }) => [
      { key: changeKey(sequence), value: undefined },
      ...(change === 'forgotten' ? [] : withoutIndex({ sequence, record, change })),
    ]),
    ...[...batches].map((batch) => ({ key: prefixes.batches + batch, value: undefined })),
    ...[...versions].map(([record, count]) => ({
      key: forgottenKey(record),
      value: String(count),
    })),
  ])
}

/** What removes the entries that lead to a change. */
const withoutIndex = ({
  sequence,
  record,
  change,
}: Pick<LoggedChange, 'sequence' | 'record' | 'change'>): KeyValueWrite[] => [
  { key: historyPrefix(record) + digits(sequence), value: undefined },
  ...(change === 'deleted' ? [{ key: deletionKey(sequence), value: undefined }] : []),
]

/**
 * What makes changes those of a forgotten identifier: only their numbers, times, accounts and kinds
 * of record stay. The batches that they belong to are forgotten too, since these could not be
 * undone any more.
 */
export const forgettingEntries = (changes: readonly LoggedChange[]): KeyValueWrite[] =>
  changes.flatMap((change) => {
    const { sequence, commit, record, at, account, how, batch } = change
    return [
      entryOf({
        record: withoutIdentifier(record),
        at,
        ...(account === undefined ? {} : { account }),
        how,
        change: 'forgotten',
        sequence,
        commit,
      }),
      ...withoutIndex(change),
      { key: forgottenKey(record), value: undefined },
      ...(batch === undefined ? [] : [{ key: prefixes.batches + batch, value: undefined }]),
    ]
  })

/** The key of a record without its identifier. */
const withoutIdentifier = (record: string): string => record.slice(0, record.indexOf('/') + 1)

const forgottenKey = (record: string): string => prefixes.forgotten + encodeSegment(record)

/** The log of a process that only reads: the process that writes has it. */
export const noChangeLog: ChangeLog = {
  name: '',
  last: () => 0,
  lastHidden: () => 0,
  first: () => 1,
  lastTime: () => Promise.resolve(undefined),
  get: () => Promise.resolve(undefined),
  read: () => nothing(),
  ofCommit: () => Promise.resolve([]),
  deletions: () => nothing(),
  hiddenDeletions: () => nothing(),
  ofRecord: () => Promise.resolve([]),
  write: () => Promise.reject(new Error('this process only reads')),
  lastForgetting: () => 0,
  forgottenVersions: () => Promise.resolve(0),
  forgetBefore: () => Promise.resolve(0),
}

async function* nothing(): AsyncGenerator<never> {
  // A process that only reads has no changes.
}

/** The number of the first change that there is. */
async function firstSequence(store: KeyValueStore): Promise<number | undefined> {
  for await (const [key] of store.entries(prefixes.changes)) return sequenceOf(key)
  return undefined
}

/** The changes of records with their keys; records without a change are left out. */
export const loggedChanges = (
  changes: readonly { readonly key: string; readonly change?: Change | undefined }[],
): KeyedChange[] =>
  changes.flatMap(({ key, change }) => {
    if (!change) return []
    return [{ record: change.change === 'forgotten' ? withoutIdentifier(key) : key, ...change }]
  })

/** How many changes are numbered before other work may run: some milliseconds. */
const changesInOneStep = 20

/** The entries of changes that come after the last one, each commit's with the same `commit`. */
async function numberChanges(
  start: LastNumbers,
  commits: readonly Omit<LoggedWrite, 'entries'>[],
): Promise<
  LastNumbers & {
    readonly entries: readonly KeyValueWrite[]
    readonly lastForgetting: number | undefined
  }
> {
  const maybeYield = createYielder()
  const entries: KeyValueWrite[] = []
  let { last, lastHidden } = start
  let lastForgetting: number | undefined
  for (const { changes, hidden } of commits) {
    const firstHidden = lastHidden + 1
    const commit = changes.length > 0 ? last + 1 : firstHidden
    for (const change of changes) {
      last += 1
      const link = last === commit && hidden.length > 0 ? { firstHidden } : {}
      entries.push(...entriesOf({ ...change, sequence: last, commit, ...link }))
      if (change.change === 'forgotten') lastForgetting = last
      // Awaiting each would delay single writes.
      if (last % changesInOneStep === 0) await maybeYield()
    }
    for (const change of hidden) {
      lastHidden += 1
      entries.push(...entriesOf({ ...change, sequence: lastHidden, commit }))
      if (lastHidden % changesInOneStep === 0) await maybeYield()
    }
  }
  if (lastForgetting !== undefined)
    entries.push({ key: lastForgettingKey, value: String(lastForgetting) })
  return { entries, last, lastHidden, lastForgetting }
}

/** The numbers of the last changes of both kinds. */
type LastNumbers = { readonly last: number; readonly lastHidden: number }

/** A change, what leads from its record to it, and for a deletion what it is found by. */
function entriesOf(logged: LoggedChange): readonly KeyValueWrite[] {
  const { sequence, record, change, before } = logged
  if (change === 'forgotten') return [entryOf(logged)]
  // What led to another record, or was deleted before, is no deletion of a record.
  const isDeletion = change === 'deleted' && before !== undefined
  return [
    entryOf(logged),
    { key: historyPrefix(record) + digits(sequence), value: '' },
    ...(isDeletion ? [{ key: deletionKey(sequence), value: record }] : []),
  ]
}

/** The entry of the key-value store for a change. */
export const entryOf = ({ sequence, commit, ...change }: LoggedChange): KeyValueWrite => ({
  key: changeKey(sequence),
  value: JSON.stringify(sequence === commit ? change : { ...change, commit }),
})

/** The key of a change in the key-value store. */
export const changeKey = (sequence: number): string =>
  (isHiddenNumber(sequence) ? prefixes.hiddenChanges : prefixes.changes) + digits(sequence)

const deletionKey = (sequence: number): string =>
  (isHiddenNumber(sequence) ? prefixes.hiddenDeletions : prefixes.deletions) + digits(sequence)

/** Changes of hidden records have numbers beyond this one. */
const hiddenStart = 900_000_000_000

export const isHiddenNumber = (sequence: number): boolean => sequence >= hiddenStart

/** The beginning of the keys that lead to the changes of a record; its number follows. */
const historyPrefix = (record: string): string => `${prefixes.history}${encodeSegment(record)}/`

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
