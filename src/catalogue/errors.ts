// What the librarian says when something cannot be done; the counter chooses the status and the words.

export {
  WriteRejectedError,
  DiskFullError,
  StoreUnavailableError,
  WriteUnconfirmedError,
} from '../store/errors.js'

/** There is no such record. */
export class RecordNotFoundError extends Error {}

/** The list has no such page. */
export class PageNotFoundError extends Error {}

/** The record is not the one that the writer had in hand. */
export class PreconditionFailedError extends Error {}
