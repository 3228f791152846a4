// What the librarian says when something cannot be done; the counter chooses the status and the words.

export { NotWritten, StorageFull, StoreUnavailable, Unconfirmed } from '../store/errors.js'

/** There is no such record. */
export class NotFound extends Error {}

/** The list has no such page. */
export class NoSuchPage extends Error {}

/** The record is not the one that the writer had in hand. */
export class Changed extends Error {}
