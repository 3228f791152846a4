// Who asks: the Authorization header, as DRF's TokenAuthentication reads it.

import type { Context } from 'koa'

import type { Account, Accounts } from '../../accounts/accounts.js'
import { httpErrors } from '../response/http-errors.js'

/**
 * The account of a request; undefined when it names none. Other schemes than Token are not ours.
 * @throws Refused, InvalidToken, AccountDisabled, all of them 401
 */
export type Authenticate = (ctx: Context) => Account | undefined | Promise<Account | undefined>

export const createTokenAuthentication =
  (accounts: Accounts): Authenticate =>
  (ctx) => {
    const token = tokenFromHeader(ctx)
    return token === undefined ? undefined : accounts.authenticate(token)
  }

/** The token that a request has. @throws Refused when it cannot be one */
export function tokenFromHeader(ctx: Context): string | undefined {
  const authorization = ctx.get('Authorization')
  if (authorization === '') return undefined
  const [scheme, token, ...more] = authorization.split(/\s+/).filter(Boolean)
  if (scheme?.toLowerCase() !== 'token') return undefined
  if (token === undefined) throw httpErrors.badHeader('No credentials provided.')
  if (more.length > 0) throw httpErrors.badHeader('Token string should not contain spaces.')
  return token
}
