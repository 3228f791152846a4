// Invitations: links by which people choose the password of their account themselves, once and
// within two days. The key-value store has the hash of the key in the link. The page that a link
// leads to: http/editing/invitations.tsx.

import { randomBytes } from 'node:crypto'

import { message } from '../message.js'
import { InvalidError, NotFoundError, RequestError } from '../errors.js'
import { networkOf } from '../lib/network.js'
import { limitConcurrency } from '../lib/scheduling.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import { parseAccountName, parseRights, validateNewPassword } from './account-rules.js'
import type { Account, Accounts, NewAccount } from './accounts.js'
import { LoginThrottle } from './login-throttle.js'
import type { Rights } from './rights.js'
import { hashToken } from './token.js'

type Invitation = Rights & {
  /** The name that the account will have. */
  readonly name: string
  /** As ISO 8601 times. */
  readonly created: string
  readonly expires: string
}

export type Invitations = {
  /**
   * Makes an invitation, in place of an open one for the same name.
   * @returns the key of the link too, which can be read this once only
   * @throws InvalidError
   */
  invite(
    account: Omit<NewAccount, 'password'>,
  ): Promise<{ readonly invitation: Invitation; readonly key: string }>
  /** Those that can be accepted, the oldest first. */
  open(): readonly Invitation[]
  /** Binds those that are bound to a repository to another one; without it, to none. */
  moveRepository(from: string, into: string | undefined): Promise<void>
  /** Makes the open invitation for a name void. @throws InvalidError if there is none */
  withdraw(name: string): Promise<void>
  /**
   * The invitation of a link. Wrong keys are counted for the client's address, and refused after
   * too many.
   * @throws RequestError, LoginThrottledError
   */
  find(key: string, address: string): Promise<Invitation>
  /**
   * Adds the account with this password. The invitation is used then.
   * @throws RequestError, LoginThrottledError, InvalidError
   */
  accept(key: string, password: string, address: string): Promise<Account>
}

/** How long an invitation can be accepted. */
const validMs = 2 * 86_400_000

/**
 * How long it is remembered that an invitation was used or has expired, so that its link says so.
 */
const rememberedMs = 30 * 86_400_000

/** @param now the time in milliseconds */
export async function loadInvitations(
  store: Pick<KeyValueStore, 'entries' | 'write'>,
  accounts: Pick<Accounts, 'add' | 'find'>,
  now: () => number = Date.now,
): Promise<Invitations> {
  const invitations = new StoredInvitations(store, accounts, now)
  await invitations.load()
  return invitations
}

class StoredInvitations implements Invitations {
  readonly #store: Pick<KeyValueStore, 'entries' | 'write'>
  readonly #accounts: Pick<Accounts, 'add' | 'find'>
  readonly #now: () => number
  /** By the hashes of their keys. */
  readonly #invitations = new Map<string, StoredInvitation>()
  readonly #throttle = new LoginThrottle(() => performance.now())
  readonly #runAlone = limitConcurrency(1)

  constructor(
    store: Pick<KeyValueStore, 'entries' | 'write'>,
    accounts: Pick<Accounts, 'add' | 'find'>,
    now: () => number,
  ) {
    this.#store = store
    this.#accounts = accounts
    this.#now = now
  }

