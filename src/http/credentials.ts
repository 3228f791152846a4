// Who asks: the Authorization header, as DRF's TokenAuthentication reads it; and on pages the session,
// which counts nowhere else, so that no other site can have a browser write (specification: Authentication, 7).

import type { Account, Accounts } from '../accounts/accounts.js'
import type { Context } from './endpoint.js'
import { refusals } from './refused.js'
import type { Browsers } from './sessions.js'

/**
 * The account of a request; undefined when it names none. Other schemes than Token are not ours.
 * @throws Refused, InvalidToken, AccountDisabled, all of them 401
 */
export type Authenticate = (ctx: Context) => Account | undefined

export const authenticateBy =
  (accounts: Accounts, browsers: Browsers): Authenticate =>
  (ctx) => {
    const [scheme, token, ...more] = ctx.get('Authorization').split(/\s+/).filter(Boolean)
    if (scheme?.toLowerCase() !== 'token')
      return isPage(ctx) ? browsers.sessionOf(ctx)?.account : undefined
    if (token === undefined) throw refusals.badHeader('No credentials provided.')
    if (more.length > 0) throw refusals.badHeader('Token string should not contain spaces.')
    return accounts.authenticate(token)
  }

const isPage = ({ method, state }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && state.format.type === 'text/html'
