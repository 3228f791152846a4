// What stands behind the question mark, as the client wrote it. A parameter given twice is the last one.

import type { Context } from 'koa'

/** The parameters, each with its last value. */
export function queryOf(ctx: Context): ReadonlyMap<string, string> {
  // A Map built from pairs keeps the last of those with one key.
  return new Map(new URLSearchParams(ctx.querystring))
}

/** The last value of one parameter; empty when there is none. */
export const lastOf = (ctx: Context, name: string): string => queryOf(ctx).get(name) ?? ''

/** The scheme and host that the client used. */
export const originOf = (ctx: Context): string => `${ctx.protocol}://${ctx.host}`
