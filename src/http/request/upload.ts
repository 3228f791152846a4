// Reads a form with a file (multipart/form-data). The bytes of the file are handed on as they
// arrive, so a large file is never in memory.

import { PassThrough, type Readable, Writable } from 'node:stream'

import { koaBody } from 'koa-body'

import { message } from '../../message.js'
import type { RequestContext } from '../context.js'
import { HttpError, errorDetail, httpErrors } from '../errors.js'

export const uploadType = 'multipart/form-data'

type UploadedFile = { readonly name: string; readonly bytes: Readable }

type UploadReader<Result> = {
  /** The most bytes of the file. */
  readonly maxBytes: number
  /** Checks the other fields when all of them are there. @throws to refuse the form */
  readonly check: (form: URLSearchParams) => void
  /**
   * Is given the first file that has content. Its bytes end after `check`; where that throws, they
   * end with an error.
   */
  readonly receive: (file: UploadedFile) => Promise<Result>
}

export type Upload<Result> = {
  readonly form: URLSearchParams
  /** What `receive` made of the file; undefined if there was none. */
  readonly result: Result | undefined
}

/** @throws HttpError 400, 413, 415, and what `check` and `receive` throw */
export async function readUpload<Result>(
  ctx: RequestContext,
  { maxBytes, check, receive }: UploadReader<Result>,
): Promise<Upload<Result>> {
  if (!ctx.is(uploadType)) throw httpErrors.unsupportedMediaType(ctx.get('Content-Type'))
  if (Number(ctx.get('Content-Length')) > maxBytes + maxFieldBytes) throw tooLarge(ctx)
  const bytes = new PassThrough()
  // Whoever reads the bytes gets the error; without a reader it is of no interest.
  bytes.on('error', () => undefined)
  let received: Promise<Result> | undefined
  let receiveError: unknown

  function begin(name: string): void {
    received = receive({ name, bytes })
    received.catch((error: unknown) => {
      receiveError = error
      bytes.destroy()
    })
  }

  const parse = koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    formidable: {
      maxFiles: 1,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      maxFields,
      maxFieldsSize: maxFieldBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
      fileWriteStreamHandler: (file) => {
        const name = nameOf(file)
        return new Writable({
          write(chunk: Buffer, _encoding, done) {
            if (!received) begin(name)
            if (bytes.destroyed) done(new Error('the file is not wanted'))
            else bytes.write(chunk, (error) => done(error))
          },
        })
      },
    },
  })
  try {
    await parse(ctx, () => Promise.resolve())
    const form = formOf(ctx.request.body)
    check(form)
    bytes.end()
    return { form, result: await received }
  } catch (error) {
    bytes.destroy(error as Error)
    // What was received is removed by whoever received it.
    await received?.catch(() => undefined)
    if (!ctx.req.complete) ctx.set('Connection', 'close')
    throw receiveError !== undefined && receiveError !== error
      ? toUploadError(ctx, receiveError, error)
      : toHttpError(ctx, error)
  }
}

const maxFields = 100
const maxFieldBytes = 64 * 1024

/** The error of who received the file, unless it is only that its bytes ended. */
function toUploadError(ctx: RequestContext, received: unknown, error: unknown): unknown {
  const isConsequence =
    received === error || (received as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
  return isConsequence ? toHttpError(ctx, error) : received
}

type ParserError = Error & { readonly httpCode?: number }

function toHttpError(ctx: RequestContext, error: unknown): unknown {
  // The parser's own errors have a status.
  const { httpCode, message } = error as ParserError
  if (httpCode === undefined) return error
  return httpCode === 413 ? tooLarge(ctx) : httpErrors.badRequest(message)
}

function tooLarge(ctx: RequestContext): HttpError {
  ctx.set('Connection', 'close')
  return new HttpError(errorDetail(413, message('The file is too large.')))
}

/** The name that the browser says. */
function nameOf(file: unknown): string {
  const { originalFilename } = file as { readonly originalFilename?: string | null }
  return originalFilename ?? ''
}

function formOf(body: unknown): URLSearchParams {
  const form = new URLSearchParams()
  // The cast: koa-body was told to read a form with files.
  const fields = body as Readonly<Record<string, string | readonly string[]>> | undefined
  for (const [name, values] of Object.entries(fields ?? {}))
    for (const value of [values].flat()) form.append(name, value)
  return form
}
