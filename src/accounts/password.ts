// Passwords, kept as scrypt hashes with their parameters beside them, so that raising the price for
// new passwords leaves the old ones valid. Which passwords are acceptable is not decided here.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

import { limitConcurrency } from '../scheduling.js'

/** What is kept of a password. The names are scrypt's: N, r, p; salt and hash are in base64. */
export type PasswordHash = {
  readonly N: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly hash: string
}

/** The price of a password when nothing else is said: OWASP's, 128 MB and half a second. */
export const defaultCost = 2 ** 17

export async function hashPassword(password: string, cost: number): Promise<PasswordHash> {
  const dummy = createDummyHash(cost)
  return { ...dummy, hash: (await derive(password, dummy)).toString('base64') }
}

/**
 * Whether it is this password's hash. Takes as long for a right password as for a wrong one. Where
 * passwords were hashed at several prices, all are paid every time: else the time that a refusal takes
 * would tell a name from one that is unknown.
 */
export async function verifyPassword(
  password: string,
  kept: PasswordHash,
  prices: Iterable<number> = [kept.N],
): Promise<boolean> {
  for (const N of prices) if (N !== kept.N) await derive(password, { ...kept, N })
  return timingSafeEqual(await derive(password, kept), Buffer.from(kept.hash, 'base64'))
}

/** A hash that no password has and that costs as much to compare as one made at this price. */
export function createDummyHash(cost: number): PasswordHash {
  return {
    N: cost,
    r: 8,
    p: 1,
    salt: randomBytes(16).toString('base64'),
    hash: randomBytes(32).toString('base64'),
  }
}

// 128 MB each: eight at once would take a gigabyte, and every thread that files are written with.
const twoAtATime = limitConcurrency(2)

// NFC, because keyboards differ in how they send an accented letter (RFC 8265, OpaqueString).
function derive(password: string, { N, r, p, salt, hash }: PasswordHash): Promise<Buffer> {
  const text = password.normalize('NFC')
  const length = Buffer.from(hash, 'base64').length
  const options = { N, r, p, maxmem: 256 * N * r }
  return twoAtATime(
    () =>
      new Promise((done, failed) => {
        scrypt(text, Buffer.from(salt, 'base64'), length, options, (error, derived) => {
          if (error) failed(error)
          else done(derived)
        })
      }),
  )
}
