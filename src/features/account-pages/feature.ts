// What this feature adds to the service.

import type { Accounts } from '../../accounts/accounts.js'
import { accountEndpoints } from './accounts.js'
import { meEndpoint } from './me.js'
import { tokenEndpoint } from './token.js'

export const accountPagesFeature = {
  name: 'account-pages',
  api: ({ accounts }: { readonly accounts: Accounts }) => [tokenEndpoint(accounts), meEndpoint],
  pages: accountEndpoints,
}
