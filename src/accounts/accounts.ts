// The accounts of the service: adding and changing them, their tokens, and logging in.
// How they are stored: stored-accounts.ts. How a password is checked: login-verification.ts.
// What an account may do: rights.ts.

import { message } from '../message.js'
import { InvalidError, RequestError } from '../errors.js'
import { limitConcurrency } from '../lib/scheduling.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import {
  parseAccountName,
  parseRights,
  validateNewPassword,
  validatePassword,
} from './account-rules.js'
import {
  type NewToken,
  type TokenInfo,
  createToken,
  isExpired,
  loginLabel,
  maxTokens,
} from './access-tokens.js'
import { CredentialsError } from './errors.js'
import { createLoginVerification } from './login-verification.js'
import { defaultCost, hashPassword } from './password.js'
import { narrowRights } from './rights.js'
import {
  type Account,
  type StoredAccount,
  type StoredAccounts,
  readStoredAccounts,
} from './stored-accounts.js'
import { createKey, deriveToken, hashToken, missingServerKeyError, readKey } from './token.js'

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
export type Accounts = {
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
   * Adds a token, which can be read this once only. It may do less than the account, and never
   * more, also when the rights of the account change.
   * @throws InvalidError
   */
  addToken(name: string, token: NewToken): Promise<AddedToken>
  /**
   * The tokens of an account: that of its logins, and then the others in their order.
   * @throws InvalidError
   */
  tokensOf(name: string): readonly TokenInfo[]
  /**
   * Makes the token with the label void, or all tokens without one. After that of the logins is
   * void, the next login gives another.
   * @throws InvalidError
   */
  revoke(name: string, label?: string): Promise<Account>
  /**
   * The token of an account's logins, for its owner and for administrators; the same until it is
   * revoked.
   * @throws InvalidError
   */
  tokenOf(name: string): string
  /**
   * The token of the account's logins. All refusals for a name or password take the same time. With
   * the client's address, failures from there and for that name are counted; after too many of them
   * logins are refused.
   * @throws CredentialsError, LoginBusyError, LoginThrottledError
   */
  login(name: string, password: string, address?: string): Promise<string>
  /** Like `login`, but returns the account. */
  verifyLogin(name: string, password: string, address?: string): Promise<Account>
  /**
   * The account of a token, with the rights that the token has.
   * @throws InvalidTokenError, also for a token that expired; AccountDisabledError
   */
  authenticate(token: string): Account
  /** Records that the account was used in another way than those above. */
  recordUse(name: string): void
}

