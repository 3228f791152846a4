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
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import {
  type UnfinishedRedaction,
  type UnfinishedRedactions,
  unfinishedRedactionEntry,
} from '../../store/key-value/unfinished-redactions.js'
import type { Clock } from '../clock.js'
import { statesOf } from '../history/record-history.js'
import { differenceBetween, isUnset } from '../history/value-differences.js'
import { recordKey, referenceOf } from '../records/record-cache.js'
import type { Revision } from '../revision.js'
import type { Attachments } from './attachments.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { Locks } from './locks.js'
import type { PlannedWrites } from './planned-writes.js'
import type { Redaction } from './redaction.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'

/**
 * Removes what a redaction is about from where else it is kept. It may be called again for the same
 * redaction.
 * @param records the record, and the identifiers that it had before
 */
export type ForgetRedacted = (records: readonly Reference[], redaction: Redaction) => Promise<void>

export type Redactions = {
  /**
   * Removes a value from the present record and from its history, or the whole history; also from
   * the histories of the identifiers that it had before. When this resolves, the value is in no
   * file of the data directory any more, but where other records have it. When it fails after it
   * began, it is gone on with when it is asked for again, and at the next start.
   * @throws NotFoundError when there never was such a record
   * @throws ValidationError for a field that does not exist, a value that occurs nowhere, and a
   * value
   *   without which the present record would not be valid
   * @throws FormerVersionsLeftError, and the errors of `Store.commit` and of what is called
   */
  redact(reference: Reference, redaction: Redaction, source: ChangeSource): Promise<void>
  /** Goes on with what was begun and not finished. */
  finishRedactions(): Promise<void>
}

type RedactionsDependencies = {
  readonly changeLog: ChangeLog
  readonly unfinishedRedactions: UnfinishedRedactions
  readonly resources: Resources
  readonly runExclusively: RunExclusively
  readonly locks: Locks
  readonly plans: PlannedWrites
  readonly attachments: Pick<Attachments, 'forget'>
  readonly forgetRedacted: ForgetRedacted
  readonly revision: Revision
  readonly commit: CommitWrites
  readonly now: Clock
}

