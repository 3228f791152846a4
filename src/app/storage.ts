// Opens what a service stores: records in the embedded or the remote store; accounts, sessions and
// requests for changes in the key-value store. A reading process has the remote store only. The
// catalogue over it: backend.ts.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { loadAccounts } from '../accounts/accounts.js'
import { loadInvitations, noInvitations } from '../accounts/invitations.js'
import { unavailableAccounts, noSessions } from '../accounts/reader-process.js'
import { nothingRemembered, loadRememberedValues } from '../accounts/remembered-values.js'
import { openSessions } from '../accounts/sessions.js'
import { deriveSigningKey, readKey } from '../accounts/token.js'
import {
  noChangeRequests,
  openChangeRequests,
} from '../features/change-requests/change-requests.js'
import type { BackupTiming } from '../features/service-page/backups.js'
import type { DeliveryTiming } from '../features/webhooks/deliveries.js'
import { noWebhooks, loadWebhooks, webhookPurpose } from '../features/webhooks/webhooks.js'
import type { OtherCataloguesLimits } from '../features/copy-cataloguing/other-catalogues.js'
import { ImportFiles } from '../features/imports/import-files.js'
import { ImportStore } from '../features/imports/import-state.js'
import {
  type HiddenRecords,
  loadHiddenRecords,
  noHiddenRecords,
} from '../catalogue/records/hidden-records.js'
import { createFormerSeries, noFormerSeries } from '../catalogue/former-series.js'
import { createRecordNames } from '../catalogue/index/record-names.js'
import type { RecordEntries } from '../catalogue/records/record-cache.js'
import { createStoredRedirects } from '../catalogue/redirects.js'
import { ReleaseFiles } from '../features/dataset/releases/release-files.js'
import type { ReleaseTiming } from '../features/dataset/releases/release-schedule.js'
import { noCuratedLists } from '../features/lists/curated-lists.js'
import { StoredLists } from '../features/lists/stored-lists.js'
import { createPictureFiles } from '../features/pictures/picture-files.js'
import { loadPictures, noPictures } from '../features/pictures/pictures.js'
import { ArchiveError } from '../commands/archive-file.js'
import { backUp } from '../commands/backup.js'
import { dataDirectoryOf } from './data-directory.js'
import { updateDerivedTriples } from './derived-triples.js'
import type { ValidationMethod } from './load-model.js'
import { type Config, type RemoteStoreConfig, dataFiles } from '../config.js'
import { adoptBaseUrl } from './base-url.js'
import { tryToOpenFileCache } from './cache-file.js'
import { createIndexFile } from './index-file.js'
import {
  openUpgradableStore,
  removeUpgradeBackups,
  upgradeBackups,
  versionToUpgrade,
} from './upgrade.js'
import type { ChangeRequestLimits } from '../features/change-requests/change-request-limit.js'
import { currentVersion, versionEntry, versionText } from '../store/key-value/data-version.js'
import { createSparqlClient } from '../store/remote/sparql-client.js'
import { createBatchLog, noBatchLog } from '../store/key-value/batch-log.js'
import { loadChangeLog, noChangeLog } from '../store/key-value/change-log.js'
import { createYielder } from '../lib/scheduling.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import {
  createForgottenIdentifiers,
  noForgottenIdentifiers,
} from '../store/key-value/forgotten-identifiers.js'
import { IdempotencyKeys, noIdempotencyKeys } from '../store/key-value/idempotency-keys.js'
import {
  createUnfinishedRedactions,
  noUnfinishedRedactions,
} from '../store/key-value/unfinished-redactions.js'
import {
  type IndexDependencies,
  type RecordStoreOptions,
  followIndex,
  openRecordStore,
} from './record-stores.js'
import { createRecordCopy } from '../store/remote/record-copy.js'
import { ReadOnlyStore } from '../store/remote/read-only-store.js'
import { markRemoteStale } from '../store/remote/remote-store.js'
import { type WriteOutcome, monitorWrites } from '../lib/key-value/write-monitor.js'

