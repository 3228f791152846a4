// The accounts in the key-value store, with a copy of all of them in memory that answers every
// read. What may change in an account, and how: accounts.ts.

import type { ResourceName } from '../model/iris.js'
import { prefixes } from '../store/key-value/keys.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import {
  type StoredToken,
  type TokenEntry,
  loginLabel,
  parseTokenEntry,
  toTokenEntry,
} from './access-tokens.js'
import type { PasswordHash } from './password.js'
import type { Rights, Role } from './rights.js'

/** An account without its secrets. */
export type Account = Rights & {
  readonly name: string
  readonly disabled: boolean
  /** When it was added, as an ISO 8601 time. */
  readonly created: string
  /**
   * The hour of the last login, or of the last use of its token or a session; undefined for never.
   */
  readonly lastUsed: string | undefined
  /** How often all of its sessions were ended. Sessions of an earlier epoch are void. */
  readonly epoch: number
  /**
   * The token that a request was made with. The rights of such an account are those of the token.
   */
  readonly token?: { readonly label: string; readonly expires: string | undefined }
}

export type StoredAccount = {
  readonly account: Account
  readonly password: PasswordHash
  /** How often the token of logins was revoked. */
  readonly generation: number
  /** The hash of the token of logins. */
  readonly tokenHash: string
  /** When the token of logins was made, as an ISO 8601 time. */
  readonly tokenCreated: string
  /** The other tokens, the oldest first. */
  readonly tokens: readonly StoredToken[]
  /** The day of the last use of each token that was used, by its label. */
  readonly tokenUses: ReadonlyMap<string, string>
  /** The hashes of the networks from which it logged in, the newest last. */
  readonly knownNetworks: readonly string[]
}

export type StoredAccounts = {
  all(): readonly StoredAccount[]
  /** @param name in any normal form */
  find(name: string): StoredAccount | undefined
  /** The account that has the token, and the token's label. */
  findByTokenHash(
    hash: string,
  ): { readonly stored: StoredAccount; readonly label: string } | undefined
  /** Writes all accounts or none. Resolves when they are on the disk. */
  save(...accounts: readonly StoredAccount[]): Promise<void>
  /**
   * Records that the account was used now, at most once an hour, and from which network it logged
   * in. Nobody waits for the disk: a crash loses an hour at most.
   * @param time in milliseconds
   */
  recordUse(name: string, time: number, use?: AccountUse): void
}

/** How an account was used. */
type AccountUse = {
  /** Of a login that came over the network. */
  readonly networkHash?: string | undefined
  /** The label of the token. */
  readonly token?: string
}

export async function readStoredAccounts(store: KeyValueStore): Promise<StoredAccounts> {
  const byName = new Map<string, StoredAccount>()
  const byTokenHash = new Map<string, { readonly name: string; readonly label: string }>()

  for await (const [key, value] of store.entries(prefix)) cache(parseAccount(key, value))
  for await (const [key, value] of store.entries(usePrefix)) {
    const stored = byName.get(key.slice(usePrefix.length))
    if (stored) cache(withUse(stored, value))
  }

  function cache(stored: StoredAccount): void {
    const before = byName.get(stored.account.name)
    const { name } = stored.account
    byName.set(name, stored)
    // A use changes no token.
    if (before?.tokens === stored.tokens && before.tokenHash === stored.tokenHash) return
    for (const [hash] of before ? tokenHashes(before) : []) byTokenHash.delete(hash)
    for (const [hash, label] of tokenHashes(stored)) byTokenHash.set(hash, { name, label })
  }

  const find = (name: string): StoredAccount | undefined => byName.get(name.normalize('NFC'))

  return {
    all: () => [...byName.values()],
    find,
    findByTokenHash(hash) {
      const owner = byTokenHash.get(hash)
      const stored = owner && byName.get(owner.name)
      return stored && { stored, label: owner.label }
    },
    async save(...accounts) {
      // The disk first: what is in memory must not be lost by a restart.
      await store.write(accounts.map(toEntry))
      accounts.forEach(cache)
    },
    recordUse(name, time, { networkHash, token } = {}) {
      // Read again, since the caller's copy may be older than a change.
      const stored = find(name)
      if (!stored) return
      const lastUsed = hourOf(time)
      const { knownNetworks, tokenUses } = stored
      const isNew = networkHash !== undefined && !knownNetworks.includes(networkHash)
      const day = lastUsed.slice(0, 10)
      const isFirstOfDay = token !== undefined && tokenUses.get(token) !== day
      if (stored.account.lastUsed === lastUsed && !isNew && !isFirstOfDay) return
      const used = {
        ...stored,
        account: { ...stored.account, lastUsed },
        tokenUses: isFirstOfDay ? new Map(tokenUses).set(token, day) : tokenUses,
        knownNetworks: isNew
          ? [...knownNetworks, networkHash].slice(-maxKnownNetworks)
          : knownNetworks,
      }
      cache(used)
      // The store itself reports a disk that failed. On a full disk the next write may succeed.
      store.write([toUseEntry(used)]).catch(() => undefined)
    },
  }
}

