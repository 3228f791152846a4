// The methods of addresses that are no endpoints: files, and the states of the service.

import type { Context } from 'koa'

import { httpErrors } from '../errors.js'

const allow = 'GET, HEAD, OPTIONS'

/**
 * Answers OPTIONS.
 * @returns whether there is something to read for the request
 * @throws HttpError 405 for other methods than GET and HEAD
 */
export function checkReadOnly(ctx: Context): boolean {
  if (['GET', 'HEAD'].includes(ctx.method)) return true
  if (ctx.method !== 'OPTIONS') throw httpErrors.notAllowed(ctx.method, allow)
  ctx.status = 200
  ctx.set('Allow', allow)
  ctx.body = ''
  return false
}
