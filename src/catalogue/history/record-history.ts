// The versions of a record, from the log of changes: who made each, and the values before and after it.
// They are found backwards from the values that the record has now.

import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { ChangeLog, ChangeType, LoggedChange } from '../../store/key-value/change-log.js'
import { type RecordReader, recordKey } from '../records/record-cache.js'
import { type Difference, valuesBefore } from './value-differences.js'

/** A version of a record: the change that made it, and the values before and after that. */
export type RecordVersion = {
  /** From 1; it goes on when a record of the same name is created after a deletion. */
  readonly version: number
  readonly at: string
  readonly account: string | undefined
  /** How the change came; undefined for the version at which the history begins. */
  readonly how: string | undefined
  readonly batch: string | undefined
  /** Undefined for the version at which the history begins. */
  readonly change: ChangeType | undefined
  /** The number of the change in the log; undefined for the version at which the history begins. */
  readonly sequence: number | undefined
  readonly before: RecordValues | undefined
  readonly after: RecordValues | undefined
  /** The identifier of the record that this one was merged into by the change. */
  readonly into: string | undefined
  /** The identifier that this one led to before the change, because its record had been merged. */
  readonly intoBefore: string | undefined
}

/** The versions of a record, the oldest first; none if there never was such a record. */
export type ReadHistory = (reference: Reference) => Promise<readonly RecordVersion[]>

type HistoryDependencies = {
  readonly changeLog: Pick<ChangeLog, 'ofRecord'>
  readonly records: Pick<RecordReader, 'getWithPrivate'>
}

/** The caller has to make sure that the record is not written meanwhile. */
export const createHistoryReader =
  ({ changeLog, records }: HistoryDependencies): ReadHistory =>
  async (reference) => {
    const changes = await changeLog.ofRecord(recordKey(reference))
    const current = await records.getWithPrivate(reference)
    const [first] = changes
    // A record from before there was a log has a first version that nobody is known to have made.
    const isOlder = first ? first.change !== 'created' : current !== undefined
    const offset = isOlder ? 2 : 1
    const versions: RecordVersion[] = []
    let after = current
    for (let index = changes.length - 1; index >= 0; index -= 1) {
      const change = changes[index]
      if (!change) continue
      const before = valuesBeforeChange(change, after)
      versions.unshift(toVersion(change, index + offset, before, after))
      after = before
    }
    return isOlder && after ? [firstVersion(after), ...versions] : versions
  }

function valuesBeforeChange(
  { change, before }: LoggedChange,
  after: RecordValues | undefined,
): RecordValues | undefined {
  // Before it, there was no record, or the identifier led to another one.
  if (change === 'created' || before === undefined) return undefined
  // The cast: committer.ts wrote it.
  return valuesBefore(before as Difference, after ?? {})
}

const toVersion = (
  { at, account, how, batch, change, sequence, into, intoBefore }: LoggedChange,
  version: number,
  before: RecordValues | undefined,
  after: RecordValues | undefined,
): RecordVersion => ({
  version,
  at,
  account,
  how,
  batch,
  change,
  sequence,
  before,
  after,
  into,
  intoBefore,
})

const firstVersion = (after: RecordValues): RecordVersion => ({
  version: 1,
  at: textValue(after, 'updated_at'),
  account: undefined,
  how: undefined,
  batch: undefined,
  change: undefined,
  sequence: undefined,
  before: undefined,
  after,
  into: undefined,
  intoBefore: undefined,
})