type AddedToken = {
  readonly account: Account
  readonly token: string
  readonly info: TokenInfo
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
  const accounts = await readStoredAccounts(store)
  const serverKey = await openServerKey(keyFile, accounts.all().length > 0)
  const tokens = createTokens(serverKey)
  await accounts.save(...tokens.withCurrentTokens(accounts.all()))
  const { change, addNew } = createChanges(accounts)
  const verifyLogin = createLoginVerification({
    accounts,
    serverKey,
    cost,
    now,
    // Failures are forgotten when the process ends, so they need no clock that outlives it. If one
    // is set back, failures would lie in the future and keep people out until then.
    monotonicNow: options.now ?? (() => performance.now()),
    upgradeHash: (name, before, after) =>
      change(name, (stored) =>
        stored.password === before ? { ...stored, password: after } : stored,
      ),
  })

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
    checkNameIsFree(accounts, account.name)
    const hash = await hashPassword(password, cost)
    return addNew(
      tokens.withToken({
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

  async function ensureAdmin(name: string, password: string): Promise<void> {
    if (accounts.find(name)) return
    await add({ name, password, role: 'admin', restrictedTo: [] })
  }

  async function setPassword(name: string, password: string): Promise<Account> {
    validateNewPassword(password)
    requireAccount(accounts, name)
    const hash = await hashPassword(password, cost)
    return change(name, (stored) => withSessionsEnded({ ...stored, password: hash }))
  }

  async function changePassword(
    name: string,
    current: string,
    next: string,
    address?: string,
  ): Promise<Account> {
    validateNewPassword(next)
    const { account } = await verifyLogin(name, current, address)
    const hash = await hashPassword(next, cost)
    return change(account.name, (stored) => {
      // Another request may have changed it while this one hashed.
      if (stored.account.epoch !== account.epoch) throw new CredentialsError()
      return withSessionsEnded({ ...stored, password: hash })
    })
  }

  // Looked up by hash, so the time of the search tells nothing about a token.
  function authenticate(token: string): Account {
    const found = accounts.findByTokenHash(hashToken(token))
    if (!found) throw invalidTokenError()
    const { stored, label } = found
    const limits = stored.tokens.find((one) => one.label === label)
    if (limits && isExpired(limits, now())) throw invalidTokenError()
    if (stored.account.disabled)
      throw new RequestError('unauthenticated', 'User inactive or deleted.')
    accounts.recordUse(stored.account.name, now(), { token: label })
    return {
      ...stored.account,
      ...(limits && narrowRights(stored.account, limits)),
      token: { label, expires: limits?.expires },
    }
  }

  async function addToken(name: string, newToken: NewToken): Promise<AddedToken> {
    const { token, stored: added } = createToken(
      requireAccount(accounts, name).account,
      newToken,
      now(),
    )
    const account = await change(name, (stored) => {
      checkTokenIsNew(stored, added.label)
      return withoutTokenUse({ ...stored, tokens: [...stored.tokens, added] }, added.label)
    })
    return { account, token, info: { ...added, lastUsed: undefined } }
  }

  function tokensOf(name: string): readonly TokenInfo[] {
    const stored = requireAccount(accounts, name)
    const login = {
      label: loginLabel,
      role: undefined,
      restrictedTo: [],
      lastFour: tokens.tokenOf(stored).slice(-4),
      created: stored.tokenCreated,
      expires: undefined,
    }
    return [login, ...stored.tokens].map((one) => ({
      label: one.label,
      role: one.role,
      restrictedTo: one.restrictedTo,
      lastFour: one.lastFour,
      created: one.created,
      expires: one.expires,
      lastUsed: stored.tokenUses.get(one.label),
    }))
  }

  const revoke = (name: string, label?: string): Promise<Account> =>
    change(name, (stored) => {
      const left = label === undefined ? [] : stored.tokens.filter((one) => one.label !== label)
      if (label !== undefined && label !== loginLabel && left.length === stored.tokens.length)
        throw new InvalidError(
          message('"{name}" has no token with the label "{label}".', { name, label }),
        )
      const isLogin = label === undefined || label === loginLabel
      return isLogin
        ? tokens.withToken({
            ...withoutTokenUse(stored, loginLabel),
            tokens: left,
            generation: stored.generation + 1,
            tokenCreated: new Date(now()).toISOString(),
          })
        : { ...stored, tokens: left }
    })

  return {
    add,
    ensureAdmin,
    list: () =>
      accounts
        .all()
        .map(({ account }) => account)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    find: (name) => accounts.find(name)?.account,
    disable: (name) =>
      change(name, (stored) => withSessionsEnded(withChanges(stored, { disabled: true }))),
    enable: (name) => change(name, (stored) => withChanges(stored, { disabled: false })),
    async setRights(name, role, only, repository) {
      const rights = parseRights(role, only, repository)
      return change(name, (stored) => withChanges(stored, rights))
    },
    setPassword,
    changePassword,
    addToken,
    tokensOf,
    revoke,
    tokenOf: (name) => tokens.tokenOf(requireAccount(accounts, name)),
    login: async (name, password, address) =>
      tokens.tokenOf(await verifyLogin(name, password, address)),
    verifyLogin: async (name, password, address) =>
      (await verifyLogin(name, password, address)).account,
    authenticate,
    recordUse: (name) => accounts.recordUse(name, now()),
  }
}

async function openServerKey(file: string, hasAccounts: boolean): Promise<Uint8Array> {
  const key = await readKey(file)
  if (key) return key
  if (hasAccounts) throw missingServerKeyError(file)
  return createKey(file)
}

type WithoutToken = Omit<StoredAccount, 'tokenHash'>

/** Tokens are not stored; they are derived from the server key when they are needed. */
function createTokens(serverKey: Uint8Array) {
  const tokenOf = ({ account, generation }: WithoutToken): string =>
    deriveToken(serverKey, account.name, generation)
  const withToken = (account: WithoutToken): StoredAccount => ({
    ...account,
    tokenHash: hashToken(tokenOf(account)),
  })
  return {
    tokenOf,
    withToken,
    /** Those accounts whose tokens were made with another server key, with their new tokens. */
    withCurrentTokens: (accounts: readonly StoredAccount[]): readonly StoredAccount[] =>
      accounts.flatMap((before) => {
        const after = withToken(before)
        return after.tokenHash === before.tokenHash ? [] : [after]
      }),
  }
}

/** Changes are made one after the other, each to what the one before it left. */
function createChanges(accounts: StoredAccounts) {
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

function requireAccount(accounts: StoredAccounts, name: string): StoredAccount {
  const stored = accounts.find(name)
  if (!stored) throw new InvalidError(message('There is no account named "{name}".', { name }))
  return stored
}

function checkNameIsFree(accounts: StoredAccounts, name: string): void {
  if (accounts.find(name))
    throw new InvalidError(message('There is already an account named "{name}".', { name }))
}

const invalidTokenError = (): RequestError => new RequestError('unauthenticated', 'Invalid token.')

/** @throws InvalidError */
function checkTokenIsNew({ account: { name }, tokens }: StoredAccount, label: string): void {
  if (tokens.some((one) => one.label === label))
    throw new InvalidError(
      message('"{name}" already has a token with the label "{label}".', { name, label }),
    )
  if (tokens.length >= maxTokens)
    throw new InvalidError(
      message('"{name}" has {count} tokens. Revoke one of them first.', { name, count: maxTokens }),
    )
}

/** A token that gets the label anew was not used yet. */
function withoutTokenUse(stored: StoredAccount, label: string): StoredAccount {
  const tokenUses = new Map(stored.tokenUses)
  tokenUses.delete(label)
  return { ...stored, tokenUses }
}

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

const withChanges = (stored: StoredAccount, changes: Partial<Account>): StoredAccount => ({
  ...stored,
  account: { ...stored.account, ...changes },
})

const withSessionsEnded = (stored: StoredAccount): StoredAccount =>
  withChanges(stored, { epoch: stored.account.epoch + 1 })
