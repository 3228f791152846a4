// Creates, replaces, changes and removes single records: locks them, plans the write and commits
// it. Checks of requests are left to src/http, and writes of many records at once to batches.ts.

import { NotFoundError, RequestError } from '../../errors.js'
import { message } from '../../message.js'
import type { ResourceName } from '../../model/iris.js'
import type { Reference, ViewName } from '../../model/record/views.js'
import type { WriteOnce } from '../../store/key-value/idempotency-keys.js'
import type { Store } from '../../store/store.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import type { FoundRecord, RecordReads } from '../record-reads.js'
import { recordKey } from '../records/record-cache.js'
import type { Revision } from '../revision.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { LibraryGuard } from './library-guard.js'
import type { Locks } from './locks.js'
import type { MakeBody, PlanOptions, PlannedWrites, RequestBody } from './planned-writes.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'

export type WriteOptions = PlanOptions & {
  /** The view in which the written record is returned; `detail` unless given. */
  readonly view?: ViewName | undefined
  /** Who writes, and how; `load` without an account unless given. */
  readonly source?: ChangeSource | undefined
  /** Set for a request that may be repeated: what was made before is returned as it is now. */
  readonly once?: WriteOnce | undefined
}

export type RecordWrites = {
  /**
   * @throws ValidationError with the messages of every field that fails; RequestError for what was
   * made once and deleted since
   */
  create(name: ResourceName, body: RequestBody, options?: WriteOptions): Promise<FoundRecord>
  /** Validates a new record as `create` does, and writes nothing. @throws ValidationError */
  validateNew(name: ResourceName, body: RequestBody): Promise<void>
  /**
   * PUT: fields that were not sent are cleared. A reference to a deleted agent that the record has
   * may stay.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  replace(
    name: ResourceName,
    id: string,
    body: RequestBody | MakeBody,
    options?: WriteOptions,
  ): Promise<FoundRecord>
  /**
   * PATCH: fields that were not sent stay, and are not validated again.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  change(
    name: ResourceName,
    id: string,
    body: RequestBody,
    options?: WriteOptions,
  ): Promise<FoundRecord>
  /**
   * Removes a record and those that cannot be without it, all or nothing
   * (docs/reference/records.md, "Delete effects").
   * @throws NotFoundError, PreconditionFailedError
   */
  remove(name: ResourceName, id: string, options?: WriteOptions): Promise<void>
  /**
   * Runs work that changes what belongs to a record besides its fields, while nobody else writes
   * the record.
   * @param account who does it
   * @throws NotFoundError, ForbiddenError, and what the work throws
   */
  withRecord<Result>(
    reference: Reference,
    account: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>
}

type RecordWritesDependencies = {
  readonly store: Store
  readonly locks: Locks
  readonly runExclusively: RunExclusively
  readonly stored: RecordState
  readonly plans: PlannedWrites
  readonly reads: RecordReads
  readonly guard: LibraryGuard
  readonly commit: CommitWrites
  readonly revision: Revision
  readonly hiddenRecords: HiddenRecords
}

export function createRecordWrites({
  store,
  locks,
  runExclusively,
  stored,
  plans,
  reads,
  guard,
  commit,
  revision,
  hiddenRecords,
}: RecordWritesDependencies): RecordWrites {
  async function create(
    name: ResourceName,
    body: RequestBody,
    options: WriteOptions = {},
  ): Promise<FoundRecord> {
    const { reference, plan } = plans.parseNew(name, body)
    return write(reference, body, options, () => plan(stored, options))
  }

  async function write(
    reference: Reference,
    body: RequestBody | MakeBody,
    { view, mayName, source, once }: WriteOptions,
    plan: () => Promise<RecordWrite>,
  ): Promise<FoundRecord> {
    const write = async () => {
      await store.settlePending()
      await guard.checkRecord(source?.account, reference, stored)
      if (await once?.wasMade()) return readAgain()
      const planned = await plan()
      await commit([planned], source ?? byLoad, once?.entries)
      if (!planned.after) throw new NotFoundError()
      return reads.readWritten(reference, planned.after, { view, sees: mayName })
    }
    const readAgain = async () => {
      const values = await valuesOf(stored, reference)
      if (!values) throw new RequestError('gone', message('This was deleted.'))
      return reads.readWritten(reference, values, { view, sees: mayName })
    }
    return mayChangeOthers(reference, body)
      ? locks.withExclusiveLock(write)
      : locks.withRecordLock(recordKey(reference), write)
  }

  /** Whether other records may have to be hidden, or shown again, with the write. */
  const mayChangeOthers = (reference: Reference, body: RequestBody | MakeBody): boolean =>
    (body instanceof Map && body.has('visibility')) ||
    hiddenRecords.referrersTo(reference).length > 0

  return {
    create,
    withRecord: (reference, account, work) =>
      locks.withRecordLock(recordKey(reference), async () => {
        await store.settlePending()
        if (!(await stored.has(reference))) throw new NotFoundError()
        await guard.checkRecord(account, reference, stored)
        try {
          return await work()
        } finally {
          revision.onWrite([recordKey(reference)])
        }
      }),
    async validateNew(name, body) {
      await plans.parseNew(name, body).check(stored)
    },
    replace(name, id, body, options = {}) {
      const reference = { target: name, id }
      return write(reference, body, options, () => plans.replace(stored, reference, body, options))
    },
    change(name, id, body, options = {}) {
      const reference = { target: name, id }
      return write(reference, body, options, () => plans.change(stored, reference, body, options))
    },
    // Needs the exclusive lock: a holding created meanwhile would stay behind without its zine.
    remove: (name, id, options = {}) =>
      runExclusively(async (state) => {
        const reference = { target: name, id }
        await guard.checkRecord(options.source?.account, reference, state)
        const writes = await plans.remove(state, reference, options)
        await commit(writes, options.source ?? byLoad)
      }),
  }
}

const byLoad: ChangeSource = { how: 'load' }
