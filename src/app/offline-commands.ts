// What is done to a catalogue that is stopped: it is moved, exported, imported, or has its engine filled.

import { createKey, readKey } from '../accounts/token.js'
import { ArchiveError } from '../commands/archive-file.js'
import { type ExportCounts, exportTo, importFrom } from '../commands/export.js'
import { type Config, dataFiles } from '../config.js'
import { createIris } from '../model/iris.js'
import { checkBaseUrl, rebase } from '../store/key-value/base-url.js'
import { createSparqlClient } from '../store/remote/sparql-client.js'
import { type KeyValueStore, openKeyValueStore } from '../store/key-value/key-value-store.js'
import { markRemoteStale, forceRemoteRebuild } from '../store/remote/remote-store.js'
import { loadModel } from './load-model.js'

/**
 * Moves a stopped catalogue to the configuration's base, and tells the number of its records.
 * @throws HomeInUse, BaseRefused
 */
export async function rebaseData(config: Config): Promise<number> {
  const { resources } = await loadModel(config)
  const fields = Object.values(resources).flatMap((resource) => resource.fields)
  const links = fields.filter(({ kind }) => kind === 'link' || kind === 'url')
  const properties = new Set(links.map(({ path }) => path.at(-1)?.value ?? ''))
  return withKeyValueStore(config, async (home) => {
    await markRemoteStale(home)
    return rebase(home, config.baseUrl, properties)
  })
}

/** Writes all that a stopped catalogue keeps to a file. @throws HomeInUse, BaseRefused, ArchiveRefused */
export const exportData = (config: Config, file: string): Promise<ExportCounts> =>
  withCheckedBaseUrl(config, (home) => exportTo(file, home))

/**
 * Puts what such a file holds into a data directory.
 * @throws HomeInUse, BaseRefused, ArchiveRefused
 */
export const importData = (
  config: Config,
  file: string,
  how: { readonly replace: boolean },
): Promise<ExportCounts> =>
  withCheckedBaseUrl(config, async (home) => {
    const tally = await importFrom(file, home, { base: config.baseUrl, ...how })
    await markRemoteStale(home)
    // Without one the accounts would be refused; where the old one is put back, their tokens stay.
    const { tokenKey } = dataFiles(config.dataDir)
    if (!(await readKey(tokenKey))) await createKey(tokenKey)
    return tally
  })

/**
 * Has the engine of a stopped catalogue filled with what its data directory holds, at its next start.
 * @throws HomeInUse, BaseRefused, StoreUnavailable
 */
export const scheduleRemoteRebuild = ({ store, ...config }: Config): Promise<void> =>
  withCheckedBaseUrl(config, async (home) => {
    if (store === 'embedded') throw new ArchiveError('STORE names no engine to be filled')
    const { public: open, records } = createIris(config.baseUrl).graphs
    await forceRemoteRebuild(home, createSparqlClient(store), { shown: [open], records })
  })

type Where = Pick<Config, 'baseUrl' | 'dataDir'>

/** Does a work on what is kept under this base, and no other. */
const withCheckedBaseUrl = <Result>(
  where: Where,
  work: (home: KeyValueStore) => Promise<Result>,
): Promise<Result> =>
  withKeyValueStore(where, async (home) => {
    await checkBaseUrl(home, where.baseUrl)
    return work(home)
  })

async function withKeyValueStore<Result>(
  { dataDir }: Pick<Where, 'dataDir'>,
  work: (home: KeyValueStore) => Promise<Result>,
): Promise<Result> {
  const files = dataFiles(dataDir)
  const home = await openKeyValueStore(files.home, undefined, [files.tokenKey])
  try {
    return await work(home)
  } finally {
    await home.close()
  }
}
