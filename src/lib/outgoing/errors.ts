// Why a request of this service to another one fails.

import { ExpectedError } from '../../errors.js'

/**
 * The address is not allowed, or its answer cannot be used. The message is a plain sentence for who
 * named it.
 */
export class OutgoingRequestError extends ExpectedError {}

/** The other side cannot be reached, or does not answer in time. It may be tried again. */
export class UnreachableError extends OutgoingRequestError {}
