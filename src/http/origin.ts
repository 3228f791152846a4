// The origin (scheme and host) that a client used for a request. Whether the host is well formed is
// checked by middleware/host-check.ts.

import type { IncomingMessage } from 'node:http'

import type { ParameterizedContext } from 'koa'

/** The scheme and host that the client used, such as `https://example.org`. */
export const requestOrigin = (ctx: Pick<ParameterizedContext, 'req' | 'app'>): string =>
  originOfMessage(ctx.req, ctx.app.proxy)

/**
 * The same as `requestOrigin` for a request without a Koa context.
 * @param isProxied whether forwarding headers are trusted; of several forwarded hosts the last one
 * counts, which the nearest proxy added
 */
export function originOfMessage({ headers, socket }: IncomingMessage, isProxied: boolean): string {
  const forwarded = (name: string): readonly string[] =>
    isProxied ? String(headers[name] ?? '').split(',') : []
  const [scheme = ''] = 'encrypted' in socket ? ['https'] : forwarded('x-forwarded-proto')
  const forwardedHost = forwarded('x-forwarded-host').at(-1)?.trim() ?? ''
  const host = forwardedHost || (headers.host ?? '').trim()
  return `${scheme.trim() === 'https' ? 'https' : 'http'}://${host}`
}

/** Whether a request has at most one Host header. Node keeps only the first of several. */
export const hasOneHost = (request: IncomingMessage): boolean => countHeader(request, 'host') <= 1

/** How many lines of a request have the header, whose name is given in lower case. */
export function countHeader({ rawHeaders }: IncomingMessage, header: string): number {
  let count = 0
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === header.length && name.toLowerCase() === header) count += 1
  }
  return count
}
