// The accounts: who they are, their passwords and their tokens. They live in the durable home and are
// held in memory, so that asking who a token belongs to costs a hash. What an account may do is told
// by rights.ts.

import type { KeyValueStore } from '../store/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import { limitConcurrency } from '../scheduling.js'
import { networkOf, createLoginThrottle } from './login-throttle.js'
import {
  validatePassword,
  maxNameLength,
  maxPasswordLength,
  parseAccountName,
  parseRights,
  validateNewPassword,
} from './account-rules.js'
import {
  AccountDisabledError,
  AccountError,
  InvalidTokenError,
  CredentialsError,
} from './errors.js'
import type { PasswordHash } from './password.js'
import { defaultCost, createDummyHash, hashPassword, verifyPassword } from './password.js'
import type { Rights } from './rights.js'
import {
  createKey,
  deriveToken,
  hashAddress,
  hashToken,
  missingServerKeyError,
  readKey,
} from './token.js'

export { minPasswordLength, validateNewPassword } from './account-rules.js'
export * from './errors.js'

/** An account as others see it, without its secrets. */
export type Account = Rights & {
  readonly name: string
  readonly disabled: boolean
  readonly created: string
  /** The hour in which it last logged in, or used its token or a session; undefined for never. */
  readonly lastUsed: string | undefined
  /** How often all its sessions were ended: those that were opened before are void. */
  readonly epoch: number
}

/** An account to be added, as it was asked for: role and resources are checked on the way in. */
export type NewAccount = {
  readonly name: string
  readonly password: string
  readonly role: string
  readonly only: readonly string[]
}

/**
 * The accounts of one service. Whatever changes them is on the disk when its promise is kept, and
 * holds from then on. Names are compared exactly, in NFC. There is always an administrator who can
 * log in, once there was one: what would leave none is refused.
 */
export type Accounts = {
  /** @throws AccountRefused */
  add(account: NewAccount): Promise<Account>
  /** Adds an administrator, unless an account has that name: then nothing changes. @throws AccountRefused */
  ensureAdmin(name: string, password: string): Promise<void>
  /** In order of their names. */
  list(): readonly Account[]
  find(name: string): Account | undefined
  /** From now on the account can neither log in nor use its token, and its sessions are ended. @throws AccountRefused */
  disable(name: string): Promise<Account>
  /** It can log in and use its token again; its sessions stay ended. @throws AccountRefused */
  enable(name: string): Promise<Account>
  /** @throws AccountRefused */
  setRights(name: string, role: string, only: readonly string[]): Promise<Account>
  /** Gives the account another password, and ends all its sessions. @throws AccountRefused */
  setPassword(name: string, password: string): Promise<Account>
  /**
   * The same by who knows the current one; also ends the session in which it was asked for, which is
   * then opened anew.
   * @throws AccountRefused when the next one cannot be taken; and what login throws
   */
  changePassword(name: string, current: string, next: string, address?: string): Promise<Account>
  /** From now on the account's token is void; the next login gives another. @throws AccountRefused */
  revoke(name: string): Promise<Account>
  /** The token, for its owner and for administrators: the same each time until it is revoked. @throws AccountRefused */
  tokenOf(name: string): string
  /**
   * The account's token. All refusals for its name or password take the same time. Where the client's
   * address is given, failures from there and for that name are counted, and too many are refused.
   * @throws WrongCredentials, TooManyLogins, TooManyFailures
   */
  login(name: string, password: string, address?: string): Promise<string>
  /** The same, for who wants the account and no token. */
  verifyLogin(name: string, password: string, address?: string): Promise<Account>
  /** @throws InvalidToken, AccountDisabled */
  authenticate(token: string): Account
  /** Notes that the account was used, in another way than those above. */
  noteUse(name: string): void
}

type StoredAccount = {
  readonly account: Account
  readonly password: PasswordHash
  /** How often the token was revoked. */
  readonly generation: number
  /** The hash of the token. */
  readonly token: string
  /** The hashes of the addresses where it logged in, the newest last. */
  readonly from: readonly string[]
}

/**
 * Opens the accounts in the home. The server key is made with the first start. Another key in its
 * place is taken as its keeper's wish: all tokens change.
 * @param options.now the time in milliseconds
 * @throws KeyRefused when the key cannot be used, or is missing though there are accounts
 */
