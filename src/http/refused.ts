// What the counter itself refuses, with its status and body; and what it says of the librarian's
// failures. The bodies are the specification's error table.

import { AccountDisabled, InvalidToken, WrongCredentials } from '../accounts/accounts.js'
import { Changed, NoSuchPage, NotFound, StorageFull } from '../catalogue/failures.js'
import { Invalid } from '../model/write-shape.js'

export type Answer = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that the counter does not pass on. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(JSON.stringify(answer.body))
  }
}

const detail = (status: number, text: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: { detail: text },
  headers,
})

// Every 401 says how to do better (RFC 9110, 11.6.1).
const challenge = { 'WWW-Authenticate': 'Token' }

const notFound = detail(404, 'Not found.')

export const refusals = {
  badRequest: (why: string) => new Refused(detail(400, why)),
  notFound: () => new Refused(notFound),
  notAcceptable: () => new Refused(detail(406, 'Could not satisfy the request Accept header.')),
  noCredentials: () =>
    new Refused(detail(401, 'Authentication credentials were not provided.', challenge)),
  badHeader: (why: string) => new Refused(detail(401, `Invalid token header. ${why}`, challenge)),
  noPermission: () =>
    new Refused(detail(403, 'You do not have permission to perform this action.')),
  throttled: (seconds: number) =>
    new Refused(
      detail(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
        'Retry-After': String(seconds),
      }),
    ),
  notAllowed: (method: string, allow: string) =>
    new Refused(detail(405, `Method "${method}" not allowed.`, { Allow: allow })),
  unsupportedMediaType: (type: string) =>
    new Refused(detail(415, `Unsupported media type "${type}" in request.`)),
  tooLarge: () => new Refused(detail(413, 'Request body too large.')),
  notJson: (why: string) => new Refused(detail(400, `JSON parse error - ${why}`)),
  notAnObject: (type: string) =>
    new Refused({
      status: 400,
      body: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
    }),
}

type Kind = abstract new (...args: never[]) => Error

// prettier-ignore
const answers: readonly (readonly [Kind, (error: Error) => Answer])[] = [
  [Refused, (error) => (error as Refused).answer],
  [Invalid, (error) => ({ status: 400, body: Object.fromEntries((error as Invalid).failures) })],
  [NotFound, () => notFound],
  [NoSuchPage, () => detail(404, 'Invalid page.')],
  [Changed, () => detail(412, 'The record has been changed since it was read.')],
  [WrongCredentials, (error) => ({ status: 400, body: { non_field_errors: [error.message] } })],
  [InvalidToken, (error) => detail(401, error.message, challenge)],
  [AccountDisabled, (error) => detail(401, error.message, challenge)],
  [StorageFull, () => detail(507, 'The disk is full; nothing was written.')],
]

/** What is answered to a failure; undefined when it is nobody's business but the log's. */
export function answerTo(error: unknown): Answer | undefined {
  const [, answer] = answers.find(([kind]) => error instanceof kind) ?? []
  return answer?.(error as Error)
}

export const serverError: Answer = detail(500, 'Internal server error')
