// The errors of the catalogue, with those of the store that callers handle.

import { message } from '../message.js'
import {
  ConflictError,
  InvalidError,
  NotFoundError,
  RequestError,
  UnavailableError,
} from '../errors.js'
import type { Reference } from '../model/record/views.js'

export { DiskFullError, TooManyFilesError, fullDiskError } from '../lib/key-value/errors.js'
export {
  WriteRejectedError,
  StoreUnavailableError,
  WriteUnconfirmedError,
} from '../store/errors.js'

/** The record was merged into another one. Only who reads it is told; writes find no record. */
export class RecordMergedError extends NotFoundError {
  /** @param into the record that stayed */
  constructor(readonly into: Reference) {
    super()
  }
}

/** The list has no such page. */
export const noSuchPage = (): NotFoundError => new NotFoundError(message('Invalid page.'))

/** The index of words is being filled. It will answer soon. */
export const indexNotReady = (): UnavailableError =>
  new UnavailableError(message('The index of words is being filled. Try again soon.'), 5)

/** The cursor is not one of a list with this order. */
export const invalidCursor = (): InvalidError => new InvalidError('Invalid cursor.')

/** No version of the record meets the precondition of the write. */
export class PreconditionFailedError extends RequestError {
  constructor() {
    super('outdated', message('The record has been changed since it was read.'))
  }
}

/** The changes that are asked for are not kept any more. */
export class ChangesForgottenError extends RequestError {
  /** @param first the number of the oldest change that is kept */
  constructor(first: number) {
    super(
      'gone',
      `Changes before number ${first} are not kept. Begin again with an export, and go on with the changes after its X-Log-Position.`,
    )
  }
}

/** A change cannot be undone, because what it wrote was changed again since. */
export class UndoConflictError extends ConflictError {
  /**
   * @param reference the record that was changed since, or does not exist any more
   * @param fields the fields that were changed since, or cannot be what they were; none if the
   * record does not exist
   * @param dependents the records that were added since, and cannot be without this one
   */
  constructor(
    readonly reference: Reference,
    readonly fields: readonly string[],
    readonly dependents: readonly Reference[] = [],
  ) {
    super(conflictMessage(reference, fields, dependents), {
      kind: reference.target,
      id: reference.id,
      fields,
      dependents: dependents.map(kindAndId),
    })
  }
}

function conflictMessage(
  { target, id }: Reference,
  fields: readonly string[],
  dependents: readonly Reference[],
): string {
  const record = `${target}/${id}`
  if (fields.length > 0) return `${record} was changed since: ${fields.join(', ')}.`
  if (dependents.length > 0) return `Other records refer to ${record} by now.`
  return `${record} does not exist any more.`
}

const kindAndId = ({ target, id }: Reference) => ({ kind: target, id })

/** What keeps one record from being as it was before a commit. */
export type UndoConflict = {
  readonly reference: Reference
  /** The fields that were changed since, or could not be what they were. */
  readonly fields: readonly string[]
  readonly dependents: readonly Reference[]
}

/** A commit cannot be undone: has every record that keeps it from that. */
export class UndoConflictsError extends ConflictError {
  constructor(readonly conflicts: readonly UndoConflict[]) {
    super('Records were changed since; nothing was undone.', {
      records: conflicts.map(({ reference, fields, dependents }) => ({
        ...kindAndId(reference),
        fields,
        dependents: dependents.map(kindAndId),
      })),
    })
  }
}
