// Sends texts with an ETag, answers If-None-Match with 304, and reads If-Match (RFC 9110, 13;
// docs/api.md, "Conditional requests"). Preconditions are checked by catalogue/catalogue.ts.

import type { Precondition } from '../../catalogue/record-writes.js'
import { type RecordJson, contentHash } from '../../catalogue/records/json-cache.js'
import type { Format } from '../../formats/serializer.js'
import type { RequestContext } from '../context.js'

/**
 * Sends a text with its ETag, or 304 if the client has it. The tag of a record begins with its version
 * in every format, so that the tag of any format can be sent in If-Match.
 * @param hash what distinguishes the text from others of its version and format
 */
export function sendText(
  ctx: RequestContext,
  text: string,
  version?: string,
  hash = contentHash(text),
): void {
  const { format } = ctx.state
  ctx.status = 200
  ctx.set('ETag', `"${version === undefined ? '' : `${version}-`}${format.name}-${hash}"`)
  ctx.set('Content-Type', contentType(format))
  if (['GET', 'HEAD'].includes(ctx.method) && clientHas(ctx, ctx.response.get('ETag')))
    ctx.status = 304
  else ctx.body = text
}

// Whether If-None-Match contains the tag. Koa's own check ignores If-None-Match when there is `Cache-Control: no-cache`, which fetch adds to
// every conditional request. That directive is for caches (RFC 9111, 5.2.1.4), not for the server.
export function clientHas(ctx: RequestContext, etag: string): boolean {
  const tags = parseTags(ctx.get('If-None-Match'))
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/** The Content-Type of a format. All texts are UTF-8. */
export const contentType = ({ type, parameters = 'charset=utf-8' }: Format): string =>
  `${type}; ${parameters}`

/** Sends the JSON of a record, whose version is the hash of its JSON. */
export const sendRecordJson = (ctx: RequestContext, { json, version }: RecordJson): void =>
  sendText(ctx, json, version, version)

export const sendJson = (ctx: RequestContext, value: unknown, version?: string): void =>
  sendText(ctx, JSON.stringify(value), version)

/** The precondition of If-Match: one of the current tags in any format; undefined without one or for `*`. */
export function parseIfMatch(ctx: RequestContext): Precondition | undefined {
  const tags = parseTags(ctx.get('If-Match'))
  if (tags.length === 0 || tags.includes('*')) return undefined
  // Weak tags never match strongly (RFC 9110, 8.8.3.2).
  return (version) => tags.some((tag) => tag.startsWith(`"${version}-`))
}

// The tags of this service contain no commas, so splitting at commas finds each of them.
const parseTags = (header: string): string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
