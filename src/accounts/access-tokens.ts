// The tokens of an account besides that of its logins: what a token may do, until when, and its
// stored form. Adding and revoking them: accounts.ts.

import { randomBytes } from 'node:crypto'

import { message } from '../message.js'
import { InvalidError } from '../errors.js'
import type { ResourceName } from '../model/iris.js'
import { parseRights } from './account-rules.js'
import { type Rights, type Role, type TokenLimits, isWithin } from './rights.js'
import { hashToken } from './token.js'

/** The label of the token that a login gives. */
export const loginLabel = 'login'

/** A token that is asked for. Role and resources are not checked yet. */
export type NewToken = {
  readonly label: string
  /** The role of the account unless given. */
  readonly role?: string | undefined
  /** The only resources that it may write; empty for all that the account may write. */
  readonly restrictedTo: readonly string[]
  /** How many days it is valid; undefined for ever. */
  readonly days?: number | undefined
  readonly purpose?: TokenPurpose | undefined
}

/** What a token is good for besides requests; such a token is good for nothing else. */
type TokenPurpose = 'feed'

/** What an account is told of one of its tokens. */
export type TokenInfo = TokenLimits & {
  readonly label: string
  /** Undefined for a token of requests. */
  readonly purpose?: TokenPurpose | undefined
  readonly lastFour: string
  /** As an ISO 8601 time. */
  readonly created: string
  /** The day of its last use, such as `2026-11-22`; undefined for never. */
  readonly lastUsed: string | undefined
  /** The time from which on it is void; undefined for never. */
  readonly expires: string | undefined
}

export type StoredToken = Omit<TokenInfo, 'lastUsed'> & { readonly hash: string }

/** How many tokens an account may have besides that of its logins. */
export const maxTokens = 50

const maxTokenDays = 3650

const maxLabelLength = 60

/**
 * A new random token for an account, with its stored form.
 * @param now the time in milliseconds
 * @throws InvalidError
 */
export function createToken(
  account: Rights,
  { label, role, restrictedTo, days, purpose }: NewToken,
  now: number,
): { readonly token: string; readonly stored: StoredToken } {
  const token = randomBytes(20).toString('hex')
  const stored = {
    label: parseLabel(label),
    ...parseLimits(account, role, restrictedTo),
    lastFour: token.slice(-4),
    created: new Date(now).toISOString(),
    expires: days === undefined ? undefined : expiryAfter(days, now),
    hash: hashToken(token),
    purpose,
  }
  return { token, stored }
}

/** The label in NFC, without white space at either end. @throws InvalidError */
function parseLabel(text: string): string {
  const label = text.normalize('NFC').trim()
  if (label === '') throw new InvalidError(message('The label of a token may not be blank.'))
  if (/[\p{Cc}\p{Cs}]/u.test(label))
    throw new InvalidError(message('The label of a token may not contain control characters.'))
  if (Array.from(label).length > maxLabelLength)
    throw new InvalidError(
      message('The label of a token is too long. Use at most {count} characters.', {
        count: maxLabelLength,
      }),
    )
  if (label === loginLabel)
    throw new InvalidError(
      message('"{name}" is the token that a login gives. Use another label for this one.', {
        name: loginLabel,
      }),
    )
  return label
}

/** @throws InvalidError when the token could do more than its account */
function parseLimits(
  account: Rights,
  role: string | undefined,
  restrictedTo: readonly string[],
): TokenLimits {
  const isRestricted = restrictedTo.length > 0
  const limits: TokenLimits =
    role === undefined && !isRestricted
      ? { role: undefined, restrictedTo: [] }
      : parseRights(role ?? (account.role === 'admin' ? 'editor' : account.role), restrictedTo)
  if (!isWithin(account, limits))
    throw new InvalidError(message('A token may not do more than its account may do.'))
  return limits
}

function expiryAfter(days: number, now: number): string {
  if (!Number.isInteger(days) || days < 1 || days > maxTokenDays)
    throw new InvalidError(
      message('A token expires after 1 to {count} days.', { count: maxTokenDays }),
    )
  return new Date(now + days * dayMs).toISOString()
}

const dayMs = 86_400_000

export const isExpired = ({ expires }: Pick<TokenInfo, 'expires'>, now: number): boolean =>
  expires !== undefined && Date.parse(expires) <= now

/** A token as it is in the entry of its account. */
export type TokenEntry = {
  readonly label: string
  readonly hash: string
  readonly end: string
  readonly created: string
  readonly expires?: string | undefined
  readonly role?: Role | undefined
  readonly only: readonly ResourceName[]
  readonly purpose?: TokenPurpose | undefined
}

export const toTokenEntry = ({ lastFour, restrictedTo, ...token }: StoredToken): TokenEntry => ({
  ...token,
  end: lastFour,
  only: restrictedTo,
})

/** Reads what `toTokenEntry` wrote. */
export const parseTokenEntry = ({
  end,
  only,
  role,
  expires,
  ...token
}: TokenEntry): StoredToken => ({
  ...token,
  role,
  expires,
  lastFour: end,
  restrictedTo: only,
})
