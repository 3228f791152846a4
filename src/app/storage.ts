// Opens what a service stores: records in the embedded or the remote store; accounts, sessions and
// requests for changes in the key-value store. A reading process has the remote store only. The catalogue
// over it: backend.ts.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Logger } from 'pino'

import { loadAccounts } from '../accounts/accounts.js'
import { loadInvitations, noInvitations } from '../accounts/invitations.js'
import { unavailableAccounts, noSessions } from '../accounts/reader-process.js'
import { nothingRemembered, loadRememberedValues } from '../accounts/remembered-values.js'
import { openSessions } from '../accounts/sessions.js'
import { deriveSigningKey, readKey } from '../accounts/token.js'
import { noChangeRequests, openChangeRequests } from '../change-requests/change-requests.js'
import type { DeliveryTiming } from '../webhooks/deliveries.js'
import { noWebhooks, loadWebhooks, webhookPurpose } from '../webhooks/webhooks.js'
import { createImportFiles } from '../imports/import-files.js'
import { createImportStore } from '../imports/import-state.js'
import { createFormerSeries, noFormerSeries } from '../catalogue/former-series.js'
import { createFollowedRecordIndex } from '../catalogue/index/followed-record-index.js'
import {
  type MemoryRecordIndex,
  createMemoryRecordIndex,
} from '../catalogue/index/memory-record-index.js'
import type { RecordEntries } from '../catalogue/harvest/item-index.js'
import {
  createRecordNames,
  fillBesideOtherWork,
  filledNames,
} from '../catalogue/index/record-names.js'
import { createSparqlRecordIndex } from '../catalogue/sparql-record-index.js'
import { createTripleCounter } from '../catalogue/triple-counts.js'
import { linkTargets, ownVocabularies } from '../model/link-targets.js'
import {
  type Redirects,
  createMemoryRedirects,
  createStoredRedirects,
} from '../catalogue/redirects.js'
import { createPictureFiles } from '../pictures/picture-files.js'
import { loadPictures, noPictures } from '../pictures/pictures.js'
import { ArchiveError } from '../commands/archive-file.js'
import { backUp } from '../commands/backup.js'
import { updateDerivedTriples } from './derived-triples.js'
import type { ValidationMethod } from './load-model.js'
import { type Config, type RemoteStoreConfig, dataFiles } from '../config.js'
import { adoptBaseUrl } from './base-url.js'
import { type IndexFile, type SavedIndex, createIndexFile } from './index-file.js'
import {
  readIndexes,
  savedNames,
  savedPlaces,
  savedRecordIndex,
  savedTotals,
} from './saved-indexes.js'
import type { ChangeRequestLimits } from '../http/editing/change-request-limit.js'
import { versionEntry } from '../store/key-value/base-url.js'
import { openEmbeddedStore, recordBatches } from '../store/embedded/embedded-store.js'
import type { UsedPlaces } from './used-places.js'
import { createSparqlClient } from '../store/remote/sparql-client.js'
import type { DiskFailedError } from '../store/errors.js'
import { createBatchLog, noBatchLog } from '../store/key-value/batch-log.js'
import { type ChangeLog, loadChangeLog, noChangeLog } from '../store/key-value/change-log.js'
import { type KeyValueStore, openKeyValueStore } from '../store/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import { createReadOnlyStore } from '../store/remote/read-only-store.js'
import type { Iris } from '../model/iris.js'
import type { RemoteGraphs } from '../store/remote/commit-protocol.js'
import { hasPendingCommit } from '../store/remote/remote-state.js'
import { markRemoteStale, openRemoteStore } from '../store/remote/remote-store.js'
import type { SharedStore } from '../store/store.js'
import { type WriteOutcome, monitorWrites } from '../store/key-value/write-monitor.js'

/** Callbacks, and what tests set. */
export type StorageOptions = {
  /** scrypt's N for new password hashes. */
  readonly passwordCost?: number
  /** Called with the number of records loaded so far. */
  readonly onLoaded?: (records: number) => void
  /** Called when the disk failed: the process has to stop. */
  readonly onFatal?: (failure: DiskFailedError) => void
  /** Called after every write to the disk. */
  readonly onCommit?: (outcome: WriteOutcome, seconds: number) => void
  readonly log?: Logger
  /** How many requests for changes are accepted in an hour. */
  readonly changeRequestLimits?: ChangeRequestLimits
  /** The waits of deliveries to webhooks. */
  readonly deliveryTiming?: DeliveryTiming
  /** `shacl` validates records with the SHACL engine alone, without the compiled shapes. */
  readonly validation?: ValidationMethod
}

