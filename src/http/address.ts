// The address of a request as the client sent it, and the URLs of other addresses like it.

import type { ParameterizedContext } from 'koa'

import { requestOrigin } from './origin.js'

/** The parts of an address; the query string without `?`. */
export type RequestAddress = {
  readonly origin: string
  readonly path: string
  readonly querystring: string
}

export const requestAddress = (ctx: ParameterizedContext): RequestAddress => ({
  origin: requestOrigin(ctx),
  path: ctx.path,
  querystring: ctx.querystring,
})

/**
 * The URL of an address as `URL` writes it. It encodes what a raw query may contain but a header
 * may not.
 */
export function hrefOf({ origin, path, querystring }: RequestAddress): string {
  const query = querystring === '' ? '' : `?${querystring}`
  return isSimplePath(path) && isSimpleQuery(querystring)
    ? `${normalizedOrigin(origin)}${path}${query}`
    : new URL(`${origin}${path}${query}`).href
}

/** Whether `URL` would leave a path unchanged; it has no segments of dots only. */
export const isSimplePath = (path: string): boolean => /^(?:\/[\w-][\w.-]*)*\/?$/.test(path)

/** The same of a query string. */
export const isSimpleQuery = (querystring: string): boolean => /^[\w%&=+.,:~*-]*$/.test(querystring)

/** An origin as `URL` writes it. */
export const normalizedOrigin = (origin: string): string => new URL(origin).origin

/** A query string without some of its parameters; the others stay as sent. */
export const withoutParams = (querystring: string, isLeftOut: (name: string) => boolean): string =>
  querystring
    .split('&')
    .filter((part) => part !== '' && !isLeftOut(nameOf(part)))
    .join('&')

/** A query string with another one at its end. */
export const joinQueries = (querystring: string, other: string): string =>
  querystring === '' ? other : `${querystring}&${other}`

/** The name of the parameter in one part of a query string, such as `page=2`. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1)
  // Most names are written as they are.
  return /^\w+$/.test(name) ? name : ([...new URLSearchParams(part).keys()][0] ?? '')
}
