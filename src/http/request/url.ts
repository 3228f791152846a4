// What stands behind the question mark, as the client wrote it. A parameter given twice is the last one.

import type { IncomingMessage } from 'node:http'

import type { Context } from 'koa'

/** The parameters, each with its last value, in NFC as everything that is stored. */
export function queryParams(ctx: Context): ReadonlyMap<string, string> {
  if (ctx.querystring === '') return none
  const pairs = [...new URLSearchParams(ctx.querystring)]
  // A Map built from pairs keeps the last of those with one key.
  return new Map(pairs.map(([name, value]) => [name, value.normalize('NFC')]))
}

const none: ReadonlyMap<string, string> = new Map()

/** The last value of one parameter; empty when there is none. */
export const queryParam = (ctx: Context, name: string): string => queryParams(ctx).get(name) ?? ''

/** The scheme and host that the client used. */
export const requestOrigin = (ctx: Context): string => originOfMessage(ctx.req, ctx.app.proxy)

/** The same of a request; where proxies are believed, of several hosts the one that the nearest of them saw. */
export function originOfMessage({ headers, socket }: IncomingMessage, isProxied: boolean): string {
  const told = (name: string): readonly string[] =>
    isProxied ? String(headers[name] ?? '').split(',') : []
  const [scheme = ''] = 'encrypted' in socket ? ['https'] : told('x-forwarded-proto')
  const forwarded = told('x-forwarded-host').at(-1)?.trim() ?? ''
  return `${scheme.trim() === 'https' ? 'https' : 'http'}://${forwarded || (headers.host ?? '').trim()}`
}

/** Whether a request says no more than once where it goes; of several hosts Node keeps the first alone. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts <= 1
}
