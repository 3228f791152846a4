// Redirects that may end: those of identifiers, which lead elsewhere again when a merge is undone.

import type { RequestContext } from '../context.js'

/** Redirects with 301. Without `no-cache`, browsers would never ask again. */
export function redirectPermanently(ctx: RequestContext, to: string): void {
  ctx.status = 301
  ctx.set('Location', to)
  ctx.set('Cache-Control', 'no-cache')
  ctx.state.links = undefined
  ctx.body = ''
}
