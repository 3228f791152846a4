// The account of a request that needs one.

import type { Account } from '../../accounts/accounts.js'
import type { RequestContext } from '../context.js'
import { httpErrors } from '../errors.js'

/** @throws HttpError 401 without one */
export function requireAccount({ state: { account } }: RequestContext): Account {
  if (!account) throw httpErrors.noCredentials()
  return account
}
