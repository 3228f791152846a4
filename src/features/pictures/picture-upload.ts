// Reads a form with the file of a picture.

import { buffer } from 'node:stream/consumers'

import { message } from '../../message.js'
import { pictureRefused } from './processing.js'
import { maxPictureBytes } from './processing.js'
import type { RequestContext } from '../../http/context.js'
import { readUpload } from '../../http/request/upload.js'

export type PictureUpload = {
  /** The other fields of the form. */
  readonly form: URLSearchParams
  /** The file; undefined if none was chosen. */
  readonly file: Buffer | undefined
}

/** @throws HttpError 400, 413, 415, and what `check` throws */
export async function readPictureUpload(
  ctx: RequestContext,
  check: (form: URLSearchParams) => void = () => undefined,
): Promise<PictureUpload> {
  const { form, result } = await readUpload(ctx, {
    maxBytes: maxPictureBytes,
    check,
    receive: ({ bytes }) => buffer(bytes),
  })
  return { form, file: result }
}

/** @throws InvalidError where no file was sent */
export function requireFile({ file }: PictureUpload): Buffer {
  if (!file) throw pictureRefused(message('No file was submitted.'))
  return file
}
