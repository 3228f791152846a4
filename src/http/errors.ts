// Errors that http/ throws itself, with their status and body. What errors of other folders are
// answered with is decided in response/http-errors.ts. The texts are those of
// docs/reference/requests.md, "Errors".

import { type Message, isMessage, message } from '../message.js'

export type ErrorResponse = {
  readonly status: number
  /** Messages in it are English once it is JSON. */
  readonly body: object
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An error that is answered with the given response. */
export class HttpError extends Error {
  constructor(readonly answer: ErrorResponse) {
    super(JSON.stringify(answer.body))
  }
}

/** A response with the body `{"detail": text}`. */
export const errorDetail = (
  status: number,
  text: Message,
  headers: ErrorResponse['headers'] = {},
): ErrorResponse => ({ status, body: { detail: text }, headers })

/** What the body of an error says, for pages. */
export function messageOf(body: object): Message {
  if ('detail' in body && isMessage(body.detail)) return body.detail
  const [first, ...more] = Object.values(body).flat() as readonly unknown[]
  return isMessage(first) && more.length === 0 ? first : [first, ...more].join(' ')
}

/** Headers of every 401 (RFC 9110, 11.6.1). */
export const tokenChallenge = { 'WWW-Authenticate': 'Token' }

const httpError = (...detail: Parameters<typeof errorDetail>): HttpError =>
  new HttpError(errorDetail(...detail))

/** The message for a value that is none of those that there are. */
export const notAChoice = (value: string): Message =>
  message('"{value}" is not a valid choice.', { value: value.slice(0, 100).toWellFormed() })

export const httpErrors = {
  badRequest: (why: Message) => httpError(400, why),
  gone: () => httpError(410, message('This was deleted.')),
  notAcceptable: () => httpError(406, message('Could not satisfy the request Accept header.')),
  formatNotOffered: (name: string, offered: readonly string[]) =>
    httpError(
      406,
      message('The format {format} is not available here. Available are: {formats}.', {
        format: name,
        formats: offered.join(', '),
      }),
    ),
  noCredentials: () =>
    httpError(401, message('Authentication credentials were not provided.'), tokenChallenge),
  badHeader: (why: string) => httpError(401, `Invalid token header. ${why}`, tokenChallenge),
  forged: () =>
    httpError(
      403,
      message(
        'This form did not come from here, or is too old, or cookies are switched off: load its page again.',
      ),
    ),
  notAllowed: (method: string, allow: string) =>
    httpError(405, message('Method "{method}" not allowed.', { method }), { Allow: allow }),
  unsupportedMediaType: (type: string) =>
    httpError(415, message('Unsupported media type "{type}" in request.', { type })),
  noSuchRange: (bytes: number) =>
    httpError(416, message('The file has {count} bytes.', { count: bytes }), {
      'Content-Range': `bytes */${bytes}`,
    }),
  tooManyDownloads: () =>
    httpError(503, message('Too many downloads are under way. Try again later.'), {
      'Retry-After': '10',
    }),
  tooManyRecords: (count: number, most: number) =>
    httpError(
      400,
      message(
        'The list has {count} records, and a file in this format at most {most}. Filter the list, or choose another format.',
        { count, most },
      ),
    ),
  preconditionFailed: (why: Message, etag: string) => httpError(412, why, { ETag: etag }),
  otherLog: (name: string) =>
    httpError(
      409,
      `This is not the log that the changes were read from: its name is ${name} now. Begin again with an export.`,
    ),
  webhooksOff: () => httpError(501, 'Webhooks are switched off on this service (WEBHOOKS).'),
  failedDependency: () => httpError(424, 'Not written, because another line failed.'),
  tooLarge: () => httpError(413, message('Request body too large.')),
  notJson: (why: string) => httpError(400, `JSON parse error - ${why}`),
  invalidField: (name: string, ...messages: readonly Message[]) =>
    new HttpError({ status: 400, body: { [name]: messages } }),
  notAnObject: (type: string) =>
    new HttpError({
      status: 400,
      body: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
    }),
}
