// The response to each class of errors: status, body and headers (docs/reference/requests.md,
// "Errors"). Errors of http/ itself bring their response with them, see ../errors.ts.

import { CitationUnavailableError } from '../../features/citations/citation-service.js'
import {
  AccountDisabledError,
  InvalidTokenError,
  LoginThrottledError,
  LoginBusyError,
  CredentialsError,
  InvitationError,
} from '../../accounts/accounts.js'
import {
  ChangesForgottenError,
  PreconditionFailedError,
  TextSearchUnavailableError,
  IndexNotReadyError,
  UndoConflictError,
  InvalidCursorError,
  BatchUndoneError,
  PageNotFoundError,
  RecordNotFoundError,
  UndoConflictsError,
  WriteForbiddenError,
  WriteRejectedError,
  DiskFullError,
  TooManyFilesError,
  StoppingError,
  StoreUnavailableError,
  TooManyWaitersError,
  WriteUnconfirmedError,
  fullDiskError,
} from '../../catalogue/errors.js'
import { ChangeRequestNotFoundError } from '../../features/change-requests/errors.js'
import { TooManyRecordsError, maxBatchLines } from '../../catalogue/writes/batches.js'
import { WebhookError, WebhookNotFoundError } from '../../features/webhooks/errors.js'
import {
  ImportChangedError,
  ImportNotFoundError,
  ImportStateError,
  SourceTooLargeError,
} from '../../features/imports/errors.js'
import {
  PictureNotFoundError,
  PictureRejectedError,
  PicturesBusyError,
} from '../../features/pictures/errors.js'
import { ProfileError } from '../../features/imports/mapping/profile-parser.js'
import { SourceError } from '../../lib/sources/errors.js'
import {
  DocumentError,
  DocumentTooLargeError,
  DocumentsBusyError,
} from '../../rdf/documents/errors.js'
import { ValidationError } from '../../model/record/input.js'
import {
  PoolBusyError,
  ResultFormatError,
  QueryError,
  TooManyQueriesError,
  UpdateNotAllowedError,
} from '../../features/sparql/errors.js'
import {
  type ErrorResponse,
  HttpError,
  errorDetail,
  httpErrors,
  tokenChallenge,
} from '../errors.js'

/** The response to the errors of one class; undefined for an error of another class. */
type ErrorMapping = (error: unknown) => ErrorResponse | undefined

const mapError =
  <MappedError>(
    errorClass: new (...args: never[]) => MappedError,
    toResponse: (error: MappedError) => ErrorResponse,
  ): ErrorMapping =>
  (error) =>
    error instanceof errorClass ? toResponse(error) : undefined

const conflictBody = (conflicts: UndoConflictsError['conflicts']): object => ({
  detail: 'Records were changed since; nothing was undone.',
  records: conflicts.map(({ reference, fields, dependents }) => ({
    kind: reference.target,
    id: reference.id,
    fields,
    dependents: dependents.map(({ target, id }) => ({ kind: target, id })),
  })),
})

const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) })

const unconfirmed =
  'The store did not answer, so it is not known yet whether this was written. It will be settled; ' +
  'the same request may safely be made again.'

const textSearchUnavailable =
  'This service has no index of words in memory, so it does not take q. Use search instead.'

