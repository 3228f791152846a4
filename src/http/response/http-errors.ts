// What the counter itself refuses, with its status and body; and what it says of the librarian's
// failures. The bodies are the specification's error table.

import {
  AccountDisabledError,
  InvalidTokenError,
  LoginThrottledError,
  LoginBusyError,
  CredentialsError,
} from '../../accounts/accounts.js'
import {
  PreconditionFailedError,
  PageNotFoundError,
  RecordNotFoundError,
  WriteRejectedError,
  DiskFullError,
  StoreUnavailableError,
  WriteUnconfirmedError,
} from '../../catalogue/errors.js'
import { ValidationError } from '../../model/record/input.js'
import {
  PoolBusyError,
  ResultFormatError,
  QueryError,
  TooManyQueriesError,
  UpdateNotAllowedError,
} from '../../sparql/errors.js'

export type ErrorResponse = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that the counter does not pass on. */
export class HttpError extends Error {
  constructor(readonly answer: ErrorResponse) {
    super(JSON.stringify(answer.body))
  }
}

const detail = (
  status: number,
  text: string,
  headers: ErrorResponse['headers'] = {},
): ErrorResponse => ({
  status,
  body: { detail: text },
  headers,
})

// Every 401 says how to do better (RFC 9110, 11.6.1).
const challenge = { 'WWW-Authenticate': 'Token' }

const notFound = detail(404, 'Not found.')

export const httpErrors = {
  badRequest: (why: string) => new HttpError(detail(400, why)),
  notFound: () => new HttpError(notFound),
  notAcceptable: () => new HttpError(detail(406, 'Could not satisfy the request Accept header.')),
  noCredentials: () =>
    new HttpError(detail(401, 'Authentication credentials were not provided.', challenge)),
  badHeader: (why: string) => new HttpError(detail(401, `Invalid token header. ${why}`, challenge)),
  forged: () =>
    new HttpError(
      detail(
        403,
        'This form did not come from here, or is too old, or cookies are switched off: load its page again.',
      ),
    ),
  noPermission: () =>
    new HttpError(detail(403, 'You do not have permission to perform this action.')),
  throttled: (seconds: number) =>
    new HttpError(
      detail(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
        'Retry-After': String(seconds),
      }),
    ),
  notAllowed: (method: string, allow: string) =>
    new HttpError(detail(405, `Method "${method}" not allowed.`, { Allow: allow })),
  unsupportedMediaType: (type: string) =>
    new HttpError(detail(415, `Unsupported media type "${type}" in request.`)),
  tooLarge: () => new HttpError(detail(413, 'Request body too large.')),
  notJson: (why: string) => new HttpError(detail(400, `JSON parse error - ${why}`)),
  notAnObject: (type: string) =>
    new HttpError({
      status: 400,
      body: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
    }),
}

const soon = { 'Retry-After': '2' }

const unconfirmed =
  'The store did not answer, so it is not known yet whether this was written. It will be settled; ' +
  'the same request may safely be made again.'

/** A class of failures with its answer; undefined for a failure of another class. */
type ErrorMapping = (error: unknown) => ErrorResponse | undefined

const mapError =
  <Failure>(
    kind: new (...args: never[]) => Failure,
    answer: (failure: Failure) => ErrorResponse,
  ): ErrorMapping =>
  (error) =>
    error instanceof kind ? answer(error) : undefined

// prettier-ignore
const errorMappings: readonly ErrorMapping[] = [
  mapError(HttpError, ({ answer }) => answer),
  mapError(ValidationError, ({ failures }) => ({ status: 400, body: Object.fromEntries(failures) })),
  mapError(RecordNotFoundError, () => notFound),
  mapError(PageNotFoundError, () => detail(404, 'Invalid page.')),
  mapError(PreconditionFailedError, () => detail(412, 'The record has been changed since it was read.')),
  mapError(CredentialsError, ({ message }) => ({ status: 400, body: { non_field_errors: [message] } })),
  mapError(InvalidTokenError, ({ message }) => detail(401, message, challenge)),
  mapError(AccountDisabledError, ({ message }) => detail(401, message, challenge)),
  mapError(LoginThrottledError, ({ seconds }) => httpErrors.throttled(seconds).answer),
  mapError(LoginBusyError, ({ message }) => detail(503, message, { 'Retry-After': '5' })),
  // A query that takes too long is the client's to change, like one that is malformed; and what reads
  // 503 or 504 asks again by itself.
  mapError(QueryError, ({ message }) => detail(400, message)),
  mapError(UpdateNotAllowedError, ({ message }) => detail(403, message)),
  mapError(ResultFormatError, ({ message }) => detail(406, message)),
  mapError(TooManyQueriesError, ({ message, seconds }) => detail(429, message, { 'Retry-After': String(seconds) })),
  mapError(PoolBusyError, ({ message, seconds }) => detail(503, message, { 'Retry-After': String(seconds) })),
  mapError(StoreUnavailableError, () => detail(503, 'The store does not answer.', soon)),
  mapError(WriteRejectedError, () => detail(503, 'The store did not take it; nothing was written.', soon)),
  mapError(WriteUnconfirmedError, () => detail(504, unconfirmed, soon)),
  mapError(DiskFullError, () => detail(507, 'The disk is full; nothing was written.')),
]

/** What is answered to a failure; undefined when it is nobody's business but the log's. */
export function toErrorResponse(error: unknown): ErrorResponse | undefined {
  for (const reply of errorMappings) {
    const answer = reply(error)
    if (answer) return answer
  }
  return undefined
}

export const serverError: ErrorResponse = detail(500, 'Internal server error')
