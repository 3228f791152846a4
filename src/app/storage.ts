// What a catalogue keeps, and where: in a data directory, behind an endpoint, or by the process that writes.

import type { Logger } from 'pino'

import { openAccounts } from '../accounts/accounts.js'
import { unavailableAccounts, noSessions } from '../accounts/reader-process.js'
import { openSessions } from '../accounts/sessions.js'
import { createMemoryRecordIndex } from '../catalogue/index/memory-record-index.js'
import { ArchiveError } from '../commands/archive.js'
import { backUp } from '../commands/backup.js'
import { type Config, type RemoteStoreConfig, dataFiles } from '../config.js'
import { checkBaseUrl, versionEntry } from '../store/key-value/base-url.js'
import { openEmbeddedStore } from '../store/embedded/embedded-store.js'
import { createSparqlClient } from '../store/remote/sparql-client.js'
import type { DiskFailedError } from '../store/errors.js'
import { type KeyValueStore, openKeyValueStore } from '../store/key-value/key-value-store.js'
import { createReadOnlyStore } from '../store/remote/read-only-store.js'
import { markRemoteStale, openRemoteStore } from '../store/remote/remote-store.js'
import { type WriteOutcome, monitorWrites } from '../store/key-value/write-monitor.js'

/** What tests and tools may want otherwise. */
export type StorageOptions = {
  /** scrypt's N for the passwords of new accounts. */
  readonly passwordCost?: number
  /** Told the number of records loaded so far. */
  readonly onLoaded?: (records: number) => void
  /** Told that the disk failed: the process has to stop. */
  readonly onFatal?: (failure: DiskFailedError) => void
  /** Told of every write to the disk how it ended, and after how many seconds. */
  readonly onCommit?: (outcome: WriteOutcome, seconds: number) => void
  readonly log?: Logger
}

type IndexParts = Parameters<typeof createMemoryRecordIndex>[0]

/** @throws HomeInUse, BaseRefused, KeyRefused */
export const openStorage = (config: Config, parts: IndexParts, options: StorageOptions) =>
  config.store !== 'embedded' && config.writer !== undefined
    ? openReader(config.store, parts)
    : openLocal(config, parts, options)

/** What another process keeps: its records are read from the same endpoint, all else is asked of it. */
function openReader(where: RemoteStoreConfig, { iris }: IndexParts) {
  const store = createReadOnlyStore(createSparqlClient(where), iris.graphs.records)
  return {
    accounts: unavailableAccounts,
    sessions: noSessions,
    store,
    recordIndex: undefined,
    backUp: (): ReturnType<typeof backUp> => {
      throw new ArchiveError('what is kept is at the process that writes')
    },
    disk: () => Promise.resolve<WriteOutcome>('written'),
    close: () => store.close(),
  }
}

async function openLocal(config: Config, parts: IndexParts, options: StorageOptions) {
  const files = dataFiles(config.dataDir)
  const opened = await openKeyValueStore(files.home, options.onFatal, [files.tokenKey])
  const home = monitorWrites(opened, options.onCommit ?? ignore, () => versionEntry)
  try {
    await checkBaseUrl(home, config.baseUrl)
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
  home: KeyValueStore,
  { store: where }: Config,
  parts: IndexParts,
  { onLoaded = ignore, onFatal = ignore, log }: StorageOptions,
) {
  const onError = (error: unknown): void => log?.error({ err: error }, 'the store')
  if (where === 'embedded') {
    await markRemoteStale(home)
    const recordIndex = createMemoryRecordIndex(parts)
    const store = await openEmbeddedStore(home, {
      onLoaded: onLoaded,
      onRecord: recordIndex.add,
      onFatal: onFatal,
      onError,
    })
    await recordIndex.build()
    return { store, recordIndex }
  }
  const { public: open, records } = parts.iris.graphs
  const store = await openRemoteStore(
    home,
    createSparqlClient(where),
    { shown: [open], records },
    { onLoaded: onLoaded, onError },
  )
  return { store, recordIndex: undefined }
}

const ignore = (): void => undefined
