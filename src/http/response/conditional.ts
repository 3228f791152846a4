// Sends texts with an ETag, and reads If-None-Match and preconditions (RFC 9110, 13;
// docs/reference/requests.md, "Conditional requests"). middleware/compression.ts answers 304, and
// catalogue/catalogue.ts checks preconditions.

import type { ParameterizedContext } from 'koa'

import type { Precondition } from '../../catalogue/writes/planned-writes.js'
import { contentHash } from '../../catalogue/records/json-cache.js'
import { json } from '../../formats/common-formats.js'
import type { Format } from '../../formats/serializer.js'
import type { Answer, RequestContext } from '../context.js'
import { httpErrors } from '../errors.js'

/**
 * Sends a text with its ETag. The tag of a record begins with its version in every format, so that
 * the tag of any format can be sent in If-Match.
 * @param hash what distinguishes the text from others of its version and format
 */
export function sendText(ctx: RequestContext, text: string, version?: string, hash?: string): void {
  const { format } = ctx.state
  const body = toBody(text)
  ctx.status = 200
  ctx.set('ETag', createTag(format, version, hash ?? contentHash(body)))
  ctx.set('Content-Type', contentType(format))
  ctx.body = body
}

/**
 * What is sent of a text. A long one is encoded once, for its hash, its length and the client; Node
 * sends a short one together with the headers.
 */
const toBody = (text: string): string | Buffer => (text.length >= 8192 ? Buffer.from(text) : text)

/** Whether the client has the response that would be sent, by its ETag. */
export function isNotModified(ctx: ParameterizedContext): boolean {
  const etag = ctx.res.getHeader('ETag')
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && ctx.status === 200
  return isRead && typeof etag === 'string' && clientHas(ctx, etag)
}

/** The ETag of a text: see `sendText`. */
export const createTag = (format: Format, version: string | undefined, hash: string): string =>
  `"${version === undefined ? '' : `${version}-`}${format.name}-${hash}"`

// Whether If-None-Match has the tag. Koa's own check ignores the header when there is
// `Cache-Control: no-cache`, which fetch adds to every conditional request. That directive is for
// caches (RFC 9111, 5.2.1.4), not for the server.
export function clientHas(ctx: ParameterizedContext, etag: string): boolean {
  const tags = parseTags(ctx.get('If-None-Match'))
  return tags.includes('*') || tags.some((tag) => withoutWeak(tag) === etag)
}

const withoutWeak = (tag: string): string => tag.replace(/^W\//, '')

/** The Content-Type of a format. All texts are UTF-8. */
export const contentType = ({ type, parameters = 'charset=utf-8' }: Format): string =>
  parameters === '' ? type : `${type}; ${parameters}`

/** The answer with a text of JSON; its version and hash as in `sendText`. */
export function jsonAnswer(
  text: string,
  { headers, ...more }: Pick<Answer, 'headers' | 'links' | 'isCurrent'>,
  version?: string,
  hash?: string,
): Answer {
  const body = toBody(text)
  return {
    ...more,
    headers: { ...headers, 'Content-Type': contentType(json) },
    etag: createTag(json, version, hash ?? contentHash(body)),
    body,
  }
}

export function sendAnswer(
  ctx: RequestContext,
  { headers, links, etag, body, isCurrent }: Answer,
): void {
  ctx.status = 200
  ctx.set({ ...headers, ETag: etag })
  ctx.body = body
  ctx.state.links = links
  ctx.state.isCurrent = isCurrent
}

export const sendJson = (ctx: RequestContext, value: unknown, version?: string): void =>
  sendText(ctx, JSON.stringify(value), version)

/**
 * The precondition of a write: If-Match with one of the current tags in any format and content
 * coding, and no `If-None-Match: *`, which no existing record meets. Undefined when there is none,
 * or `If-Match: *`.
 * @throws HttpError 400 for an If-Match without a tag
 */
export function parsePrecondition(ctx: RequestContext): Precondition | undefined {
  if (parseTags(ctx.get('If-None-Match')).includes('*')) return () => false
  const header = ctx.headers['if-match']
  return header === undefined ? undefined : parseIfMatch(header)
}

/**
 * The precondition of a value of If-Match; undefined for `*`.
 * @throws HttpError 400 for a value without a tag
 */
export function parseIfMatch(header: string): Precondition | undefined {
  const parts = parseTags(header)
  if (parts.includes('*')) return undefined
  const tags = parts.map(withoutWeak).filter((tag) => /^"[^"]*"$/.test(tag))
  if (tags.length === 0) throw httpErrors.badRequest('If-Match has no entity tag.')
  // A proxy that compresses makes tags weak. The version in the tag is of the content, so such a
  // tag is accepted, which is more than RFC 9110, 13.1.1, asks for.
  return (version) => tags.some((tag) => tag.startsWith(`"${version}-`))
}

// The tags of this service contain no commas, so splitting at commas finds each of them.
const parseTags = (header: string): string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
