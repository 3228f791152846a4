// Sends a file of the disk that never changes, whole or a part of it (RFC 9110, 14), so that a
// download can be continued.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

import type { RequestContext } from '../context.js'
import { httpErrors } from '../errors.js'
import { clientHas } from './conditional.js'
import type { SendFile } from './file.js'

export type StoredFile = {
  readonly path: string
  /** The file name, which needs no escaping. */
  readonly name: string
  readonly type: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
  readonly time: Date
}

/** @throws HttpError 416 for a part that the file has not, and what `sendFile` throws */
export function sendStoredFile(ctx: RequestContext, file: StoredFile, sendFile: SendFile): void {
  const { path, name, type, bytes, sha256, time } = file
  const etag = `"${sha256}"`
  ctx.set('ETag', etag)
  ctx.set('Last-Modified', time.toUTCString())
  ctx.set('Accept-Ranges', 'bytes')
  // RFC 9530.
  ctx.set('Repr-Digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
  if (clientHas(ctx, etag)) {
    ctx.status = 304
    return
  }
  const range = requestedRange(ctx, etag, bytes)
  const createContent = (): Readable => createReadStream(path, range)
  // As it is: a part of a compressed answer is not a part of the file.
  sendFile(ctx, { name, type, createContent, isSentAsItIs: true })
  ctx.length = range ? range.end - range.start + 1 : bytes
  if (!range) return
  ctx.status = 206
  ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`)
}

type Range = { readonly start: number; readonly end: number }

/**
 * The part that is asked for; undefined for the whole file: also where several parts are asked for,
 * or the client has a part of another file (RFC 9110, 13.1.5 and 14.2).
 */
function requestedRange(ctx: RequestContext, etag: string, bytes: number): Range | undefined {
  const condition = ctx.get('If-Range')
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(ctx.get('Range')) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (ctx.method !== 'GET' || (condition !== '' && condition !== etag)) return undefined
  const range =
    first === ''
      ? { start: Math.max(bytes - Number(last), 0), end: bytes - 1 }
      : { start: Number(first), end: Math.min(last === '' ? Infinity : Number(last), bytes - 1) }
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined
  if (range.start > range.end) throw httpErrors.noSuchRange(bytes)
  return range
}