type IndexDependencies = Parameters<typeof createMemoryRecordIndex>[0] & {
  readonly usedPlaces: UsedPlaces
  /** The terms of all vocabularies, as N-Quads. */
  readonly vocabularies: string
}

/** Whether the process reads the records that another one writes. */
export const isReader = ({ store, writer }: Config): boolean =>
  store !== 'embedded' && writer !== undefined

/** @throws DataDirectoryInUseError, BaseUrlError, ServerKeyError */
export const openStorage = (
  config: Config,
  dependencies: IndexDependencies,
  options: StorageOptions,
) =>
  config.store !== 'embedded' && isReader(config)
    ? openReader(config, config.store, dependencies, options)
    : openLocal(config, dependencies, options)

/** Reads the records that the writing process put into the remote store. */
async function openReader(
  { listIndex }: Config,
  remote: RemoteStoreConfig,
  dependencies: IndexDependencies,
  options: StorageOptions,
) {
  const { iris } = dependencies
  const store = createReadOnlyStore(createSparqlClient(remote), iris.graphs.records)
  const recordIndex = listIndex ? followIndex(store, dependencies, options) : undefined
  await recordIndex?.whenReady(maxIndexWaitMs)
  return {
    accounts: unavailableAccounts,
    sessions: noSessions,
    rememberedValues: nothingRemembered,
    invitations: noInvitations,
    store,
    changeLog: noChangeLog,
    changeRequests: noChangeRequests,
    webhooks: noWebhooks,
    batchLog: noBatchLog,
    pictures: noPictures,
    formerSeries: noFormerSeries,
    importStorage: undefined,
    harvestStorage: undefined,
    recordIndex,
    // Requests that need it go to the writing process.
    recordNames: createRecordNames(dependencies),
    recordTriples: undefined,
    redirects: createStoredRedirects(store, iris),
    backUp: (): ReturnType<typeof backUp> => {
      throw new ArchiveError('a reading process has no data to back up')
    },
    disk: () => Promise.resolve<WriteOutcome>('written'),
    removeIndexFile: () => Promise.resolve(),
    async close(): Promise<void> {
      await recordIndex?.close()
      await store.close()
    },
  }
}

async function openLocal(config: Config, dependencies: IndexDependencies, options: StorageOptions) {
  const files = dataFiles(config.dataDir)
  const opened = await openKeyValueStore(files.store, options.onFatal, [files.tokenKey])
  const keyValueStore = monitorWrites(opened, options.onCommit ?? ignore, () => versionEntry)
  if (opened.isReadOnly()) options.log?.warn('the disk is full; starting read-only')
  try {
    const isEmbedded = config.store === 'embedded'
    const indexFile = config.listIndex
      ? await createIndexFile({
          file: files.indexes,
          store: keyValueStore,
          dependsOn: [isEmbedded, dependencies.iris.base, dependencies.vocabularies].join('\n'),
          onError: (error) => options.log?.warn({ err: error }, 'indexes'),
        })
      : undefined
    // Before anything is written.
    const hasIndexes = (await indexFile?.isCurrent()) ?? false
    const moved = await adoptBaseUrl(keyValueStore, config, () =>
      Promise.resolve(dependencies.resources),
    )
    if (moved)
      options.log?.info(
        `BASE_URL is not set, so the data follow the address: moved ${moved.records} records from ${moved.from} to ${config.baseUrl}`,
      )
    const changed = await updateDerivedTriples(keyValueStore, dependencies)
    if (changed > 0) {
      await markRemoteStale(keyValueStore)
      options.log?.info({ records: changed }, 'derived triples brought up to date')
    }
    const accounts = await loadAccounts(keyValueStore, files.tokenKey, options)
    const sessions = await openSessions(keyValueStore, accounts, { idle: config.sessionIdle })
    const rememberedValues = await loadRememberedValues(keyValueStore)
    const changeLog = await loadChangeLog(keyValueStore)
    const stores = { keyValueStore, changeLog }
    const savedIndexes = hasIndexes && !moved && changed === 0 ? indexFile : undefined
    const records = await openStore(stores, savedIndexes, config, dependencies, options)
    const lastRead = changeLog.last()
    const changeRequests = await openChangeRequests(keyValueStore)
    // `loadAccounts` has made the key.
    const serverKey = (await readKey(files.tokenKey)) ?? randomBytes(32)
    return {
      accounts,
      sessions,
      rememberedValues,
      invitations: await loadInvitations(keyValueStore, accounts),
      changeLog,
      changeRequests,
      webhooks: await loadWebhooks(keyValueStore, {
        signingKey: deriveSigningKey(serverKey, webhookPurpose),
        log: changeLog,
        hosts: config.webhookHosts,
      }),
      batchLog: createBatchLog(keyValueStore),
      pictures: await loadPictures(keyValueStore, createPictureFiles(files.pictures)),
      formerSeries: createFormerSeries(keyValueStore),
      importStorage: {
        store: createImportStore(keyValueStore),
        files: createImportFiles(files.imports),
      },
      harvestStorage: {
        records: createRecordEntries(keyValueStore),
        tokenKey: deriveSigningKey(serverKey, 'oai'),
      },
      ...records,
      backUp: () => backUp(keyValueStore, config.dataDir),
      disk: () => keyValueStore.state(),
      removeIndexFile: async () => indexFile?.remove(),
      async close(): Promise<void> {
        changeRequests.close()
        await records.store.close()
        await records.stopFilling()
        const indexes = (await keyValueStore.state()) === 'written' && (await records.indexes())
        if (indexes)
          await indexFile?.write(indexes, records.isRestored && changeLog.last() === lastRead)
        await keyValueStore.close()
      },
    }
  } catch (error) {
    await keyValueStore.close()
    throw error
  }
}

