// The accounts of the service: adding and changing them, and logging in. Their tokens:
// account-tokens.ts. How they are stored: stored-accounts.ts. How a password is checked:
// login-verification.ts. What an account may do: rights.ts.

import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import {
  parseAccountName,
  parseRights,
  validateNewPassword,
  validatePassword,
} from './account-rules.js'
import {
  type AccountChanges,
  checkNameIsFree,
  createAccountChanges,
  requireAccount,
  withChanges,
  withSessionsEnded,
} from './account-changes.js'
import {
  type AccountTokens,
  type LoginTokens,
  createAccountTokens,
  createLoginTokens,
} from './account-tokens.js'
import { CredentialsError } from './errors.js'
import { type VerifyLogin, createLoginVerification } from './login-verification.js'
import { defaultCost, hashPassword } from './password.js'
import { type Account, type StoredAccounts, readStoredAccounts } from './stored-accounts.js'
import { createKey, missingServerKeyError, readKey } from './token.js'

export { validateNewPassword } from './account-rules.js'
export { type TokenInfo, loginLabel } from './access-tokens.js'
export * from './errors.js'
export type { Account } from './stored-accounts.js'

/** An account to be added. Role and resources are not checked yet. */
export type NewAccount = {
  readonly name: string
  readonly password: string
  readonly role: string
  readonly restrictedTo: readonly string[]
  /** The only repository whose holdings it may write. */
  readonly repository?: string | undefined
}

/**
 * The accounts of one service. A change is on the disk when its promise resolves, and holds from
 * then on. Names are compared exactly, in NFC. The last administrator who can log in can neither be
 * disabled nor lose the role.
 */
export type Accounts = AccountTokens & {
  /** @throws InvalidError */
  add(account: NewAccount): Promise<Account>
  /**
   * Adds an administrator, unless an account has that name; then nothing changes.
   * @throws InvalidError
   */
  ensureAdmin(name: string, password: string): Promise<void>
  /** Sorted by name. */
  list(): readonly Account[]
  find(name: string): Account | undefined
  /**
   * The account can no longer log in or use its token, and its sessions are ended.
   * @throws InvalidError
   */
  disable(name: string): Promise<Account>
  /** It can log in and use its token again; its sessions stay ended. @throws InvalidError */
  enable(name: string): Promise<Account>
  /** Binds the accounts that are bound to a repository to another one; without it, to none. */
  moveRepository(from: string, into: string | undefined): Promise<void>
  /** @throws InvalidError */
  setRights(
    name: string,
    role: string,
    restrictedTo: readonly string[],
    repository?: string,
  ): Promise<Account>
  /** Also ends all sessions of the account. @throws InvalidError */
  setPassword(name: string, password: string): Promise<Account>
  /**
   * Like `setPassword`, by somebody who knows the current password. Ends the session of the request
   * too; the caller opens another.
   * @throws InvalidError when the next password is not allowed; and what `login` throws
   */
  changePassword(name: string, current: string, next: string, address?: string): Promise<Account>
  /**
   * The token of the account's logins. All refusals for a name or password take the same time. With
   * the client's address, failures from there and for that name are counted; after too many of them
   * logins are refused.
   * @throws CredentialsError, LoginBusyError, LoginThrottledError
   */
  login(name: string, password: string, address?: string): Promise<string>
  /** Like `login`, but returns the account. */
  verifyLogin(name: string, password: string, address?: string): Promise<Account>
  /** Records that the account was used in another way than those above. */
  recordUse(name: string): void
}

/**
 * Opens the accounts in the store. The first start makes the server key. When somebody puts another
 * key in its place, all tokens change.
 * @param options.passwordCost scrypt's N for new password hashes
 * @param options.now the time in milliseconds
 * @throws ExpectedError when the key cannot be used, or is missing although there are accounts
 */
