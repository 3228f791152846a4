// Errors that http/ throws itself, with their status and body. What errors of other folders are
// answered with is decided in response/http-errors.ts. The texts are those of
// docs/reference/requests.md, "Errors".

export type ErrorResponse = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
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
  text: string,
  headers: ErrorResponse['headers'] = {},
): ErrorResponse => ({ status, body: { detail: text }, headers })

/** Headers of every 401 (RFC 9110, 11.6.1). */
export const tokenChallenge = { 'WWW-Authenticate': 'Token' }

const httpError = (...detail: Parameters<typeof errorDetail>): HttpError =>
  new HttpError(errorDetail(...detail))

/** The message for a value that is none of those that there are. */
export const notAChoice = (value: string): string =>
  `"${value.slice(0, 100).toWellFormed()}" is not a valid choice.`

export const httpErrors = {
  badRequest: (why: string) => httpError(400, why),
  notFound: () => httpError(404, 'Not found.'),
  gone: () => httpError(410, 'This was deleted.'),
  notAcceptable: () => httpError(406, 'Could not satisfy the request Accept header.'),
  formatNotOffered: (name: string, offered: readonly string[]) =>
    httpError(
      406,
      `The format ${name} is not available here. Available are: ${offered.join(', ')}.`,
    ),
  noCredentials: () =>
    httpError(401, 'Authentication credentials were not provided.', tokenChallenge),
  badHeader: (why: string) => httpError(401, `Invalid token header. ${why}`, tokenChallenge),
  forged: () =>
    httpError(
      403,
      'This form did not come from here, or is too old, or cookies are switched off: load its page again.',
    ),
  noPermission: () => httpError(403, 'You do not have permission to perform this action.'),
  throttled: (seconds: number) =>
    httpError(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
      'Retry-After': String(seconds),
    }),
  notAllowed: (method: string, allow: string) =>
    httpError(405, `Method "${method}" not allowed.`, { Allow: allow }),
  unsupportedMediaType: (type: string) =>
    httpError(415, `Unsupported media type "${type}" in request.`),
  tooManyDownloads: () =>
    httpError(503, 'Too many downloads are under way. Try again later.', { 'Retry-After': '10' }),
  tooManyRecords: (count: number, most: number) =>
    httpError(
      400,
      `The list has ${count} records, and a file in this format at most ${most}. Filter the list, or choose another format.`,
    ),
  preconditionFailed: (why: string, etag: string) => httpError(412, why, { ETag: etag }),
  otherLog: (name: string) =>
    httpError(
      409,
      `This is not the log that the changes were read from: its name is ${name} now. Begin again with an export.`,
    ),
  changesForgotten: (first: number) =>
    httpError(
      410,
      `Changes before number ${first} are not kept. Begin again with an export, and go on with the changes after its X-Log-Position.`,
    ),
  tooManyWaiters: () =>
    httpError(503, 'Too many requests wait for changes. Ask without `wait`, or later.', {
      'Retry-After': '10',
    }),
  webhooksOff: () => httpError(501, 'Webhooks are switched off on this service (WEBHOOKS).'),
  failedDependency: () => httpError(424, 'Not written, because another line failed.'),
  tooLarge: () => httpError(413, 'Request body too large.'),
  notJson: (why: string) => httpError(400, `JSON parse error - ${why}`),
  invalidField: (name: string, ...messages: readonly string[]) =>
    new HttpError({ status: 400, body: { [name]: messages } }),
  notAnObject: (type: string) =>
    new HttpError({
      status: 400,
      body: { non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] },
    }),
}
