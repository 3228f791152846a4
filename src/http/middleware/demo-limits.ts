// What a demonstration does not take from the strangers who write to it: large files, and pictures,
// which the public would see. Search engines do not list it.

import type { Middleware } from 'koa'

import { message } from '../../message.js'
import { ForbiddenError, TooLargeError } from '../../errors.js'
import type { RequestState } from '../context.js'

export const limitDemo: Middleware<RequestState> = (ctx, next) => {
  ctx.set('X-Robots-Tag', 'noindex')
  if (!['GET', 'HEAD', 'OPTIONS'].includes(ctx.method)) {
    if (picturePath.test(ctx.path))
      throw new ForbiddenError(message('A demonstration takes no pictures.'))
    // A body in chunks does not say how long it is.
    if (ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > maxBytes) {
      ctx.set('Connection', 'close')
      throw new TooLargeError(message('A demonstration takes files of at most 5 MB.'))
    }
  }
  return next()
}

const picturePath = /^\/(?:api\/[a-z]+\/[^/]+\/pictures\/|manage\/[a-z]+\/pictures\/)/

const maxBytes = 5_000_000
