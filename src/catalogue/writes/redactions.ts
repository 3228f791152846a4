// Removes a value from a record and from all its history, for good: a legal name that should never
// have been there. The log says that something was removed and by whom, not what.

import { randomUUID } from 'node:crypto'

import { message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import { ValidationError } from '../../model/record/input.js'
import type { FieldValue, RecordValues } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { type TextRemoval, createTextRemoval } from '../../model/text-removal.js'
import { type ChangeLog, type LoggedChange, entryOf } from '../../store/key-value/change-log.js'
import {
  type UnfinishedRedaction,
  type UnfinishedRemoval,
  isForgetting,
  unfinishedRedactionEntry,
} from '../../store/key-value/unfinished-redactions.js'
import type { Clock } from '../clock.js'
import { isUnset } from '../history/value-differences.js'
import { recordKey } from '../records/record-cache.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import { findFormerIdentifiers } from './former-identifiers.js'
import type { PlannedWrites } from './planned-writes.js'
import type { Redaction } from './redaction.js'
import type { RedactionCompletion } from './redaction-completion.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'
import { type RecordChanges, rewriteHistory } from './rewritten-history.js'

type RedactionsDependencies = {
  readonly changeLog: ChangeLog
  readonly resources: Resources
  readonly runExclusively: RunExclusively
  readonly plans: PlannedWrites
  readonly completion: RedactionCompletion
  readonly commit: CommitWrites
  readonly now: Clock
}

/** A value of a field that is removed. */
type FieldRedaction = Extract<Redaction, { readonly field: string }>

export class Redactions {
  readonly #changeLog: ChangeLog
  readonly #resources: Resources
  readonly #runExclusively: RunExclusively
  readonly #plans: PlannedWrites
  readonly #completion: RedactionCompletion
  readonly #commit: CommitWrites
  readonly #now: Clock

  constructor(dependencies: RedactionsDependencies) {
    this.#changeLog = dependencies.changeLog
    this.#resources = dependencies.resources
    this.#runExclusively = dependencies.runExclusively
    this.#plans = dependencies.plans
    this.#completion = dependencies.completion
    this.#commit = dependencies.commit
    this.#now = dependencies.now
  }

  /**
   * Removes a value from the present record and from its history, also from the histories of the
   * identifiers that it had before; of an identifier that leads to another record, from that one. Or
   * removes all that was before the record with the identifier. When this resolves, the value is in
   * no file of the data directory any more, but where other records have it. When it fails after it
   * began, it is gone on with when it is asked for again, and at the next start.
   * @throws NotFoundError when there never was such a record
   * @throws ValidationError for a field that does not exist, a value that occurs nowhere, and a
   * value without which the present record would not be valid
   * @throws Error, and the errors of `Store.commit` and of what is called
   */
  async redact(reference: Reference, redaction: Redaction, source: ChangeSource): Promise<void> {
    const completedCount = await this.#completion.completeThose((unfinished) =>
      isSame(unfinished, reference, redaction),
    )
    const unfinished = await this.#runExclusively((state) =>
      this.#begin(state, { reference, redaction, source, wasBegun: completedCount > 0 }),
    )
    if (unfinished) await this.#completion.complete(unfinished)
  }

  /**
   * Changes the record and the log.
   * @returns undefined when it was begun before, and there is nothing left to change
   */
  #begin(
    state: RecordState,
    request: RequestedRedaction,
  ): Promise<UnfinishedRedaction | undefined> {
    const { redaction } = request
    return 'past' in redaction
      ? this.#beginWithPast(state, request)
      : this.#beginWithValue(state, request, redaction)
  }

  async #beginWithPast(
    state: RecordState,
    { reference, source }: RequestedRedaction,
  ): Promise<UnfinishedRedaction> {
    const { current, changes } = await this.#read(state, reference)
    const former = await findFormerIdentifiers(this.#changeLog, state, reference)
    const fields = this.#fieldsOf(reference)
    const unfinished = newRemoval(reference, former)
    await this.#commit([await this.#touch(state, reference, current)], source, [
      ...[changes, ...former.values()].flat().map((change) => entryOf(withoutPast(change, fields))),
      unfinishedRedactionEntry(unfinished),
    ])
    return unfinished
  }

  async #beginWithValue(
    state: RecordState,
    { reference: requested, source, wasBegun }: RequestedRedaction,
    redaction: FieldRedaction,
  ): Promise<UnfinishedRedaction | undefined> {
    const { target } = requested
    const into = await state.mergedInto(requested)
    const reference = into === undefined ? requested : { target, id: into }
    const { current, changes } = await this.#read(state, reference)
    const { field, value } = redaction
    checkField(field, this.#fieldsOf(reference))
    const former = await findFormerIdentifiers(this.#changeLog, state, reference)
    const unfinished = newRemoval(reference, former, redaction)
    const removal = createTextRemoval(value)
    const clean = (values: RecordValues): RecordValues => withoutText(values, field, removal)
    const rewrite = (history: RecordChanges) => rewriteHistory(history, { clean, fields: [field] })
    const ofRecord = rewrite({ changes, current })
    const histories = [
      ofRecord,
      ...[...former.values()].map((all) => rewrite({ changes: all, current: undefined })),
    ]
    if (!histories.some(({ isChanged }) => isChanged)) {
      if (wasBegun) return undefined
      throw occursNowhere()
    }
    const write =
      ofRecord.current && ofRecord.current !== current
        ? await this.#planPresent(state, reference, ofRecord.current, field)
        : await this.#touch(state, reference, current)
    await this.#commit([write], source, [
      ...histories.flatMap((history) => history.changes.map(entryOf)),
      unfinishedRedactionEntry(unfinished),
    ])
    return unfinished
  }

  /** @throws NotFoundError when there never was such a record */
  async #read(state: RecordState, reference: Reference): Promise<RecordChanges> {
    const current = await valuesOf(state, reference)
    const changes = await this.#changeLog.ofRecord(recordKey(reference))
    if (!current && changes.length === 0) throw new NotFoundError()
    return { current, changes }
  }

  #fieldsOf({ target }: Reference): readonly string[] {
    return this.#resources[target].inputFields.map(({ name }) => name)
  }

  /** The write of the present record. Its entry in the log must not tell the value. */
  async #planPresent(
    state: RecordState,
    reference: Reference,
    clean: RecordValues,
    field: string,
  ): Promise<RecordWrite> {
    const body = new Map([[field, clean[field] ?? null]])
    const { after } = await this.#plans.change(state, reference, body)
    return { reference, before: clean, after }
  }

  /**
   * A write that changes nothing but the time, so that the log has an entry. What leads to another
   * record goes on leading there.
   */
  async #touch(
    state: RecordState,
    reference: Reference,
    current: RecordValues | undefined,
  ): Promise<RecordWrite> {
    const into = await state.mergedInto(reference)
    const after = current && { ...current, updated_at: this.#now(String(current.updated_at)) }
    return { reference, before: current, after, into, intoBefore: into }
  }
}

