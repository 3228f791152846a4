// Checks that the data belong to the BASE_URL of the settings, and moves data that follow the
// address. What is stored and how IRIs are rewritten: store/key-value/base-url.ts.

import type { Config } from '../config.js'
import type { Resources } from '../model/resources.js'
import { checkBaseUrl, rebase } from '../store/key-value/base-url.js'
import { baseUrlKey } from '../store/key-value/keys.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { markRemoteStale } from '../store/remote/remote-store.js'

type BaseUrlSetting = Pick<Config, 'baseUrl' | 'isBaseUrlSet'>

/** Data that were moved when the service was started at another address. */
export type MovedData = { readonly from: string; readonly records: number }

/**
 * Data that were made without BASE_URL are moved to the new address if BASE_URL is not set now
 * either.
 * @throws ExpectedError when the data belong to another base URL
 */
export async function adoptBaseUrl(
  store: KeyValueStore,
  { baseUrl, isBaseUrlSet }: BaseUrlSetting,
  loadResources: () => Promise<Resources>,
): Promise<MovedData | undefined> {
  const from = await store.get(baseUrlKey)
  const relation = await checkBaseUrl(store, baseUrl, isBaseUrlSet)
  if (relation === 'matches' || from === undefined) return undefined
  return { from, records: await moveData(store, baseUrl, await loadResources()) }
}

/** Moves all records to the base URL. @returns their number */
export async function moveData(
  store: KeyValueStore,
  baseUrl: string,
  resources: Resources,
): Promise<number> {
  const fields = Object.values(resources).flatMap((resource) => resource.fields)
  const links = fields.filter(({ kind }) => kind === 'link' || kind === 'url')
  await markRemoteStale(store)
  return rebase(store, baseUrl, new Set(links.map(({ path }) => path.at(-1)?.value ?? '')))
}