/** Callbacks, and what tests set. */
export type StorageOptions = RecordStoreOptions & {
  /** Aborted with a UnavailableError when the service stops. */
  readonly stopping?: AbortSignal
  /** The time in milliseconds, for the link of the first account and for keys of requests. */
  readonly now?: () => number
  /** Told what was done to all data, in a line for who runs the service; without it, the log is. */
  readonly onNotice?: (line: string) => void
  /** Called from time to time with the number of records that were moved to another base URL. */
  readonly onMoved?: (records: number) => void
  /** scrypt's N for new password hashes. */
  readonly passwordCost?: number
  /** Called after every write to the disk. */
  readonly onCommit?: (outcome: WriteOutcome, seconds: number) => void
  /** How many requests for changes are accepted in an hour. */
  readonly changeRequestLimits?: ChangeRequestLimits
  /** The waits of deliveries to webhooks. */
  readonly deliveryTiming?: DeliveryTiming
  /** The clock of backups, and how often it is looked whether one is due. */
  readonly backupTiming?: BackupTiming
  /** The clock of releases, and how often it is looked whether one is due. */
  readonly releaseTiming?: ReleaseTiming
  /** How long other catalogues are waited for, and how much is read of an answer. */
  readonly otherCataloguesLimits?: Partial<OtherCataloguesLimits>
  /** `shacl` validates records with the SHACL engine alone, without the compiled shapes. */
  readonly validation?: ValidationMethod
}

/** Whether the process reads the records that another one writes. */
export const isReader = ({ store, writer }: Config): boolean =>
  store !== 'embedded' && writer !== undefined

/** @throws DataDirectoryInUseError, ExpectedError */
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
  { listIndex, recordFile, dataDir }: Config,
  remote: RemoteStoreConfig,
  dependencies: IndexDependencies,
  options: StorageOptions,
) {
  const { iris } = dependencies
  const copyFile =
    listIndex && recordFile
      ? await tryToOpenFileCache(dataFiles(dataDir).records, {
          name: 'file of records',
          log: options.log,
        })
      : undefined
  const store = new ReadOnlyStore(
    createSparqlClient(remote),
    iris.graphs.records,
    copyFile && createRecordCopy(copyFile),
  )
  const recordIndex = listIndex ? await followIndex(store, dependencies, options) : undefined
  return {
    hiddenRecords: noHiddenRecords,
    // A reading process is not told what is removed for privacy.
    releases: undefined,
    accounts: unavailableAccounts,
    sessions: noSessions,
    rememberedValues: nothingRemembered,
    invitations: noInvitations,
    store,
    changeLog: noChangeLog,
    changeRequests: noChangeRequests,
    lists: noCuratedLists,
    webhooks: noWebhooks,
    batchLog: noBatchLog,
    unfinishedRedactions: noUnfinishedRedactions,
    forgottenIdentifiers: noForgottenIdentifiers,
    idempotencyKeys: noIdempotencyKeys,
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
    visitEntries: (): Promise<void> => Promise.resolve(),
    disk: () => Promise.resolve<WriteOutcome>('written'),
    removeIndexFile: () => Promise.resolve(),
    removeUpgradeBackups: () => Promise.resolve([]),
    async close(): Promise<void> {
      await recordIndex?.close()
      await store.close()
      await copyFile?.close()
    },
  }
}

