// What a browser sees: pages sent with the headers that keep them to themselves, and what a page has
// to know of who asks.

import type { VNode } from 'preact'

import { sections } from '../../views/links.js'
import type { Visit } from '../../views/layout.js'
import { printPage } from '../../views/render.js'
import type { Assets } from '../middleware/static-files.js'
import { send } from './conditional.js'
import type { Context } from '../endpoint.js'
import { html } from '../request/content-negotiation.js'
import { originOf } from '../request/url.js'

// Nothing but our own files runs, styles or is fetched; nobody frames a page or takes its forms elsewhere.
const policyWith = (styles: readonly string[]): string =>
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
export function showPage(
  ctx: Context,
  page: VNode,
  status = 200,
  styles: readonly string[] = [],
): void {
  ctx.vary('Cookie')
  ctx.set('Cache-Control', ctx.state.session ? 'private, no-cache' : 'no-cache')
  ctx.set('Content-Security-Policy', policyWith(styles))
  ctx.state.format = html
  send(ctx, printPage(page))
  if (ctx.status === 200) ctx.status = status
}

export function visitOf(ctx: Context, assets: Assets): Visit {
  const { session } = ctx.state
  return {
    origin: originOf(ctx),
    path: ctx.path,
    query: ctx.querystring,
    account: session?.account,
    csrf: session?.csrf ?? '',
    // SPARQL may be switched off.
    sections: sections.filter(([path]) => ctx.router.match(path, 'GET').route),
    asset: assets.addressOf,
  }
}
