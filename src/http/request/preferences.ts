// What clients prefer (RFC 7240), and the keys by which they repeat a request.

import { httpErrors } from '../errors.js'
import type { RequestContext } from '../context.js'

/** Whether the record that was written need not be in the answer. */
export const prefersMinimal = (ctx: RequestContext): boolean =>
  preference(ctx, 'return') === 'minimal'

/** The value of a preference in lower case; the first one counts (RFC 7240, 2). */
const preference = (ctx: RequestContext, name: string): string | undefined =>
  ctx
    .get('Prefer')
    .toLowerCase()
    .split(',')
    .map((text) => {
      const [given = ''] = text.split(';')
      return given.split('=').map((part) => part.trim())
    })
    .find(([given]) => given === name)?.[1]
    ?.replaceAll('"', '')

/** Answers without a body, as was preferred. The headers stay. */
export function sendMinimal(ctx: RequestContext): void {
  // Before the body, which would be the JSON `null`.
  ctx.status = 204
  ctx.body = null
  ctx.set('Preference-Applied', 'return=minimal')
}

/**
 * The value of `Idempotency-Key`, with quotation marks or without; undefined where there is none.
 * @throws HttpError 400
 */
export function idempotencyKey(ctx: RequestContext): string | undefined {
  const key = ctx.get('Idempotency-Key')
  if (key === '') return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw httpErrors.badRequest('An Idempotency-Key has 1 to 255 characters of ASCII.')
  return key
}
