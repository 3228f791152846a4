// Sessions: who has logged in with a browser. A session is known by a key that only its browser has;
// here is the key's hash, in the durable home, so that a restart logs nobody out.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import type { KeyValueStore } from '../store/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import type { Account, Accounts } from './accounts.js'

export type Session = {
  /** What the browser's cookie holds. */
  readonly key: string
  readonly account: Account
  /** What every form has to bring back. */
  readonly csrf: string
}

export type Sessions = {
  /**
   * Opens a session, on the disk when the promise is kept; whatever session the browser had is closed
   * (so that nobody can plant a key and have it logged in). Of too many of one account, the longest unused is closed.
   * @param former the key that the browser sent
   */
  open(account: Account, former?: string): Promise<Session>
  /** Undefined when the key is nobody's, or its session is expired or ended; using it keeps it alive. */
  find(key: string): Session | undefined
  /** Ends one session, at once; on the disk when the promise is kept. */
  close(key: string): Promise<void>
  /** Ends all sessions of an account but the one that is excepted. */
  closeAll(name: string, except?: string): Promise<void>
  /** How many are open. */
  count(): number
}

export type SessionOptions = {
  /** After how many seconds without use a session expires. */
  readonly idle: number
  /** The time in milliseconds: of a clock that goes on over restarts, and may be set meanwhile. */
  readonly now?: () => number
}

/**
 * Opens the sessions in the home. Disabling an account, or giving it another password, ends its
 * sessions without our being told: its epoch is then another.
 */
export async function openSessions(
  home: KeyValueStore,
  accounts: Accounts,
  { idle, now = Date.now }: SessionOptions,
): Promise<Sessions> {
  const held = new Map<string, StoredSession>()

  for await (const [key, value] of home.entries(prefix))
    // A cast, for it is what toEntry wrote.
    held.set(key.slice(prefix.length), JSON.parse(value) as StoredSession)
  await end(outdated())

  function outdated(): readonly string[] {
    return [...held].filter(([, kept]) => !accountOf(kept)).map(([hash]) => hash)
  }

  /** Whose session it is, if it holds. */
  function accountOf(kept: StoredSession): Account | undefined {
    const account = accounts.find(kept.name)
    return isOver(kept) || account?.epoch !== kept.epoch || account.disabled ? undefined : account
  }

  // Opened while the clock was ahead of what it says now, it would last until the clock is there again.
  // By less than what may pass without use, nobody is signed out for it.
  function isOver({ opened, used }: StoredSession): boolean {
    const age = now() - opened
    return now() - used >= idle * 1000 || age >= maxSessionMs || age <= -idle * 1000
  }

  /** From memory first: a use that is noted meanwhile must not bring the session back. */
  async function end(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) held.delete(hash)
    await home.write(hashes.map(toRemoval))
  }

  /** Those of an account, first the one that was not used for longest. */
  function sessionsOf(name: string): readonly string[] {
    const own = [...held].filter(([, kept]) => kept.name === name)
    return own.sort(([, a], [, b]) => a.used - b.used).map(([hash]) => hash)
  }

  async function open(account: Account, former?: string): Promise<Session> {
    const key = createSessionKey()
    const hash = hashKey(key)
    const { name, epoch } = account
    const kept: StoredSession = { name, epoch, opened: now(), used: now(), written: now() }
    const over = new Set([
      ...(former === undefined ? [] : [hashKey(former)].filter((one) => held.has(one))),
      ...outdated(),
    ])
    const others = sessionsOf(name).filter((one) => !over.has(one))
    const gone = [...over, ...others.slice(0, Math.max(0, others.length - maxPerAccount + 1))]
    for (const one of gone) held.delete(one)
    await home.write([...gone.map(toRemoval), toEntry(hash, kept)])
    held.set(hash, kept)
    return { key, account, csrf: csrfOf(key) }
  }

  function find(key: string): Session | undefined {
    const hash = hashKey(key)
    const kept = held.get(hash)
    if (!kept) return undefined
    const account = accountOf(kept)
    if (!account) {
      // For good: a clock that is set again would bring it back. What the disk does not take, as in `use`.
      end([hash]).catch(() => undefined)
      return undefined
    }
    use(hash, kept)
    return { key, account, csrf: csrfOf(key) }
  }

  /** Notes that it was used. What is written every few minutes only is lost by no more than those. */
  function use(hash: string, kept: StoredSession): void {
    // Either way, for the clock may have been set back since.
    const isDue = Math.abs(now() - kept.written) >= writeInterval
    const used = { ...kept, used: now(), ...(isDue ? { written: now() } : {}) }
    held.set(hash, used)
    accounts.noteUse(kept.name)
    // A disk that failed is told by the home itself, and one that is full may take the next note.
    if (isDue) home.write([toEntry(hash, used)]).catch(() => undefined)
  }

  return {
    open,
    find,
    close: (key) => end([hashKey(key)].filter((hash) => held.has(hash))),
    closeAll: (name, except) =>
      end(sessionsOf(name).filter((hash) => except === undefined || hash !== hashKey(except))),
    count: () => [...held.values()].filter(accountOf).length,
  }
}

/**
 * A key for a browser. One that opened no session is a visitor's: it proves that the form of the
 * login came from us, and nothing else.
 */
export function createSessionKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The CSRF token of all forms that the browser with this key gets. */
export function csrfOf(key: string): string {
  return createHmac('sha256', key).update('csrf').digest('base64url')
}

/** Whether a form did not come from us, though the browser has this key. */
export function isForged(key: string, token: string): boolean {
  const [expected, sent] = [csrfOf(key), token].map((text) =>
    createHash('sha256').update(text).digest(),
  ) as [Buffer, Buffer]
  return !timingSafeEqual(expected, sent)
}

const { sessions: prefix } = prefixes

type StoredSession = {
  readonly name: string
  readonly epoch: number
  /** Times in milliseconds; `written` is when `used` was last put on the disk. */
  readonly opened: number
  readonly used: number
  readonly written: number
}

/** How long a session lasts, however much it is used. */
const maxSessionMs = 7 * 24 * 3_600_000

const writeInterval = 5 * 60_000

/** How many sessions an account has at most. */
const maxPerAccount = 20

// It needs no salt and no price: a key is 256 bits of chance.
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function toEntry(hash: string, kept: StoredSession) {
  return { key: prefix + hash, value: JSON.stringify(kept) }
}

function toRemoval(hash: string) {
  return { key: prefix + hash, value: undefined }
}
