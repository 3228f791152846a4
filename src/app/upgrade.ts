// What the first start of a later release does before it changes data of an earlier one: it copies
// the store into `backup-before-VERSION` of the data directory. A start that was interrupted keeps
// the copy, and goes on. What is then changed: derived-triples.ts.

import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { ExpectedError } from '../errors.js'
import { type Config, dataFiles } from '../config.js'
import { syncDirectory } from '../lib/durable-file.js'
import type { DiskFailedError } from '../lib/key-value/errors.js'
import { type KeyValueStore, openKeyValueStore } from '../lib/key-value/key-value-store.js'
import { copyClosedStore } from '../lib/key-value/store-copy.js'
import { checkBaseUrl } from '../store/key-value/base-url.js'
import {
  type StoredVersion,
  checkDataVersion,
  currentVersion,
  versionText,
} from '../store/key-value/data-version.js'
import { derivationKey, upgradeKey, versionKey } from '../store/key-value/keys.js'
import { findStoppedStore } from '../commands/backup.js'

const namePrefix = 'backup-before-'

/** The copies of earlier versions that stand in the data directory, by their names. */
export const upgradeBackups = async (dataDir: string): Promise<readonly string[]> =>
  (await readdir(dataDir))
    .filter((name) => /^backup-before-[\d.]+(?:unfinished)?$/.test(name))
    .sort()

/**
 * Opens the store. Where its data are of an earlier version, a copy is on the disk first.
 * @throws what openKeyValueStore throws
 * @throws ExpectedError for data of a later version, or of another base URL
 */
export async function openUpgradableStore(
  config: Config,
  onFatal?: (failure: DiskFailedError) => void,
): Promise<KeyValueStore> {
  const files = dataFiles(config.dataDir)
  const open = (): Promise<KeyValueStore> =>
    openKeyValueStore(files.store, onFatal, [files.tokenKey])
  const store = await open()
  if (!(await isCopyDue(store, config).catch(closing(store)))) return store
  await store.close()
  await copyInto(config.dataDir, files.store)
  const again = await open()
  // From now on the copy is right, and the store is not what it was.
  await again.write([{ key: upgradeKey, value: versionText(currentVersion) }]).catch(closing(again))
  return again
}

/**
 * The version of data that have to be brought to this one; undefined where there are none.
 * @throws ExpectedError for data of a later version
 */
export async function versionToUpgrade(
  store: Pick<KeyValueStore, 'getMany'>,
): Promise<StoredVersion | undefined> {
  const [format, derivation] = await store.getMany([versionKey, derivationKey])
  // A new store.
  if (format === undefined) return undefined
  const stored = { format, derivation }
  checkDataVersion(stored)
  return versionText(stored) === versionText(currentVersion) ? undefined : stored
}

/**
 * Removes the copies.
 * @param before a time as ISO 8601; with it, only those that were made before it
 * @returns their paths
 */
export async function removeUpgradeBackups(
  dataDir: string,
  before?: string,
): Promise<readonly string[]> {
  const removed: string[] = []
  for (const name of await upgradeBackups(dataDir)) {
    const path = join(dataDir, name)
    if (before !== undefined && (await stat(path)).mtime.toISOString() >= before) continue
    await rm(path, { recursive: true })
    removed.push(path)
  }
  if (removed.length > 0) await syncDirectory(dataDir)
  return removed
}

/** @throws ExpectedError while the upgrade of a stopped service is not finished */
export async function checkUpgradeIsFinished(dataDir: string): Promise<void> {
  const store = await findStoppedStore(dataDir)
  const isUpgrading = (await store?.get(upgradeKey)) !== undefined
  await store?.close()
  if (isUpgrading)
    throw new ExpectedError('the upgrade is not finished; start the service, which goes on with it')
}

/** A start that is refused for its base URL copies nothing. */
async function isCopyDue(
  store: KeyValueStore,
  { baseUrl, isBaseUrlSet }: Config,
): Promise<boolean> {
  if (!(await versionToUpgrade(store))) return false
  await checkBaseUrl(store, baseUrl, isBaseUrlSet)
  return (await store.get(upgradeKey)) === undefined
}

/** It gets its name when it is complete. One from an upgrade that was taken back is replaced. */
async function copyInto(dataDir: string, store: string): Promise<void> {
  const directory = join(dataDir, namePrefix + versionText(currentVersion))
  const unfinished = `${directory}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await copyClosedStore(store, join(unfinished, 'store'))
  await syncDirectory(unfinished)
  await rm(directory, { recursive: true, force: true })
  await rename(unfinished, directory)
  await syncDirectory(dataDir)
}

const closing =
  (store: KeyValueStore) =>
  async (error: unknown): Promise<never> => {
    await store.close()
    throw error
  }
