// Finds the account of a request by the token in its Authorization header, which is read as DRF's
// TokenAuthentication reads it. Sessions of browsers are left to session-cookies.ts.

import { isUtf8 } from 'node:buffer'

import type { Context } from 'koa'

import type { Account, Accounts } from '../../accounts/accounts.js'
import { httpErrors } from '../errors.js'
import { countHeader } from '../origin.js'

/**
 * The account of a request; undefined without a token. Other schemes than `Token` are ignored.
 * @throws HttpError, InvalidTokenError, AccountDisabledError, all answered 401
 */
export type Authenticate = (ctx: Context) => Account | undefined | Promise<Account | undefined>

export const createTokenAuthentication =
  (accounts: Accounts): Authenticate =>
  (ctx) => {
    const token = tokenFromHeader(ctx)
    return token === undefined ? undefined : accounts.authenticate(token)
  }

/**
 * The token of a request; undefined without one.
 * @throws HttpError 401 if it is malformed, 400 if there are two
 */
export function tokenFromHeader(ctx: Context): string | undefined {
  const authorization = ctx.get('Authorization')
  if (authorization === '') return undefined
  // Node keeps only the first of several, and a proxy may have checked another one.
  if (countHeader(ctx.req, 'authorization') > 1)
    throw httpErrors.badRequest('The request has more than one Authorization header.')
  const [scheme, token, ...more] = authorization.split(/\s+/).filter(Boolean)
  if (scheme?.toLowerCase() !== 'token') return undefined
  if (token === undefined) throw httpErrors.badHeader('No credentials provided.')
  if (more.length > 0) throw httpErrors.badHeader('Token string should not contain spaces.')
  // Node reads the bytes of a header as characters of Latin-1.
  if (!isUtf8(Buffer.from(token, 'latin1')))
    throw httpErrors.badHeader('Token string should not contain invalid characters.')
  return token
}
