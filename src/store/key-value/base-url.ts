// The BASE_URL, which is stored with the data. A start with another BASE_URL is refused, because all
// IRIs would change; rebase.ts moves the data to it.

import { ExpectedError } from '../../errors.js'
import type { KeyValueStore } from '../../lib/key-value/key-value-store.js'
import { checkDataVersion, derivationEntry, versionEntry } from './data-version.js'
import { baseUrlKey, derivationKey, followsAddressKey, versionKey } from './keys.js'
import { readMove } from './rebase.js'

/**
 * Checks that the data belong to this base URL. An empty store is assigned to it.
 * @param isSet whether somebody chose the base URL; else it is made from the address of the service
 * @returns `follows` when the data belong to another address and nobody ever set BASE_URL: they
 * have to be moved with `rebase`
 * @throws ExpectedError when they belong to another base URL, or are of another version
 */
export async function checkBaseUrl(
  store: KeyValueStore,
  baseUrl: string,
  isSet = true,
): Promise<'matches' | 'follows'> {
  const [base, format, derivation, follows] = await store.getMany([
    baseUrlKey,
    versionKey,
    derivationKey,
    followsAddressKey,
  ])
  if (base === undefined && format === undefined) {
    await store.write([
      { key: baseUrlKey, value: baseUrl },
      versionEntry,
      derivationEntry,
      ...(isSet ? [] : [{ key: followsAddressKey, value: 'true' }]),
    ])
    return 'matches'
  }
  checkDataVersion({ format, derivation })
  // A move that was interrupted is finished.
  const stored = (await readMove(store))?.to ?? base
  if (stored === baseUrl) {
    if (isSet && follows !== undefined)
      await store.write([{ key: followsAddressKey, value: undefined }])
    return 'matches'
  }
  if (!isSet && follows !== undefined) return 'follows'
  throw new ExpectedError(
    `the data belong to ${stored}, but BASE_URL is ${baseUrl}: ` +
      `set BASE_URL=${stored}, or move the data with: npx zine-catalogue rebase ${baseUrl}`,
  )
}
