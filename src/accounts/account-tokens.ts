// The tokens of accounts: that of logins, which is derived from the server key, and those that were
// added. What a token may be: access-tokens.ts.

import { message } from '../message.js'
import { InvalidError, RequestError } from '../errors.js'
import {
  type NewToken,
  type TokenInfo,
  createToken,
  isExpired,
  loginLabel,
  maxTokens,
} from './access-tokens.js'
import { type AccountChanges, requireAccount } from './account-changes.js'
import { narrowRights } from './rights.js'
import type { Account, StoredAccount, StoredAccounts } from './stored-accounts.js'
import { deriveToken, hashToken } from './token.js'

export type AccountTokens = {
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
   * The account of a token, with the rights that the token has.
   * @throws InvalidTokenError, also for a token that expired; AccountDisabledError
   */
  authenticate(token: string): Account
  /** The same of a token that is good for reading the feed of tasks alone. */
  authenticateFeed(token: string): Account
}

type AddedToken = {
  readonly account: Account
  readonly token: string
  readonly info: TokenInfo
}

type WithoutToken = Omit<StoredAccount, 'tokenHash'>

export type LoginTokens = ReturnType<typeof createLoginTokens>

/** The tokens of logins are not stored; they are derived from the server key when needed. */
export function createLoginTokens(serverKey: Uint8Array) {
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

type AccountTokensDependencies = Pick<AccountChanges, 'change'> & {
  readonly accounts: StoredAccounts
  readonly loginTokens: LoginTokens
  readonly now: () => number
}

export function createAccountTokens({
  accounts,
  loginTokens,
  change,
  now,
}: AccountTokensDependencies): AccountTokens {
  // Looked up by hash, so the time of the search tells nothing about a token.
  function authenticate(token: string, purpose?: TokenInfo['purpose']): Account {
    const match = accounts.findByTokenHash(hashToken(token))
    if (!match) throw invalidTokenError()
    const { stored, label } = match
    const limits = stored.tokens.find((candidate) => candidate.label === label)
    if (limits?.purpose !== purpose) throw invalidTokenError()
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
    const { account: before } = requireAccount(accounts, name)
    const { token, stored: added } = createToken(before, newToken, now())
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
      purpose: undefined,
      role: undefined,
      restrictedTo: [],
      lastFour: loginTokens.tokenOf(stored).slice(-4),
      created: stored.tokenCreated,
      expires: undefined,
    }
    return [login, ...stored.tokens].map((token) => ({
      label: token.label,
      purpose: token.purpose,
      role: token.role,
      restrictedTo: token.restrictedTo,
      lastFour: token.lastFour,
      created: token.created,
      expires: token.expires,
      lastUsed: stored.tokenUses.get(token.label),
    }))
  }

  const revoke = (name: string, label?: string): Promise<Account> =>
    change(name, (stored) => {
      const left = label === undefined ? [] : stored.tokens.filter((token) => token.label !== label)
      if (label !== undefined && label !== loginLabel && left.length === stored.tokens.length)
        throw new InvalidError(
          message('"{name}" has no token with the label "{label}".', { name, label }),
        )
      const isLogin = label === undefined || label === loginLabel
      return isLogin
        ? loginTokens.withToken({
            ...withoutTokenUse(stored, loginLabel),
            tokens: left,
            generation: stored.generation + 1,
            tokenCreated: new Date(now()).toISOString(),
          })
        : { ...stored, tokens: left }
    })

  return {
    addToken,
    tokensOf,
    revoke,
    tokenOf: (name) => loginTokens.tokenOf(requireAccount(accounts, name)),
    authenticate: (token) => authenticate(token),
    authenticateFeed: (token) => authenticate(token, 'feed'),
  }
}

const invalidTokenError = (): RequestError => new RequestError('unauthenticated', 'Invalid token.')

/** @throws InvalidError */
function checkTokenIsNew({ account: { name }, tokens }: StoredAccount, label: string): void {
  if (tokens.some((token) => token.label === label))
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