/** The records on the disk, which are written together with the log of changes. */
const createRecordEntries = (keyValueStore: KeyValueStore): RecordEntries => ({
  async *all() {
    for await (const [key, nquads] of keyValueStore.entries(prefixes.records))
      yield [key.slice(prefixes.records.length), nquads] as const
  },
  get: (key) => keyValueStore.get(prefixes.records + key),
})

type LocalStores = { readonly keyValueStore: KeyValueStore; readonly changeLog: ChangeLog }

/** Opens the store of records, and what is made of all of them: anew, or from the file of indexes. */
const openStore = (
  stores: LocalStores,
  savedIndexes: Pick<IndexFile, 'read'> | undefined,
  config: Config,
  dependencies: IndexDependencies,
  options: StorageOptions,
) =>
  config.store === 'embedded'
    ? openEmbedded(stores, savedIndexes, config, dependencies, options)
    : openRemote(stores, savedIndexes, { ...config, store: config.store }, dependencies, options)

/** The embedded store with the index in memory and the count of triples. */
async function openEmbedded(
  { keyValueStore, changeLog }: LocalStores,
  savedIndexes: Pick<IndexFile, 'read'> | undefined,
  { listIndex }: Config,
  dependencies: IndexDependencies,
  { onLoaded = ignore, onFatal = ignore, log }: StorageOptions,
) {
  await markRemoteStale(keyValueStore)
  const create = () => createIndexes(dependencies)
  const saved = savedIndexes && (await readIndexes(savedIndexes, create(), formsOf))
  const indexes = saved ?? create()
  const { recordNames, recordTriples, redirects, usedPlaces } = indexes
  const recordIndex = listIndex ? indexes.recordIndex : undefined
  const store = await openEmbeddedStore(keyValueStore, {
    changeLog,
    recordQuads: saved?.totals.quads,
    isQueried: !listIndex,
    onLoaded,
    onRecord(key, nquads) {
      if (!redirects.add(key, nquads)) {
        recordIndex?.add(key, nquads)
        recordNames.add(key, nquads)
      }
      recordTriples.add(nquads)
      usedPlaces.add(nquads)
    },
    onFatal,
    onError: reportTo(log),
  })
  store.subscribe([dependencies.iris.graphs.public], (parts) => recordTriples.onCommit(parts))
  if (!saved) {
    await recordIndex?.build()
    await recordNames.build()
  }
  return {
    store,
    recordIndex,
    recordNames,
    recordTriples,
    redirects: redirects as Redirects,
    indexes() {
      indexes.totals.quads = store.countRecordQuads()
      return Promise.resolve(formsOf(indexes))
    },
    isRestored: saved !== undefined,
    stopFilling: () => Promise.resolve(),
  }
}