export async function loadAccounts(
  store: KeyValueStore,
  keyFile: string,
  options: { readonly passwordCost?: number; readonly now?: () => number } = {},
): Promise<Accounts> {
  const { passwordCost: cost = defaultCost, now = () => Date.now() } = options
  const stored = await readStoredAccounts(store)
  const serverKey = await openServerKey(keyFile, stored.all().length > 0)
  const loginTokens = createLoginTokens(serverKey)
  await stored.save(...loginTokens.withCurrentTokens(stored.all()))
  const { change, addNew } = createAccountChanges(stored)
  const verifyLogin = createLoginVerification({
    accounts: stored,
    serverKey,
    cost,
    now,
    // Failures are forgotten when the process ends, so they need no clock that outlives it. If one
    // is set back, failures would lie in the future and keep people out until then.
    monotonicNow: options.now ?? (() => performance.now()),
    upgradeHash: (name, before, after) =>
      change(name, (account) =>
        account.password === before ? { ...account, password: after } : account,
      ),
  })
  const { add, ensureAdmin } = createAdditions({ stored, loginTokens, addNew, cost, now })
  return {
    add,
    ensureAdmin,
    list: () =>
      stored
        .all()
        .map(({ account }) => account)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    find: (name) => stored.find(name)?.account,
    disable: (name) =>
      change(name, (account) => withSessionsEnded(withChanges(account, { disabled: true }))),
    enable: (name) => change(name, (account) => withChanges(account, { disabled: false })),
    async setRights(name, role, only, repository) {
      const rights = parseRights(role, only, repository)
      return change(name, (account) => withChanges(account, rights))
    },
    async moveRepository(from, into) {
      for (const { account } of stored.all())
        // An account without a repository would write the holdings of all.
        if (account.repository === from)
          await change(account.name, (bound) => withChanges(bound, { repository: into ?? '' }))
    },
    ...createPasswordChanges({ stored, change, verifyLogin, cost }),
    ...createAccountTokens({ accounts: stored, loginTokens, change, now }),
    login: async (name, password, address) =>
      loginTokens.tokenOf(await verifyLogin(name, password, address)),
    verifyLogin: async (name, password, address) =>
      (await verifyLogin(name, password, address)).account,
    recordUse: (name) => stored.recordUse(name, now()),
  }
}

async function openServerKey(file: string, hasAccounts: boolean): Promise<Uint8Array> {
  const key = await readKey(file)
  if (key) return key
  if (hasAccounts) throw missingServerKeyError(file)
  return createKey(file)
}

type AdditionDependencies = Pick<AccountChanges, 'addNew'> & {
  readonly stored: StoredAccounts
  readonly loginTokens: LoginTokens
  /** scrypt's N. */
  readonly cost: number
  readonly now: () => number
}

function createAdditions({
  stored,
  loginTokens,
  addNew,
  cost,
  now,
}: AdditionDependencies): Pick<Accounts, 'add' | 'ensureAdmin'> {
  async function add({
    name,
    password,
    role,
    restrictedTo,
    repository,
  }: NewAccount): Promise<Account> {
    const account: Account = {
      name: parseAccountName(name),
      ...parseRights(role, restrictedTo, repository),
      disabled: false,
      created: new Date(now()).toISOString(),
      lastUsed: undefined,
      epoch: 0,
    }
    validatePassword(password)
    checkNameIsFree(stored, account.name)
    const hash = await hashPassword(password, cost)
    return addNew(
      loginTokens.withToken({
        account,
        password: hash,
        generation: 0,
        tokenCreated: account.created,
        tokens: [],
        tokenUses: new Map(),
        knownNetworks: [],
      }),
    )
  }

  return {
    add,
    async ensureAdmin(name, password) {
      if (stored.find(name)) return
      await add({ name, password, role: 'admin', restrictedTo: [] })
    },
  }
}

type PasswordDependencies = Pick<AccountChanges, 'change'> & {
  readonly stored: StoredAccounts
  readonly verifyLogin: VerifyLogin
  /** scrypt's N. */
  readonly cost: number
}

const createPasswordChanges = ({
  stored,
  change,
  verifyLogin,
  cost,
}: PasswordDependencies): Pick<Accounts, 'setPassword' | 'changePassword'> => ({
  async setPassword(name, password) {
    validateNewPassword(password)
    requireAccount(stored, name)
    const hash = await hashPassword(password, cost)
    return change(name, (account) => withSessionsEnded({ ...account, password: hash }))
  },
  async changePassword(name, current, next, address) {
    validateNewPassword(next)
    const { account } = await verifyLogin(name, current, address)
    const hash = await hashPassword(next, cost)
    return change(account.name, (present) => {
      // Another request may have changed it while this one hashed.
      if (present.account.epoch !== account.epoch) throw new CredentialsError()
      return withSessionsEnded({ ...present, password: hash })
    })
  },
})
