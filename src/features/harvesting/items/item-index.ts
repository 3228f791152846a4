// The items for harvesters, kept current from the log of changes: before an answer, what the log
// has got since the answer before is read. So writes cost nothing, and nothing is in memory before
// somebody harvests. The index is built from the records and the log (docs/reference/oai-pmh.md,
// "How it is made").

import { createYielder, limitConcurrency, yieldToEventLoop } from '../../../lib/scheduling.js'
import type { ChangeLog, LoggedChange } from '../../../store/key-value/change-log.js'
import { toMicroseconds } from '../../../catalogue/clock.js'
import { type Difference, valuesBefore } from '../../../catalogue/history/value-differences.js'
import {
  type RecordEntries,
  recordKey,
  referenceOf,
} from '../../../catalogue/records/record-cache.js'
import { type GoneItem, type ItemTable, createItemTable } from './item-table.js'
import { type ItemEntry, setsOfValues } from './read-item.js'
import { idOfSet, isWithinSet, setOf } from './sets.js'

export type ItemIndex = {
  /** Reads items as they are now. What the function returns must not read later. */
  read<Result>(read: (items: CurrentItems) => Result): Promise<Result>
}

export type CurrentItems = Pick<ItemTable, 'get' | 'items' | 'count' | 'lastDate' | 'sets'> & {
  /** What is written from now on has this time or a later one, in microseconds. */
  readonly now: number
  /** Whether all deletions are known. */
  readonly knowsDeletions: boolean
}

export type ItemIndexDependencies = {
  readonly records: RecordEntries
  readonly changeLog: Pick<ChangeLog, 'first' | 'last' | 'read'>
  readonly readItem: (key: string, nquads: string) => ItemEntry | undefined
  /** When the oldest write that is under way began, in milliseconds; undefined if there is none. */
  readonly oldestWrite: () => number | undefined
  /** Whether the log forgets changes. */
  readonly forgets: boolean
}

/** What was read of the records and the log. */
type Known = {
  readonly table: ItemTable
  /** The numbers of the changes by which records were deleted, by the keys of the records. */
  readonly deletions: Map<string, number>
  /** The number of the last change that was read, and that of the oldest that was kept then. */
  through: number
  first: number
  hasRedactions: boolean
  /** No earlier change comes, in microseconds: what was written late is dated with this. */
  notBefore: number
}

export function createItemIndex(dependencies: ItemIndexDependencies): ItemIndex {
  const { records, changeLog, readItem, oldestWrite, forgets } = dependencies
  let known: Known | undefined
  const inTurn = limitConcurrency(1)

  async function build(): Promise<Known> {
    const table = createItemTable()
    const built: Known = {
      table,
      deletions: new Map(),
      // Before the records are read, so that none is older than the log is believed to be.
      through: changeLog.last(),
      first: changeLog.first(),
      hasRedactions: false,
      notBefore: 0,
    }
    const maybeYield = createYielder()
    for await (const [key, nquads] of records.all()) {
      const entry = readItem(key, nquads)
      if (entry) putEntry(table, entry)
      await maybeYield()
    }
    for await (const commit of commitsBetween(0, built.through)) {
      noteCommit(built, commit)
      await maybeYield()
    }
    await table.settle()
    return built
  }

  /** @returns false if the index has to be built again */
  async function catchUp(now: Known): Promise<boolean> {
    const last = changeLog.last()
    if (now.through + 1 < changeLog.first()) return false
    if (now.first !== changeLog.first()) forgetDeletions(now)
    if (now.through < last) {
      for await (const commit of commitsBetween(now.through, last)) {
        // It changed what the log says of earlier changes.
        if (commit.some(({ how, change }) => how === 'redaction' || change === 'forgotten'))
          return false
        for (const { record } of commit) await readAgain(now, record)
      }
      for await (const commit of commitsBetween(now.through, last)) noteCommit(now, commit)
      now.through = last
    }
    await now.table.settle()
    return true
  }

  async function readAgain({ table, notBefore }: Known, key: string): Promise<void> {
    const nquads = await records.get(key)
    const entry = nquads === undefined ? undefined : readItem(key, nquads)
    if (entry) putEntry(table, { ...entry, changed: Math.max(entry.changed, notBefore) })
    // When it was deleted is noted after this.
    else if (table.isPresent(key))
      table.remove({ key, changed: notBefore, sets: table.ownSetsOf(key) })
  }

  /** What the log has forgotten is forgotten here too. */
  function forgetDeletions(now: Known): void {
    now.first = changeLog.first()
    for (const [key, sequence] of now.deletions)
      if (sequence < now.first) {
        now.table.forget(key)
        now.deletions.delete(key)
      }
  }

  async function* commitsBetween(
    since: number,
    last: number,
  ): AsyncGenerator<readonly LoggedChange[]> {
    let commit: LoggedChange[] = []
    if (since < last)
      for await (const change of changeLog.read(since)) {
        // What is being written may be found already.
        if (change.sequence > last) break
        if (commit[0]?.commit !== change.commit && commit.length > 0) {
          yield commit
          commit = []
        }
        commit.push(change)
      }
    if (commit.length > 0) yield commit
  }

  async function bringUpToDate(): Promise<Known> {
    try {
      while (!known || !(await catchUp(known))) known = await build()
    } catch (error) {
      // It may have a part of the changes only.
      known = undefined
      throw error
    }
    return known
  }

  return {
    read: (read) =>
      inTurn(async () => {
        // Before the end of the log is looked at: a write that is not in it gets a later time.
        const now = Math.min(Date.now(), oldestWrite() ?? Infinity) * 1000
        const current = await bringUpToDate()
        current.notBefore = Math.max(current.notBefore, now)
        // A write is in the log a moment before records are read as it left them.
        await yieldToEventLoop()
        const { table, first, hasRedactions } = current
        const knowsDeletions = !forgets && first <= 1 && !hasRedactions
        return read({ ...table, now, knowsDeletions })
      }),
  }
}

