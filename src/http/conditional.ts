// Conditional requests (RFC 9110, 13): an ETag on everything that is shown, 304 for those who have
// it already, and the expectation of those who write.

import { createHash } from 'node:crypto'

import type { Expectation } from '../catalogue/catalogue.js'
import type { Context } from './endpoint.js'

/** Sends a text with its ETag, or 304. A record's own version is its ETag; a list's is made here. */
export function send(ctx: Context, text: string, version = hash(text)): void {
  ctx.status = 200
  ctx.set('ETag', etagOf(version, ctx.state.format.name))
  ctx.type = ctx.state.format.type
  if (ctx.fresh) ctx.status = 304
  else ctx.body = text
}

export const sendJson = (ctx: Context, value: unknown, version?: string): void =>
  send(ctx, JSON.stringify(value), version)

/** What `If-Match` expects: any of the tags that some format of the record has now, or `*`. */
export function expectationOf(ctx: Context): Expectation | undefined {
  const header = ctx.get('If-Match').trim()
  if (header === '' || header === '*') return undefined
  // Weak tags never match strongly (RFC 9110, 8.8.3.2).
  const tags = header.split(',').map((tag) => tag.trim())
  return (versions) =>
    versions.some((version) => tags.some((tag) => tag.startsWith(`"${version}-`)))
}

export const etagOf = (version: string, format: string): string => `"${version}-${format}"`

const hash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 27)
