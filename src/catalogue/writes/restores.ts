// The history of records, and what takes changes back: restoring a version, undoing a change, undoing a
// commit with all its changes. What is planned by undo.ts is committed here.

import type { ResourceName } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { ChangeLog, LoggedChange } from '../../store/key-value/change-log.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../scheduling.js'
import type { Store } from '../../store/store.js'
import { ValidationError } from '../../model/record/input.js'
import { RecordNotFoundError, type UndoConflict, UndoConflictError } from '../errors.js'
import type { ReadHistory, RecordVersion } from '../history/record-history.js'
import { type Difference, valuesBefore } from '../history/value-differences.js'
import { recordKey, referenceOf } from '../records/record-cache.js'
import type { ChangeSource, Commit } from './committer.js'
import type { Locks } from './locks.js'
import {
  type RecordState,
  type RecordWrite,
  type StagedState,
  createStagedState,
} from './record-state.js'
import type { ChangeToUndo, RestoreOptions, UndoPlans } from './undo.js'

export type RestoreRequest = RestoreOptions & { readonly source: ChangeSource }

/** A record that was deleted and does not exist now. */
export type DeletedRecord = {
  readonly reference: Reference
  readonly deletion: LoggedChange
  /** How many records were deleted together with this one. */
  readonly others: number
}

export type Restores = {
  /** The versions of a record, the oldest first. @throws RecordNotFoundError */
  history(name: ResourceName, id: string): Promise<readonly RecordVersion[]>
  /**
   * Gives a record the values of a version. A deleted one comes back, with what its deletion took along.
   * @throws RecordNotFoundError, ValidationError
   */
  restoreVersion(
    name: ResourceName,
    id: string,
    version: number,
    request: RestoreRequest,
  ): Promise<void>
  /**
   * Takes back the change that made a version, and for a deletion what it took along.
   * @throws RecordNotFoundError, UndoConflictError, ValidationError
   */
  undoVersion(
    name: ResourceName,
    id: string,
    version: number,
    request: RestoreRequest,
  ): Promise<void>
  /**
   * Takes back all changes of a commit, or none. @throws UndoConflictError, ValidationError
   */
  undoCommit(commit: number, request: RestoreRequest): Promise<readonly RecordWrite[]>
  /** The records that were deleted and do not exist now, the last deletion first. */
  deletedRecords(name?: ResourceName): Promise<readonly DeletedRecord[]>
}

type RestoresDependencies = {
  readonly store: Store
  readonly changeLog: ChangeLog
  readonly resources: Resources
  readonly locks: Locks
  readonly stored: RecordState
  readonly readHistory: ReadHistory
  readonly undoPlans: UndoPlans
  readonly planUndo: PlanUndo
  readonly commit: Commit
}

/** Stages what takes back all changes of a commit; returns what keeps it from that. */
export type PlanUndo = (
  state: StagedState,
  commit: number,
  options: RestoreOptions,
) => Promise<readonly UndoConflict[]>

/** The caller has to make sure that nothing is written meanwhile. */
export const createUndoPlanner =
  ({
    changeLog,
    readHistory,
    undoPlans,
  }: Pick<RestoresDependencies, 'changeLog' | 'readHistory' | 'undoPlans'>): PlanUndo =>
  async (state, commit, options) => {
    const changes = await changeLog.ofCommit(commit)
    const conflicts: UndoConflict[] = []
    const maybeYield = createYielder()
    // A record that refers to another one is there only while that one is.
    for (const { record, sequence } of [...changes].sort(byDependence)) {
      const reference = referenceOf(record)
      const version = (await readHistory(reference)).find((one) => one.sequence === sequence)
      try {
        if (version) state.stage(await undoPlans.undo(state, { ...version, reference }, options))
      } catch (error) {
        conflicts.push(conflictOf(reference, error))
      }
      await maybeYield()
    }
    return conflicts
  }

/** @throws any error that does not say what keeps a change from being undone */
function conflictOf(reference: Reference, error: unknown): UndoConflict {
  if (error instanceof UndoConflictError) return error
  if (error instanceof ValidationError)
    return { reference, fields: [...error.fieldErrors.keys()], dependents: [] }
  throw error
}

