// The errors of requests for changes.

/** There is no such request, or none any more. */
export class ChangeRequestNotFoundError extends Error {}

/** Somebody else changed the request meanwhile, or it is open where only a settled one will do. */
export class ChangeRequestConflictError extends Error {}
