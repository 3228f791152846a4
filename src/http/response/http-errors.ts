// The response to an error: status, body and headers (docs/reference/requests.md, "Errors"). An
// error says itself what kind of refusal it is and why; those of the store are put into words for
// clients here.

import { type Message, message } from '../../message.js'
import { type Refusal, RequestError } from '../../errors.js'
import {
  DiskFullError,
  StoreUnavailableError,
  TooManyFilesError,
  WriteRejectedError,
  WriteUnconfirmedError,
  fullDiskError,
} from '../../catalogue/errors.js'
import { type ErrorResponse, HttpError, errorDetail, tokenChallenge } from '../errors.js'

const statuses: Readonly<Record<Refusal, number>> = {
  // A query that takes too long is answered 400 like a malformed one, because the client has to
  // change it. Clients that read 503 or 504 repeat the same request by themselves.
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  notAcceptable: 406,
  conflict: 409,
  gone: 410,
  outdated: 412,
  tooLarge: 413,
  unprocessable: 422,
  tooMany: 429,
  unsupported: 501,
  unavailable: 503,
}

const unconfirmed =
  'The store did not answer, so it is not known yet whether this was written. It will be settled; ' +
  'the same request may safely be made again.'

/** The errors of the store, whose own messages are for the log. */
// prettier-ignore
const storeErrors: readonly (readonly [errorClass: abstract new (...args: never[]) => Error, status: number, text: Message, retryAfter?: number])[] = [
  [StoreUnavailableError, 503, message('The store does not answer.'), 2],
  [WriteRejectedError, 503, message('The store did not take it; nothing was written.'), 2],
  [WriteUnconfirmedError, 504, unconfirmed, 2],
  [TooManyFilesError, 503, message('Too many files are open; nothing was written.'), 5],
  [DiskFullError, 507, message('The disk is full; nothing was written.')],
]

/** The response to an error; undefined for an unexpected one, which is only logged. */
export function toErrorResponse(error: unknown): ErrorResponse | undefined {
  if (error instanceof HttpError) return error.answer
  if (error instanceof RequestError) return refusalOf(error)
  const storeError = fullDiskError(error) ?? error
  const row = storeErrors.find(([errorClass]) => storeError instanceof errorClass)
  if (!row) return undefined
  const [, status, text, seconds] = row
  return errorDetail(status, text, retryAfter(seconds))
}

const refusalOf = ({ refusal, body, retryAfter: seconds }: RequestError): ErrorResponse => ({
  status: statuses[refusal],
  body,
  headers: refusal === 'unauthenticated' ? tokenChallenge : retryAfter(seconds),
})

const retryAfter = (seconds: number | undefined): ErrorResponse['headers'] =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) }

/** The response to every unexpected error. */
export const serverError: ErrorResponse = errorDetail(500, 'Internal server error')