  async load(): Promise<void> {
    for await (const [key, value] of this.#store.entries(prefix))
      this.#invitations.set(key.slice(prefix.length), parseInvitation(value))
  }

  invite(account: Omit<NewAccount, 'password'>): ReturnType<Invitations['invite']> {
    return this.#runAlone(async () => {
      const name = parseAccountName(account.name)
      const rights = parseRights(account.role, account.restrictedTo, account.repository)
      if (this.#accounts.find(name))
        throw new InvalidError(message('There is already an account named "{name}".', { name }))
      const key = randomBytes(32).toString('base64url')
      const invitation = {
        name,
        ...rights,
        created: new Date(this.#now()).toISOString(),
        expires: new Date(this.#now() + validMs).toISOString(),
      }
      const former = this.#openFor(name).map((hash) => [hash, undefined] as const)
      await this.#save([...former, [hashToken(key), invitation]])
      return { invitation, key }
    })
  }

  open(): readonly Invitation[] {
    return [...this.#invitations.values()]
      .filter((invitation) => this.#isOpen(invitation))
      .sort((a, b) => (a.created < b.created ? -1 : 1))
  }

  moveRepository(from: string, into: string | undefined): Promise<void> {
    return this.#runAlone(() =>
      this.#save(
        [...this.#invitations]
          .filter(([, { repository }]) => repository === from)
          .map(([hash, invitation]) => [hash, { ...invitation, repository: into ?? '' }]),
      ),
    )
  }

  withdraw(name: string): Promise<void> {
    return this.#runAlone(async () => {
      const hashes = this.#openFor(name)
      if (hashes.length === 0)
        throw new InvalidError(message('There is no open invitation for "{name}".', { name }))
      await this.#save(hashes.map((hash) => [hash, undefined]))
    })
  }

  async find(key: string, address: string): Promise<StoredInvitation> {
    // No key looks like this, so it is no guess.
    if (!/^[\w-]{43}$/.test(key)) throw unknownInvitation()
    const network = networkOf(address)
    // Counted for the network alone: no name is guessed here.
    const attempt = { name: `invitation ${network}`, network, isKnownNetwork: false }
    const hash = hashToken(key)
    const invitation = await this.#throttle.run(attempt, () =>
      Promise.resolve(this.#invitations.get(hash)),
    )
    if (!invitation) throw unknownInvitation()
    return this.#requireOpen(hash)
  }

  accept(key: string, password: string, address: string): Promise<Account> {
    return this.#runAlone(async () => {
      const invitation = await this.find(key, address)
      validateNewPassword(password)
      const account = await this.#accounts.add({ ...invitation, password })
      await this.#save([[hashToken(key), { ...invitation, used: account.created }]])
      return account
    })
  }

  /** Writes what changes, undefined for what goes, and forgets what is old. */
  async #save(
    changes: readonly (readonly [hash: string, invitation: StoredInvitation | undefined])[],
  ): Promise<void> {
    const old = [...this.#invitations]
      .filter(([, { expires }]) => Date.parse(expires) + rememberedMs < this.#now())
      .map(([hash]) => [hash, undefined] as const)
    const all = [...old, ...changes]
    await this.#store.write(
      all.map(([hash, invitation]) => ({
        key: prefix + hash,
        value: invitation && JSON.stringify(invitation),
      })),
    )
    for (const [hash, invitation] of all)
      if (invitation) this.#invitations.set(hash, invitation)
      else this.#invitations.delete(hash)
  }

  #isOpen({ used, expires }: StoredInvitation): boolean {
    return used === undefined && Date.parse(expires) > this.#now()
  }

  #openFor(name: string): readonly string[] {
    return [...this.#invitations]
      .filter(([, invitation]) => invitation.name === name && this.#isOpen(invitation))
      .map(([hash]) => hash)
  }

  /** @throws RequestError */
  #requireOpen(hash: string): StoredInvitation {
    const invitation = this.#invitations.get(hash)
    if (!invitation) throw unknownInvitation()
    if (invitation.used !== undefined) throw usedInvitation()
    if (!this.#isOpen(invitation)) throw expiredInvitation()
    return invitation
  }
}

const { invitations: prefix } = prefixes

type StoredInvitation = Invitation & {
  /** When it was accepted. */
  readonly used?: string
}

/** Reads the value of an entry. */
export const parseInvitation = (value: string): StoredInvitation =>
  // A cast: it is what `save` wrote.
  JSON.parse(value) as StoredInvitation

const unknownInvitation = (): NotFoundError =>
  new NotFoundError(
    message('There is no such invitation. Check that you opened the complete link.'),
  )

const usedInvitation = (): RequestError =>
  new RequestError(
    'gone',
    message('This invitation was used already. Sign in with the password that was chosen then.'),
  )

const expiredInvitation = (): RequestError =>
  new RequestError(
    'gone',
    message('This invitation has expired. Ask an administrator for another one.'),
  )

const fail = (): never => {
  throw new Error('invitations are in the process that writes')
}

/** Requests are forwarded to the writing process; a process that only reads has none. */
export const noInvitations: Invitations = {
  invite: fail,
  open: () => [],
  moveRepository: fail,
  withdraw: fail,
  find: fail,
  accept: fail,
}