// prettier-ignore
const errorMappings: readonly ErrorMapping[] = [
  mapError(HttpError, ({ answer }) => answer),
  mapError(ValidationError, ({ fieldErrors }) => ({ status: 400, body: Object.fromEntries(fieldErrors) })),
  mapError(DocumentError, ({ message }) => errorDetail(400, message)),
  mapError(DocumentTooLargeError, ({ message }) => errorDetail(413, message)),
  mapError(DocumentsBusyError, ({ message }) => errorDetail(503, `${message} Try again later.`, retryAfter(2))),
  mapError(RecordNotFoundError, () => httpErrors.notFound().answer),
  mapError(ChangeRequestNotFoundError, () => httpErrors.notFound().answer),
  mapError(ImportNotFoundError, () => httpErrors.notFound().answer),
  mapError(PictureNotFoundError, () => httpErrors.notFound().answer),
  mapError(PictureRejectedError, ({ message }) => ({ status: 400, body: { file: [message] } })),
  mapError(PicturesBusyError, () => errorDetail(503, 'Too many pictures are being processed. Try again later.', retryAfter(10))),
  mapError(InvitationError, ({ message, reason }) => errorDetail(reason === 'unknown' ? 404 : 410, message)),
  mapError(WebhookNotFoundError, () => httpErrors.notFound().answer),
  mapError(WebhookError, ({ field, message }) => httpErrors.invalidField(field, message).answer),
  mapError(ImportStateError, ({ message, state }) => ({ status: 409, body: { detail: message, state } })),
  mapError(ImportChangedError, () => errorDetail(409, 'The import was changed since it was read.')),
  mapError(SourceError, ({ message }) => errorDetail(400, message)),
  mapError(SourceTooLargeError, ({ message }) => errorDetail(413, message)),
  mapError(ProfileError, ({ mistakes }) => ({ status: 400, body: { non_field_errors: mistakes } })),
  mapError(PageNotFoundError, () => errorDetail(404, 'Invalid page.')),
  mapError(TextSearchUnavailableError, () => errorDetail(501, textSearchUnavailable)),
  mapError(IndexNotReadyError, () => errorDetail(503, 'The index of words is being filled. Try again soon.', retryAfter(5))),
  mapError(InvalidCursorError, () => errorDetail(400, 'Invalid cursor.')),
  mapError(PreconditionFailedError, () => errorDetail(412, 'The record has been changed since it was read.')),
  mapError(UndoConflictError, ({ message, reference, fields, dependents }) => ({
    status: 409,
    body: { detail: message, kind: reference.target, id: reference.id, fields, dependents: dependents.map(({ target, id }) => ({ kind: target, id })) },
  })),
  mapError(ChangesForgottenError, ({ first }) => httpErrors.changesForgotten(first).answer),
  mapError(TooManyWaitersError, () => httpErrors.tooManyWaiters().answer),
  mapError(WriteForbiddenError, () => httpErrors.noPermission().answer),
  mapError(TooManyRecordsError, ({ count }) => errorDetail(400, `The query finds ${count} records; a batch may change ${maxBatchLines} at most.`)),
  mapError(BatchUndoneError, ({ by }) => errorDetail(409, by === undefined ? 'Nothing is left of this batch.' : `This batch was undone by ${by}.`)),
  mapError(UndoConflictsError, ({ conflicts }) => ({ status: 409, body: conflictBody(conflicts) })),
  mapError(CredentialsError, ({ message }) => ({ status: 400, body: { non_field_errors: [message] } })),
  mapError(InvalidTokenError, ({ message }) => errorDetail(401, message, tokenChallenge)),
  mapError(AccountDisabledError, ({ message }) => errorDetail(401, message, tokenChallenge)),
  mapError(LoginThrottledError, ({ seconds }) => httpErrors.throttled(seconds).answer),
  mapError(StoppingError, ({ message }) => errorDetail(503, `${message} Nothing was written.`, retryAfter(5))),
  mapError(LoginBusyError, ({ message }) => errorDetail(503, message, retryAfter(5))),
  // A query that takes too long is answered 400 like a malformed one, because the client has to
  // change it. Clients that read 503 or 504 repeat the same request by themselves.
  mapError(QueryError, ({ message }) => errorDetail(400, message)),
  mapError(UpdateNotAllowedError, ({ message }) => errorDetail(403, message)),
  mapError(ResultFormatError, ({ message }) => errorDetail(406, message)),
  mapError(TooManyQueriesError, ({ message, retryAfterSeconds }) => errorDetail(429, message, retryAfter(retryAfterSeconds))),
  mapError(PoolBusyError, ({ message, retryAfterSeconds }) => errorDetail(503, message, retryAfter(retryAfterSeconds))),
  mapError(CitationUnavailableError, () => errorDetail(503, 'Citations cannot be made now.', retryAfter(5))),
  mapError(StoreUnavailableError, () => errorDetail(503, 'The store does not answer.', retryAfter(2))),
  mapError(WriteRejectedError, () => errorDetail(503, 'The store did not take it; nothing was written.', retryAfter(2))),
  mapError(WriteUnconfirmedError, () => errorDetail(504, unconfirmed, retryAfter(2))),
  mapError(TooManyFilesError, () => errorDetail(503, 'Too many files are open; nothing was written.', retryAfter(5))),
  mapError(DiskFullError, () => errorDetail(507, 'The disk is full; nothing was written.')),
]

/** The response to an error; undefined for an unexpected one, which is only logged. */
export function toErrorResponse(error: unknown): ErrorResponse | undefined {
  const mapped = fullDiskError(error) ?? error
  for (const mapping of errorMappings) {
    const response = mapping(mapped)
    if (response) return response
  }
  return undefined
}

/** The response to every unexpected error. */
export const serverError: ErrorResponse = errorDetail(500, 'Internal server error')
