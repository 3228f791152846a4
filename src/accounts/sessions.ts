// The sessions of browsers that are logged in. A session is found by a key that only its browser
// has; the key-value store has the key's hash, so a restart logs nobody out. The cookies:
// http/request/session-cookies.ts.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { DiskFullError } from '../lib/key-value/errors.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import type { Account, Accounts } from './accounts.js'

export type Session = {
  /** The value of the browser's cookie. */
  readonly key: string
  readonly account: Account
  /** The CSRF token, which every form has to send. */
  readonly csrf: string
}

export type Sessions = {
  /**
   * Opens a session, which is on the disk when the promise resolves. The session that the browser
   * had is closed, so nobody can plant a key in a browser and use it after the login. When the
   * account has too many sessions, those unused for longest are closed.
   * @param former the key that the browser sent
   */
  open(account: Account, former?: string): Promise<Session>
  /** Undefined when there is no such session, or it expired or was ended. Counts as a use of it. */
  find(key: string): Session | undefined
  /** Ends the session at once; this is on the disk when the promise resolves. */
  close(key: string): Promise<void>
  /** How many are open. */
  count(): number
}

export type SessionOptions = {
  /** The seconds without use after which a session expires. */
  readonly idle: number
  /** The time in milliseconds, of a clock that goes on over restarts and that somebody may set. */
  readonly now?: () => number
}

/**
 * Opens the sessions in the store. Disabling an account or changing its password ends its sessions:
 * it raises the account's epoch, and sessions of an earlier epoch are void.
 */
export async function openSessions(
  store: KeyValueStore,
  accounts: Accounts,
  options: SessionOptions,
): Promise<Sessions> {
  const sessions = new StoredSessions(store, accounts, options)
  await sessions.load()
  return sessions
}

class StoredSessions implements Sessions {
  readonly #store: KeyValueStore
  readonly #accounts: Accounts
  readonly #idleMs: number
  readonly #now: () => number
  /** By the hashes of their keys. */
  readonly #sessions = new Map<string, StoredSession>()

  constructor(store: KeyValueStore, accounts: Accounts, { idle, now = Date.now }: SessionOptions) {
    this.#store = store
    this.#accounts = accounts
    this.#idleMs = idle * 1000
    this.#now = now
  }

  async load(): Promise<void> {
    for await (const [key, value] of this.#store.entries(prefix))
      // A cast: it is what toEntry wrote.
      this.#sessions.set(key.slice(prefix.length), JSON.parse(value) as StoredSession)
    // On a full disk they stay; they are void anyway.
    await this.#end(this.#expired()).catch((error: unknown) => {
      if (!(error instanceof DiskFullError)) throw error
    })
  }

  async open(account: Account, former?: string): Promise<Session> {
    const key = createSessionKey()
    const hash = hashKey(key)
    const { name, epoch } = account
    const session: StoredSession = {
      name,
      epoch,
      opened: this.#now(),
      used: this.#now(),
      written: this.#now(),
    }
    const over = new Set([
      ...(former === undefined
        ? []
        : [hashKey(former)].filter((formerHash) => this.#sessions.has(formerHash))),
      ...this.#expired(),
    ])
    const others = this.#sessionsOf(name).filter((sessionHash) => !over.has(sessionHash))
    const closed = [...over, ...others.slice(0, Math.max(0, others.length - maxPerAccount + 1))]
    for (const closedHash of closed) this.#sessions.delete(closedHash)
    await this.#store.write([...closed.map(toRemoval), toEntry(hash, session)])
    this.#sessions.set(hash, session)
    return { key, account, csrf: csrfOf(key) }
  }

  find(key: string): Session | undefined {
    const hash = hashKey(key)
    const session = this.#sessions.get(hash)
    if (!session) return undefined
    const account = this.#accountOf(session)
    if (!account) {
      // Deleted, or a clock that is set again would bring it back. Errors are ignored as in
      // recordUse.
      this.#end([hash]).catch(() => undefined)
      return undefined
    }
    this.#recordUse(hash, session)
    return { key, account, csrf: csrfOf(key) }
  }

  close(key: string): Promise<void> {
    return this.#end([hashKey(key)].filter((hash) => this.#sessions.has(hash)))
  }

  count(): number {
    return [...this.#sessions.values()].filter((session) => this.#accountOf(session)).length
  }

  #expired(): readonly string[] {
    return [...this.#sessions]
      .filter(([, session]) => !this.#accountOf(session))
      .map(([hash]) => hash)
  }

  /** The account of the session; undefined when the session is over. */
  #accountOf(session: StoredSession): Account | undefined {
    const account = this.#accounts.find(session.name)
    const isVoid = this.#isExpired(session) || account?.epoch !== session.epoch || account.disabled
    return isVoid ? undefined : account
  }

  // A session that was opened while the clock was ahead would last until the clock gets there
  // again, so it expires too. If the clock was ahead by less than the idle time, the session stays.
  #isExpired({ opened, used }: StoredSession): boolean {
    const age = this.#now() - opened
    return this.#now() - used >= this.#idleMs || age >= maxSessionMs || age <= -this.#idleMs
  }

  /** Deletes from memory first: a use that is written meanwhile must not bring the session back. */
  async #end(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) this.#sessions.delete(hash)
    await this.#store.write(hashes.map(toRemoval))
  }

  /** The hashes of an account's sessions, the one unused for longest first. */
  #sessionsOf(name: string): readonly string[] {
    const sessions = [...this.#sessions].filter(([, session]) => session.name === name)
    return sessions.sort(([, a], [, b]) => a.used - b.used).map(([hash]) => hash)
  }

  /**
   * Records the use in memory, and every few minutes on the disk: a crash loses no more than those.
   */
  #recordUse(hash: string, session: StoredSession): void {
    // The absolute value, because the clock may have been set back since.
    const isDue = Math.abs(this.#now() - session.written) >= writeIntervalMs
    const used = { ...session, used: this.#now(), ...(isDue ? { written: this.#now() } : {}) }
    this.#sessions.set(hash, used)
    this.#accounts.recordUse(session.name)
    // The store itself reports a disk that failed. On a full disk the next write may succeed.
    if (isDue) this.#store.write([toEntry(hash, used)]).catch(() => undefined)
  }
}

/**
 * A new random key for a browser. Before the login it is not the key of a session; it then only
 * proves that the login form came from this service.
 */
export function createSessionKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The CSRF token of all forms that are sent to the browser with this key. */
export function csrfOf(key: string): string {
  return createHmac('sha256', key).update('csrf').digest('base64url')
}

/** Whether a form with this token was made by this service for the browser with this key. */
export function isCsrfTokenValid(key: string, token: string): boolean {
  const [expected, sent] = [csrfOf(key), token].map((text) =>
    createHash('sha256').update(text).digest(),
  ) as [Buffer, Buffer]
  return timingSafeEqual(expected, sent)
}

const { sessions: prefix } = prefixes

type StoredSession = {
  readonly name: string
  readonly epoch: number
  /** Times in milliseconds; `written` is when `used` was last written to the disk. */
  readonly opened: number
  readonly used: number
  readonly written: number
}

/** How long a session lasts at most, however much it is used. */
const maxSessionMs = 7 * 24 * 3_600_000

const writeIntervalMs = 5 * 60_000

const maxPerAccount = 20

// It needs no salt and no slow hash: a key has 256 random bits.
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function toEntry(hash: string, session: StoredSession) {
  return { key: prefix + hash, value: JSON.stringify(session) }
}

function toRemoval(hash: string) {
  return { key: prefix + hash, value: undefined }
}
