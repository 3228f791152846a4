// What a catalogue keeps, and where: in a data directory, behind an endpoint, or by the process that writes.

import type { Logger } from 'pino'

import { openAccounts } from '../accounts/accounts.js'
import { accountsElsewhere, sessionsElsewhere } from '../accounts/reader-process.js'
import { openSessions } from '../accounts/sessions.js'
import { openIndex } from '../catalogue/index/memory-record-index.js'
import { ArchiveRefused } from '../commands/archive.js'
import { backUp } from '../commands/backup.js'
import { type Config, type RemoteStore, dataFiles } from '../config.js'
import { claimBase, versionEntry } from '../store/key-value/base-url.js'
import { openEmbedded } from '../store/embedded/embedded-store.js'
import { openEndpoint } from '../store/remote/sparql-client.js'
import type { StorageFailed } from '../store/errors.js'
import { type Home, openHome } from '../store/key-value/key-value-store.js'
import { openReader } from '../store/remote/read-only-store.js'
import { leaveRemote, openRemote } from '../store/remote/remote-store.js'
import { type Outcome, watchHome } from '../store/key-value/write-monitor.js'

/** What tests and tools may want otherwise. */
export type Options = {
  /** scrypt's N for the passwords of new accounts. */
  readonly passwordCost?: number
  /** Told the number of records loaded so far. */
  readonly loaded?: (records: number) => void
  /** Told that the disk failed: the process has to stop. */
  readonly broken?: (failure: StorageFailed) => void
  /** Told of every write to the disk how it ended, and after how many seconds. */
  readonly committed?: (outcome: Outcome, seconds: number) => void
  readonly log?: Logger
}

type IndexParts = Parameters<typeof openIndex>[0]

/** @throws HomeInUse, BaseRefused, KeyRefused */
export const openKept = (config: Config, parts: IndexParts, options: Options) =>
  config.store !== 'embedded' && config.writer !== undefined
    ? openElsewhere(config.store, parts)
    : openHere(config, parts, options)

/** What another process keeps: its records are read from the same endpoint, all else is asked of it. */
function openElsewhere(where: RemoteStore, { addresses }: IndexParts) {
  const store = openReader(openEndpoint(where), addresses.graphs.records)
  return {
    accounts: accountsElsewhere,
    sessions: sessionsElsewhere,
    store,
    finder: undefined,
    backUp: (): ReturnType<typeof backUp> => {
      throw new ArchiveRefused('what is kept is at the process that writes')
    },
    disk: () => Promise.resolve<Outcome>('kept'),
    close: () => store.close(),
  }
}

async function openHere(config: Config, parts: IndexParts, options: Options) {
  const files = dataFiles(config.dataDir)
  const opened = await openHome(files.home, options.broken, [files.tokenKey])
  const home = watchHome(opened, options.committed ?? ignore, () => versionEntry)
  try {
    await claimBase(home, config.baseUrl)
    const accounts = await openAccounts(home, files.tokenKey, options)
    const sessions = await openSessions(home, accounts, { idle: config.sessionIdle })
    return {
      accounts,
      sessions,
      ...(await openStore(home, config, parts, options)),
      backUp: () => backUp(home, config.dataDir),
      disk: () => home.state(),
      async close(): Promise<void> {
        await this.store.close()
        await home.close()
      },
    }
  } catch (error) {
    await home.close()
    throw error
  }
}

/** The store, and what finds faster in it than it does itself. */
async function openStore(
  home: Home,
  { store: where }: Config,
  parts: IndexParts,
  { loaded = ignore, broken = ignore, log }: Options,
) {
  const report = (error: unknown): void => log?.error({ err: error }, 'the store')
  if (where === 'embedded') {
    await leaveRemote(home)
    const finder = openIndex(parts)
    const store = await openEmbedded(home, { loaded, taken: finder.take, broken, report })
    await finder.settle()
    return { store, finder }
  }
  const { public: open, records } = parts.addresses.graphs
  const store = await openRemote(
    home,
    openEndpoint(where),
    { shown: [open], records },
    { loaded, report },
  )
  return { store, finder: undefined }
}

const ignore = (): void => undefined