export async function openAccounts(
  home: KeyValueStore,
  keyFile: string,
  options: { readonly passwordCost?: number; readonly now?: () => number } = {},
): Promise<Accounts> {
  const { passwordCost: cost = defaultCost, now = Date.now } = options
  const dummy = createDummyHash(cost)
  const byName = new Map<string, StoredAccount>()
  const byToken = new Map<string, StoredAccount>()
  // Changes happen one after the other, each upon what the one before it left.
  const inTurn = limitConcurrency(1)
  // They are over with the process, so they go by a clock that nobody sets: set back, the other would
  // count failures that are still to come, and keep people out until it is there again.
  const attempts = createLoginThrottle(options.now ?? (() => performance.now()))

  for await (const [key, value] of home.entries(prefix)) hold(fromEntry(key, value))
  for await (const [key, value] of home.entries(usePrefix)) holdUse(key, value)
  const serverKey = await openKey()
  await keep(...[...byName.values()].filter(isOutdated).map(withToken))

  async function openKey(): Promise<Uint8Array> {
    const key = await readKey(keyFile)
    if (key) return key
    if (byName.size > 0) throw missingServerKeyError(keyFile)
    return createKey(keyFile)
  }

  /** Whether its token was made with another server key. */
  function isOutdated(kept: StoredAccount): boolean {
    return withToken(kept).token !== kept.token
  }

  function withToken(kept: Omit<StoredAccount, 'token'>): StoredAccount {
    return { ...kept, token: hashToken(tokenOf(kept)) }
  }

  function tokenOf({ account, generation }: Omit<StoredAccount, 'token'>): string {
    return deriveToken(serverKey, account.name, generation)
  }

  /** Memory follows the disk, never the other way round. */
  async function keep(...all: readonly StoredAccount[]): Promise<void> {
    await home.write(all.map(toEntry))
    all.forEach(hold)
  }

  function hold(kept: StoredAccount): void {
    const before = byName.get(kept.account.name)
    if (before) byToken.delete(before.token)
    byName.set(kept.account.name, kept)
    byToken.set(kept.token, kept)
  }

  function holdUse(key: string, value: string): void {
    const kept = byName.get(key.slice(usePrefix.length))
    // A cast, for it is what toUse wrote.
    const { lastUsed, from } = JSON.parse(value) as LastUse
    if (kept) hold({ ...kept, account: { ...kept.account, lastUsed }, from })
  }

  async function add({ name, password, role, only }: NewAccount): Promise<Account> {
    const rights = parseRights(role, only)
    const account: Account = {
      name: parseAccountName(name),
      ...rights,
      disabled: false,
      created: new Date(now()).toISOString(),
      lastUsed: undefined,
      epoch: 0,
    }
    validatePassword(password)
    refuseTaken(account.name)
    const hash = await hashPassword(password, cost)
    return inTurn(async () => {
      // Somebody else may have taken the name while the password was hashed.
      refuseTaken(account.name)
      await keep(withToken({ account, password: hash, generation: 0, from: [] }))
      return account
    })
  }

  function refuseTaken(name: string): void {
    if (byName.has(name)) throw new AccountError(`There is already an account named "${name}".`)
  }

  async function ensureAdmin(name: string, password: string): Promise<void> {
    if (byName.has(name.normalize('NFC'))) return
    await add({ name, password, role: 'admin', only: [] })
  }

  function change(name: string, changed: (kept: StoredAccount) => StoredAccount): Promise<Account> {
    return inTurn(async () => {
      const kept = keptOf(name)
      const after = changed(kept)
      if (isAdmin(kept) && !isAdmin(after)) refuseLast(kept)
      await keep(after)
      return after.account
    })
  }

  function keptOf(name: string): StoredAccount {
    const kept = byName.get(name.normalize('NFC'))
    if (!kept) throw new AccountError(`There is no account named "${name}".`)
    return kept
  }

  function refuseLast({ account: { name } }: StoredAccount): void {
    const others = [...byName.values()].filter(({ account }) => account.name !== name)
    if (!others.some(isAdmin))
      throw new AccountError(
        `"${name}" is the last administrator who can log in, and there has to be one.`,
      )
  }

  /** Who logged in with this name and password. */
  async function verify(
    name: string,
    password: string,
    address: string | undefined,
  ): Promise<StoredAccount> {
    // Before they are normalised, which takes far longer than they are long. No name has so many units.
    if (password.length > maxPasswordLength || name.length > 4 * maxNameLength)
      throw new CredentialsError()
    const known = name.normalize('NFC')
    const network = address === undefined ? undefined : networkOf(address)
    const from = network === undefined ? undefined : hashAddress(serverKey, network)
    const isAtHome = from !== undefined && byName.get(known)?.from.includes(from) === true
    const kept = await attempts.run({ name: known, network, isAtHome }, () =>
      compare(known, password),
    )
    if (!kept) throw new CredentialsError()
    note(known, from)
    await upgrade(kept, password)
    return kept
  }

  async function compare(name: string, password: string): Promise<StoredAccount | undefined> {
    const before = byName.get(name)
    const prices = new Set(
      [dummy, ...[...byName.values()].map((kept) => kept.password)].map(({ N }) => N),
    )
    const right = await verifyPassword(password, before?.password ?? dummy, prices)
    // Read again: meanwhile it may have been disabled, or its token revoked, or its password changed.
    const kept = byName.get(name)
    const isSame = kept && kept.account.epoch === before?.account.epoch
    return right && isSame && !kept.account.disabled ? kept : undefined
  }

  /** Hashes the password anew where its hash was made at a lower price than is paid now. */
  async function upgrade(
    { account, password: old }: StoredAccount,
    password: string,
  ): Promise<void> {
    if (old.N >= cost) return
    const hash = await hashPassword(password, cost)
    await change(account.name, (kept) =>
      kept.password === old ? { ...kept, password: hash } : kept,
    ).catch(
      // The old hash stays as good as it was: on a full disk one can still log in.
      () => undefined,
    )
  }

  /**
   * Notes that it was used, at most once in an hour, and from where it logged in. Nobody waits for
   * the write: what is lost with the process is the hour at most.
   */
  function note(name: string, from?: string): void {
    // As it is now: what the caller has may be older than a change.
    const kept = byName.get(name)
    if (!kept) return
    const lastUsed = hourOf(now())
    const isNew = from !== undefined && !kept.from.includes(from)
    if (kept.account.lastUsed === lastUsed && !isNew) return
    const noted = {
      ...kept,
      account: { ...kept.account, lastUsed },
      from: isNew ? [...kept.from, from].slice(-maxKnownNetworks) : kept.from,
    }
    hold(noted)
    // A disk that failed is told by the home itself, and one that is full may take the next note.
    home.write([toUse(noted)]).catch(() => undefined)
  }

  async function setPassword(name: string, password: string): Promise<Account> {
    validateNewPassword(password)
    keptOf(name)
    const hash = await hashPassword(password, cost)
    return change(name, (kept) => withSessionsEnded({ ...kept, password: hash }))
  }

  async function changePassword(
    name: string,
    current: string,
    next: string,
    address?: string,
  ): Promise<Account> {
    validateNewPassword(next)
    const { account } = await verify(name, current, address)
    const hash = await hashPassword(next, cost)
    return change(account.name, (kept) => {
      // Somebody else may have changed it while this one was hashed.
      if (kept.account.epoch !== account.epoch) throw new CredentialsError()
      return withSessionsEnded({ ...kept, password: hash })
    })
  }

  // What is looked up is a hash, so how long the search takes tells nothing about any token.
  function authenticate(token: string): Account {
    const kept = byToken.get(hashToken(token))
    if (!kept) throw new InvalidTokenError()
    if (kept.account.disabled) throw new AccountDisabledError()
    note(kept.account.name)
    return kept.account
  }

  return {
    add,
    ensureAdmin,
    list: () => [...byName.values()].map(({ account }) => account).sort(inOrder),
    find: (name) => byName.get(name.normalize('NFC'))?.account,
    disable: (name) =>
      change(name, (kept) => withSessionsEnded(withAccount(kept, { disabled: true }))),
    enable: (name) => change(name, (kept) => withAccount(kept, { disabled: false })),
    async setRights(name, role, only) {
      const rights = parseRights(role, only)
      return change(name, (kept) => withAccount(kept, rights))
    },
    setPassword,
    changePassword,
    revoke: (name) =>
      change(name, (kept) => withToken({ ...kept, generation: kept.generation + 1 })),
    tokenOf: (name) => tokenOf(keptOf(name)),
    login: async (name, password, address) => tokenOf(await verify(name, password, address)),
    verifyLogin: async (name, password, address) => (await verify(name, password, address)).account,
    authenticate,
    noteUse: (name) => note(name),
  }
}

