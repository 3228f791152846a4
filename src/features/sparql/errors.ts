// The errors of public queries. A query that is wrong, or takes too much, is an InvalidError.

import { ForbiddenError, RequestError } from '../../errors.js'

/** The query cannot be read because of a fault of this service, and not of the query. */
export class QueryParserError extends Error {}

/** The request is an update. */
export const noUpdates = (): ForbiddenError =>
  new ForbiddenError(
    'This endpoint answers queries and takes no updates; records are written under /api/.',
  )

/** The client accepts none of the formats of this kind of result. */
export const formatNotAccepted = (text: string): RequestError =>
  new RequestError('notAcceptable', text)

/** The client has too many queries running or waiting, or sent too many wrong ones. */
export const tooManyQueries = (text: string, retryAfter: number): RequestError =>
  new RequestError('tooMany', text, { retryAfter })