/** The remote store, whose index and names are filled while the service answers already. */
async function openRemote(
  { keyValueStore, changeLog }: LocalStores,
  savedIndexes: Pick<IndexFile, 'read'> | undefined,
  config: Config & { readonly store: RemoteStoreConfig },
  dependencies: IndexDependencies,
  options: StorageOptions,
) {
  const { onLoaded = ignore, log } = options
  const onError = reportTo(log)
  const store = await openRemoteStore(
    keyValueStore,
    createSparqlClient(config.store),
    remoteGraphs(dependencies.iris),
    { changeLog, onLoaded, onError },
  )
  const saved =
    savedIndexes &&
    (await readIndexes(savedIndexes, createFilledIndexes(dependencies), filledFormsOf))
  // The engine has to have the places before it is asked. Names take three times as long, and can wait.
  if (!saved)
    for await (const records of keyedBatches(keyValueStore))
      for (const [, nquads] of records) dependencies.usedPlaces.add(nquads)
  const recordNames = saved
    ? filledNames(saved.recordNames)
    : fillBesideOtherWork(createRecordNames(dependencies), {
        records: () => keyedBatches(keyValueStore),
        onError,
      })
  const recordIndex = config.listIndex
    ? followIndex(store, dependencies, options, saved?.recordIndex)
    : undefined
  await Promise.all([
    Promise.race([recordNames.filled, sleep(maxIndexWaitMs, undefined, { ref: false })]),
    recordIndex?.whenReady(maxIndexWaitMs),
  ])
  return {
    store,
    recordNames,
    recordIndex,
    recordTriples: undefined,
    redirects: createStoredRedirects(store, dependencies.iris),
    async indexes() {
      const filled = recordIndex?.filled()
      // What is pending would be in the records at the next start, and not in the indexes.
      if (!filled || !recordNames.isFilled() || (await hasPendingCommit(keyValueStore)))
        return undefined
      return filledFormsOf({
        recordIndex: filled,
        recordNames,
        usedPlaces: dependencies.usedPlaces,
      })
    },
    isRestored: saved !== undefined,
    async stopFilling(): Promise<void> {
      await recordNames.close()
      await recordIndex?.close()
    },
  }
}

/**
 * The index of a store that others use too, kept current by its commits.
 * @param filled with all records, if there is one
 */
const followIndex = (
  store: SharedStore,
  dependencies: IndexDependencies,
  { log }: StorageOptions,
  filled?: MemoryRecordIndex,
) =>
  createFollowedRecordIndex({
    commits: store.commits,
    iris: dependencies.iris,
    filled,
    createIndex: () => createMemoryRecordIndex(dependencies),
    sparql: createSparqlRecordIndex({ store, ...dependencies }),
    onFilled: (records, seconds) => log?.info({ records, seconds }, 'index filled'),
    onError: (error) => log?.error({ err: error }, 'index'),
  })

const reportTo =
  (log: Logger | undefined) =>
  (error: unknown): void =>
    log?.error({ err: error }, 'store')

async function* keyedBatches(store: KeyValueStore) {
  for await (const records of recordBatches(store, namesBatchSize))
    yield records.map(([key, nquads]) => [key.slice(prefixes.records.length), nquads] as const)
}

/** What is made of all records of any store, and kept in memory. */
const createFilledIndexes = (dependencies: IndexDependencies) => ({
  recordIndex: createMemoryRecordIndex(dependencies),
  recordNames: createRecordNames(dependencies),
  usedPlaces: dependencies.usedPlaces,
})

/** What is made of all records of the embedded store. */
function createIndexes(dependencies: IndexDependencies) {
  const { base, graphs } = dependencies.iris
  return {
    ...createFilledIndexes(dependencies),
    recordTriples: createTripleCounter(graphs.public, base, [
      ownVocabularies(base),
      ...linkTargets,
    ]),
    redirects: createMemoryRedirects(dependencies.iris),
    totals: { quads: 0 },
  }
}

const filledFormsOf = ({
  recordIndex,
  recordNames,
  usedPlaces,
}: ReturnType<typeof createFilledIndexes>): readonly SavedIndex[] => [
  savedRecordIndex(recordIndex),
  savedNames(recordNames),
  savedPlaces(usedPlaces),
]

const formsOf = (indexes: ReturnType<typeof createIndexes>): readonly SavedIndex[] => [
  ...filledFormsOf(indexes),
  savedTotals(indexes),
]

/** What the remote store has: for readers also the order of values, in the entries only. */
export const remoteGraphs = ({ graphs }: Iris): RemoteGraphs => ({
  shown: [graphs.public],
  inEntries: [graphs.public, graphs.order],
  records: graphs.records,
})

/** How long a start over a remote store waits for names and index. Those of a small catalogue are full by then. */
const maxIndexWaitMs = 1000

/** The number of records that are read at a time for their names. */
const namesBatchSize = 200

const ignore = (): void => undefined
