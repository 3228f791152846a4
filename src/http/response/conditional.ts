// Conditional requests (RFC 9110, 13): an ETag on everything that is shown, 304 for those who have
// it already, and the expectation of those who write.

import type { Precondition } from '../../catalogue/record-writes.js'
import { type RecordJson, contentHash } from '../../catalogue/records/json-cache.js'
import type { Format } from '../../formats/serializer.js'
import type { RequestContext } from '../endpoint.js'

/**
 * Sends a text with its ETag, or 304 to who has it. The version of a record comes first in its tags,
 * whatever the format, so that a writer may expect any of them.
 */
export function sendText(
  ctx: RequestContext,
  text: string,
  version?: string,
  mark = contentHash(text),
): void {
  const { format } = ctx.state
  ctx.status = 200
  ctx.set('ETag', `"${version === undefined ? '' : `${version}-`}${format.name}-${mark}"`)
  ctx.set('Content-Type', contentType(format))
  if (['GET', 'HEAD'].includes(ctx.method) && has(ctx, ctx.response.get('ETag'))) ctx.status = 304
  else ctx.body = text
}

// Koa's own check answers in full to `Cache-Control: no-cache`, which fetch adds by itself to every
// conditional request; but that is an order to caches on the way (RFC 9111, 5.2.1.4), not to us.
function has(ctx: RequestContext, etag: string): boolean {
  const tags = tagsIn(ctx.get('If-None-Match'))
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/** The media type with its parameters. What is printed here is UTF-8, whatever its type. */
export const contentType = ({ type, parameters = 'charset=utf-8' }: Format): string =>
  `${type}; ${parameters}`

/** Sends a record's JSON, whose mark is its version. */
export const sendRecordJson = (ctx: RequestContext, { json, version }: RecordJson): void =>
  sendText(ctx, json, version, version)

export const sendJson = (ctx: RequestContext, value: unknown, version?: string): void =>
  sendText(ctx, JSON.stringify(value), version)

/** What `If-Match` expects: any of the tags that some format of the record has now, or `*`. */
export function parseIfMatch(ctx: RequestContext): Precondition | undefined {
  const tags = tagsIn(ctx.get('If-Match'))
  if (tags.length === 0 || tags.includes('*')) return undefined
  // Weak tags never match strongly (RFC 9110, 8.8.3.2).
  return (version) => tags.some((tag) => tag.startsWith(`"${version}-`))
}

// Our tags hold neither commas nor quotes, so a list of tags that may be ours is split at commas.
const tagsIn = (header: string): string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