const { accounts: prefix, accountUses: usePrefix } = prefixes

/** How many networks are kept for an account, the latest ones. */
const maxKnownNetworks = 10

/** The hashes of all tokens of an account, with their labels. */
const tokenHashes = ({
  tokenHash,
  tokens,
}: StoredAccount): readonly (readonly [hash: string, label: string])[] => [
  [tokenHash, loginLabel],
  ...tokens.map(({ hash, label }) => [hash, label] as const),
]

/**
 * The value of an account's entry. `epoch` is absent from accounts written before there were
 * sessions; `tokenCreated` and `tokens` are absent from those written when an account had one
 * token.
 */
type AccountEntry = {
  readonly account: {
    readonly role: Role
    readonly only: readonly ResourceName[]
    /** Absent from accounts that are not bound to one. */
    readonly repository?: string | undefined
    readonly disabled: boolean
    readonly created: string
    readonly epoch?: number
  }
  readonly password: PasswordHash
  readonly generation: number
  readonly token: string
  readonly tokenCreated?: string
  readonly tokens?: readonly TokenEntry[]
}

/**
 * It is written more often than the rest, and nobody waits for it; so it has an entry of its own.
 */
type UseEntry = {
  readonly lastUsed: string | undefined
  readonly from: readonly string[]
  /** Absent from uses that were written when an account had one token. */
  readonly tokens?: Readonly<Record<string, string>>
}

function toEntry({
  account,
  password,
  generation,
  tokenHash,
  tokenCreated,
  tokens,
}: StoredAccount) {
  const { name, role, disabled, created, epoch, repository } = account
  const entry: AccountEntry = {
    account: { role, only: account.restrictedTo, repository, disabled, created, epoch },
    password,
    generation,
    token: tokenHash,
    tokenCreated,
    tokens: tokens.map(toTokenEntry),
  }
  return { key: prefix + name, value: JSON.stringify(entry) }
}

function toUseEntry({ account: { name, lastUsed }, knownNetworks, tokenUses }: StoredAccount) {
  const entry: UseEntry = { lastUsed, from: knownNetworks, tokens: Object.fromEntries(tokenUses) }
  return { key: usePrefix + name, value: JSON.stringify(entry) }
}

function parseAccount(key: string, value: string): StoredAccount {
  // A cast: it is what toEntry wrote, since the key-value store finds files that were changed.
  const { account, password, generation, token, ...entry } = JSON.parse(value) as AccountEntry
  const { role, disabled, created, epoch = 0, repository } = account
  const name = key.slice(prefix.length)
  return {
    account: {
      name,
      role,
      restrictedTo: account.only,
      repository,
      disabled,
      created,
      epoch,
      lastUsed: undefined,
    },
    password,
    generation,
    tokenHash: token,
    tokenCreated: entry.tokenCreated ?? created,
    tokens: (entry.tokens ?? []).map(parseTokenEntry),
    tokenUses: new Map(),
    knownNetworks: [],
  }
}

function withUse(stored: StoredAccount, value: string): StoredAccount {
  // A cast: it is what toUseEntry wrote.
  const { lastUsed, from, tokens = {} } = JSON.parse(value) as UseEntry
  return {
    ...stored,
    account: { ...stored.account, lastUsed },
    knownNetworks: from,
    tokenUses: new Map(Object.entries(tokens)),
  }
}

function hourOf(time: number): string {
  return new Date(time - (time % 3_600_000)).toISOString()
}