const { accounts: prefix, accountUses: usePrefix } = prefixes

/** From how many addresses an account is known to log in, the latest. */
const maxKnownNetworks = 10

/** What is written more often than the rest, and by nobody who waits: so it has an entry of its own. */
type LastUse = Pick<Account, 'lastUsed'> & Pick<StoredAccount, 'from'>

/** An entry's value. Accounts were without an epoch before there were sessions. */
type StoredEntry = Omit<StoredAccount, 'account' | 'from'> & {
  readonly account: Omit<Account, 'name' | 'lastUsed' | 'epoch'> & { readonly epoch?: number }
}

function toEntry({ account, password, generation, token }: StoredAccount) {
  const { name, role, only, disabled, created, epoch } = account
  const stored: StoredEntry = {
    account: { role, only, disabled, created, epoch },
    password,
    generation,
    token,
  }
  return { key: prefix + name, value: JSON.stringify(stored) }
}

function toUse({ account: { name, lastUsed }, from }: StoredAccount) {
  const use: LastUse = { lastUsed, from }
  return { key: usePrefix + name, value: JSON.stringify(use) }
}

function fromEntry(key: string, value: string): StoredAccount {
  // A cast, for what toEntry wrote comes back as it was or not at all: LevelDB checks its sums.
  const kept = JSON.parse(value) as StoredEntry
  const { epoch = 0, ...account } = kept.account
  const name = key.slice(prefix.length)
  return { ...kept, account: { ...account, name, epoch, lastUsed: undefined }, from: [] }
}

const withAccount = (kept: StoredAccount, changes: Partial<Account>): StoredAccount => ({
  ...kept,
  account: { ...kept.account, ...changes },
})

/** The same, its sessions ended. */
const withSessionsEnded = (kept: StoredAccount): StoredAccount =>
  withAccount(kept, { epoch: kept.account.epoch + 1 })

const isAdmin = ({ account }: StoredAccount): boolean =>
  account.role === 'admin' && !account.disabled

function hourOf(time: number): string {
  return new Date(time - (time % 3_600_000)).toISOString()
}

function inOrder(a: Account, b: Account): number {
  return a.name < b.name ? -1 : 1
}
