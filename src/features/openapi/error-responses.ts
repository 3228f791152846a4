// The error responses: one component for each status, with an example that is a real response, and
// the headers of all responses. The texts come from ../../errors.ts and response/http-errors.ts.

import { ForbiddenError, NotFoundError, RequestError, ThrottledError } from '../../errors.js'
import { PreconditionFailedError, UndoConflictError } from '../../catalogue/errors.js'
import { requiredMessage } from '../../model/record/input.js'
import { maxLinkBytes } from '../../http/response/link-headers.js'
import { toErrorResponse, serverError } from '../../http/response/http-errors.js'
import { problemType } from '../../http/response/problem-details.js'
import { type HttpError, httpErrors } from '../../http/errors.js'
import type { ComponentReference, Header } from '../../http/operation.js'
import * as schema from '../../http/schemas.js'
import { type Response, refer } from './document.js'

export const headers: Readonly<Record<string, Header>> = {
  ETag: {
    description: 'The version of the response, a strong tag.',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: `The addresses of the first, previous, next and last page and of the other formats (RFC 8288), as far as they fit into ${maxLinkBytes} bytes.`,
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Log-Name': {
    description: 'The name of the log of changes that `X-Log-Position` is a place in.',
    schema: { type: 'string' },
  },
  'X-Log-Position': {
    description:
      'The number of the last change that the file certainly has: `since` of the changes to go on with. A process that only reads leaves it out while the writing one does not answer.',
    schema: { type: 'integer', minimum: 0 },
  },
  Location: {
    description: 'The address of the record.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'Retry-After': {
    description: 'The number of seconds to wait.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Limit': {
    description: 'The number of requests that the client may send in a window.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'The Unix time in seconds from which one more is possible.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description:
      'The limit: its name, `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of it: `r` requests, and one more is possible in `t` seconds.',
    schema: { type: 'string' },
  },
  'Preference-Applied': {
    description: 'The preference that was followed (RFC 7240): `return=minimal`.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', enum: ['Token'] },
  },
}

export const headersNamed = (
  ...names: readonly string[]
): Readonly<Record<string, ComponentReference>> =>
  Object.fromEntries(names.map((name) => [name, refer('headers', name)]))

export const failureSchema = schema.component('Failure', 'Why a request was not answered.', {
  detail: schema.text(),
})

const conflictSchema = schema.component(
  'Conflict',
  'Why something was not done. Where records were changed since, it names them and their fields.',
  { detail: schema.text() },
  { additionalProperties: true },
)

export const validationFailureSchema = schema.mapOf(schema.listOf(schema.text()), {
  $id: 'ValidationFailure',
  description:
    'All messages of every field that fails, by its name; those of no single field are under `non_field_errors`.',
})

const problemSchema = schema.component(
  'Problem',
  'The same as problem details (RFC 9457), where `Accept` names their media type.',
  {
    type: schema.text({ format: 'uri-reference' }),
    title: schema.text(),
    status: { type: 'integer' },
    detail: schema.text(),
  },
  { additionalProperties: true },
)

const asProblem = { [problemType]: { schema: problemSchema } }

/** The body of an error as an example, as it is sent: with sentences in place of messages. */
const bodyOf = (error: HttpError | RequestError): object =>
  // The cast: a body is an object.
  JSON.parse(JSON.stringify(toErrorResponse(error)?.body ?? {})) as object

const errorResponse = (
  description: string,
  example: object,
  body: schema.Schema = failureSchema,
): Response => ({
  description,
  content: { 'application/json': { schema: body, example }, ...asProblem },
})

// prettier-ignore
export const errorComponents: Readonly<Record<string, Response>> = {
  NotModified: { description: 'The version that the client has is current.', headers: headersNamed('ETag') },
  BadRequest: {
    description: 'The input is invalid. Every invalid field is named with all its messages.',
    content: {
      'application/json': {
        schema: { oneOf: [validationFailureSchema, failureSchema] },
        examples: {
          fields: { value: { title: [requiredMessage], subject: ['Invalid subject codes: a, b'] } },
          shape: { value: bodyOf(httpErrors.notAnObject('list')) },
          syntax: { value: bodyOf(httpErrors.notJson('Unexpected end of JSON input')) },
        },
      },
      ...asProblem,
    },
  },
  Unauthorized: {
    ...errorResponse('No token where one is needed, or one that is not valid.', bodyOf(httpErrors.noCredentials())),
    headers: headersNamed('WWW-Authenticate'),
  },
  Forbidden: errorResponse('The account may not do this.', bodyOf(new ForbiddenError())),
  NotFound: errorResponse('There is no such record, page or format.', bodyOf(new NotFoundError())),
  NotAcceptable: errorResponse('None of the formats in `Accept` is available.', bodyOf(httpErrors.notAcceptable())),
  Conflict: errorResponse('It is not possible as things are now, and nothing was written: what was to be undone was changed again since, an import was changed meanwhile, or the log of changes is another one.', bodyOf(new UndoConflictError({ target: 'zines', id: 'a-zine' }, ['title'])), conflictSchema),
  PreconditionFailed: errorResponse('The record is no longer the one that `If-Match` names; nothing was written.', bodyOf(new PreconditionFailedError())),
  ContentTooLarge: errorResponse('The body is larger than 1 MiB; than 16 MiB for RDF and the lines of a batch.', bodyOf(httpErrors.tooLarge())),
  UnsupportedMediaType: errorResponse('The body is not JSON.', bodyOf(httpErrors.unsupportedMediaType('text/plain'))),
  TooManyRequests: {
    ...errorResponse('The client has sent too many requests.', bodyOf(new ThrottledError(42))),
    headers: headersNamed(
      'Retry-After',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'RateLimit-Policy',
      'RateLimit',
      'Link',
    ),
  },
  ServerError: errorResponse('An error of the service.', serverError.body),
  Other: errorResponse(
    'Any other error, in the same form: 405 with `Allow` for a method that is not allowed; ' +
      '409 where the log of changes is another one, or a request with the same `Idempotency-Key` is being answered; ' +
      '410 for changes that are not kept, and for what was created with the `Idempotency-Key` and deleted since; ' +
      '422 for an `Idempotency-Key` of another request; ' +
      '501 for `q` where the service has no index of words, and for a file where it decodes no pictures; ' +
      '503 with `Retry-After` while the service starts, and for `q` while the index of words is filled; 507 when its disk is full.',
    bodyOf(httpErrors.notAllowed('PUT', 'GET, HEAD, OPTIONS')),
  ),
}

/** The names of the components by status. */
// prettier-ignore
const componentNames: Readonly<Record<string, string>> = {
  304: 'NotModified', 400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound',
  406: 'NotAcceptable', 409: 'Conflict', 412: 'PreconditionFailed', 413: 'ContentTooLarge', 415: 'UnsupportedMediaType',
  429: 'TooManyRequests', 500: 'ServerError',
}

/** The statuses of errors, with what each means. */
export const describedErrors: readonly (readonly [status: string, description: string])[] =
  Object.entries(componentNames).map(([status, name]) => [
    status,
    errorComponents[name]?.description ?? '',
  ])

/** References to the error responses of the statuses, and the default one for any other. */
export const errorResponses = (
  ...statuses: readonly number[]
): Record<string, ComponentReference> =>
  Object.fromEntries([
    ...statuses.map((status) => [status, refer('responses', componentNames[status] ?? 'Other')]),
    ['default', refer('responses', 'Other')],
  ]) as Record<string, ComponentReference>
