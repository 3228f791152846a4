// Sends a stream as a file to download.

import { type Readable, pipeline } from 'node:stream'

import type { RequestContext } from '../context.js'
import { acceptedCoding, createCompressor, isCompressible } from './content-coding.js'

type FileDownload = {
  /** The file name, which needs no escaping. */
  readonly name: string
  /** The media type with its parameters. */
  readonly type: string
  readonly content: Readable
}

/**
 * Sends a file as fast as the client reads it, compressed if the client accepts that. Koa destroys the stream when the client goes away, and
 * closes the connection when the stream fails, so that a client notices an incomplete file. There is
 * no ETag, because headers are sent before the content is known.
 */
export function sendFile(ctx: RequestContext, { name, type, content }: FileDownload): void {
  ctx.status = 200
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.set('Cache-Control', 'no-cache')
  ctx.body = isCompressible(type) ? compressStream(ctx, content) : content
  ctx.type = type
}

function compressStream(ctx: RequestContext, content: Readable): Readable {
  ctx.vary('Accept-Encoding')
  const coding = acceptedCoding(ctx.req.headers['accept-encoding'])
  if (!coding) return content
  ctx.set('Content-Encoding', coding)
  // HEAD sends no content, so nothing is read of it.
  if (ctx.method === 'HEAD') return content
  return pipeline(content, createCompressor(coding), () => undefined)
}
