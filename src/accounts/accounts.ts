// The accounts: who they are, their passwords and their tokens. They live in the durable home and are
// held in memory, so that asking who a token belongs to costs a hash. What an account may do is told
// by rights.ts.

import type { Home } from '../store/home.js'
import type { PasswordHash } from './password.js'
import { defaultCost, dummyHash, hashPassword, matches } from './password.js'
import type { Rights } from './rights.js'
import { isResource, isRole, resources, roles } from './rights.js'
import { createKey, deriveToken, hashToken, missingKey, readKey } from './token.js'
import { atMost } from './turns.js'

/** An account as others see it, without its secrets. */
export type Account = Rights & {
  readonly name: string
  readonly disabled: boolean
  readonly created: string
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
 * holds from then on. Names are compared exactly, in NFC.
 */
export type Accounts = {
  /** @throws AccountRefused */
  add(account: NewAccount): Promise<Account>
  /** Adds an administrator, unless an account has that name: then nothing changes. @throws AccountRefused */
  ensureAdmin(name: string, password: string): Promise<void>
  /** In order of their names. */
  list(): readonly Account[]
  /** From now on the account can neither log in nor use its token. @throws AccountRefused */
  disable(name: string): Promise<Account>
  /** From now on the account's token is void; the next login gives another. @throws AccountRefused */
  revoke(name: string): Promise<Account>
  /**
   * The account's token, the same each time until it is revoked. All refusals take the same time.
   * @throws WrongCredentials, TooManyLogins
   */
  login(name: string, password: string): Promise<string>
  /** @throws InvalidToken, AccountDisabled */
  authenticate(token: string): Account
}

/** An account cannot be added or changed as asked; the message says why, in one sentence. */
export class AccountRefused extends Error {}

/** Name and password do not belong together, or belong to a disabled account. */
export class WrongCredentials extends Error {
  constructor() {
    super('Unable to log in with provided credentials.')
  }
}

/** So many are logging in that one more would only make all of them wait longer. */
export class TooManyLogins extends Error {
  constructor() {
    super('Too many logins at once.')
  }
}

/** The token is nobody's. */
export class InvalidToken extends Error {
  constructor() {
    super('Invalid token.')
  }
}

/** The token is that of a disabled account. */
export class AccountDisabled extends Error {
  constructor() {
    super('User inactive or deleted.')
  }
}

type Kept = {
  readonly account: Account
  readonly password: PasswordHash
  /** How often the token was revoked. */
  readonly generation: number
  /** The hash of the token. */
  readonly token: string
}

/**
 * Opens the accounts in the home. The server key is made with the first start. Another key in its
 * place is taken as its keeper's wish: all tokens change.
 * @throws KeyRefused when the key cannot be used, or is missing though there are accounts
 */
export async function openAccounts(
  home: Home,
  keyFile: string,
  options: { readonly passwordCost?: number } = {},
): Promise<Accounts> {
  const cost = options.passwordCost ?? defaultCost
  const dummy = dummyHash(cost)
  const byName = new Map<string, Kept>()
  const byToken = new Map<string, Kept>()
  // Changes happen one after the other, each upon what the one before it left.
  const inTurn = atMost(1)

  for await (const [key, value] of home.entries(prefix)) hold(fromEntry(key, value))
  const serverKey = await openKey()
  await keep(...[...byName.values()].filter(isOutdated).map(withToken))

  async function openKey(): Promise<Uint8Array> {
    const key = await readKey(keyFile)
    if (key) return key
    if (byName.size > 0) throw missingKey(keyFile)
    return createKey(keyFile)
  }

  /** Whether its token was made with another server key. */
  function isOutdated(kept: Kept): boolean {
    return withToken(kept).token !== kept.token
  }

  function withToken(kept: Omit<Kept, 'token'>): Kept {
    const token = deriveToken(serverKey, kept.account.name, kept.generation)
    return { ...kept, token: hashToken(token) }
  }

  /** Memory follows the disk, never the other way round. */
  async function keep(...all: readonly Kept[]): Promise<void> {
    await home.write(all.map(toEntry))
    all.forEach(hold)
  }

  function hold(kept: Kept): void {
    const before = byName.get(kept.account.name)
    if (before) byToken.delete(before.token)
    byName.set(kept.account.name, kept)
    byToken.set(kept.token, kept)
  }

  async function add({ name, password, role, only }: NewAccount): Promise<Account> {
    const rights = readRights(role, only)
    const account = { name: readName(name), ...rights, disabled: false, created: now() }
    checkPassword(password)
    refuseTaken(account.name)
    const hash = await hashPassword(password, cost)
    return inTurn(async () => {
      // Somebody else may have taken the name while the password was hashed.
      refuseTaken(account.name)
      await keep(withToken({ account, password: hash, generation: 0 }))
      return account
    })
  }

  function refuseTaken(name: string): void {
    if (byName.has(name)) throw new AccountRefused(`There is already an account named "${name}".`)
  }

  async function ensureAdmin(name: string, password: string): Promise<void> {
    if (byName.has(name.normalize('NFC'))) return
    await add({ name, password, role: 'admin', only: [] })
  }

  function change(name: string, changed: (kept: Kept) => Kept): Promise<Account> {
    return inTurn(async () => {
      const kept = byName.get(name.normalize('NFC'))
      if (!kept) throw new AccountRefused(`There is no account named "${name}".`)
      const after = changed(kept)
      await keep(after)
      return after.account
    })
  }

  let logins = 0

  async function login(name: string, password: string): Promise<string> {
    // Before they are normalised, which takes far longer than they are long. No name has so many units.
    if (password.length > maxPassword || name.length > 4 * maxName) throw new WrongCredentials()
    if (logins >= mostLogins) throw new TooManyLogins()
    const known = name.normalize('NFC')
    logins += 1
    const right = await matches(password, byName.get(known)?.password ?? dummy).finally(
      () => (logins -= 1),
    )
    // Read again: it may have been disabled, or its token revoked, while the password was compared.
    const kept = byName.get(known)
    if (!right || !kept || kept.account.disabled) throw new WrongCredentials()
    return deriveToken(serverKey, known, kept.generation)
  }

  // What is looked up is a hash, so how long the search takes tells nothing about any token.
  function authenticate(token: string): Account {
    const kept = byToken.get(hashToken(token))
    if (!kept) throw new InvalidToken()
    if (kept.account.disabled) throw new AccountDisabled()
    return kept.account
  }

  return {
    add,
    ensureAdmin,
    list: () => [...byName.values()].map(({ account }) => account).sort(inOrder),
    disable: (name) =>
      change(name, (kept) => ({ ...kept, account: { ...kept.account, disabled: true } })),
    revoke: (name) =>
      change(name, (kept) => withToken({ ...kept, generation: kept.generation + 1 })),
    login,
    authenticate,
  }
}

const prefix = 'account/'
const maxName = 150
const maxPassword = 4096

/** How many logins are taken at a time, two at work and the others waiting: some four seconds. */
const mostLogins = 20

function toEntry({ account: { name, ...account }, ...kept }: Kept) {
  return { key: prefix + name, value: JSON.stringify({ account, ...kept }) }
}

function fromEntry(key: string, value: string): Kept {
  // A cast, for what toEntry wrote comes back as it was or not at all: LevelDB checks its sums.
  const kept = JSON.parse(value) as Kept
  return { ...kept, account: { ...kept.account, name: key.slice(prefix.length) } }
}

// White space at either end is refused, not cut off: the counter cuts it off what clients send, and
// an account whose name has it could never log in.
function readName(text: string): string {
  const name = text.normalize('NFC')
  if (name.trim() === '') throw new AccountRefused('The name of an account may not be blank.')
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    throw new AccountRefused('The name of an account may not contain control characters.')
  if (name !== name.trim())
    throw new AccountRefused('The name of an account may not begin or end with white space.')
  if (Array.from(name).length > maxName)
    throw new AccountRefused(`The name of an account has at most ${maxName} characters.`)
  return name
}

function readRights(role: string, only: readonly string[]): Rights {
  if (!isRole(role))
    throw new AccountRefused(`Unknown role "${role}": the roles are ${roles.join(', ')}.`)
  for (const text of only)
    if (!isResource(text))
      throw new AccountRefused(
        `Unknown resource "${text}": the resources are ${resources.join(', ')}.`,
      )
  if (only.length > 0 && role !== 'editor')
    throw new AccountRefused('Only an editor can be limited to some of the resources.')
  return { role, only: resources.filter((resource) => only.includes(resource)) }
}

function checkPassword(password: string): void {
  if (password.trim() === '') throw new AccountRefused('The password may not be blank.')
  if (password.length > maxPassword)
    throw new AccountRefused(`The password has at most ${maxPassword} characters.`)
}

function now(): string {
  return new Date().toISOString()
}

function inOrder(a: Account, b: Account): number {
  return a.name < b.name ? -1 : 1
}
