// What can go wrong where things are kept, for those who have to say so to somebody.

/** The directory is open in another process. */
export class HomeInUse extends Error {}

/** Files are missing or are not what was written; the message names one, and the way back. */
export class HomeDamaged extends Error {}

/** The disk is full; reading goes on, and a later write may succeed. */
export class StorageFull extends Error {}

/** The disk did not keep its promise. What is in memory may be ahead of it, so only a restart is safe. */
export class StorageFailed extends Error {}

/** The store elsewhere does not answer, or not as it should; nothing can be read now. */
export class StoreUnavailable extends Error {}

/** The store elsewhere did not take a write: nothing of it is there, or what had begun is being undone. */
export class NotWritten extends Error {}

/** Whether a write was taken is not known yet. It will be settled; the same request may be made again. */
export class Unconfirmed extends Error {}

/** What is in the store elsewhere is not this catalogue's; the message says what to do. */
export class StoreRefused extends Error {}
