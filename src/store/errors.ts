// What can go wrong where things are kept, for those who have to say so to somebody.

import { ExpectedError } from '../errors.js'

/** The directory is open in another process. */
export class DataDirectoryInUseError extends ExpectedError {}

/** Files are missing or are not what was written; the message names one, and the way back. */
export class DataCorruptedError extends ExpectedError {}

/** The disk is full; reading goes on, and a later write may succeed. */
export class DiskFullError extends ExpectedError {}

/** The disk did not keep its promise. What is in memory may be ahead of it, so only a restart is safe. */
export class DiskFailedError extends ExpectedError {}

/** The store elsewhere does not answer, or not as it should; nothing can be read now. */
export class StoreUnavailableError extends ExpectedError {}

/** The store elsewhere did not take a write: nothing of it is there, or what had begun is being undone. */
export class WriteRejectedError extends Error {}

/** Whether a write was taken is not known yet. It will be settled; the same request may be made again. */
export class WriteUnconfirmedError extends Error {}

/** What is in the store elsewhere is not this catalogue's; the message says what to do. */
export class StoreMismatchError extends ExpectedError {}
