// Why a query is not answered, for those who have to say so to somebody.

/** The query is malformed, or asks for what is not given here; the message says it to whoever wrote it. */
export class QueryError extends Error {}

/** The query would change something. */
export class UpdateNotAllowedError extends Error {
  constructor() {
    super('This endpoint answers queries and takes no updates; records are written under /api/.')
  }
}

/** The answer has no form that the client takes. */
export class ResultFormatError extends Error {}

/** Nobody is free to answer; the same query may be asked again after so many seconds. */
export class PoolBusyError extends Error {
  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message)
  }
}

/** One client asks too much at once. */
export class TooManyQueriesError extends PoolBusyError {}