export function createRedactions({
  changeLog,
  unfinishedRedactions,
  resources,
  runExclusively,
  locks,
  plans,
  attachments,
  forgetRedacted,
  revision,
  commit,
  now,
}: RedactionsDependencies): Redactions {
  /** Those that are being finished, by their identifiers. */
  const finishing = new Map<string, Promise<void>>()

  async function redact(
    reference: Reference,
    redaction: Redaction,
    source: ChangeSource,
  ): Promise<void> {
    const begun = (await unfinishedRedactions.all()).filter((unfinished) =>
      isSame(unfinished, reference, redaction),
    )
    for (const unfinished of begun) await finish(unfinished)
    const unfinished = await runExclusively((state) =>
      begin(state, { reference, redaction, source, wasBegun: begun.length > 0 }),
    )
    if (unfinished) await finish(unfinished)
  }

  /**
   * Changes the record and the log.
   * @returns undefined when it was begun before, and there is nothing left to change
   */
  async function begin(
    state: RecordState,
    { reference, redaction, source, wasBegun }: RequestedRedaction,
  ): Promise<UnfinishedRedaction | undefined> {
    const current = await valuesOf(state, reference)
    const changes = await changeLog.ofRecord(recordKey(reference))
    if (!current && changes.length === 0) throw new NotFoundError()
    const fields = resources[reference.target].inputFields.map(({ name }) => name)
    if (!('past' in redaction)) checkField(redaction.field, fields)
    const former = await findFormer(state, reference)
    const unfinished: UnfinishedRedaction = {
      id: randomUUID(),
      records: [recordKey(reference), ...former.keys()],
      ...('past' in redaction ? {} : redaction),
    }
    const formerChanges = [...former.values()]
    if ('past' in redaction) {
      const past = [changes, ...formerChanges].flat()
      const entries = past.map((change) => entryOf(withoutPast(change, fields)))
      await commit([await touch(state, reference, current)], source, [
        ...entries,
        unfinishedRedactionEntry(unfinished),
      ])
      return unfinished
    }
    const ofRecord = redactHistory(changes, current, redaction)
    const ofFormer = formerChanges.map((all) => redactHistory(all, undefined, redaction))
    if (![ofRecord, ...ofFormer].some(({ isChanged }) => isChanged)) {
      if (wasBegun) return undefined
      throw occursNowhere()
    }
    await commit(
      [await planPresent(state, reference, current, ofRecord.current, redaction)],
      source,
      [ofRecord, ...ofFormer]
        .flatMap(({ entries }) => entries)
        .concat(unfinishedRedactionEntry(unfinished)),
    )
    return unfinished
  }

  /**
   * The keys of the identifiers that a record had before, with their changes: those that lead to
   * it, that led to it when it was deleted, and that it had after a renaming which was undone.
   */
  async function findFormer(
    state: RecordState,
    reference: Reference,
  ): Promise<ReadonlyMap<string, readonly LoggedChange[]>> {
    const former = new Map<string, readonly LoggedChange[]>()
    const queue = [reference]
    for (let one = queue.shift(); one; one = queue.shift()) {
      const { target } = one
      const changes = await changeLog.ofRecord(recordKey(one))
      // A later record may have the identifier.
      if (one !== reference)
        former.set(recordKey(one), changes.slice(0, changes.findLastIndex(isGone) + 1))
      const ids = [
        ...(await state.redirectsTo([one])).map((redirect) => redirect.reference.id),
        ...(await idsDeletedWith(one, changes)),
        ...(await idsOfRenamings(one, changes)),
      ]
      for (const id of ids) {
        if (id === reference.id || former.has(recordKey({ target, id }))) continue
        former.set(recordKey({ target, id }), [])
        queue.push({ target, id })
      }
    }
    return former
  }

  /** The identifiers that led to a record when it was deleted, and were deleted with it. */
  async function idsDeletedWith(
    { target, id }: Reference,
    changes: readonly LoggedChange[],
  ): Promise<readonly string[]> {
    const deletions = changes.filter(({ change }) => change === 'deleted')
    const commits = await Promise.all(deletions.map(({ commit: of }) => changeLog.ofCommit(of)))
    return commits
      .flat()
      .filter(({ intoBefore }) => intoBefore === id)
      .map(({ record }) => referenceOf(record))
      .filter((one) => one.target === target)
      .map((one) => one.id)
  }

  /**
   * The identifiers that a record got. If that was undone, they have a history of their own, which
   * ends there.
   */
  async function idsOfRenamings(
    { target }: Reference,
    changes: readonly LoggedChange[],
  ): Promise<readonly string[]> {
    const ids: string[] = []
    for (const { into, commit: of } of changes) {
      if (into === undefined) continue
      const history = await changeLog.ofRecord(recordKey({ target, id: into }))
      // A merge leads to a record that was there before.
      if (history.some(({ change, commit: its }) => change === 'created' && its === of))
        ids.push(into)
    }
    return ids
  }

  /** Removes the value from everything but the record and the log, and from the disk. */
  function finish(unfinished: UnfinishedRedaction): Promise<void> {
    const running = finishing.get(unfinished.id) ?? removeRest(unfinished)
    finishing.set(unfinished.id, running)
    return running.finally(() => finishing.delete(unfinished.id))
  }

  async function removeRest(unfinished: UnfinishedRedaction): Promise<void> {
    const redaction = redactionOf(unfinished)
    const references = unfinished.records.map(referenceOf)
    if (redaction) {
      for (const reference of references)
        await locks.withRecordLock(recordKey(reference), async () => {
          await attachments.forget(reference, redaction)
          revision.onWrite([recordKey(reference)])
        })
      await forgetRedacted(references, redaction)
    }
    await unfinishedRedactions.finish(unfinished)
  }

  /** The write of the present record. Its entry in the log must not tell the value. */
  async function planPresent(
    state: RecordState,
    reference: Reference,
    current: RecordValues | undefined,
    clean: RecordValues | undefined,
    { field }: { readonly field: string },
  ): Promise<RecordWrite> {
    if (!clean || clean === current) return touch(state, reference, current)
    const body = new Map([[field, clean[field] ?? null]])
    const { after } = await plans.change(state, reference, body)
    return { reference, before: clean, after }
  }

  /**
   * A write that changes nothing but the time, so that the log has an entry. What leads to another
   * record goes on leading there.
   */
  async function touch(
    state: RecordState,
    reference: Reference,
    current: RecordValues | undefined,
  ): Promise<RecordWrite> {
    const into = await state.mergedInto(reference)
    const after = current && { ...current, updated_at: now(String(current.updated_at)) }
    return { reference, before: current, after, into, intoBefore: into }
  }

  return {
    redact,
    async finishRedactions() {
      for (const unfinished of await unfinishedRedactions.all()) await finish(unfinished)
    },
  }
}

