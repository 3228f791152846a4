// The accounts and sessions of a process that only reads: they are all at the one that writes, and
// whatever asks for them is passed on to it before it comes here.

import type { Accounts } from './accounts.js'
import type { Sessions } from './sessions.js'

const refuse = (): never => {
  throw new Error('accounts are at the process that writes')
}

// The casts: whatever they have is refused.
export const unavailableAccounts = new Proxy({}, { get: () => refuse }) as Accounts

/** A browser that has a session is answered by the process that writes; here nobody has one. */
export const noSessions: Sessions = {
  open: refuse,
  find: () => undefined,
  close: refuse,
  closeAll: refuse,
  count: () => 0,
}
