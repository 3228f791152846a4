// The commands that need a stopped service: `rebase` and `rebuild`. Each opens the key-value store,
// so it fails while a service has it open.

import { type Config, dataFiles, readConfig } from '../config.js'
import { ExpectedError } from '../errors.js'
import { createIris } from '../model/iris.js'
import { createSparqlClient } from '../store/remote/sparql-client.js'
import { checkBaseUrl } from '../store/key-value/base-url.js'
import { baseUrlKey, followsAddressKey } from '../store/key-value/keys.js'
import { readMove } from '../store/key-value/rebase.js'
import { type KeyValueStore, openKeyValueStore } from '../lib/key-value/key-value-store.js'
import { forceRemoteRebuild } from '../store/remote/remote-store.js'
import { moveData } from './base-url.js'
import { loadModel } from './load-model.js'
import { remoteGraphs } from './record-stores.js'

/**
 * The settings for a command of a stopped service. Where BASE_URL is not set, data that follow the
 * address keep the one that they have: only a start of the service moves them.
 * @throws ExpectedError, DataDirectoryInUseError
 */
export async function readStoppedConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const config = readConfig(env)
  if (config.isBaseUrlSet) return config
  return withKeyValueStore(config, async (store) => {
    const follows = (await store.get(followsAddressKey)) !== undefined
    const baseUrl = follows
      ? ((await readMove(store))?.to ?? (await store.get(baseUrlKey)))
      : undefined
    return baseUrl === undefined ? config : { ...config, baseUrl }
  })
}

/**
 * Moves the data to the base URL of the configuration.
 * @param notify told of a former move that is finished first
 * @returns the number of records
 * @throws DataDirectoryInUseError, ExpectedError
 */
export async function rebaseData(
  config: Config,
  notify: (line: string) => void = () => undefined,
  onMoved?: (records: number) => void,
): Promise<number> {
  const { resources } = await loadModel(config)
  return withKeyValueStore(config, (store) =>
    moveData(store, config.baseUrl, { resources, notify, onMoved }),
  )
}

/**
 * Makes the next start delete all data of the remote store and fill it from the data directory.
 * @throws DataDirectoryInUseError, ExpectedError, StoreUnavailableError
 */
export const scheduleRemoteRebuild = ({ store: remote, ...config }: Config): Promise<void> =>
  withCheckedBaseUrl(config, async (store) => {
    if (remote === 'embedded')
      throw new ExpectedError('STORE is embedded; only a remote store can be rebuilt')
    const graphs = remoteGraphs(createIris(config.baseUrl))
    await forceRemoteRebuild(store, createSparqlClient(remote), graphs)
  })

type DataLocation = Pick<Config, 'baseUrl' | 'isBaseUrlSet' | 'dataDir'>

/** Works on the store when its data belong to the base URL. @throws ExpectedError */
const withCheckedBaseUrl = <Result>(
  location: DataLocation,
  work: (store: KeyValueStore) => Promise<Result>,
): Promise<Result> =>
  withKeyValueStore(location, async (store) => {
    await checkBaseUrl(store, location.baseUrl, location.isBaseUrlSet)
    return work(store)
  })

async function withKeyValueStore<Result>(
  { dataDir }: Pick<DataLocation, 'dataDir'>,
  work: (store: KeyValueStore) => Promise<Result>,
): Promise<Result> {
  const files = dataFiles(dataDir)
  const store = await openKeyValueStore(files.store, undefined, [files.tokenKey])
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
