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
import type { DatedPosition } from './dated-list.js'
import { type GoneItem, type HarvestItem, type ItemRange, ItemTable } from './item-table.js'
import { type ItemEntry, setsOfValues } from './read-item.js'
import { idOfSet, isWithinSet, setOf } from './sets.js'

/** The items as they are now: what `ItemTable` tells of them. */
export type CurrentItems = {
  readonly get: (key: string) => HarvestItem | undefined
  readonly items: (range: ItemRange, after?: DatedPosition) => Iterable<HarvestItem>
  readonly count: (range: ItemRange) => number
  readonly lastDate: () => number
  readonly sets: () => readonly string[]
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

export class ItemIndex {
  readonly #records: RecordEntries
  readonly #changeLog: ItemIndexDependencies['changeLog']
  readonly #readItem: ItemIndexDependencies['readItem']
  readonly #oldestWrite: () => number | undefined
  readonly #forgets: boolean
  readonly #inTurn = limitConcurrency(1)
  #known: Known | undefined

  constructor({ records, changeLog, readItem, oldestWrite, forgets }: ItemIndexDependencies) {
    this.#records = records
    this.#changeLog = changeLog
    this.#readItem = readItem
    this.#oldestWrite = oldestWrite
    this.#forgets = forgets
  }

  /** Reads items as they are now. What the function returns must not read later. */
  read<Result>(read: (items: CurrentItems) => Result): Promise<Result> {
    return this.#inTurn(async () => {
      // Before the end of the log is looked at: a write that is not in it gets a later time.
      const now = Math.min(Date.now(), this.#oldestWrite() ?? Infinity) * 1000
      const known = await this.#bringUpToDate()
      known.notBefore = Math.max(known.notBefore, now)
      // A write is in the log a moment before records are read as it left them.
      await yieldToEventLoop()
      const knowsDeletions = !this.#forgets && known.first <= 1 && !known.hasRedactions
      return read({ ...itemsOf(known.table), now, knowsDeletions })
    })
  }

  async #bringUpToDate(): Promise<Known> {
    try {
      while (!this.#known || !(await this.#catchUp(this.#known))) this.#known = await this.#build()
    } catch (error) {
      // It may have a part of the changes only.
      this.#known = undefined
      throw error
    }
    return this.#known
  }

  /** @returns false if the index has to be built again */
  async #catchUp(known: Known): Promise<boolean> {
    const last = this.#changeLog.last()
    if (known.through + 1 < this.#changeLog.first()) return false
    if (known.first !== this.#changeLog.first()) this.#forgetDeletions(known)
    if (known.through < last) {
      for await (const commit of this.#commitsBetween(known.through, last)) {
        // It changed what the log says of earlier changes.
        if (commit.some(({ how, change }) => how === 'redaction' || change === 'forgotten'))
          return false
        for (const { record } of commit) await this.#readAgain(known, record)
      }
      for await (const commit of this.#commitsBetween(known.through, last))
        noteCommit(known, commit)
      known.through = last
    }
    await known.table.settle()
    return true
  }

  /** What the log has forgotten is forgotten here too. */
  #forgetDeletions(known: Known): void {
    known.first = this.#changeLog.first()
    for (const [key, sequence] of known.deletions)
      if (sequence < known.first) {
        known.table.forget(key)
        known.deletions.delete(key)
      }
  }

  async #readAgain({ table, notBefore }: Known, key: string): Promise<void> {
    const nquads = await this.#records.get(key)
    const entry = nquads === undefined ? undefined : this.#readItem(key, nquads)
    if (entry) putEntry(table, { ...entry, changed: Math.max(entry.changed, notBefore) })
    // When it was deleted is noted after this.
    else if (table.isPresent(key))
      table.remove({ key, changed: notBefore, sets: table.ownSetsOf(key) })
  }

  async #build(): Promise<Known> {
    const table = new ItemTable()
    const known: Known = {
      table,
      deletions: new Map(),
      // Before the records are read, so that none is older than the log is believed to be.
      through: this.#changeLog.last(),
      first: this.#changeLog.first(),
      hasRedactions: false,
      notBefore: 0,
    }
    const maybeYield = createYielder()
    for await (const [key, nquads] of this.#records.all()) {
      const entry = this.#readItem(key, nquads)
      if (entry) putEntry(table, entry)
      await maybeYield()
    }
    for await (const commit of this.#commitsBetween(0, known.through)) {
      noteCommit(known, commit)
      await maybeYield()
    }
    await table.settle()
    return known
  }

  async *#commitsBetween(since: number, last: number): AsyncGenerator<readonly LoggedChange[]> {
    let commit: LoggedChange[] = []
    if (since < last)
      for await (const change of this.#changeLog.read(since)) {
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
}

/** Functions, since those who read them take them apart. */
const itemsOf = (table: ItemTable): Omit<CurrentItems, 'now' | 'knowsDeletions'> => ({
  get: (key) => table.get(key),
  items: (range, after) => table.items(range, after),
  count: (range) => table.count(range),
  lastDate: () => table.lastDate(),
  sets: () => table.sets(),
})

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
    const deletion: GoneItem = {
      key: record,
      changed: timeOf(change),
      sets: [
        ...setsOfValues(target, before ?? {}),
        ...(repositories.get(record) ?? []).map((id) => setOf('repository', id)),
      ],
    }
    deletions.set(record, sequence)
    // It may have been created again since.
    if (!table.isPresent(record)) table.remove(deletion)
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
