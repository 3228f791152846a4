// What the counter itself refuses, with its status and body; and what it says of the librarian's
// failures. The bodies are the specification's error table.

import {
  AccountDisabled,
  InvalidToken,
  TooManyFailures,
  TooManyLogins,
  WrongCredentials,
} from '../../accounts/accounts.js'
import {
  Changed,
  NoSuchPage,
  NotFound,
  NotWritten,
  StorageFull,
  StoreUnavailable,
  Unconfirmed,
} from '../../catalogue/errors.js'
import { Invalid } from '../../model/record/input.js'
import { Busy, FormRefused, QueryRefused, TooMany, UpdateRefused } from '../../sparql/errors.js'

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
  forged: () =>
    new Refused(
      detail(
        403,
        'This form did not come from here, or is too old, or cookies are switched off: load its page again.',
      ),
    ),
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

const soon = { 'Retry-After': '2' }

const unconfirmed =
  'The store did not answer, so it is not known yet whether this was written. It will be settled; ' +
  'the same request may safely be made again.'

/** A class of failures with its answer; undefined for a failure of another class. */
type Reply = (error: unknown) => Answer | undefined

const to =
  <Failure>(kind: new (...args: never[]) => Failure, answer: (failure: Failure) => Answer): Reply =>
  (error) =>
    error instanceof kind ? answer(error) : undefined

// prettier-ignore
const replies: readonly Reply[] = [
  to(Refused, ({ answer }) => answer),
  to(Invalid, ({ failures }) => ({ status: 400, body: Object.fromEntries(failures) })),
  to(NotFound, () => notFound),
  to(NoSuchPage, () => detail(404, 'Invalid page.')),
  to(Changed, () => detail(412, 'The record has been changed since it was read.')),
  to(WrongCredentials, ({ message }) => ({ status: 400, body: { non_field_errors: [message] } })),
  to(InvalidToken, ({ message }) => detail(401, message, challenge)),
  to(AccountDisabled, ({ message }) => detail(401, message, challenge)),
  to(TooManyFailures, ({ seconds }) => refusals.throttled(seconds).answer),
  to(TooManyLogins, ({ message }) => detail(503, message, { 'Retry-After': '5' })),
  // A query that takes too long is the client's to change, like one that is malformed; and what reads
  // 503 or 504 asks again by itself.
  to(QueryRefused, ({ message }) => detail(400, message)),
  to(UpdateRefused, ({ message }) => detail(403, message)),
  to(FormRefused, ({ message }) => detail(406, message)),
  to(TooMany, ({ message, seconds }) => detail(429, message, { 'Retry-After': String(seconds) })),
  to(Busy, ({ message, seconds }) => detail(503, message, { 'Retry-After': String(seconds) })),
  to(StoreUnavailable, () => detail(503, 'The store does not answer.', soon)),
  to(NotWritten, () => detail(503, 'The store did not take it; nothing was written.', soon)),
  to(Unconfirmed, () => detail(504, unconfirmed, soon)),
  to(StorageFull, () => detail(507, 'The disk is full; nothing was written.')),
]

/** What is answered to a failure; undefined when it is nobody's business but the log's. */
export function answerTo(error: unknown): Answer | undefined {
  for (const reply of replies) {
    const answer = reply(error)
    if (answer) return answer
  }
  return undefined
}

export const serverError: Answer = detail(500, 'Internal server error')
