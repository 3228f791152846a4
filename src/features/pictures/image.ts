// Sends an image file of a picture.

import { NotFoundError } from '../../errors.js'
import type { Format } from '../../formats/serializer.js'
import type { Pictures } from './pictures.js'
import type { RequestContext } from '../../http/context.js'

export const jpeg: Format = { name: 'jpg', type: 'image/jpeg', parameters: '' }

/** @throws NotFoundError for no file, and one that is not there */
export async function sendImage(
  ctx: RequestContext,
  pictures: Pictures,
  hash: string | undefined,
): Promise<void> {
  const content = hash === undefined ? undefined : await pictures.readFile(hash)
  if (!content) throw new NotFoundError()
  ctx.status = 200
  ctx.set('ETag', `"${hash}"`)
  ctx.set('Content-Type', jpeg.type)
  ctx.body = content
}
