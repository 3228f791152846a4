// What can go wrong where things are kept, for those who have to say so to somebody.

/** The directory is open in another process. */
export class HomeInUse extends Error {}

/** Files are missing or are not what was written; the message names one, and the way back. */
export class HomeDamaged extends Error {}

/** The disk is full; reading goes on, and a later write may succeed. */
export class StorageFull extends Error {}

/** The disk did not keep its promise. What is in memory may be ahead of it, so only a restart is safe. */
export class StorageFailed extends Error {}
