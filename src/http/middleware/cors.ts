// Headers for requests from other origins (docs/reference/requests.md, "CORS"). A preflight request
// is answered by the endpoint like any other OPTIONS request, but not counted by the throttle.

import type { Middleware } from 'koa'

import type { RequestState } from '../context.js'

/** @param origins the origins that may read responses; all of them if undefined */
export function setCorsHeaders(origins: readonly string[] | undefined): Middleware<RequestState> {
  return (ctx, next) => {
    if (!origins) ctx.set('Access-Control-Allow-Origin', '*')
    else {
      const origin = ctx.get('Origin')
      ctx.vary('Origin')
      if (origins.includes(origin)) ctx.set('Access-Control-Allow-Origin', origin)
    }
    ctx.set('Access-Control-Expose-Headers', exposedHeaders)
    if (ctx.method === 'OPTIONS') ctx.set(preflightHeaders)
    return next()
  }
}

/** The names of the headers that scripts of other origins may read. */
export const exposedHeaders = [
  'ETag',
  'Link',
  'X-Total-Count',
  'X-Log-Name',
  'X-Log-Position',
  'X-Request-Id',
  'X-Ignored-Parameters',
  'Location',
  'Content-Location',
  'Content-Disposition',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Preference-Applied',
  'Deprecation',
  'Sunset',
  'Allow',
].join(', ')

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, Prefer',
  'Access-Control-Max-Age': '86400',
}
