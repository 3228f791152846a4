// The errors of the catalogue, with those of the store that callers handle. Their HTTP statuses and
// messages are chosen in src/http/response/http-errors.ts.

export {
  WriteRejectedError,
  DiskFullError,
  TooManyFilesError,
  StoreUnavailableError,
  WriteUnconfirmedError,
} from '../store/errors.js'

/** The record does not exist. */
export class RecordNotFoundError extends Error {}

/** The list has no such page. */
export class PageNotFoundError extends Error {}

/** The cursor is not one of a list with this order. */
export class InvalidCursorError extends Error {}

/** No version of the record meets the precondition of the write. */
export class PreconditionFailedError extends Error {}
