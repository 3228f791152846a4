// Derives the tokens of accounts from the server key, and reads and makes that key. Only the hashes
// of tokens are stored, although a login gives the same token each time:
// docs/explanation/architecture.md, "Accounts and tokens". Which account a token belongs to:
// accounts.ts.

import { createHmac, hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { ExpectedError } from '../errors.js'
import { ifAbsent, replaceFileDurably } from '../lib/durable-file.js'

/** The token of an account: 40 hexadecimal characters. Names contain no NUL. */
export function deriveToken(key: Uint8Array, name: string, generation: number): string {
  return createHmac('sha256', key).update(`${name}\0${generation}`).digest('hex').slice(0, 40)
}

/** The stored form of a client's network. No name begins with NUL, so it is nobody's token. */
export function hashNetwork(key: Uint8Array, network: string): string {
  return createHmac('sha256', key).update(`\0address\0${network}`).digest('hex').slice(0, 16)
}

/**
 * A key for signatures that are no tokens of accounts. No name begins with NUL, so it is nobody's
 * token.
 */
export const deriveSigningKey = (key: Uint8Array, purpose: string): Buffer =>
  createHmac('sha256', key).update(`\0signature\0${purpose}`).digest()

/** The stored form of a token. It needs no salt and no slow hash: a token has 160 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/**
 * The server key; undefined when there is no file.
 * @throws ExpectedError when its length is wrong
 */
export async function readKey(file: string): Promise<Buffer | undefined> {
  const key = await readFile(file).catch(ifAbsent)
  if (key && key.length !== keyLength)
    throw new ExpectedError(
      `${file} has ${key.length} bytes, but the server key has ${keyLength}. ${recoveryHint(file)}`,
    )
  return key
}

/**
 * Makes the server key, which is on the disk when the promise resolves. The file appears complete
 * or not at all, so a start that was interrupted leaves no key of the wrong length to the next one.
 * The caller holds the lock of the data directory, so no other process makes one.
 */
export async function createKey(file: string): Promise<Buffer> {
  const key = randomBytes(keyLength)
  await replaceFileDurably(file, key)
  return key
}

/** The key is gone although tokens were made from it. */
export function missingServerKeyError(file: string): ExpectedError {
  return new ExpectedError(
    `${file}, the server key, is missing, but there are accounts with tokens made from it. ${recoveryHint(file)}`,
  )
}

const keyLength = 32

function recoveryHint(file: string): string {
  return (
    'Restore it from a backup. If it is lost, make a new one with ' +
    `(umask 077; head -c ${keyLength} /dev/urandom > '${file}'): every token then changes, ` +
    'and every client has to log in again to get its new token.'
  )
}