type RequestedRedaction = {
  readonly reference: Reference
  readonly redaction: Redaction
  readonly source: ChangeSource
  /** Whether the same was asked for before, and not finished. */
  readonly wasBegun: boolean
}

const newRemoval = (
  reference: Reference,
  former: ReadonlyMap<string, unknown>,
  redaction?: FieldRedaction,
): UnfinishedRemoval => ({
  id: randomUUID(),
  records: [recordKey(reference), ...former.keys()],
  ...redaction,
})

/** Whether a redaction that was begun is what is asked for, at whichever of its identifiers. */
function isSame(
  unfinished: UnfinishedRedaction,
  reference: Reference,
  redaction: Redaction,
): boolean {
  if (isForgetting(unfinished) || !unfinished.records.includes(recordKey(reference))) return false
  if ('past' in redaction) return unfinished.field === undefined
  return (
    unfinished.field === redaction.field &&
    (unfinished.value ?? redaction.value) === redaction.value
  )
}

/** The change without anything of what it replaced. */
const withoutPast = (change: LoggedChange, fields: readonly string[]): LoggedChange => ({
  ...change,
  ...(change.before ? { before: {} } : {}),
  redacted: fields,
})

/** The values without the text in a field; the same object where it does not have it. */
function withoutText(values: RecordValues, field: string, removal: TextRemoval): RecordValues {
  const had = values[field]
  if (had === undefined || isUnset(had)) return values
  const left = removeFrom(had, removal)
  return left === had ? values : { ...values, [field]: left }
}

/**
 * A text loses every occurrence; a list loses the items that are the value, and the others theirs.
 */
function removeFrom(had: FieldValue, removal: TextRemoval): FieldValue {
  if (typeof had === 'string') return removal.removeFrom(had)
  if (typeof had !== 'object' || had === null) return had
  const left = had.map(removal.removeFrom).filter((item) => item !== '')
  return left.length === had.length && left.every((item, index) => item === had[index]) ? had : left
}

/** @throws ValidationError */
function checkField(field: string, fields: readonly string[]): void {
  if (!fields.includes(field))
    throw new ValidationError(new Map([['field', [message('There is no such field.')]]]))
}

const occursNowhere = (): ValidationError =>
  new ValidationError(
    new Map([['value', ['Neither the record nor any of its versions has this value there.']]]),
  )
