// The identifiers that were forgotten for good: no record may have one of them again, and the IRIs of
// those that the public knew say that they are gone. Only their hashes are kept, made with a key that
// is not in the store.

import { createHmac } from 'node:crypto'

import {
  type KeyValueStore,
  type KeyValueWrite,
  getSoonest,
} from '../../lib/key-value/key-value-store.js'
import { prefixes } from './keys.js'

export type ForgottenIdentifiers = {
  /** @param record the key that a record with the identifier would have */
  has(record: string): boolean | Promise<boolean>
  /** Whether everybody may be told that there was one. */
  isToldOf(record: string): Promise<boolean>
  /** The entry of an identifier, to be written with what forgets it. */
  entryOf(record: string, isTold: boolean): KeyValueWrite
}

/** @param key of the HMAC; with another key, earlier identifiers are not known any more */
export function createForgottenIdentifiers(
  store: Pick<KeyValueStore, 'get' | 'getNow'>,
  key: Uint8Array,
): ForgottenIdentifiers {
  const keyOf = (record: string): string =>
    prefixes.forgottenIdentifiers + createHmac('sha256', key).update(record).digest('hex')

  return {
    has: (record) => {
      const value = getSoonest(store, keyOf(record))
      return value instanceof Promise ? value.then(isThere) : isThere(value)
    },
    isToldOf: async (record) => (await store.get(keyOf(record))) === forgottenValues.told,
    entryOf: (record, isTold) => ({
      key: keyOf(record),
      value: isTold ? forgottenValues.told : forgottenValues.untold,
    }),
  }
}

/** The values of the entries, by whether everybody may be told that there was such an identifier. */
export const forgottenValues = { told: '', untold: '-' } as const

const isThere = (value: string | undefined): boolean => value !== undefined

/** Those of a process that only reads: the process that writes has them. */
export const noForgottenIdentifiers: ForgottenIdentifiers = {
  has: () => false,
  isToldOf: () => Promise.resolve(false),
  entryOf: () => {
    throw new Error('this process only reads')
  },
}
