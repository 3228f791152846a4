// Answers 400 to requests that could be understood in two ways: with two Host headers, with a host
// that is not one, or with a path that cannot be decoded.

import type { Middleware } from 'koa'

import type { RequestState } from '../context.js'
import { httpErrors } from '../errors.js'
import { hasOneHost, requestOrigin } from '../origin.js'

export const checkHost: Middleware<RequestState> = (ctx, next) => {
  if (!hasOneHost(ctx.req) || !isOrigin(requestOrigin(ctx)))
    throw httpErrors.badRequest('Bad host.')
  try {
    if (ctx.path.includes('%')) decodeURIComponent(ctx.path)
  } catch {
    throw httpErrors.badRequest('Malformed percent-encoding in the path.')
  }
  return next()
}

/** Whether an origin is well formed. */
export const isOrigin = (origin: string): boolean =>
  /^https?:\/\/[\w.:[\]-]+$/.test(origin) && URL.canParse(origin)
