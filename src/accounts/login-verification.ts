// Checks the name and password of a login, slowed down by login-throttle.ts. What a login gives, a
// token or a session: accounts.ts and sessions.ts.

import { networkOf } from '../lib/network.js'
import { maxNameLength, maxPasswordLength } from './account-rules.js'
import { CredentialsError } from './errors.js'
import { LoginThrottle } from './login-throttle.js'
import type { PasswordHash } from './password.js'
import { createDummyHash, hashPassword, verifyPassword } from './password.js'
import type { StoredAccount, StoredAccounts } from './stored-accounts.js'
import { hashNetwork } from './token.js'

/**
 * The account that has this name and password. All refusals for a name or password take the same
 * time.
 * @param address the client's IP address; without it nothing is counted and nothing throttled
 * @throws CredentialsError, LoginBusyError, LoginThrottledError
 */
export type VerifyLogin = (
  name: string,
  password: string,
  address: string | undefined,
) => Promise<StoredAccount>

type LoginDependencies = {
  readonly accounts: StoredAccounts
  readonly serverKey: Uint8Array
  /** scrypt's N for new hashes. */
  readonly cost: number
  /** The time in milliseconds. */
  readonly now: () => number
  /** The time for the throttle, of a clock that nobody sets. */
  readonly monotonicNow: () => number
  /** Replaces the hash of the same password. */
  readonly upgradeHash: (
    name: string,
    before: PasswordHash,
    after: PasswordHash,
  ) => Promise<unknown>
}

export function createLoginVerification({
  accounts,
  serverKey,
  cost,
  now,
  monotonicNow,
  upgradeHash,
}: LoginDependencies): VerifyLogin {
  const dummyHash = createDummyHash(cost)
  const throttle = new LoginThrottle(monotonicNow)

  async function compare(name: string, password: string): Promise<StoredAccount | undefined> {
    const before = accounts.find(name)
    const hashes = [dummyHash, ...accounts.all().map((stored) => stored.password)]
    const costs = new Set(hashes.map(({ N }) => N))
    const isRight = await verifyPassword(password, before?.password ?? dummyHash, costs)
    // Read again: meanwhile it may have been disabled, its token revoked or its password changed.
    const after = accounts.find(name)
    const isSame = after && after.account.epoch === before?.account.epoch
    return isRight && isSame && !after.account.disabled ? after : undefined
  }

  /** Hashes the password again where its hash cost less than new hashes do. */
  async function upgrade({ account, password: before }: StoredAccount, password: string) {
    if (before.N >= cost) return
    const after = await hashPassword(password, cost)
    // The old hash stays valid: on a full disk one can still log in.
    await upgradeHash(account.name, before, after).catch(() => undefined)
  }

  return async (name, password, address) => {
    // Checked before normalising, which is slow for long texts. No name has so many UTF-16 units.
    if (password.length > maxPasswordLength || name.length > 4 * maxNameLength)
      throw new CredentialsError()
    // scrypt ignores null characters at the end: another password would be accepted.
    if (`${name}${password}`.includes('\0')) throw new CredentialsError()
    const normalized = name.normalize('NFC')
    const network = address === undefined ? undefined : networkOf(address)
    const networkHash = network === undefined ? undefined : hashNetwork(serverKey, network)
    const isKnownNetwork =
      networkHash !== undefined &&
      accounts.find(normalized)?.knownNetworks.includes(networkHash) === true
    const stored = await throttle.run({ name: normalized, network, isKnownNetwork }, () =>
      compare(normalized, password),
    )
    if (!stored) throw new CredentialsError()
    accounts.recordUse(normalized, now(), { networkHash })
    await upgrade(stored, password)
    return stored
  }
}
