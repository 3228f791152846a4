// What a browser sees: pages sent with the headers that keep them to themselves, and what a page has
// to know of who asks.

import type { VNode } from 'preact'

import { navigation } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { renderPage } from '../../views/render.js'
import type { Assets } from '../middleware/static-files.js'
import { sendText } from './conditional.js'
import type { RequestContext } from '../endpoint.js'
import { html } from '../request/content-negotiation.js'
import { requestOrigin } from '../request/url.js'

// Nothing but our own files runs, styles or is fetched; nobody frames a page or takes its forms elsewhere.
const contentSecurityPolicy = (styles: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/**
 * Sends a page; the same address may show somebody else another one.
 * @param styles the hashes of style sheets that a library writes into the page itself
 */
export function sendPage(
  ctx: RequestContext,
  page: VNode,
  status = 200,
  styles: readonly string[] = [],
): void {
  ctx.vary('Cookie')
  ctx.set('Cache-Control', ctx.state.session ? 'private, no-cache' : 'no-cache')
  ctx.set('Content-Security-Policy', contentSecurityPolicy(styles))
  ctx.state.format = html
  sendText(ctx, renderPage(page))
  if (ctx.status === 200) ctx.status = status
}

export function pageContext(ctx: RequestContext, assets: Assets): PageContext {
  const { session } = ctx.state
  return {
    origin: requestOrigin(ctx),
    path: ctx.path,
    query: ctx.querystring,
    account: session?.account,
    csrf: session?.csrf ?? '',
    // SPARQL may be switched off.
    sections: navigation.filter(([path]) => ctx.router.match(path, 'GET').route),
    asset: assets.addressOf,
  }
}
