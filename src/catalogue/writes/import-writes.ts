// The writes of an import: rows of a source, each with the records that it makes. A row is written
// whole or not at all. An import is a batch of several commits, since one commit of all rows would
// hold up other writes for too long; and it is undone in as many.

import { ForbiddenError, NotFoundError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import type { FieldValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import { type Batch, type BatchLog, batchEntry } from '../../store/key-value/batch-log.js'
import type { ChangeLog, RecordChangeType } from '../../store/key-value/change-log.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import type { Clock } from '../clock.js'
import type { UndoConflict } from '../errors.js'
import { fieldsThatDiffer } from '../history/value-differences.js'
import { recordKey } from '../records/record-cache.js'
import { addToBatch, describeBatch, partsOf } from './batch-description.js'
import { type CommitWrites, changeType } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { LibraryGuard } from './library-guard.js'
import type { PlannedWrites, RequestBody } from './planned-writes.js'
import {
  type RecordState,
  type RecordWrite,
  StagedState,
  fieldsReferringTo,
  valuesOf,
} from './record-state.js'
import type { PlanUndo } from './restores.js'

/** A record that a row makes or changes, as a client would send it. */
export type RowRecord = {
  readonly reference: Reference
  /** A new record; undefined if the row is only for a record that is there. */
  readonly body: RequestBody | undefined
  /** What a record with the identifier gets; undefined if it stays as it is. */
  readonly changes: RequestBody | undefined
  /** What its lists get beside what they have. */
  readonly additions?: ReadonlyMap<string, readonly string[]> | undefined
}

/** A row of the source with its records, those that others refer to first. */
export type ImportRow = {
  readonly number: number
  readonly records: readonly RowRecord[]
}

/** What a row does to a record; `unchanged` if it is already as the row says. */
export type RowChange = {
  readonly reference: Reference
  readonly change: RecordChangeType | 'unchanged'
  /** Of a record that is updated: the fields that get another value. */
  readonly fields?: readonly ChangedField[] | undefined
}

export type ChangedField = {
  readonly field: string
  readonly before: FieldValue
  readonly after: FieldValue
}

export type RowResult = { readonly number: number } & (
  | { readonly changes: readonly RowChange[]; readonly error?: undefined }
  | {
      /** The record that cannot be written. */
      readonly reference: Reference
      readonly error: Error
    }
)

export type ImportRequest = {
  readonly account: string | undefined
  readonly mayWrite: (name: ResourceName) => boolean
}

type ImportPart = ImportRequest & {
  /** The identifier of the batch that all parts of the import belong to. */
  readonly batch: string
  /**
   * Looks at the results before they are written, and returns further entries of the key-value
   * store that are written with them. An error that it throws keeps the part from being written.
   */
  readonly onPlanned: (results: readonly RowResult[]) => readonly KeyValueWrite[]
}

type UndoPart = ImportRequest & {
  readonly batch: string
  /** The batch of the undo, which all its parts belong to. */
  readonly undo: string
  /** Returns further entries that are written with the part. */
  readonly onPlanned: (undone: UndonePart) => readonly KeyValueWrite[]
}

type UndonePart = {
  /** How many parts are left. */
  readonly left: number
  /** How many records were removed or got their former values. */
  readonly count: number
  /** The records that stay as they are, since they were changed since or others refer to them. */
  readonly kept: readonly UndoConflict[]
}

export type ImportWrites = {
  /**
   * Begins to plan an import without writing it: each call says what its rows would do after all
   * rows before.
   */
  planImport(request: ImportRequest): (rows: readonly ImportRow[]) => Promise<readonly RowResult[]>
  /**
   * Writes some rows in one commit, except for those with an error. Nothing else is written
   * meanwhile.
   */
  writeImportPart(rows: readonly ImportRow[], part: ImportPart): Promise<readonly RowResult[]>
  /** How many parts of an import are there to be taken back. */
  partsToUndo(batch: string): Promise<number>
  /**
   * Takes back the last part of an import that was not taken back yet: removes what it made, and
   * restores what it replaced. What was changed since is kept.
   * @throws NotFoundError if there is no such batch or nothing of it is left
   */
  undoImportPart(part: UndoPart): Promise<UndonePart>
}

type ImportWritesDependencies = {
  readonly resources: Resources
  readonly changeLog: ChangeLog
  readonly batchLog: BatchLog
  readonly runExclusively: RunExclusively
  readonly stored: RecordState
  readonly plans: PlannedWrites
  readonly planUndo: PlanUndo
  readonly guard: LibraryGuard
  readonly commit: CommitWrites
  readonly now: Clock
}

type PartToCommit = {
  readonly id: string
  readonly source: { readonly account: string | undefined; readonly how: 'import' | 'undo' }
  readonly entries: readonly KeyValueWrite[]
  readonly undoes?: Batch
}

export function createImportWrites(dependencies: ImportWritesDependencies): ImportWrites {
  const writing = new ImportWriting(dependencies)
  return {
    planImport: (request) => writing.planImport(request),
    writeImportPart: (rows, part) => writing.writePart(rows, part),
    partsToUndo: (batch) => writing.partsToUndo(batch),
    undoImportPart: (part) => writing.undoPart(part),
  }
}

class ImportWriting {
  readonly #resources: Resources
  readonly #changeLog: ChangeLog
  readonly #batchLog: BatchLog
  readonly #runExclusively: RunExclusively
  readonly #stored: RecordState
  readonly #plans: PlannedWrites
  readonly #planUndo: PlanUndo
  readonly #guard: LibraryGuard
  readonly #commit: CommitWrites
  readonly #now: Clock

  constructor({
    resources,
    changeLog,
    batchLog,
    runExclusively,
    stored,
    plans,
    planUndo,
    guard,
    commit,
    now,
  }: ImportWritesDependencies) {
    this.#resources = resources
    this.#changeLog = changeLog
    this.#batchLog = batchLog
    this.#runExclusively = runExclusively
    this.#stored = stored
    this.#plans = plans
    this.#planUndo = planUndo
    this.#guard = guard
    this.#commit = commit
    this.#now = now
  }

  planImport(request: ImportRequest): ReturnType<ImportWrites['planImport']> {
    const created = new Set<string>()
    return async (rows: readonly ImportRow[]): Promise<readonly RowResult[]> => {
      const state = new StagedState(withCreated(this.#stored, created), this.#resources)
      const results = await this.#planRows(state, rows, request)
      for (const { reference, before } of state.writes())
        if (!before) created.add(recordKey(reference))
      return results
    }
  }

  writePart(
    rows: readonly ImportRow[],
    { account, mayWrite, batch: id, onPlanned }: ImportPart,
  ): Promise<readonly RowResult[]> {
    return this.#runExclusively(async (state) => {
      const results = await this.#planRows(state, rows, { account, mayWrite })
      const entries = onPlanned(results)
      const writes = state.writes()
      const source = { account, how: 'import' } as const
      await this.#commitPart(writes, { id, source, entries })
      return results
    })
  }

  async partsToUndo(id: string): Promise<number> {
    const batch = await this.#batchLog.get(id)
    return batch ? partsLeft(batch).length : 0
  }

  undoPart({ batch: id, undo, account, mayWrite, onPlanned }: UndoPart): Promise<UndonePart> {
    return this.#runExclusively(async (state) => {
      const batch = await this.#batchLog.get(id)
      const parts = batch ? partsLeft(batch) : []
      const record = parts.at(-1)
      if (!batch || record === undefined) throw new NotFoundError()
      // The cast: `describeBatch` wrote the names.
      if (!(Object.keys(batch.kinds) as ResourceName[]).every(mayWrite)) throw new ForbiddenError()
      const commits = await this.#commitsOf(id, record)
      const conflicts: UndoConflict[] = []
      for (const commit of commits.toReversed())
        conflicts.push(
          ...(await this.#planUndo(state, commit, {
            withPrivate: true,
            dependentsOf: (staged, reference) => this.#dependentsOf(staged, reference),
          })),
        )
      const writes = state.writes()
      const partsUndone = (batch.partsUndone ?? 0) + 1
      const undone = { left: parts.length - 1, count: writes.length, kept: conflicts }
      await this.#commitPart(writes, {
        id: undo,
        source: { account, how: 'undo' },
        entries: onPlanned(undone),
        undoes: { ...batch, partsUndone, undoneBy: undo },
      })
      return undone
    })
  }

  /**
   * Plans rows one after the other on the state, which gets the writes of those without an error.
   */
  async #planRows(
    state: StagedState,
    rows: readonly ImportRow[],
    request: ImportRequest,
  ): Promise<readonly RowResult[]> {
    await state.prefetch(rows.flatMap(({ records }) => records.map(({ reference }) => reference)))
    const results: RowResult[] = []
    const maybeYield = createYielder()
    for (const row of rows) {
      results.push(await this.#planRow(state, row, request))
      await maybeYield()
    }
    return results
  }

  async #planRow(
    state: StagedState,
    { number, records }: ImportRow,
    { account, mayWrite }: ImportRequest,
  ): Promise<RowResult> {
    const rowState = new StagedState(state, this.#resources)
    const changes: RowChange[] = []
    for (const record of records) {
      const { reference } = record
      try {
        if (!mayWrite(reference.target)) throw new ForbiddenError()
        const write = await this.#planRecord(rowState, record, mayWrite)
        if (write) {
          await this.#guard.checkWrites(account, [write])
          await rowState.stage([write])
        }
        changes.push(write ? this.#describeWrite(write) : { reference, change: 'unchanged' })
      } catch (error) {
        if (!rowErrors.some((kind) => error instanceof kind)) throw error
        // The cast: it is of one of these classes.
        return { number, reference, error: error as Error }
      }
    }
    await state.stage(rowState.writes())
    return { number, changes }
  }

  /**
   * The write of a record; undefined if it is as it should be.
   * @throws NotFoundError if the row is only for a record that is there, and there is none
   */
  async #planRecord(
    state: RecordState,
    { reference, body, changes, additions = new Map() }: RowRecord,
    mayName: ImportRequest['mayWrite'],
  ): Promise<RecordWrite | undefined> {
    if (!(await state.has(reference))) {
      if (!body) throw new NotFoundError()
      return this.#plans.parseNew(reference.target, body).plan(state, { mayName })
    }
    if (!changes) return undefined
    const before = additions.size > 0 ? await valuesOf(state, reference) : undefined
    const write = await this.#plans.change(
      state,
      reference,
      new Map([
        ...changes,
        ...[...additions].map(([name, more]) => [name, join(before?.[name], more)] as const),
      ]),
      { mayName },
    )
    return this.#changedFields(write).length > 0 ? write : undefined
  }

  /** The fields of a record that get another value. */
  #changedFields({ reference, before, after }: RecordWrite): readonly Field[] {
    return fieldsThatDiffer(this.#resources[reference.target], before, after).filter(
      (field) => !field.onRecordNode,
    )
  }

  #describeWrite(write: RecordWrite): RowChange {
    const { reference, before, after } = write
    const change = changeType(write)
    if (!before) return { reference, change }
    const fields = this.#changedFields(write).map(({ name }) => ({
      field: name,
      before: before[name] ?? null,
      after: after?.[name] ?? null,
    }))
    return { reference, change, fields }
  }

  /**
   * Commits writes as a part of a batch, which the first part makes. Without writes only the
   * entries are written.
   */
  async #commitPart(
    writes: readonly RecordWrite[],
    { id, source, entries, undoes }: PartToCommit,
  ): Promise<void> {
    const batches = undoes ? [undoes] : []
    if (writes.length > 0) {
      const known = await this.#batchLog.get(id)
      const described = describeBatch(writes, source, { id, mode: 'each', at: this.#now() })
      const batch = known ? addToBatch(known, described) : described
      batches.push({ ...batch, ...(undoes ? { undoes: undoes.id } : {}) })
    }
    await this.#commit(writes, { ...source, batch: id }, [...entries, ...batches.map(batchEntry)])
  }

  #dependentsOf(state: RecordState, reference: Reference): Promise<readonly Reference[]> {
    return state.referrers(reference, fieldsReferringTo(this.#resources, reference.target))
  }

  /** The numbers of the commits of a batch that changed a record. */
  async #commitsOf(batch: string, record: string): Promise<readonly number[]> {
    const changes = await this.#changeLog.ofRecord(record)
    return [
      ...new Set(changes.filter((change) => change.batch === batch).map((change) => change.commit)),
    ]
  }
}

/** A list with what it lacks of others. */
function join(list: FieldValue | undefined, more: readonly string[]): readonly string[] {
  const known = typeof list === 'object' && list !== null ? list : []
  return [...known, ...more.filter((item) => !known.includes(item))]
}

/** What keeps one row from being written, and no other. */
const rowErrors = [ValidationError, ForbiddenError, NotFoundError]

/** The parts of a batch that were not undone. */
const partsLeft = (batch: Batch): readonly string[] =>
  partsOf(batch).slice(0, partsOf(batch).length - (batch.partsUndone ?? 0))

/**
 * The stored records, and those that were planned before, of which only the identifiers are known.
 */
const withCreated = (stored: RecordState, created: ReadonlySet<string>): RecordState => ({
  ...stored,
  has: async (reference) => created.has(recordKey(reference)) || stored.has(reference),
  async lookup(references) {
    const lookup = await stored.lookup(
      references.filter((reference) => !created.has(recordKey(reference))),
    )
    return (reference) => (created.has(recordKey(reference)) ? {} : lookup(reference))
  },
})
