// Hashes and verifies passwords with scrypt. Each hash has its parameters beside it, so old hashes
// stay valid when the cost of new ones is raised. Which passwords are allowed: account-rules.ts.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

import { limitConcurrency } from '../lib/scheduling.js'

/** A stored password. N, r and p are the parameters of scrypt; salt and hash are in base64. */
export type PasswordHash = {
  readonly N: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly hash: string
}

/** scrypt's N for new hashes, as OWASP recommends: 128 MB and half a second. */
export const defaultCost = 2 ** 17

export async function hashPassword(password: string, cost: number): Promise<PasswordHash> {
  const dummy = createDummyHash(cost)
  return { ...dummy, hash: (await derive(password, dummy)).toString('base64') }
}

/**
 * Whether the hash is that of the password. Takes as long for a right password as for a wrong one.
 * @param costs scrypt's N of all hashes there are. Where there are several, all are computed every
 * time: otherwise the time of a refusal would tell a known name from an unknown one
 */
export async function verifyPassword(
  password: string,
  stored: PasswordHash,
  costs: Iterable<number> = [stored.N],
): Promise<boolean> {
  for (const N of costs) if (N !== stored.N) await derive(password, { ...stored, N })
  return timingSafeEqual(await derive(password, stored), Buffer.from(stored.hash, 'base64'))
}

/** A hash of no password, which takes as long to verify as a real one of this cost. */
export function createDummyHash(cost: number): PasswordHash {
  return {
    N: cost,
    r: 8,
    p: 1,
    salt: randomBytes(16).toString('base64'),
    hash: randomBytes(32).toString('base64'),
  }
}

// 128 MB each: eight at once would take a gigabyte, and all threads of the pool that writes files
// too.
const limit = limitConcurrency(2)

// NFC, because keyboards differ in how they send an accented letter: RFC 8265, OpaqueString.
function derive(password: string, { N, r, p, salt, hash }: PasswordHash): Promise<Buffer> {
  const text = password.normalize('NFC')
  const length = Buffer.from(hash, 'base64').length
  const options = { N, r, p, maxmem: 256 * N * r }
  return limit(
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, Buffer.from(salt, 'base64'), length, options, (error, derived) => {
          if (error) reject(error)
          else resolve(derived)
        })
      }),
  )
}