export function createRestores({
  store,
  changeLog,
  resources,
  locks,
  stored,
  readHistory,
  undoPlans,
  planUndo,
  commit,
}: RestoresDependencies): Restores {
  async function versionsOf(reference: Reference): Promise<readonly RecordVersion[]> {
    const versions = await readHistory(reference)
    if (versions.length === 0) throw new RecordNotFoundError()
    return versions
  }

  const findVersion = (versions: readonly RecordVersion[], number: number): RecordVersion => {
    const found = versions.find(({ version }) => version === number)
    if (!found) throw new RecordNotFoundError()
    return found
  }

  /** The changes of the deletion of a record that are about other records, with their values. */
  async function deletedWith(
    reference: Reference,
    sequence: number | undefined,
  ): Promise<readonly ChangeToUndo[]> {
    const deletion = sequence === undefined ? undefined : await changeLog.get(sequence)
    const changes = deletion ? await changeLog.ofCommit(deletion.commit) : []
    return changes
      .filter(({ change, record }) => change === 'deleted' && record !== recordKey(reference))
      .map(({ record, before }) => ({
        reference: referenceOf(record),
        // The cast: committer.ts wrote it.
        before: valuesBefore((before ?? {}) as Difference, {}),
        after: undefined,
      }))
  }

  /** Commits what `plan` stages. Nothing else is written meanwhile. */
  function commitStaged(
    source: ChangeSource,
    plan: (state: ReturnType<typeof createStagedState>) => Promise<void>,
  ): Promise<readonly RecordWrite[]> {
    return locks.withExclusiveLock(async () => {
      await store.settlePending()
      const state = createStagedState(stored, resources)
      await plan(state)
      const writes = state.writes()
      if (writes.length > 0) await commit(writes, source)
      return writes
    })
  }

  async function restoreVersion(
    name: ResourceName,
    id: string,
    number: number,
    request: RestoreRequest,
  ): Promise<void> {
    const reference = { target: name, id }
    await commitStaged(request.source, async (state) => {
      const versions = await versionsOf(reference)
      const { after } = findVersion(versions, number)
      // The version after a deletion has no values.
      if (!after) throw new RecordNotFoundError()
      const last = versions.at(-1)
      const isDeleted = last !== undefined && last.after === undefined
      const before = isDeleted ? last.before : undefined
      state.stage([await undoPlans.restore(state, reference, after, before, request)])
      if (!isDeleted) return
      for (const change of await deletedWith(reference, last.sequence))
        if (!(await state.has(change.reference)))
          state.stage(await undoPlans.undo(state, change, request))
    })
  }

  async function undoVersion(
    name: ResourceName,
    id: string,
    number: number,
    request: RestoreRequest,
  ): Promise<void> {
    const reference = { target: name, id }
    await commitStaged(request.source, async (state) => {
      const { before, after, sequence } = findVersion(await versionsOf(reference), number)
      // The version at which the history begins was made by no known change.
      if (sequence === undefined) throw new RecordNotFoundError()
      state.stage(await undoPlans.undo(state, { reference, before, after }, request))
      if (after) return
      for (const change of await deletedWith(reference, sequence))
        state.stage(await undoPlans.undo(state, change, request))
    })
  }

  const undoCommit = (number: number, request: RestoreRequest): Promise<readonly RecordWrite[]> =>
    commitStaged(request.source, async (state) => {
      const [conflict] = await planUndo(state, number, request)
      if (conflict)
        throw new UndoConflictError(conflict.reference, conflict.fields, conflict.dependents)
    })

  async function deletedRecords(name?: ResourceName): Promise<readonly DeletedRecord[]> {
    const last = new Map<string, number>()
    for await (const { sequence, record } of changeLog.deletions()) {
      if (name && referenceOf(record).target !== name) continue
      last.delete(record)
      last.set(record, sequence)
    }
    const found: DeletedRecord[] = []
    for (const [record, sequence] of [...last].reverse()) {
      const reference = referenceOf(record)
      const deletion = await changeLog.get(sequence)
      if (!deletion || (await stored.has(reference))) continue
      const others = (await changeLog.ofCommit(deletion.commit)).length - 1
      found.push({ reference, deletion, others })
    }
    return found
  }

  return {
    async history(name, id) {
      const reference = { target: name, id }
      return locks.withRecordLock(recordKey(reference), () => versionsOf(reference))
    },
    restoreVersion,
    undoVersion,
    undoCommit,
    deletedRecords,
  }
}

/**
 * The order in which the changes of a commit are undone: deleted records come back before those that
 * refer to them, and created ones go after those.
 */
function byDependence(one: LoggedChange, other: LoggedChange): number {
  const rank = ({ change, record }: LoggedChange): number => {
    const isHolding = referenceOf(record).target === 'holdings'
    const isAgent = referenceOf(record).target === 'agents'
    const place = isHolding ? 2 : isAgent ? 0 : 1
    return change === 'created' ? 10 - place : place
  }
  return rank(one) - rank(other)
}
