// The versions of a record, from the log of changes: who made each, and the values before and after
// it. They are found backwards from the values that the record has now.

import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type {
  ChangeLog,
  LoggedChange,
  LoggedRecordChange,
  RecordChangeType,
} from '../../store/key-value/change-log.js'
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
  readonly change: RecordChangeType | undefined
  /** Whether the change hid the record from the public, or showed it again. */
  readonly turned: 'hidden' | 'shown' | undefined
  /** The number of the change in the log; undefined for the version at which the history begins. */
  readonly sequence: number | undefined
  readonly before: RecordValues | undefined
  readonly after: RecordValues | undefined
  /** The fields of which a value before or after the change was removed for good. */
  readonly redacted: readonly string[]
  /** The identifier of the record that this one was merged into by the change. */
  readonly into: string | undefined
  /** The identifier that this one led to before the change, because its record had been merged. */
  readonly intoBefore: string | undefined
}

/**
 * The versions of a record, the oldest first; none if there never was such a record.
 * @param stored the present values by the key of the record, if they were read already
 */
export type ReadHistory = (
  reference: Reference,
  stored?: ReadonlyMap<string, RecordValues>,
) => Promise<readonly RecordVersion[]>

type HistoryDependencies = {
  readonly changeLog: Pick<ChangeLog, 'ofRecord' | 'forgottenVersions'>
  readonly records: Pick<RecordReader, 'getWithPrivate'>
}

/** The caller has to make sure that the record is not written meanwhile. */
export const createHistoryReader =
  ({ changeLog, records }: HistoryDependencies): ReadHistory =>
  async (reference, stored) => {
    const changes = await changeLog.ofRecord(recordKey(reference))
    const states = statesOf(
      changes,
      (stored ?? (await records.getWithPrivate([reference]))).get(recordKey(reference)),
    )
    const [oldest] = states
    const forgotten = await changeLog.forgottenVersions(recordKey(reference))
    // A record from before there was a log has a version that nobody is known to have made.
    const offset = oldest ? Math.max(forgotten, 1) : forgotten
    const versions = changes.map((change, index) =>
      toVersion(change, offset + index + 1, states[index], states[index + 1]),
    )
    return oldest ? [firstVersion(oldest, offset), ...versions] : versions
  }

/**
 * The values before the first of the changes and after each of them; undefined without a record.
 */
export function statesOf(
  changes: readonly LoggedChange[],
  current: RecordValues | undefined,
): (RecordValues | undefined)[] {
  const states = [current]
  for (const change of [...changes].reverse())
    states.push(valuesBeforeChange(change, states.at(-1)))
  return states.reverse()
}

function valuesBeforeChange(
  { change, before, turned }: LoggedChange,
  after: RecordValues | undefined,
): RecordValues | undefined {
  // A redaction of a deleted record is a deletion of nothing.
  if ((change === 'created' && !turned) || !before) return undefined
  // The cast: committer.ts wrote it.
  return valuesBefore(before as Difference, after ?? {})
}

/** The version that a deletion made, of a record that does not exist now. */
export const findDeletion = (versions: readonly RecordVersion[]): RecordVersion | undefined =>
  versions.at(-1)?.after ? undefined : versions.findLast(({ before }) => before !== undefined)

const toVersion = (
  {
    at,
    account,
    how,
    batch,
    change,
    turned,
    sequence,
    redacted = [],
    into,
    intoBefore,
  }: LoggedRecordChange,
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
  turned,
  sequence,
  before,
  after,
  redacted,
  into,
  intoBefore,
})

const firstVersion = (after: RecordValues, version: number): RecordVersion => ({
  version,
  at: textValue(after, 'updated_at'),
  account: undefined,
  how: undefined,
  batch: undefined,
  change: undefined,
  turned: undefined,
  sequence: undefined,
  before: undefined,
  after,
  redacted: [],
  into: undefined,
  intoBefore: undefined,
})
