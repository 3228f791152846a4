// Sets the headers for the other formats of a response: `Link` (RFC 8288) with the URL of each, and
// `Content-Location` (RFC 9110, 8.7) with the URL of this one.

import type { RequestContext } from '../context.js'
import type { Format } from '../../formats/serializer.js'
import { requestOrigin } from '../origin.js'

/** Sets both headers if the response was read successfully and more than one format is offered. */
export function setAlternateLinks(ctx: RequestContext, offered: readonly Format[]): void {
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && [200, 304].includes(ctx.status)
  if (!isRead || offered.length < 2) return
  // Clients reject responses with too long headers, and the URL would be repeated for every format.
  if (ctx.href.length > maxUrlLength) return
  const url = urlBeforeFormat(ctx)
  const { name: current } = ctx.state.format
  const others = linkEndingsOf(offered).filter(({ name }) => name !== current)
  if (others.length > 0)
    ctx.append('Link', others.map(({ ending }) => `<${url}${ending}`).join(', '))
  ctx.set('Content-Location', url + current)
}

const maxUrlLength = 500

type LinkEnding = { readonly name: string; readonly ending: string }

const linkEndings = new WeakMap<readonly Format[], readonly LinkEnding[]>()

/** What follows the URL in the link to each format; computed once for each endpoint. */
function linkEndingsOf(offered: readonly Format[]): readonly LinkEnding[] {
  const known = linkEndings.get(offered)
  if (known) return known
  const endings = offered.map(({ name, type }) => ({
    name,
    ending: `${name}>; rel="alternate"; type="${type}"`,
  }))
  linkEndings.set(offered, endings)
  return endings
}

/** The requested URL up to the value of `format`; the other parameters stay as the client sent them. */
function urlBeforeFormat(ctx: RequestContext): string {
  if (ctx.querystring === '' && simplePath.test(ctx.path))
    return `${normalizedOrigin(requestOrigin(ctx))}${ctx.path}?format=`
  const otherParams = ctx.querystring
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('format'))
  const query = otherParams.length > 0 ? `${otherParams.join('&')}&` : ''
  // URL encodes the query. The format name that is added needs no encoding.
  return new URL(`${requestOrigin(ctx)}${ctx.path}?${query}format=`).href
}

/** A path that URL would leave unchanged, without segments of dots only. */
const simplePath = /^(?:\/[\w-][\w.-]*)*\/?$/

/** The last origin and its normal form. Nearly all requests have the same. */
let last = { origin: '', normalized: '' }

function normalizedOrigin(origin: string): string {
  if (origin !== last.origin) last = { origin, normalized: new URL(origin).origin }
  return last.normalized
}
