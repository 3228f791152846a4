// Batches: many writes that are planned one after the other, each against what the earlier ones
// leave, and committed at once. A batch is remembered, and can be undone like a single change.

import { message } from '../../message.js'
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import {
  type Reference,
  referencesOf,
  secondLevelReferencesOf,
  toView,
} from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import { type Batch, type BatchLog, batchEntry } from '../../store/key-value/batch-log.js'
import type { ChangeLog, RecordChangeType } from '../../store/key-value/change-log.js'
import type { Clock } from '../clock.js'
import { PreconditionFailedError, type UndoConflict, UndoConflictsError } from '../errors.js'
import type { ListSpecs } from '../lists/list-specs.js'
import type { ListQuery } from '../lists.js'
import { type HiddenRecords, withhold } from '../records/hidden-records.js'
import { referenceOf } from '../records/record-cache.js'
import type { RecordIndex } from '../sparql-record-index.js'
import { describeBatch, partsOf } from './batch-description.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import { type FieldEdits, applyEdits } from './field-edits.js'
import type { LibraryGuard } from './library-guard.js'
import type { PlannedWrites, Precondition, RequestBody } from './planned-writes.js'
import {
  type RecordState,
  type RecordWrite,
  type StagedState,
  readAhead,
  valuesOf,
} from './record-state.js'
import type { PlanUndo, RestoreRequest } from './restores.js'

/** How a batch with a bad line is written: not at all, or without that line. */
export type BatchMode = Batch['mode']

export type BatchOperation = 'create' | 'replace' | 'change' | 'remove'

/** One write of a batch. */
export type BatchLine = {
  readonly op: BatchOperation
  readonly reference: Reference
  /** Empty for `remove`. */
  readonly body: RequestBody
  readonly precondition?: Precondition | undefined
}

type MayWrite = (name: ResourceName) => boolean

export type BatchRequest = {
  readonly mode: BatchMode
  /** Nothing is written; the results are those that the batch would have. */
  readonly isDryRun: boolean
  /** Whether the results have the JSON of the records. */
  readonly withJson: boolean
  readonly account: string | undefined
  readonly mayWrite: MayWrite
  /** The identifier of the batch; a new one unless given. */
  readonly id?: string | undefined
  /** Called with how many lines are planned; the last ones are written when this is over. */
  readonly onProgress?:
    ((progress: { readonly done: number; readonly total: number }) => void) | undefined
  /** How many records have to change; otherwise nothing is written. */
  readonly expected?: number | undefined
}

/** The records of a kind that a batch edit is about. */
export type BatchSelection = {
  readonly name: ResourceName
  readonly records: { readonly ids: readonly string[] } | { readonly query: ListQuery }
}

/** What became of one line, or what would. */
export type LineResult =
  | {
      readonly op: BatchOperation
      readonly reference: Reference
      /**
       * The writes, the first that of the record itself; none if the record is already as it should
       * be.
       */
      readonly writes: readonly RecordWrite[]
      /** The record as JSON after the line, if that is wanted; undefined if it was removed. */
      readonly json: string | undefined
    }
  | { readonly reference: Reference; readonly error: Error }

export type BatchResult = {
  /** The batch; undefined if nothing was written. */
  readonly batch: Batch | undefined
  /** Whether a line failed, so that with the mode `all` nothing is written. */
  readonly hasFailed: boolean
  readonly lines: readonly LineResult[]
}

export type Batches = {
  writeBatch(lines: readonly BatchLine[], request: BatchRequest): Promise<BatchResult>
  /**
   * Makes the same edits to many records. @throws InvalidError if the query finds too many
   */
  editRecords(
    selection: BatchSelection,
    edits: FieldEdits,
    request: BatchRequest,
  ): Promise<BatchResult>
  /** All batches, the newest first. */
  batches(): Promise<readonly Batch[]>
  /** @throws NotFoundError */
  batch(id: string): Promise<Batch>
  /**
   * The records that a batch changed, from one to another in their order.
   * @throws NotFoundError
   */
  batchRecords(batch: Batch, part: BatchRecordsPart): Promise<readonly ChangedRecord[]>
  /**
   * Takes back all changes of a batch, or none. This is a batch too, and can be undone.
   * @throws NotFoundError, ForbiddenError, UndoConflictsError, ConflictError
   */
  undoBatch(id: string, request: UndoBatchRequest): Promise<Batch>
}

