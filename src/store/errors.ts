// The errors of the stores, by which callers choose a message or a status. WriteRejectedError and
// WriteUnconfirmedError concern one request, so they are not for the operator.

import { ExpectedError } from '../errors.js'

/** The remote store does not respond, or responds with errors. Nothing can be read now. */
export class StoreUnavailableError extends ExpectedError {}

/** The remote store did not accept a write. Nothing of it is there, or it is being rolled back. */
export class WriteRejectedError extends Error {}

/**
 * Whether the write succeeded is not known yet. It will be settled; the request may be repeated.
 */
export class WriteUnconfirmedError extends Error {}
