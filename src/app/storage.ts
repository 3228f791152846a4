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
import {
  type SavedIndexPart,
  createMemoryRecordIndex,
} from '../catalogue/index/memory-record-index.js'
import type { RecordEntries } from '../catalogue/harvest/item-index.js'
import {
  type SavedNamesPart,
  createRecordNames,
  fillBesideOtherWork,
} from '../catalogue/index/record-names.js'
import { type SavedTripleCounts, createTripleCounter } from '../catalogue/triple-counts.js'
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
import { markRemoteStale, openRemoteStore } from '../store/remote/remote-store.js'
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
    ? openReader(config.store, dependencies)
    : openLocal(config, dependencies, options)

/** Reads the records that the writing process put into the remote store. */
function openReader(remote: RemoteStoreConfig, dependencies: IndexDependencies) {
  const { iris } = dependencies
  const store = createReadOnlyStore(createSparqlClient(remote), iris.graphs.records)
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
    recordIndex: undefined,
    // Requests that need it go to the writing process.
    recordNames: createRecordNames(dependencies),
    recordTriples: undefined,
    redirects: createStoredRedirects(store, iris),
    backUp: (): ReturnType<typeof backUp> => {
      throw new ArchiveError('a reading process has no data to back up')
    },
    disk: () => Promise.resolve<WriteOutcome>('written'),
    removeIndexFile: () => Promise.resolve(),
    close: () => store.close(),
  }
}

async function openLocal(config: Config, dependencies: IndexDependencies, options: StorageOptions) {
  const files = dataFiles(config.dataDir)
  const opened = await openKeyValueStore(files.store, options.onFatal, [files.tokenKey])
  const keyValueStore = monitorWrites(opened, options.onCommit ?? ignore, () => versionEntry)
  if (opened.isReadOnly()) options.log?.warn('the disk is full; starting read-only')
  try {
    const indexFile =
      config.store === 'embedded' && config.listIndex
        ? await createIndexFile({
            file: files.indexes,
            store: keyValueStore,
            dependsOn: `${dependencies.iris.base}\n${dependencies.vocabularies}`,
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
        await records.stopFilling()
        await records.store.close()
        if (records.indexes && (await keyValueStore.state()) === 'written')
          await indexFile?.write(
            records.indexes,
            records.isRestored && changeLog.last() === lastRead,
          )
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

/** The store of records; for the embedded one also the index in memory and the count of triples. */
async function openStore(
  { keyValueStore, changeLog }: LocalStores,
  savedIndexes: Pick<IndexFile, 'read'> | undefined,
  { store: storeConfig, listIndex }: Config,
  dependencies: IndexDependencies,
  { onLoaded = ignore, onFatal = ignore, log }: StorageOptions,
) {
  const onError = (error: unknown): void => log?.error({ err: error }, 'store')
  if (storeConfig === 'embedded') {
    await markRemoteStale(keyValueStore)
    const saved = savedIndexes && (await readIndexes(savedIndexes, dependencies))
    const indexes = saved ?? createIndexes(dependencies)
    const { recordNames, recordTriples, redirects } = indexes
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
        dependencies.usedPlaces.add(nquads)
      },
      onFatal,
      onError,
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
      indexes: savedFormsOf(indexes, dependencies, () => store.countRecordQuads()),
      isRestored: saved !== undefined,
      stopFilling: () => Promise.resolve(),
    }
  }
  const store = await openRemoteStore(
    keyValueStore,
    createSparqlClient(storeConfig),
    remoteGraphs(dependencies.iris),
    { changeLog, onLoaded, onError },
  )
  const redirects = createStoredRedirects(store, dependencies.iris)
  // The engine has to have the places before it is asked. Names take three times as long, and can wait.
  for await (const records of keyedBatches(keyValueStore))
    for (const [, nquads] of records) dependencies.usedPlaces.add(nquads)
  const recordNames = fillBesideOtherWork(createRecordNames(dependencies), {
    records: () => keyedBatches(keyValueStore),
    onError,
  })
  await Promise.race([recordNames.filled, sleep(maxNamesWaitMs, undefined, { ref: false })])
  return {
    store,
    recordNames,
    recordIndex: undefined,
    recordTriples: undefined,
    redirects,
    indexes: undefined,
    isRestored: false,
    stopFilling: () => recordNames.close(),
  }
}

async function* keyedBatches(store: KeyValueStore) {
  for await (const records of recordBatches(store, namesBatchSize))
    yield records.map(([key, nquads]) => [key.slice(prefixes.records.length), nquads] as const)
}

type Indexes = ReturnType<typeof createIndexes>

/** What is made of all records of the embedded store. */
function createIndexes(dependencies: IndexDependencies) {
  const { base, graphs } = dependencies.iris
  return {
    recordIndex: createMemoryRecordIndex(dependencies),
    recordNames: createRecordNames(dependencies),
    recordTriples: createTripleCounter(graphs.public, base, [
      ownVocabularies(base),
      ...linkTargets,
    ]),
    redirects: createMemoryRedirects(dependencies.iris),
    totals: { quads: 0 },
  }
}

/** The indexes of the file; undefined when they cannot be read. */
async function readIndexes(file: Pick<IndexFile, 'read'>, dependencies: IndexDependencies) {
  const indexes = createIndexes(dependencies)
  return (await file.read(savedFormsOf(indexes, dependencies))) ? indexes : undefined
}

type SavedTotals = {
  readonly quads: number
  readonly triples: SavedTripleCounts
  readonly redirects: ReadonlyMap<string, string>
  readonly places: readonly string[]
}

/** How the indexes are written to a file and read from it. */
function savedFormsOf(
  { recordIndex, recordNames, recordTriples, redirects, totals }: Indexes,
  { usedPlaces }: IndexDependencies,
  countQuads: () => number = () => totals.quads,
): readonly SavedIndex[] {
  // The casts: `save` wrote the parts.
  return [
    {
      save: () => recordIndex.save(),
      restore: (parts) => recordIndex.restore(parts as AsyncIterable<SavedIndexPart>),
    },
    {
      save: () => recordNames.save(),
      async restore(parts) {
        for await (const part of parts) recordNames.restore(part as SavedNamesPart)
      },
    },
    {
      async *save() {
        yield await Promise.resolve<SavedTotals>({
          quads: countQuads(),
          triples: recordTriples.save(),
          redirects: redirects.save(),
          places: usedPlaces.save(),
        })
      },
      async restore(parts) {
        for await (const part of parts) {
          const saved = part as SavedTotals
          totals.quads = saved.quads
          recordTriples.restore(saved.triples)
          redirects.restore(saved.redirects)
          usedPlaces.restore(saved.places)
        }
      },
    },
  ]
}

/** What the remote store has: for readers also the order of values, in the entries only. */
export const remoteGraphs = ({ graphs }: Iris): RemoteGraphs => ({
  shown: [graphs.public],
  inEntries: [graphs.public, graphs.order],
  records: graphs.records,
})

/** How long a start over a remote store waits for the names. Those of a small catalogue are there by then. */
const maxNamesWaitMs = 1000

/** The number of records that are read at a time for their names. */
const namesBatchSize = 200

const ignore = (): void => undefined
