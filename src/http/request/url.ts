// Query parameters of a request. A parameter that is given twice has its last value.

import type { Context } from 'koa'

import { httpErrors } from '../errors.js'
import { hrefOf, joinQueries, requestAddress, withoutParams } from '../address.js'

/** All parameters by name, each with its last value, in NFC like everything that is stored. */
export const queryParams = (ctx: Context): ReadonlyMap<string, string> =>
  ctx.querystring === '' ? noParams : paramsOf(ctx.querystring)

/** The same of a query string. */
export function paramsOf(query: string): ReadonlyMap<string, string> {
  const pairs = [...new URLSearchParams(query)]
  // A Map made from pairs has the last one of those with the same key.
  return new Map(pairs.map(([name, value]) => [name, value.normalize('NFC')]))
}

const noParams: ReadonlyMap<string, string> = new Map()

/** The last value of one parameter; an empty string if there is none. */
export const queryParam = (ctx: Context, name: string): string => queryParams(ctx).get(name) ?? ''

/** One of some values; undefined where the parameter is empty. @throws HttpError 400 */
export function choiceParam<Value extends string>(
  ctx: Context,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = queryParam(ctx, name)
  const value = values.find((choice) => choice === text)
  if (value === undefined && text !== '')
    throw httpErrors.badRequest(`\`${name}\` has to be one of ${values.join(', ')}.`)
  return value
}

/**
 * The requested URL, on the origin that the client used, with these parameters; the others stay as
 * sent.
 */
export function urlWithParams(ctx: Context, params: Readonly<Record<string, string>>): string {
  const others = withoutParams(ctx.querystring, (name) => Object.hasOwn(params, name))
  const querystring = joinQueries(others, new URLSearchParams(params).toString())
  return hrefOf({ ...requestAddress(ctx), querystring })
}

/** @throws HttpError 400 for invalid UTF-8, which would turn into U+FFFD and change the query */
export function parseParameters(encoded: string): URLSearchParams {
  try {
    decodeURIComponent(encoded)
  } catch {
    throw httpErrors.badRequest('The parameters are not percent-encoded UTF-8.')
  }
  return new URLSearchParams(encoded)
}
