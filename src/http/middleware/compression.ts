// Compresses responses that are complete in memory, and answers If-None-Match with 304 once it is
// known which coding has which ETag. Streams are compressed by response/file.ts.

import type { IncomingMessage } from 'node:http'

import type { Middleware, ParameterizedContext } from 'koa'

import type { RequestState } from '../context.js'
import { csrfField } from '../request/session-cookies.js'
import { isNotModified } from '../response/conditional.js'
import {
  type ContentCoding,
  acceptedCoding,
  compress,
  isCompressible,
  tagOfCoding,
} from '../response/content-coding.js'

/** The largest body in bytes that is sent as it is: smaller ones gain less than they cost. */
const maxPlainBytes = 1024

export const compressResponses: Middleware<RequestState> = async (ctx, next) => {
  await next()
  await compressResponse(ctx)
}

/**
 * Compresses the body if the client accepts it and nothing speaks against it; else leaves it as it
 * is.
 */
export async function compressResponse(ctx: ParameterizedContext<RequestState>): Promise<void> {
  const { body } = ctx
  if (!isContent(body) || ctx.res.hasHeader('Content-Encoding')) return
  const coding = chooseCoding(ctx, body)
  const etag = ctx.res.getHeader('ETag')
  if (coding && typeof etag === 'string') ctx.set('ETag', tagOfCoding(etag, coding))
  if (isNotModified(ctx)) {
    ctx.status = 304
    return
  }
  if (!coding) return
  ctx.set('Content-Encoding', coding)
  ctx.body = await compress(body, coding)
}

/** Whether a body is complete in memory. */
export const isContent = (body: unknown): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body)

function chooseCoding(
  ctx: ParameterizedContext<RequestState>,
  body: string | Buffer,
): ContentCoding | undefined {
  if (!isCompressible(ctx.response.type)) return undefined
  ctx.vary('Accept-Encoding')
  const coding = codingOf(ctx.req, body)
  return coding && !holdsSecret(ctx, body) ? coding : undefined
}

/** The coding that the client prefers, for a body that is long enough. */
export const codingOf = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  body: string | Buffer,
): ContentCoding | undefined => {
  const coding = acceptedCoding(headers['accept-encoding'])
  return coding && Buffer.byteLength(body) > maxPlainBytes ? coding : undefined
}

/**
 * Whether a body has a secret in it: the token of a form, or what must not be stored. The length of
 * such a body, compressed together with text that an attacker chooses, would give the secret away
 * (BREACH).
 */
const holdsSecret = (ctx: ParameterizedContext<RequestState>, body: string | Buffer): boolean =>
  String(ctx.res.getHeader('Cache-Control') ?? '').includes('no-store') ||
  (ctx.response.type === 'text/html' && body.includes(csrfField))
