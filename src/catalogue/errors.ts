// The errors of the catalogue, with those of the store that callers handle. Their HTTP statuses and
// messages are chosen in src/http/response/http-errors.ts.

import type { Reference } from '../model/record/views.js'

export {
  WriteRejectedError,
  DiskFullError,
  TooManyFilesError,
  StoreUnavailableError,
  WriteUnconfirmedError,
  fullDiskError,
} from '../store/errors.js'

export { StoppingError } from '../errors.js'

/** The record does not exist. */
export class RecordNotFoundError extends Error {}

/** The record was merged into another one. Only who reads it is told; writes find no record. */
export class RecordMergedError extends RecordNotFoundError {
  /** @param into the record that stayed */
  constructor(readonly into: Reference) {
    super(`merged into ${into.target}/${into.id}`)
  }
}

/** The list has no such page. */
export class PageNotFoundError extends Error {}

/** This process has no index of words, so it cannot answer a search with `q`. */
export class TextSearchUnavailableError extends Error {}

/** The index of words is being filled. It will answer soon. */
export class IndexNotReadyError extends Error {}

/** The cursor is not one of a list with this order. */
export class InvalidCursorError extends Error {}

/** No version of the record meets the precondition of the write. */
export class PreconditionFailedError extends Error {}

/** The changes that are asked for are not kept any more. */
export class ChangesForgottenError extends Error {
  /** @param first the number of the oldest change that is kept */
  constructor(readonly first: number) {
    super(`changes before ${first} are not kept`)
  }
}

/** As many requests as there may be wait for a change. */
export class TooManyWaitersError extends Error {}

/** A change cannot be undone, because what it wrote was changed again since. */
export class UndoConflictError extends Error {
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
    super(conflictMessage(reference, fields, dependents))
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

/** The account may not write records of this kind. */
export class WriteForbiddenError extends Error {}

/** What keeps one record from being as it was before a commit. */
export type UndoConflict = {
  readonly reference: Reference
  /** The fields that were changed since, or could not be what they were. */
  readonly fields: readonly string[]
  readonly dependents: readonly Reference[]
}

/** A commit cannot be undone: has every record that keeps it from that. */
export class UndoConflictsError extends Error {
  constructor(readonly conflicts: readonly UndoConflict[]) {
    super(`${conflicts.length} records were changed since`)
  }
}

/** Nothing is left of a batch that could be undone. */
export class BatchUndoneError extends Error {
  /** @param by the identifier of the batch that undid it */
  constructor(readonly by?: string) {
    super('the batch was undone')
  }
}