async function openLocal(config: Config, dependencies: IndexDependencies, options: StorageOptions) {
  const files = dataFiles(config.dataDir)
  const notify = options.onNotice ?? ((line) => options.log?.info(line))
  const opened = await openUpgradableStore(config, options.onFatal)
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
    const moved = await adoptBaseUrl(keyValueStore, config, {
      resources: dependencies.resources,
      notify,
      onMoved: options.onMoved,
    })
    const from = await versionToUpgrade(keyValueStore)
    // Before records are written, since a process that ends in between would not say it.
    if (from) await markRemoteStale(keyValueStore)
    const changed = await updateDerivedTriples(keyValueStore, dependencies)
    if (from)
      notify(
        `the data were brought from version ${versionText(from)} to ${versionText(currentVersion)}: ${changed} records were written again`,
      )
    for (const name of await upgradeBackups(config.dataDir))
      notify(
        `${join(config.dataDir, name)} has the data as they were before that version; when all is well, remove it: npx zine-catalogue remove-upgrade-backup`,
      )
    const accounts = await loadAccounts(keyValueStore, files.tokenKey, options)
    const sessions = await openSessions(keyValueStore, accounts, { idle: config.sessionIdle })
    const rememberedValues = await loadRememberedValues(keyValueStore)
    const changeLog = await loadChangeLog(keyValueStore)
    const savedIndexes = hasIndexes && !moved && changed === 0 ? indexFile : undefined
    const records = await openRecordStore(config, {
      keyValueStore,
      changeLog,
      savedIndexes,
      dependencies,
      options,
    })
    const lastRead = changeLog.last()
    const changeRequests = await openChangeRequests(keyValueStore)
    // `loadAccounts` has made the key.
    const serverKey = (await readKey(files.tokenKey)) ?? randomBytes(32)
    const pictures = await loadPictures(keyValueStore, createPictureFiles(files.pictures))
    records.store.listeners.add('pictures', pictures)
    const hiddenRecords = await loadHiddenRecords(keyValueStore, dependencies.resources)
    records.store.listeners.add('hidden records', {
      onCommit: (commit) => hiddenRecords.onCommit(commit),
    })
    const releases = await openReleases(config, hiddenRecords, options)
    records.store.listeners.add('releases', {
      onCommit: (commit) => releases.onCommit(commit, hiddenRecords),
    })
    return {
      hiddenRecords,
      releases,
      accounts,
      sessions,
      rememberedValues,
      invitations: await loadInvitations(keyValueStore, accounts),
      changeLog,
      changeRequests,
      lists: await StoredLists.load(keyValueStore),
      webhooks: await loadWebhooks(keyValueStore, {
        signingKey: deriveSigningKey(serverKey, webhookPurpose),
        log: changeLog,
        hosts: config.webhookHosts,
      }),
      batchLog: createBatchLog(keyValueStore),
      unfinishedRedactions: createUnfinishedRedactions(keyValueStore),
      forgottenIdentifiers: createForgottenIdentifiers(
        keyValueStore,
        deriveSigningKey(serverKey, 'forgotten identifiers'),
      ),
      idempotencyKeys: new IdempotencyKeys(keyValueStore, options.now),
      pictures,
      formerSeries: createFormerSeries(keyValueStore),
      importStorage: {
        store: new ImportStore(keyValueStore),
        files: new ImportFiles(files.imports),
      },
      harvestStorage: {
        records: createRecordEntries(keyValueStore),
        tokenKey: deriveSigningKey(serverKey, 'oai'),
      },
      ...records,
      backUp: () => backUp(keyValueStore, dataDirectoryOf(config)),
      /** Calls `visit` with all entries of the key-value store, as they are. */
      async visitEntries(visit: (key: string, value: string) => void): Promise<void> {
        const maybeYield = createYielder()
        for await (const [key, value] of keyValueStore.entries('')) {
          visit(key, value)
          await maybeYield()
        }
      },
      disk: () => keyValueStore.state(),
      removeIndexFile: async () => indexFile?.remove(),
      removeUpgradeBackups: (before?: string) => removeUpgradeBackups(config.dataDir, before),
      async close(): Promise<void> {
        changeRequests.close()
        await records.close()
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

async function openReleases(
  { dataDir, snapshots }: Config,
  hiddenRecords: HiddenRecords,
  { log }: StorageOptions,
): Promise<ReleaseFiles> {
  const releases = new ReleaseFiles(dataFiles(dataDir).releases, snapshots, (error) =>
    log?.error({ err: error }, 'releases'),
  )
  await releases.load(hiddenRecords)
  return releases
}

/** The records on the disk, which are written together with the log of changes. */
const createRecordEntries = (keyValueStore: KeyValueStore): RecordEntries => ({
  async *all() {
    for await (const [key, nquads] of keyValueStore.entries(prefixes.records))
      yield [key.slice(prefixes.records.length), nquads] as const
  },
  get: (key) => keyValueStore.get(prefixes.records + key),
})

const ignore = (): void => undefined
