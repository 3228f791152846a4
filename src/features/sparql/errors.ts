// The errors of public queries. http/ turns them into responses.

/**
 * The query is malformed, or uses something that is not supported. The message is for the client.
 */
export class QueryError extends Error {}

/** The query cannot be read because of a fault of this service, and not of the query. */
export class QueryParserError extends Error {}

/** The request is an update. */
export class UpdateNotAllowedError extends Error {
  constructor() {
    super('This endpoint answers queries and takes no updates; records are written under /api/.')
  }
}

/** The client accepts none of the formats of this kind of result. */
export class ResultFormatError extends Error {}

/**
 * No worker is free, or the remote store does not respond. The client may retry after `seconds`.
 */
export class PoolBusyError extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message)
  }
}

/** The client has too many queries running or waiting. */
export class TooManyQueriesError extends PoolBusyError {}
