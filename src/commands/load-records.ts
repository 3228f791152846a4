// Decides what happens to one record of a file: it is created, replaced, left as it is or refused.
// How records are written: load-targets.ts. How files are read: load.ts.

import type { ResourceName } from '../model/iris.js'
import { type FieldErrors, parseFull } from '../model/record/input.js'
import type { FieldValue, RecordValues } from '../model/record/values.js'
import { isPrivate } from '../model/record/views.js'
import type { Field, Resource, Resources } from '../model/resources.js'

/** A record as a file has it. */
export type LoadRecord = {
  readonly resource: ResourceName
  readonly id: string
  /** The record in the write shape. */
  readonly body: ReadonlyMap<string, unknown>
  /** When the record was last changed before it was exported; only exported files say this. */
  readonly updatedAt: string | undefined
  /** The agents that the record refers to and that were deleted before it was exported. */
  readonly deletedAgents: ReadonlySet<string>
}

/** A record that exists in the target. */
type ExistingRecord = {
  readonly values: RecordValues
  readonly updatedAt: string
  readonly etag?: string | undefined
}

/**
 * What happened to one record. One that exists already is `unchanged` when the file has the same
 * values, else `different`; or it was refused, with errors.
 */
export type LoadOutcome = 'created' | 'replaced' | 'unchanged' | 'different' | FieldErrors

/** Where records are written to. The methods return the errors of a record that was refused. */
export type LoadTarget = {
  find(resource: ResourceName, id: string): Promise<ExistingRecord | undefined>
  /** @throws ExpectedError when no further record could be written either */
  create(record: LoadRecord): Promise<FieldErrors | undefined>
  /**
   * @param storedRecord the record as it was read, which must not have changed since; undefined
   * to replace any
   * @throws ExpectedError when no further record could be written either
   */
  replace(
    record: LoadRecord,
    storedRecord: ExistingRecord | undefined,
  ): Promise<FieldErrors | undefined>
  close(): Promise<void>
}

export type ReplaceOptions = {
  /** Replace records that exist already. */
  readonly replace: boolean
  /** Replace them even when they were changed after the file was exported. */
  readonly force: boolean
}

export async function loadRecord(
  record: LoadRecord,
  target: LoadTarget,
  resources: Resources,
  options: ReplaceOptions,
): Promise<LoadOutcome> {
  const resource = resources[record.resource]
  if (!options.replace) {
    const errors = await target.create(record)
    if (!errors) return 'created'
    // When only the identifier is refused, a record with it may exist already.
    const isTaken = errors.size === 1 && errors.has(resource.id.name)
    const storedRecord = isTaken ? await target.find(record.resource, record.id) : undefined
    if (!storedRecord) return errors
    return isSame(resource, record, storedRecord) ? 'unchanged' : 'different'
  }
  const storedRecord = await target.find(record.resource, record.id)
  if (!storedRecord) return (await target.create(record)) ?? 'created'
  if (isSame(resource, record, storedRecord)) return 'unchanged'
  const { updatedAt } = record
  if (!options.force && updatedAt !== undefined && storedRecord.updatedAt > updatedAt)
    return changedSinceExport(storedRecord.updatedAt)
  return (await target.replace(record, options.force ? undefined : storedRecord)) ?? 'replaced'
}

export const changedSinceExport = (updatedAt: string): FieldErrors =>
  new Map([
    [
      'updated_at',
      [`The record was changed at ${updatedAt}, after the file was exported; --force replaces it.`],
    ],
  ])

/** Whether writing the record would change nothing. */
function isSame(
  resource: Resource,
  { body }: LoadRecord,
  { values: storedValues }: ExistingRecord,
): boolean {
  const { values, errors } = parseFull(resource, body)
  if (errors.size > 0) return false
  // Private fields that a file leaves out stay as they are: docs/reference/accounts.md, "Privacy".
  const isKept = (field: Field): boolean =>
    isPrivate(field, storedValues) && isPrivate(field, values) && !body.has(field.name)
  return resource.inputFields
    .filter((field) => !isKept(field))
    .every(({ name, defaultValue }) => {
      const normalize = (value: FieldValue | undefined) =>
        JSON.stringify(withoutUnset(value) ?? defaultValue)
      return normalize(values[name]) === normalize(storedValues[name])
    })
}

const withoutUnset = (value: FieldValue | undefined): FieldValue | undefined =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value