type RequestedRedaction = {
  readonly reference: Reference
  readonly redaction: Redaction
  readonly source: ChangeSource
  /** Whether the same was asked for before, and not finished. */
  readonly wasBegun: boolean
}

/** Whether a redaction that was begun is what is asked for. */
function isSame(
  unfinished: UnfinishedRedaction,
  reference: Reference,
  redaction: Redaction,
): boolean {
  if (unfinished.records[0] !== recordKey(reference)) return false
  if ('past' in redaction) return unfinished.field === undefined
  return (
    unfinished.field === redaction.field &&
    (unfinished.value ?? redaction.value) === redaction.value
  )
}

/**
 * What is to be removed from what is not written in one commit; undefined where only the disk is
 * left.
 */
function redactionOf({ field, value }: UnfinishedRedaction): Redaction | undefined {
  if (field === undefined) return { past: true }
  return value === undefined ? undefined : { field, value }
}

type RedactedHistory = {
  /** The present values without the value. */
  readonly current: RecordValues | undefined
  /** The changes of the log that are written over. */
  readonly entries: readonly KeyValueWrite[]
  /** Whether the value occurs. */
  readonly isChanged: boolean
}

/** The history of a record without a value. */
function redactHistory(
  changes: readonly LoggedChange[],
  current: RecordValues | undefined,
  { field, value }: { readonly field: string; readonly value: string },
): RedactedHistory {
  const removal = createTextRemoval(value)
  const states = statesOf(changes, current)
  const clean = states.map((values) => values && withoutText(values, field, removal))
  return {
    current: clean.at(-1),
    entries: changes
      .map((change, index) => redactChange(change, field, index, states, clean))
      .filter((change, index) => change !== changes[index])
      .map(entryOf),
    isChanged: clean.some((values, index) => values !== states[index]),
  }
}

/** Whether there was no record after a change. */
const isGone = ({ change }: LoggedChange): boolean => change === 'deleted' || change === 'merged'

/** The change without anything of what it replaced. */
const withoutPast = (change: LoggedChange, fields: readonly string[]): LoggedChange => ({
  ...change,
  ...(change.before ? { before: {} } : {}),
  redacted: fields,
})

/** The change, made from the values without what was removed; the same where nothing was. */
function redactChange(
  change: LoggedChange,
  field: string,
  index: number,
  states: readonly (RecordValues | undefined)[],
  clean: readonly (RecordValues | undefined)[],
): LoggedChange {
  const isAffected = [index, index + 1].some((at) => states[at] !== clean[at])
  if (!isAffected) return change
  const [before, after] = [clean[index], clean[index + 1]]
  return {
    ...change,
    ...(before ? { before: differenceBetween(before, after ?? {}) } : {}),
    redacted: [...new Set([...(change.redacted ?? []), field])],
  }
}

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
