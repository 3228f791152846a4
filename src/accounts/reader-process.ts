// Stands in for accounts and sessions in a process that only reads. The writing process has them,
// and http/middleware/writer-proxy.ts forwards every request that needs them.

import type { Accounts } from './accounts.js'
import type { Sessions } from './sessions.js'

const fail = (): never => {
  throw new Error('accounts are in the process that writes')
}

// The cast: every method throws.
export const unavailableAccounts = new Proxy({}, { get: () => fail }) as Accounts

/** Requests with a session are forwarded to the writing process; in this one there are none. */
export const noSessions: Sessions = {
  open: fail,
  find: () => undefined,
  close: fail,
  count: () => 0,
}
