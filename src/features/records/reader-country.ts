// The country whose libraries come first where a page lists the libraries of a zine. Only the reader
// says it: the parameter `near` has its code, and a cookie remembers it, with an account and without.

import type { Context } from 'koa'

import type { Resources } from '../../model/resources.js'
import { rememberChoice } from '../../http/plain-cookies.js'
import { queryParam, queryParams } from '../../http/request/url.js'

const parameter = 'near'

const cookieName = 'zine_country'

/** The country that is asked for, which is remembered; else the remembered one; empty for none. */
export function chooseCountry(ctx: Context, { repositories }: Resources): string {
  const countries = repositories.byName.get('country')?.vocabulary
  const known = (code = ''): string => (countries?.find(code) ? code : '')
  const fromCookie = known(ctx.cookies.get(cookieName))
  if (!queryParams(ctx).has(parameter)) return fromCookie
  const fromQuery = known(queryParam(ctx, parameter))
  // An empty one is forgotten.
  if (fromQuery !== fromCookie) rememberChoice(ctx, cookieName, fromQuery)
  return fromQuery
}