type BatchRecordsPart = {
  /** All kinds without it. */
  readonly kind: ResourceName | undefined
  readonly offset: number
  readonly limit: number
}

type ChangedRecord = { readonly reference: Reference; readonly change: RecordChangeType }

type UndoBatchRequest = Pick<BatchRequest, 'account' | 'mayWrite'> &
  Pick<RestoreRequest, 'withPrivate'>

/** How many records one batch may be about. */
export const maxBatchLines = 10_000

type BatchesDependencies = {
  readonly resources: Resources
  readonly recordIndex: RecordIndex
  readonly changeLog: ChangeLog
  readonly batchLog: BatchLog
  readonly runExclusively: RunExclusively
  readonly plans: PlannedWrites
  readonly planUndo: PlanUndo
  readonly guard: LibraryGuard
  readonly commit: CommitWrites
  readonly hiddenRecords: HiddenRecords
  readonly onBatchUndone?: (id: string) => Promise<void>
  readonly now: Clock
} & ListSpecs

type Line = {
  readonly reference: Reference
  readonly plan: () => Promise<{
    readonly op: BatchOperation
    readonly writes: readonly RecordWrite[]
  }>
}

export function createBatches(dependencies: BatchesDependencies): Batches {
  const batches = new RecordBatches(dependencies)
  return {
    writeBatch: (lines, request) => batches.write(lines, request),
    editRecords: (selection, edits, request) => batches.edit(selection, edits, request),
    batches: () => dependencies.batchLog.all(),
    batch: (id) => batches.get(id),
    batchRecords: (batch, part) => batches.records(batch, part),
    undoBatch: (id, request) => batches.undo(id, request),
  }
}

