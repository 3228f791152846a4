// What is done to a catalogue that is stopped: it is moved, exported, imported, or has its engine filled.

import { createKey, readKey } from '../accounts/token.js'
import { ArchiveRefused, type Tally, exportTo, importFrom } from '../commands/archive.js'
import { type Config, dataFiles } from '../config.js'
import { addressesUnder } from '../model/iris.js'
import { claimBase, rebase } from '../store/key-value/base-url.js'
import { openEndpoint } from '../store/remote/sparql-client.js'
import { type Home, openHome } from '../store/key-value/key-value-store.js'
import { leaveRemote, takeRemote } from '../store/remote/remote-store.js'
import { openModel } from './load-model.js'

/**
 * Moves a stopped catalogue to the configuration's base, and tells the number of its records.
 * @throws HomeInUse, BaseRefused
 */
export async function moveCollection(config: Config): Promise<number> {
  const { resources } = await openModel(config)
  const fields = Object.values(resources).flatMap((resource) => resource.fields)
  const links = fields.filter(({ kind }) => kind === 'link' || kind === 'url')
  const properties = new Set(links.map(({ path }) => path.at(-1)?.value ?? ''))
  return withHome(config, async (home) => {
    await leaveRemote(home)
    return rebase(home, config.baseUrl, properties)
  })
}

/** Writes all that a stopped catalogue keeps to a file. @throws HomeInUse, BaseRefused, ArchiveRefused */
export const exportCollection = (config: Config, file: string): Promise<Tally> =>
  withClaimed(config, (home) => exportTo(file, home, config.baseUrl))

/**
 * Puts what such a file holds into a data directory.
 * @throws HomeInUse, BaseRefused, ArchiveRefused
 */
export const importCollection = (
  config: Config,
  file: string,
  how: { readonly replace: boolean },
): Promise<Tally> =>
  withClaimed(config, async (home) => {
    const tally = await importFrom(file, home, { base: config.baseUrl, ...how })
    await leaveRemote(home)
    // Without one the accounts would be refused; where the old one is put back, their tokens stay.
    const { tokenKey } = dataFiles(config.dataDir)
    if (!(await readKey(tokenKey))) await createKey(tokenKey)
    return tally
  })

/**
 * Has the engine of a stopped catalogue filled with what its data directory holds, at its next start.
 * @throws HomeInUse, BaseRefused, StoreUnavailable
 */
export const rebuildStore = ({ store, ...config }: Config): Promise<void> =>
  withClaimed(config, async (home) => {
    if (store === 'embedded') throw new ArchiveRefused('STORE names no engine to be filled')
    const { public: open, records } = addressesUnder(config.baseUrl).graphs
    await takeRemote(home, openEndpoint(store), { shown: [open], records })
  })

type Where = Pick<Config, 'baseUrl' | 'dataDir'>

/** Does a work on what is kept under this base, and no other. */
const withClaimed = <Result>(
  where: Where,
  work: (home: Home) => Promise<Result>,
): Promise<Result> =>
  withHome(where, async (home) => {
    await claimBase(home, where.baseUrl)
    return work(home)
  })

async function withHome<Result>(
  { dataDir }: Pick<Where, 'dataDir'>,
  work: (home: Home) => Promise<Result>,
): Promise<Result> {
  const files = dataFiles(dataDir)
  const home = await openHome(files.home, undefined, [files.tokenKey])
  try {
    return await work(home)
  } finally {
    await home.close()
  }
}
