// The history of records, and what takes changes back: restoring a version, undoing a change,
// undoing a commit with all its changes. What is planned by undo.ts is committed here.

import { message } from '../../message.js'
import { ConflictError, NotFoundError, RequestError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { ChangeLog, LoggedChange } from '../../store/key-value/change-log.js'
import type { ForgottenIdentifiers } from '../../store/key-value/forgotten-identifiers.js'
import { type Resources, referenceDepths } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import { ValidationError } from '../../model/record/input.js'
import { type UndoConflict, UndoConflictError } from '../errors.js'
import { type ReadHistory, type RecordVersion, findDeletion } from '../history/record-history.js'
import { type Difference, valuesBefore } from '../history/value-differences.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import { recordKey, referenceOf } from '../records/record-cache.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { LibraryGuard } from './library-guard.js'
import type { Locks } from './locks.js'
import { type RecordState, type RecordWrite, type StagedState, readAhead } from './record-state.js'
import type { ChangeToUndo, RestoreOptions, UndoPlans } from './undo.js'

export type RestoreRequest = RestoreOptions & { readonly source: ChangeSource }

/** A version that may be restored, or its change undone. */
export type RestoreAttempt = { readonly number: number; readonly how: 'restore' | 'undo' }

export type Restores = {
  /** The versions of a record, the oldest first. @throws NotFoundError */
  history(name: ResourceName, id: string): Promise<readonly RecordVersion[]>
  /**
   * Gives a record the values of a version. A deleted one comes back, with what its deletion took
   * along.
   * @throws NotFoundError, ValidationError
   */
  restoreVersion(
    name: ResourceName,
    id: string,
    version: number,
    request: RestoreRequest,
  ): Promise<void>
  /**
   * Takes back the change that made a version, and for a deletion what it took along.
   * @throws NotFoundError, UndoConflictError, ValidationError
   */
  undoVersion(
    name: ResourceName,
    id: string,
    version: number,
    request: RestoreRequest,
  ): Promise<void>
  /**
   * What keeps each of the versions from being restored, or its change from being undone, as far as
   * the record itself tells; undefined if nothing does. Nothing is written.
   * @throws NotFoundError
   */
  obstacles(
    reference: Reference,
    attempts: readonly RestoreAttempt[],
    request: RestoreRequest,
  ): Promise<readonly (RequestError | undefined)[]>
  /**
   * Takes back all changes of a commit, or none. @throws UndoConflictError, ValidationError
   */
  undoCommit(commit: number, request: RestoreRequest): Promise<readonly RecordWrite[]>
  /**
   * The records of these resources that were deleted and do not exist now, the last deletion first.
   */
  deletedRecords(names: readonly ResourceName[]): Promise<readonly Reference[]>
  /**
   * The deletions of such records, from their histories; without one where the history does not
   * say.
   */
  deletionsOf(references: readonly Reference[]): Promise<readonly RecordDeletion[]>
  /**
   * Whether there was a record that does not exist now, as far as the log goes back, or one whose
   * identifier was forgotten.
   */
  wasDeleted(name: ResourceName, id: string): Promise<boolean>
}

/** The version that the deletion of a record made. */
type RecordDeletion = {
  readonly reference: Reference
  readonly deletion: RecordVersion | undefined
}

type RestoresDependencies = {
  readonly changeLog: ChangeLog
  readonly forgottenIdentifiers: Pick<ForgottenIdentifiers, 'isToldOf'>
  readonly resources: Resources
  readonly locks: Locks
  readonly runExclusively: RunExclusively
  readonly stored: RecordState
  readonly hiddenRecords: HiddenRecords
  readonly readHistory: ReadHistory
  readonly undoPlans: UndoPlans
  readonly planUndo: PlanUndo
  readonly guard: LibraryGuard
  readonly commit: CommitWrites
}

/** Stages what takes back all changes of a commit; returns what keeps it from that. */
export type PlanUndo = (
  state: StagedState,
  commit: number,
  options: UndoOptions,
) => Promise<readonly UndoConflict[]>

type UndoOptions = RestoreOptions & {
  /**
   * Finds the records for whose sake a created one stays, besides those that cannot be without it.
   */
  readonly dependentsOf?: (
    state: RecordState,
    reference: Reference,
  ) => Promise<readonly Reference[]>
}

/** The caller has to make sure that nothing is written meanwhile. */
export const createUndoPlanner =
  ({
    changeLog,
    resources,
    readHistory,
    undoPlans,
  }: Pick<
    RestoresDependencies,
    'changeLog' | 'resources' | 'readHistory' | 'undoPlans'
  >): PlanUndo =>
  async (state, commit, options) => {
    const logged = await changeLog.ofCommit(commit)
    if (logged.some(({ change }) => change === 'forgotten')) throw partForgotten()
    const changes = orderByDependence(resources, logged)
    const conflicts: UndoConflict[] = []
    const maybeYield = createYielder()
    let values: ReadonlyMap<string, RecordValues> = new Map()
    for (const [index, { record, sequence, change }] of changes.entries()) {
      if (index % readAhead === 0)
        values = await state.prefetch(
          changes.slice(index, index + readAhead).map((next) => referenceOf(next.record)),
        )
      const reference = referenceOf(record)
      const dependents = change === 'created' ? await options.dependentsOf?.(state, reference) : []
      if (dependents && dependents.length > 0) {
        conflicts.push({ reference, fields: [], dependents })
        continue
      }
      const versions = await readHistory(reference, values)
      const version = versions.find((candidate) => candidate.sequence === sequence)
      try {
        if (version)
          await state.stage(await undoPlans.undo(state, { ...version, reference }, options))
      } catch (error) {
        conflicts.push(conflictOf(reference, error))
      }
      await maybeYield()
    }
    return conflicts
  }

const partForgotten = (): ConflictError =>
  new ConflictError(
    message('An identifier was forgotten that this change is about, so it cannot be undone.'),
  )

/** @throws any error that does not say what keeps a change from being undone */
function conflictOf(reference: Reference, error: unknown): UndoConflict {
  if (error instanceof UndoConflictError) return error
  if (error instanceof ValidationError)
    return { reference, fields: [...error.fieldErrors.keys()], dependents: [] }
  throw error
}

const toError = ({ reference, fields, dependents }: UndoConflict): UndoConflictError =>
  new UndoConflictError(reference, fields, dependents)

export function createRestores(dependencies: RestoresDependencies): Restores {
  const restoring = new Restoring(dependencies)
  return {
    history: (target, id) => restoring.history({ target, id }),
    restoreVersion: (target, id, version, request) =>
      restoring.restoreVersion({ target, id }, version, request),
    undoVersion: (target, id, version, request) =>
      restoring.undoVersion({ target, id }, version, request),
    obstacles: (reference, attempts, request) => restoring.obstacles(reference, attempts, request),
    undoCommit: (commit, request) => restoring.undoCommit(commit, request),
    deletedRecords: (names) => restoring.deletedRecords(names),
    deletionsOf: (references) => restoring.deletionsOf(references),
    wasDeleted: (target, id) => restoring.wasDeleted({ target, id }),
  }
}

class Restoring {
  readonly #changeLog: ChangeLog
  readonly #forgottenIdentifiers: Pick<ForgottenIdentifiers, 'isToldOf'>
  readonly #locks: Locks
  readonly #runExclusively: RunExclusively
  readonly #stored: RecordState
  readonly #hidden: HiddenRecords
  readonly #readHistory: ReadHistory
  readonly #undoPlans: UndoPlans
  readonly #planUndo: PlanUndo
  readonly #guard: LibraryGuard
  readonly #commit: CommitWrites

  constructor({
    changeLog,
    forgottenIdentifiers,
    locks,
    runExclusively,
    stored,
    hiddenRecords,
    readHistory,
    undoPlans,
    planUndo,
    guard,
    commit,
  }: RestoresDependencies) {
    this.#changeLog = changeLog
    this.#forgottenIdentifiers = forgottenIdentifiers
    this.#locks = locks
    this.#runExclusively = runExclusively
    this.#stored = stored
    this.#hidden = hiddenRecords
    this.#readHistory = readHistory
    this.#undoPlans = undoPlans
    this.#planUndo = planUndo
    this.#guard = guard
    this.#commit = commit
  }

  history(reference: Reference): Promise<readonly RecordVersion[]> {
    return this.#locks.withRecordLock(recordKey(reference), () => this.#versionsOf(reference))
  }

  deletionsOf(references: readonly Reference[]): Promise<readonly RecordDeletion[]> {
    return Promise.all(
      references.map(async (reference) => ({
        reference,
        deletion: findDeletion(await this.history(reference)),
      })),
    )
  }

  async wasDeleted(reference: Reference): Promise<boolean> {
    // The public is not told that a hidden record was there before.
    if (this.#hidden.tellsNothingOf(reference) || (await this.#stored.has(reference))) return false
    const key = recordKey(reference)
    return (
      (await this.#changeLog.ofRecord(key)).length > 0 || this.#forgottenIdentifiers.isToldOf(key)
    )
  }

  async restoreVersion(
    reference: Reference,
    number: number,
    request: RestoreRequest,
  ): Promise<void> {
    await this.#commitStaged(request.source, async (state) => {
      const versions = await this.#versionsOf(reference)
      const version = findVersion(versions, number)
      const deletion = findDeletion(versions)
      await state.stage([
        await this.#undoPlans.restore(state, reference, version, {
          ...request,
          last: deletion?.before,
        }),
      ])
      if (!deletion) return
      for (const change of await this.#deletedWith(reference, deletion.sequence))
        if (!(await state.has(change.reference)))
          await this.#undoDeletedWith(state, change, request)
    })
  }

  async undoVersion(reference: Reference, number: number, request: RestoreRequest): Promise<void> {
    await this.#commitStaged(request.source, async (state) => {
      const version = findVersion(await this.#versionsOf(reference), number)
      // The version at which the history begins was made by no known change.
      if (version.sequence === undefined) throw new NotFoundError()
      // A merge is undone with all that it changed.
      if (version.before && version.into !== undefined) {
        const merge = await this.#changeLog.get(version.sequence)
        if (merge) await this.#stageUndo(state, merge.commit, request)
        return
      }
      await state.stage(await this.#undoPlans.undo(state, { ...version, reference }, request))
      if (version.after) return
      for (const change of await this.#deletedWith(reference, version.sequence))
        await this.#undoDeletedWith(state, change, request)
    })
  }

  async obstacles(
    reference: Reference,
    attempts: readonly RestoreAttempt[],
    request: RestoreRequest,
  ): Promise<readonly (RequestError | undefined)[]> {
    const versions = await this.history(reference)
    const last = findDeletion(versions)?.before
    const plan = async ({ number, how }: RestoreAttempt): Promise<readonly RecordWrite[]> => {
      const version = findVersion(versions, number)
      if (how === 'restore')
        return [
          await this.#undoPlans.restore(this.#stored, reference, version, { ...request, last }),
        ]
      // A merge is undone with all that it changed.
      if (version.before && version.into !== undefined) return []
      return this.#undoPlans.undo(this.#stored, { ...version, reference }, request)
    }
    return Promise.all(
      attempts.map(async (attempt) => {
        try {
          await this.#guard.checkWrites(request.source.account, await plan(attempt))
          return undefined
        } catch (error) {
          if (error instanceof RequestError) return error
          throw error
        }
      }),
    )
  }

  undoCommit(number: number, request: RestoreRequest): Promise<readonly RecordWrite[]> {
    return this.#commitStaged(request.source, (state) => this.#stageUndo(state, number, request))
  }

  async deletedRecords(names: readonly ResourceName[]): Promise<readonly Reference[]> {
    const keys = new Set<string>()
    for (const deletions of [this.#changeLog.deletions(), this.#changeLog.hiddenDeletions()])
      for await (const { record } of deletions) {
        // Put at the end, behind those that were deleted before.
        keys.delete(record)
        keys.add(record)
      }
    const deleted = [...keys]
      .map(referenceOf)
      .filter(({ target }) => names.includes(target))
      .reverse()
    const isThere = await Promise.all(
      deleted.map(
        async (reference) =>
          (await this.#stored.has(reference)) ||
          (await this.#stored.mergedInto(reference)) !== undefined,
      ),
    )
    return deleted.filter((_, index) => !isThere[index])
  }

  async #versionsOf(reference: Reference): Promise<readonly RecordVersion[]> {
    const versions = await this.#readHistory(reference)
    if (versions.length === 0) throw new NotFoundError()
    return versions
  }

  /** The changes of the deletion of a record that are about other records, with their values. */
  async #deletedWith(
    reference: Reference,
    sequence: number | undefined,
  ): Promise<readonly ChangeToUndo[]> {
    const deletion = sequence === undefined ? undefined : await this.#changeLog.get(sequence)
    const isDeletion = deletion?.change === 'deleted' && deletion.before !== undefined
    const changes = isDeletion ? await this.#changeLog.ofCommit(deletion.commit) : []
    return changes
      .filter(({ change, record }) => change === 'deleted' && record !== recordKey(reference))
      .map(({ record, before, intoBefore }) => ({
        reference: referenceOf(record),
        // The cast: committer.ts wrote it.
        before: before && valuesBefore(before as Difference, {}),
        after: undefined,
        redacted: [],
        intoBefore,
      }))
  }

  /** @throws UndoConflictError also for what the other record cannot have any more */
  async #undoDeletedWith(
    state: StagedState,
    change: ChangeToUndo,
    request: RestoreRequest,
  ): Promise<void> {
    try {
      await state.stage(await this.#undoPlans.undo(state, change, request))
    } catch (error) {
      throw toError(conflictOf(change.reference, error))
    }
  }

  /** Commits what `plan` stages. Nothing else is written meanwhile. */
  #commitStaged(
    source: ChangeSource,
    plan: (state: StagedState) => Promise<void>,
  ): Promise<readonly RecordWrite[]> {
    return this.#runExclusively(async (state) => {
      await plan(state)
      const writes = state.writes()
      if (writes.length > 0) await this.#commit(writes, source)
      return writes
    })
  }

  /** @throws UndoConflictError for the first record that keeps the commit from being undone */
  async #stageUndo(state: StagedState, number: number, request: RestoreRequest): Promise<void> {
    const [conflict] = await this.#planUndo(state, number, request)
    if (conflict) throw toError(conflict)
  }
}

function findVersion(versions: readonly RecordVersion[], number: number): RecordVersion {
  const match = versions.find(({ version }) => version === number)
  if (!match) throw new NotFoundError()
  return match
}

/**
 * The changes of a commit in the order in which they are undone: deleted records come back before
 * those that refer to them, and created ones go after those. What leads to another record is in
 * between.
 */
function orderByDependence(
  resources: Resources,
  changes: readonly LoggedChange[],
): readonly LoggedChange[] {
  const depths = referenceDepths(resources)
  const deepest = Math.max(...Object.values(depths))
  const rankOf = ({ change, record, before }: LoggedChange): number => {
    if (change !== 'created' && before === undefined) return deepest + 1
    const depth = depths[referenceOf(record).target]
    return change === 'created' ? 2 * deepest + 2 - depth : depth
  }
  const byRank = Array.from({ length: 2 * deepest + 3 }, (): LoggedChange[] => [])
  for (const change of changes) byRank[rankOf(change)]?.push(change)
  return byRank.flat()
}