function putEntry(table: ItemTable, entry: ItemEntry): void {
  table.put(entry)
  for (const zine of zinesAmong(entry.references)) table.hold(zine, entry.created)
}

/** Notes what a commit says of records that are gone, and of holdings that came or went. */
function noteCommit(known: Known, commit: readonly LoggedChange[]): void {
  const { table, deletions, notBefore } = known
  const timeOf = ({ at }: LoggedChange): number => Math.max(toMicroseconds(at), notBefore)
  const repositories = new Map<string, string[]>()
  for (const change of commit) {
    if (change.change === 'forgotten' || (change.redacted && isGone(change)))
      known.hasRedactions = true
    if (change.change === 'forgotten') continue
    if (referenceOf(change.record).target !== 'holdings') continue
    for (const { zine, repository } of noteHolding(table, change, timeOf(change)))
      if (repository !== undefined)
        repositories.set(zine, [...(repositories.get(zine) ?? []), repository])
  }
  for (const change of commit) {
    const { record, before, sequence } = change
    if (!isGone(change)) continue
    // An identifier that led to another record was gone before.
    if (!before && deletions.has(record)) continue
    const { target } = referenceOf(record)
    const gone: GoneItem = {
      key: record,
      changed: timeOf(change),
      sets: [
        ...setsOfValues(target, before ?? {}),
        ...(repositories.get(record) ?? []).map((id) => setOf('repository', id)),
      ],
    }
    deletions.set(record, sequence)
    // It may have been created again since.
    if (!table.isPresent(record)) table.remove(gone)
  }
}

const isGone = ({ change }: LoggedChange): boolean => change === 'deleted' || change === 'merged'

type Left = { readonly zine: string; readonly repository: string | undefined }

/** Dates the zines of a holding that came, went or was moved; gives those that it left. */
function noteHolding(
  table: ItemTable,
  { record, change, before = {} }: LoggedChange,
  time: number,
): Left[] {
  const isMoved = change === 'updated' && ('zine_id' in before || 'repository_id' in before)
  const present = zinesAmong(table.referencesOf(record))
  if (change === 'created' || isMoved) for (const zine of present) table.hold(zine, time)
  if (!('zine_id' in before)) return []
  const [presentZine = ''] = present
  // The cast: committer.ts wrote it. Of a long identifier it may have a part only.
  const { zine_id: id } = valuesBefore({ zine_id: before.zine_id } as Difference, {
    zine_id: referenceOf(presentZine).id,
  })
  const zine = recordKey({ target: 'zines', id: String(id) })
  table.hold(zine, time)
  const stays = table.ownSetsOf(record).find((set) => isWithinSet(set, 'repository'))
  const repository =
    typeof before.repository_id === 'string'
      ? before.repository_id
      : stays === undefined
        ? undefined
        : idOfSet(stays)
  return [{ zine, repository }]
}

const zinesAmong = (keys: readonly string[]): string[] =>
  keys.filter((key) => referenceOf(key).target === 'zines')
