// Removes a value from a record and from all its history, for good: a legal name that should never have
// been there. The log says that something was removed and by whom, not what.

import { ValidationError } from '../../model/record/input.js'
import type { FieldValue, RecordValues } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { type ChangeLog, type LoggedChange, entryOf } from '../../store/key-value/change-log.js'
import type { Clock } from '../clock.js'
import { RecordNotFoundError } from '../errors.js'
import { statesOf } from '../history/record-history.js'
import { differenceBetween, isUnset } from '../history/value-differences.js'
import { recordKey } from '../records/record-cache.js'
import type { ChangeSource, Commit } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { PlannedWrites } from './planned-writes.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'

/** What is removed: a value of a field, or all that was before the present record. */
export type Redaction = { readonly field: string; readonly value: string } | { readonly past: true }

export type RedactionListener = (reference: Reference, redaction: Redaction) => Promise<void>

export type Redactions = {
  /**
   * Removes a value from the present record and from its history, or the whole history. When this
   * resolves, the value is in no file of the data directory any more.
   * @throws RecordNotFoundError when there never was such a record
   * @throws ValidationError for a field that does not exist, a value that occurs nowhere, and a value
   *   without which the present record would not be valid
   */
  redact(reference: Reference, redaction: Redaction, source: ChangeSource): Promise<void>
  /** Adds what removes the value from where else it is kept, before it is removed from the disk. */
  onRedaction(listener: RedactionListener): void
}

type RedactionsDependencies = {
  readonly changeLog: ChangeLog
  readonly resources: Resources
  readonly runExclusively: RunExclusively
  readonly plans: PlannedWrites
  readonly commit: Commit
  readonly now: Clock
}

export function createRedactions({
  changeLog,
  resources,
  runExclusively,
  plans,
  commit,
  now,
}: RedactionsDependencies): Redactions {
  const listeners: RedactionListener[] = []

  async function redact(
    reference: Reference,
    redaction: Redaction,
    source: ChangeSource,
  ): Promise<void> {
    await runExclusively(async (state) => {
      const current = await valuesOf(state, reference)
      const changes = await changeLog.ofRecord(recordKey(reference))
      if (!current && changes.length === 0) throw new RecordNotFoundError()
      const fields = resources[reference.target].inputFields.map(({ name }) => name)
      if ('past' in redaction) {
        const entries = changes.map((change) => entryOf(withoutPast(change, fields)))
        await commit([await touch(state, reference, current)], source, entries)
        return
      }
      checkField(redaction.field, fields)
      const states = statesOf(changes, current)
      const clean = states.map((values) => values && withoutValue(values, redaction))
      if (clean.every((values, index) => values === states[index])) throw occursNowhere()
      const entries = changes
        .map((change, index) => redactChange(change, redaction.field, index, states, clean))
        .filter((change, index) => change !== changes[index])
        .map(entryOf)
      await commit(
        [await planPresent(state, reference, current, clean.at(-1), redaction)],
        source,
        entries,
      )
    })
    for (const listener of listeners) await listener(reference, redaction)
    await changeLog.compact()
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

  /** A write that changes nothing but the time, so that the log has an entry. What leads to another record goes on leading there. */
  async function touch(
    state: RecordState,
    reference: Reference,
    current: RecordValues | undefined,
  ): Promise<RecordWrite> {
    const into = await state.mergedInto(reference)
    const after = current && { ...current, updated_at: now(String(current.updated_at)) }
    return { reference, before: current, after, into, intoBefore: into }
  }

  return { redact, onRedaction: (listener) => void listeners.push(listener) }
}

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

type ValueToRemove = { readonly field: string; readonly value: string }

/** The values without the value; the same object where they do not have it. */
function withoutValue(values: RecordValues, { field, value }: ValueToRemove): RecordValues {
  const had = values[field]
  if (had === undefined || isUnset(had)) return values
  const left = removeFrom(had, value)
  return left === had ? values : { ...values, [field]: left }
}

/** A text loses every occurrence; a list loses the items that are the value, and the others theirs. */
function removeFrom(had: FieldValue, value: string): FieldValue {
  if (typeof had === 'string') return removeFromText(had, value)
  if (typeof had !== 'object' || had === null) return had
  const left = had.map((item) => removeFromText(item, value)).filter((item) => item !== '')
  return left.length === had.length && left.every((item, index) => item === had[index]) ? had : left
}

const removeFromText = (text: string, value: string): string =>
  text.includes(value) ? text.replaceAll(value, '').replace(/ {2,}/g, ' ').trim() : text

/** @throws ValidationError */
function checkField(field: string, fields: readonly string[]): void {
  if (!fields.includes(field))
    throw new ValidationError(new Map([['field', ['There is no such field.']]]))
}

const occursNowhere = (): ValidationError =>
  new ValidationError(
    new Map([['value', ['Neither the record nor any of its versions has this value there.']]]),
  )
