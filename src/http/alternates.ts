// What an answer says of its other forms: where each is, and where this one is (RFC 8288; RFC 9110, 8.7).

import type { Context } from './endpoint.js'
import type { Format } from '../formats/press.js'
import { originOf } from './query.js'

/** Names the other formats of what was read, and the address that gives the chosen one whatever is accepted. */
export function tellAlternates(ctx: Context, offered: readonly Format[]): void {
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && [200, 304].includes(ctx.status)
  const chosen = ctx.state.format
  const others = offered.filter(({ name }) => name !== chosen.name)
  if (!isRead || others.length === 0) return
  // Clients refuse answers with too long a head, and a long address would be in it many times.
  if (ctx.href.length > longest) return
  const address = addressesIn(ctx)
  ctx.append(
    'Link',
    others
      .map((format) => `<${address(format)}>; rel="alternate"; type="${format.type}"`)
      .join(', '),
  )
  ctx.set('Content-Location', address(chosen))
}

const longest = 500

/** The same address with `?format=`, its other parameters as the client sent them. */
function addressesIn(ctx: Context): (format: Format) => string {
  const others = ctx.querystring
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('format'))
  const query = others.length > 0 ? `${others.join('&')}&` : ''
  // Through URL, once: what is added to it holds nothing that would be written otherwise.
  const { href } = new URL(`${originOf(ctx)}${ctx.path}?${query}format=`)
  return ({ name }) => href + name
}