class RecordBatches {
  readonly #resources: Resources
  readonly #specOf: ListSpecs['specOf']
  readonly #recordIndex: RecordIndex
  readonly #changeLog: ChangeLog
  readonly #batchLog: BatchLog
  readonly #runExclusively: RunExclusively
  readonly #plans: PlannedWrites
  readonly #planUndo: PlanUndo
  readonly #guard: LibraryGuard
  readonly #commit: CommitWrites
  readonly #hidden: HiddenRecords
  readonly #onBatchUndone: (id: string) => Promise<void>
  readonly #now: Clock
  readonly #planOperation: Readonly<
    Record<
      BatchOperation,
      (state: RecordState, line: BatchLine, mayName: MayWrite) => Promise<readonly RecordWrite[]>
    >
  > = {
    create: async (state, { reference, body, precondition }, mayName) => {
      // No record that does not exist meets a precondition.
      if (precondition && !(await state.has(reference))) throw new PreconditionFailedError()
      return [await this.#plans.parseNew(reference.target, body).plan(state, { mayName })]
    },
    replace: async (state, { reference, body, precondition }, mayName) => [
      await this.#plans.replace(state, reference, body, { precondition, mayName }),
    ],
    change: async (state, { reference, body, precondition }, mayName) => [
      await this.#plans.change(state, reference, body, { precondition, mayName }),
    ],
    remove: (state, { reference, precondition }) =>
      this.#plans.remove(state, reference, { precondition }),
  }

  constructor({
    resources,
    recordIndex,
    changeLog,
    batchLog,
    runExclusively,
    plans,
    planUndo,
    guard,
    commit,
    hiddenRecords,
    onBatchUndone = () => Promise.resolve(),
    now,
    specOf,
  }: BatchesDependencies) {
    this.#resources = resources
    this.#specOf = specOf
    this.#recordIndex = recordIndex
    this.#changeLog = changeLog
    this.#batchLog = batchLog
    this.#runExclusively = runExclusively
    this.#plans = plans
    this.#planUndo = planUndo
    this.#guard = guard
    this.#commit = commit
    this.#hidden = hiddenRecords
    this.#onBatchUndone = onBatchUndone
    this.#now = now
  }

  write(lines: readonly BatchLine[], request: BatchRequest): Promise<BatchResult> {
    return this.#runExclusively((state) =>
      this.#runLines(
        state,
        lines.map((line) => ({
          reference: line.reference,
          plan: async () => ({
            op: line.op,
            writes: await this.#planOperation[line.op](state, line, request.mayWrite),
          }),
        })),
        request,
      ),
    )
  }

  edit(
    { name, records }: BatchSelection,
    edits: FieldEdits,
    request: BatchRequest,
  ): Promise<BatchResult> {
    return this.#runExclusively(async (state) => {
      const ids = 'ids' in records ? records.ids : await this.#findAll(name, records.query)
      const lines = ids.map((id) => {
        const reference = { target: name, id }
        return {
          reference,
          plan: async () => {
            const values = await valuesOf(state, reference)
            if (!values) throw new NotFoundError()
            const body = applyEdits(this.#resources[name], values, edits)
            const writes =
              body.size > 0
                ? [await this.#plans.change(state, reference, body, { mayName: request.mayWrite })]
                : []
            return { op: 'change' as const, writes }
          },
        }
      })
      return this.#runLines(state, lines, request)
    })
  }

  async get(id: string): Promise<Batch> {
    const batch = await this.#batchLog.get(id)
    if (!batch) throw new NotFoundError()
    return batch
  }

  async records(
    batch: Batch,
    { kind, offset, limit }: BatchRecordsPart,
  ): Promise<readonly ChangedRecord[]> {
    const changes: ChangedRecord[] = []
    for (const commitNumber of await this.#commitsOf(batch)) {
      if (changes.length >= offset + limit) break
      for (const { record, change } of await this.#changeLog.ofCommit(commitNumber)) {
        // A batch is forgotten with an identifier that it is about.
        if (change === 'forgotten') continue
        const reference = referenceOf(record)
        if (kind === undefined || reference.target === kind) changes.push({ reference, change })
      }
    }
    return changes.slice(offset, offset + limit)
  }

  async undo(id: string, { account, mayWrite, withPrivate }: UndoBatchRequest): Promise<Batch> {
    const undo = await this.#runExclusively(async (state) => {
      const undone = await this.get(id)
      // The cast: `describeBatch` wrote the names.
      const names = Object.keys(undone.kinds) as ResourceName[]
      if (!names.every(mayWrite)) throw new ForbiddenError()
      if (undone.undoneBy !== undefined)
        throw new ConflictError(
          message('This batch was undone by {batch}.', { batch: undone.undoneBy }),
        )
      const conflicts: UndoConflict[] = []
      for (const commitNumber of (await this.#commitsOf(undone)).toReversed())
        conflicts.push(...(await this.#planUndo(state, commitNumber, { withPrivate })))
      if (conflicts.length > 0) throw new UndoConflictsError(conflicts)
      const source = { account, how: 'undo' } as const
      const batch = await this.#commitBatch(state.writes(), source, { mode: 'all', undone })
      if (!batch) throw new ConflictError(message('Nothing is left of this batch.'))
      return batch
    })
    await this.#onBatchUndone(id)
    return undo
  }

  async #findAll(name: ResourceName, query: ListQuery): Promise<readonly string[]> {
    const ids = await this.#recordIndex.all(await this.#specOf(this.#resources[name], query))
    if (ids.length > maxBatchLines)
      throw new InvalidError(
        message('The query finds {count} records; a batch may change {most} at most.', {
          count: ids.length,
          most: maxBatchLines,
        }),
      )
    return ids
  }

  /**
   * Plans and stages the lines in their order, and commits what is staged unless that is not
   * wanted.
   */
  async #runLines(
    state: StagedState,
    lines: readonly Line[],
    request: BatchRequest,
  ): Promise<BatchResult> {
    const { mode, isDryRun, account, id, onProgress, expected } = request
    const results: LineResult[] = []
    const maybeYield = createYielder()
    for (const [index, line] of lines.entries()) {
      if (index % readAhead === 0)
        await state.prefetch(
          lines.slice(index, index + readAhead).map(({ reference }) => reference),
        )
      onProgress?.({ done: index, total: lines.length })
      results.push(await this.#runLine(state, line, request))
      await maybeYield()
    }
    onProgress?.({ done: lines.length, total: lines.length })
    const hasFailed = results.some((result) => 'error' in result)
    const changed = results.filter(
      (result) => 'writes' in result && result.writes.length > 0,
    ).length
    const isExpected = expected === undefined || expected === changed
    const isWritten = !isDryRun && isExpected && !(hasFailed && mode === 'all')
    const source = { account, how: 'batch' } as const
    const batch = isWritten
      ? await this.#commitBatch(state.writes(), source, { mode, id })
      : undefined
    return { batch, hasFailed, lines: results }
  }

  async #runLine(
    state: StagedState,
    { reference, plan }: Line,
    { account, mayWrite, withJson }: BatchRequest,
  ): Promise<LineResult> {
    try {
      if (!mayWrite(reference.target)) throw new ForbiddenError()
      await this.#guard.checkRecord(account, reference, state)
      const { op, writes } = await plan()
      await this.#guard.checkWrites(account, writes)
      await state.stage(writes)
      return {
        op,
        reference,
        writes,
        json: withJson ? await this.#jsonOf(state, reference) : undefined,
      }
    } catch (error) {
      if (!(error instanceof Error) || !lineErrors.some((kind) => error instanceof kind))
        throw error
      return { reference, error }
    }
  }

  /**
   * The JSON that everybody may see of a record as it is staged; undefined if it does not exist.
   */
  async #jsonOf(state: StagedState, reference: Reference): Promise<string | undefined> {
    const stored = await valuesOf(state, reference)
    if (!stored) return undefined
    const resource = this.#resources[reference.target]
    const values = withhold(resource.inputFields, stored, (other) =>
      this.#hidden.tellsNothingOf(other),
    )
    const first = await state.lookup(referencesOf(resource, values, 'detail'))
    const second = await state.lookup(
      secondLevelReferencesOf(this.#resources, { resource, values, lookup: first }, 'detail'),
    )
    const lookup = (other: Reference) => first(other) ?? second(other)
    return JSON.stringify(toView(this.#resources, { resource, values, lookup }, 'detail'))
  }

  /** Commits writes as a batch; undefined if there are none. */
  async #commitBatch(
    writes: readonly RecordWrite[],
    source: Omit<ChangeSource, 'batch'>,
    {
      mode,
      id,
      undone,
    }: { readonly mode: BatchMode; readonly id?: string | undefined; readonly undone?: Batch },
  ): Promise<Batch | undefined> {
    if (writes.length === 0) return undefined
    const described = describeBatch(writes, source, { mode, at: this.#now() })
    const batch = {
      ...described,
      ...(id === undefined ? {} : { id }),
      ...(undone ? { undoes: undone.id } : {}),
    }
    const others = undone ? await this.#withUndone(undone, batch.id) : []
    await this.#commit(writes, { ...source, batch: batch.id }, [batch, ...others].map(batchEntry))
    return batch
  }

  /** What becomes of an undone batch; the one that it had undone itself is in force again. */
  async #withUndone(undone: Batch, by: string): Promise<readonly Batch[]> {
    const inForce =
      undone.undoes === undefined ? undefined : await this.#batchLog.get(undone.undoes)
    return [{ ...undone, undoneBy: by }, ...(inForce ? [withoutUndone(inForce)] : [])]
  }

  /**
   * The numbers of the commits of a batch.
   * @throws NotFoundError when the log has forgotten one
   */
  async #commitsOf(batch: Batch): Promise<readonly number[]> {
    const commits = new Set<number>()
    for (const record of partsOf(batch)) {
      const changes = (await this.#changeLog.ofRecord(record)).filter(
        (change) => change.batch === batch.id,
      )
      if (changes.length === 0) throw new NotFoundError()
      for (const change of changes) commits.add(change.commit)
    }
    return [...commits].sort((a, b) => a - b)
  }
}

/** The errors that are the result of a line. All others end the batch. */
const lineErrors = [
  ValidationError,
  NotFoundError,
  PreconditionFailedError,
  ForbiddenError,
] as const

function withoutUndone(batch: Batch): Batch {
  const { undoneBy, partsUndone, ...inForce } = batch
  return undoneBy === undefined && partsUndone === undefined ? batch : inForce
}
