// What an answer says of its other forms: where each is, and where this one is (RFC 8288; RFC 9110, 8.7).

import type { RequestContext } from '../endpoint.js'
import type { Format } from '../../formats/serializer.js'
import { requestOrigin } from '../request/url.js'

/** Names the other formats of what was read, and the address that gives the chosen one whatever is accepted. */
export function setAlternateLinks(ctx: RequestContext, offered: readonly Format[]): void {
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && [200, 304].includes(ctx.status)
  if (!isRead || offered.length < 2) return
  // Clients refuse answers with too long a head, and a long address would be in it many times.
  if (ctx.href.length > maxLinksLength) return
  const address = addressWithout(ctx)
  const chosen = ctx.state.format.name
  const others = endingsOf(offered).filter(({ name }) => name !== chosen)
  ctx.append('Link', others.map(({ ending }) => `<${address}${ending}`).join(', '))
  ctx.set('Content-Location', address + chosen)
}

const maxLinksLength = 500

type AddressEnding = { readonly name: string; readonly ending: string }

const endings = new WeakMap<readonly Format[], readonly AddressEnding[]>()

/** What follows the address in the link to each format, made once for each endpoint. */
function endingsOf(offered: readonly Format[]): readonly AddressEnding[] {
  const known = endings.get(offered)
  if (known) return known
  const made = offered.map(({ name, type }) => ({
    name,
    ending: `${name}>; rel="alternate"; type="${type}"`,
  }))
  endings.set(offered, made)
  return made
}

/** The same address up to the value of `format`, its other parameters as the client sent them. */
function addressWithout(ctx: RequestContext): string {
  if (ctx.querystring === '' && plain.test(ctx.path))
    return `${normalizedOrigin(requestOrigin(ctx))}${ctx.path}?format=`
  const others = ctx.querystring
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('format'))
  const query = others.length > 0 ? `${others.join('&')}&` : ''
  // Through URL, once: what is added to it holds nothing that would be written otherwise.
  return new URL(`${requestOrigin(ctx)}${ctx.path}?${query}format=`).href
}

/** A path that URL would leave as it is: there are no segments of dots alone. */
const plain = /^(?:\/[\w-][\w.-]*)*\/?$/

/** The origin that was written out last, and how: nearly all requests have the same. */
let last = { origin: '', written: '' }

function normalizedOrigin(origin: string): string {
  if (origin !== last.origin) last = { origin, written: new URL(origin).origin }
  return last.written
}
