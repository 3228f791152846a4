// Changes of stored accounts: one after the other, and never such that no administrator is left.
// Which changes there are: accounts.ts and account-tokens.ts.

import { message } from '../message.js'
import { InvalidError } from '../errors.js'
import { limitConcurrency } from '../lib/scheduling.js'
import type { Account, StoredAccount, StoredAccounts } from './stored-accounts.js'

export type AccountChanges = ReturnType<typeof createAccountChanges>

/** Changes are made one after the other, each to what the one before it left. */
export function createAccountChanges(accounts: StoredAccounts) {
  const runAlone = limitConcurrency(1)
  return {
    change: (
      name: string,
      makeChange: (stored: StoredAccount) => StoredAccount,
    ): Promise<Account> =>
      runAlone(async () => {
        const before = requireAccount(accounts, name)
        const after = makeChange(before)
        if (isActiveAdmin(before) && !isActiveAdmin(after)) checkOtherAdmin(accounts, before)
        await accounts.save(after)
        return after.account
      }),
    addNew: (stored: StoredAccount): Promise<Account> =>
      runAlone(async () => {
        // Another request may have taken the name while the password was hashed.
        checkNameIsFree(accounts, stored.account.name)
        await accounts.save(stored)
        return stored.account
      }),
  }
}

/** @throws InvalidError */
export function requireAccount(accounts: StoredAccounts, name: string): StoredAccount {
  const stored = accounts.find(name)
  if (!stored) throw new InvalidError(message('There is no account named "{name}".', { name }))
  return stored
}

/** @throws InvalidError */
export function checkNameIsFree(accounts: StoredAccounts, name: string): void {
  if (accounts.find(name))
    throw new InvalidError(message('There is already an account named "{name}".', { name }))
}

/** @throws InvalidError */
function checkOtherAdmin(accounts: StoredAccounts, { account: { name } }: StoredAccount): void {
  const others = accounts.all().filter(({ account }) => account.name !== name)
  if (!others.some(isActiveAdmin))
    throw new InvalidError(
      message('"{name}" is the last administrator who can log in. Make another one first.', {
        name,
      }),
    )
}

const isActiveAdmin = ({ account }: StoredAccount): boolean =>
  account.role === 'admin' && !account.disabled

export const withChanges = (stored: StoredAccount, changes: Partial<Account>): StoredAccount => ({
  ...stored,
  account: { ...stored.account, ...changes },
})

export const withSessionsEnded = (stored: StoredAccount): StoredAccount =>
  withChanges(stored, { epoch: stored.account.epoch + 1 })
