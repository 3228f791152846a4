// Errors as problem details (RFC 9457), for clients whose Accept names `application/problem+json`.
// What an error says is decided in http-errors.ts.

import { STATUS_CODES } from 'node:http'

import { ThrottledError } from '../../errors.js'
import { type ErrorResponse, messageOf } from '../errors.js'
import { acceptsType, type RequestHead } from '../request/content-negotiation.js'

export const problemType = 'application/problem+json'

export const wantsProblem = ({ headers }: RequestHead): boolean =>
  acceptsType(headers.accept ?? '', problemType)

/** @param error what the response answers; that of a limit is told which one it is */
export function problemOf({ status, body }: ErrorResponse, error: unknown): object {
  const { detail = messageOf(body), ...members } = body as { readonly detail?: unknown }
  const isOfFields = !('detail' in body)
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    ...(isOfFields ? { errors: fieldErrors(body) } : members),
    ...(error instanceof ThrottledError && error.policy ? quotaExceeded(error.policy) : {}),
  }
}

/** One for each message, as the example of RFC 9457, 3, has them. */
const fieldErrors = (body: object): readonly object[] =>
  Object.entries(body).flatMap(([field, messages]: [string, unknown]) =>
    [messages].flat().map((detail) => ({ detail, ...pointerTo(field) })),
  )

/** A JSON pointer in a fragment (RFC 6901, 6); none for what is wrong with the whole body. */
const pointerTo = (field: string) =>
  field === 'non_field_errors'
    ? {}
    : { pointer: `#/${encodeURIComponent(field.replaceAll('~', '~0').replaceAll('/', '~1'))}` }

/** The problem type of draft-ietf-httpapi-ratelimit-headers-10. */
const quotaExceeded = (policy: string) => ({
  type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  'violated-policies': [policy],
})
