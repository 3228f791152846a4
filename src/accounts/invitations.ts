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
import { createLoginThrottle } from './login-throttle.js'
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
  /** By the hashes of their keys. */
  const invitations = new Map<string, StoredInvitation>()
  const throttle = createLoginThrottle(() => performance.now())
  const runAlone = limitConcurrency(1)

  for await (const [key, value] of store.entries(prefix))
    invitations.set(key.slice(prefix.length), parseInvitation(value))

  /** Writes what changes, undefined for what goes, and forgets what is old. */
  async function save(
    changes: readonly (readonly [hash: string, invitation: StoredInvitation | undefined])[],
  ): Promise<void> {
    const old = [...invitations]
      .filter(([, { expires }]) => Date.parse(expires) + rememberedMs < now())
      .map(([hash]) => [hash, undefined] as const)
    const all = [...old, ...changes]
    await store.write(
      all.map(([hash, invitation]) => ({
        key: prefix + hash,
        value: invitation && JSON.stringify(invitation),
      })),
    )
    for (const [hash, invitation] of all)
      if (invitation) invitations.set(hash, invitation)
      else invitations.delete(hash)
  }

  const isOpen = ({ used, expires }: StoredInvitation): boolean =>
    used === undefined && Date.parse(expires) > now()

  const openFor = (name: string): readonly string[] =>
    [...invitations].filter(([, one]) => one.name === name && isOpen(one)).map(([hash]) => hash)

  /** @throws RequestError */
  function requireOpen(hash: string): StoredInvitation {
    const found = invitations.get(hash)
    if (!found) throw unknownInvitation()
    if (found.used !== undefined) throw usedInvitation()
    if (!isOpen(found)) throw expiredInvitation()
    return found
  }

  async function find(key: string, address: string): Promise<StoredInvitation> {
    // No key looks like this, so it is no guess.
    if (!/^[\w-]{43}$/.test(key)) throw unknownInvitation()
    const network = networkOf(address)
    // Counted for the network alone: no name is guessed here.
    const attempt = { name: `invitation ${network}`, network, isKnownNetwork: false }
    const hash = hashToken(key)
    const found = await throttle.run(attempt, () => Promise.resolve(invitations.get(hash)))
    if (!found) throw unknownInvitation()
    return requireOpen(hash)
  }

  return {
    invite: (account) =>
      runAlone(async () => {
        const name = parseAccountName(account.name)
        const rights = parseRights(account.role, account.restrictedTo, account.repository)
        if (accounts.find(name))
          throw new InvalidError(message('There is already an account named "{name}".', { name }))
        const key = randomBytes(32).toString('base64url')
        const invitation = {
          name,
          ...rights,
          created: new Date(now()).toISOString(),
          expires: new Date(now() + validMs).toISOString(),
        }
        const former = openFor(name).map((hash) => [hash, undefined] as const)
        await save([...former, [hashToken(key), invitation]])
        return { invitation, key }
      }),
    open: () =>
      [...invitations.values()]
        .filter(isOpen)
        .sort((one, other) => (one.created < other.created ? -1 : 1)),
    withdraw: (name) =>
      runAlone(async () => {
        const hashes = openFor(name)
        if (hashes.length === 0)
          throw new InvalidError(message('There is no open invitation for "{name}".', { name }))
        await save(hashes.map((hash) => [hash, undefined]))
      }),
    find,
    accept: (key, password, address) =>
      runAlone(async () => {
        const invitation = await find(key, address)
        validateNewPassword(password)
        const account = await accounts.add({ ...invitation, password })
        await save([[hashToken(key), { ...invitation, used: account.created }]])
        return account
      }),
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
    message('There is no such invitation. Look whether the whole address was opened.'),
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
  withdraw: fail,
  find: fail,
  accept: fail,
}
