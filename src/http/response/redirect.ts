// Redirects: those that may end, of identifiers, which lead elsewhere again when a merge is undone; and
// those from a thing to what is about it.

import type { RequestContext } from '../context.js'

/** Redirects with 301. Without `no-cache`, browsers would never ask again. */
export function redirectPermanently(ctx: RequestContext, to: string): void {
  ctx.status = 301
  ctx.set('Location', to)
  ctx.set('Cache-Control', 'no-cache')
  ctx.state.links = undefined
  ctx.body = ''
}

/** Redirects with 303 to what is about the thing that was asked for (RFC 9110, 15.4.4). */
export function redirectToOther(ctx: RequestContext, to: string): void {
  ctx.status = 303
  ctx.set('Location', to)
  ctx.body = ''
}
