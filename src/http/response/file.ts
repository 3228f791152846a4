// Sends a stream as a file to download, and limits how many are sent at a time.

import { type Readable, pipeline } from 'node:stream'

import type { Format } from '../../formats/serializer.js'
import type { RequestContext } from '../context.js'
import { httpErrors } from '../errors.js'
import { acceptedCoding, createCompressor, isCompressible } from './content-coding.js'

type FileDownload = {
  /** The file name, which needs no escaping. */
  readonly name: string
  /** The media type with its parameters. */
  readonly type: string
  /** Called once it is decided that the file is sent. */
  readonly createContent: () => Readable
  /** It is not compressed, whatever its type is. */
  readonly isSentAsItIs?: true
}

/** The name of a file with records. */
export const fileName = (name: string, { extension, ...format }: Format): string =>
  `${name}.${extension ?? format.name}`

export type SendFile = (ctx: RequestContext, file: FileDownload) => void

/** A file that is being sent takes about 3 MB of memory, and its connection. */
const maxDownloads = 32
/** Fewer than all, so that one client leaves some to the others. */
const maxDownloadsOfClient = 8

/**
 * Creates the function that sends a file as fast as the client reads it, compressed if the client
 * accepts that. Koa destroys the stream when the
 * client goes away, and closes the connection when the stream fails, so that a client notices an
 * incomplete file. There is no ETag, because headers are sent before the content is known.
 * @throws HttpError 503 if too many files are being sent, to all or to one IP address
 */
export function createFileSender(): SendFile {
  /** The number of files that are being sent, by IP address. */
  const downloads = new Map<string, number>()

  function begin(ctx: RequestContext): void {
    const { ip } = ctx
    const ofClient = downloads.get(ip) ?? 0
    const ofAll = [...downloads.values()].reduce((sum, count) => sum + count, 0)
    if (ofAll >= maxDownloads || ofClient >= maxDownloadsOfClient)
      throw httpErrors.tooManyDownloads()
    downloads.set(ip, ofClient + 1)
    ctx.res.once('close', () => {
      const count = downloads.get(ip) ?? 0
      if (count > 1) downloads.set(ip, count - 1)
      else downloads.delete(ip)
    })
  }

  return (ctx, { name, type, createContent, isSentAsItIs = false }) => {
    begin(ctx)
    ctx.status = 200
    ctx.set('Content-Disposition', `attachment; filename="${name}"`)
    ctx.set('Cache-Control', 'no-cache')
    const isCompressed = isCompressible(type) && !isSentAsItIs
    ctx.body = isCompressed ? compressStream(ctx, createContent()) : createContent()
    ctx.type = type
  }
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
