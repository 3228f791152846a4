// Tokens, and the server key that they are made from. A client gets the same token at every request,
// and yet none is stored: it is derived anew, and only its hash is kept (spec: Authentication, 5).

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import { ExpectedError } from '../errors.js'
import { syncDirectory, writeFileDurably } from '../store/durable-file.js'

/** The server key cannot be used as it is; the message says what its keeper can do. */
export class ServerKeyError extends ExpectedError {}

/** The token of one account's generation: 40 hexadecimal characters. Names contain no NUL. */
export function deriveToken(key: Uint8Array, name: string, generation: number): string {
  return createHmac('sha256', key).update(`${name}\0${generation}`).digest('hex').slice(0, 40)
}

/** What is kept of the address of a client. No name begins with NUL, so that it is nobody's token. */
export function hashAddress(key: Uint8Array, address: string): string {
  return createHmac('sha256', key).update(`\0address\0${address}`).digest('hex').slice(0, 16)
}

/** What is kept of a token. It needs no salt and no price: a token is 160 bits of chance. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * The server key; undefined when the file is not there.
 * @throws KeyRefused when its length is wrong
 */
export async function readKey(file: string): Promise<Buffer | undefined> {
  const key = await readFile(file).catch(ifAbsent)
  if (key && key.length !== keyLength)
    throw new ServerKeyError(
      `${file} has ${key.length} bytes, but the server key has ${keyLength}. ${recoveryHint(file)}`,
    )
  return key
}

/**
 * Makes the server key; it is on the disk when the promise is kept. The file appears whole or not at
 * all, so a start that was cut short does not stop the next one with a key of the wrong length.
 * The caller holds the lock of the data directory: nobody else is making one.
 */
export async function createKey(file: string): Promise<Buffer> {
  const key = randomBytes(keyLength)
  const unfinished = `${file}.new`
  await rm(unfinished, { force: true })
  await writeFileDurably(unfinished, key)
  await rename(unfinished, file)
  await syncDirectory(dirname(file))
  return key
}

/** The refusal when the key is gone while tokens made from it are in use. */
export function missingServerKeyError(file: string): ServerKeyError {
  return new ServerKeyError(
    `${file}, the server key, is missing, but there are accounts whose tokens were made from it. ${recoveryHint(file)}`,
  )
}

const keyLength = 32

function recoveryHint(file: string): string {
  return (
    'Put it back from a backup; or, if it is lost, make a new one with ' +
    `(umask 077; head -c ${keyLength} /dev/urandom > '${file}'): every token then changes, ` +
    'and every client has to ask for its token again.'
  )
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
