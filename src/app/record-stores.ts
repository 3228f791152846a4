// Opens the store of records, embedded or remote, with what is made of all records: the record
// index, the names, and more. They are made anew or read from the file of indexes. What else a
// service stores: storage.ts.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Logger } from 'pino'

import { FollowedRecordIndex } from '../catalogue/index/followed-record-index.js'
import {
  MemoryRecordIndex,
  type MemoryRecordIndexDependencies,
} from '../catalogue/index/memory-record-index.js'
import {
  createRecordNames,
  fillBesideOtherWork,
  filledNames,
} from '../catalogue/index/record-names.js'
import { SparqlRecordIndex } from '../catalogue/sparql-record-index.js'
import { createTripleCounter } from '../catalogue/triple-counts.js'
import { linkTargets, ownVocabularies } from '../model/link-targets.js'
import {
  type Redirects,
  createMemoryRedirects,
  createStoredRedirects,
} from '../catalogue/redirects.js'
import type { Config, RemoteStoreConfig } from '../config.js'
import type { IndexFile, SavedIndex } from './index-file.js'
import {
  readIndexes,
  savedNames,
  savedPlaces,
  savedRecordIndex,
  savedTotals,
} from './saved-indexes.js'
import { openEmbeddedStore, recordBatches } from '../store/embedded/embedded-store.js'
import type { UsedPlaces } from './used-places.js'
import { createSparqlClient } from '../store/remote/sparql-client.js'
import type { DiskFailedError } from '../lib/key-value/errors.js'
import type { ChangeLog } from '../store/key-value/change-log.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import type { Iris } from '../model/iris.js'
import type { RemoteGraphs } from '../store/remote/commit-protocol.js'
import { hasPendingCommit } from '../store/remote/remote-state.js'
import { markRemoteStale, openRemoteStore } from '../store/remote/remote-store.js'
import type { Commit } from '../store/commit-listeners.js'
import type { SharedStore } from '../store/store.js'

/** What tells of the opening, and of what happens to the store later. */
export type RecordStoreOptions = {
  /** Called with the number of records loaded so far. */
  readonly onLoaded?: (records: number) => void
  /** Called when the disk failed: the process has to stop. */
  readonly onFatal?: (failure: DiskFailedError) => void
  readonly log?: Logger
}

export type IndexDependencies = MemoryRecordIndexDependencies & {
  readonly usedPlaces: UsedPlaces
  /** The terms of all vocabularies, as N-Quads. */
  readonly vocabularies: string
}

/** What the store of records is opened with. */
type Opening = {
  readonly keyValueStore: KeyValueStore
  readonly changeLog: ChangeLog
  /** Undefined where they have to be made anew. */
  readonly savedIndexes: Pick<IndexFile, 'read'> | undefined
  readonly dependencies: IndexDependencies
  readonly options: RecordStoreOptions
}

/**
 * Opens the store of records, and what is made of all of them: anew, or from the file of indexes.
 */
export const openRecordStore = (config: Config, opening: Opening) =>
  config.store === 'embedded'
    ? openEmbedded(config, opening)
    : openRemote({ ...config, store: config.store }, opening)

/** The embedded store with the index in memory and the count of triples. */
async function openEmbedded(
  { listIndex }: Config,
  { keyValueStore, changeLog, savedIndexes, dependencies, options }: Opening,
) {
  const { onLoaded = ignore, onFatal = ignore } = options
  await markRemoteStale(keyValueStore)
  const create = () => createIndexes(dependencies)
  const restored = savedIndexes && (await readIndexes(savedIndexes, create(), formsOf))
  const indexes = restored ?? create()
  const { recordNames, recordTriples, redirects, usedPlaces } = indexes
  const recordIndex = listIndex ? indexes.recordIndex : undefined
  const store = await openEmbeddedStore(keyValueStore, {
    changeLog,
    recordQuads: restored?.totals.quads,
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
  })
  const onTriples = ({ records }: Commit): Promise<void> =>
    recordTriples.onCommit(records.flatMap(({ change }) => change ?? []))
  store.listeners.add('triple counts', { onCommit: onTriples })
  store.listeners.add('redirects', redirects)
  if (recordIndex) store.listeners.add('record index', recordIndex)
  store.listeners.add('record names', recordNames)
  store.listeners.add('used places', usedPlaces)
  if (!restored) {
    await recordIndex?.build()
    await recordNames.build()
  }
  return {
    store,
    recordIndex,
    recordNames,
    recordTriples,
    redirects: redirects as Redirects,
    /** For the file of indexes, once it is closed; undefined where they do not have all records. */
    indexes() {
      indexes.totals.quads = store.countRecordQuads()
      return Promise.resolve(formsOf(indexes))
    },
    isRestored: restored !== undefined,
    close: () => store.close(),
  }
}

/** The remote store, whose index and names are filled while the service answers already. */
async function openRemote(
  config: Config & { readonly store: RemoteStoreConfig },
  { keyValueStore, changeLog, savedIndexes, dependencies, options }: Opening,
) {
  const { onLoaded = ignore, log } = options
  const onError = reportTo(log)
  const store = await openRemoteStore(
    keyValueStore,
    createSparqlClient(config.store),
    remoteGraphs(dependencies.iris),
    { changeLog, onLoaded, onError },
  )
  const restored =
    savedIndexes &&
    (await readIndexes(savedIndexes, createFilledIndexes(dependencies), filledFormsOf))
  // The engine has to have the places before it is asked. Names take three times as long, and can
  // wait.
  if (!restored)
    for await (const records of keyedBatches(keyValueStore))
      for (const [, nquads] of records) dependencies.usedPlaces.add(nquads)
  const recordNames = restored
    ? filledNames(restored.recordNames)
    : fillBesideOtherWork(createRecordNames(dependencies), {
        records: () => keyedBatches(keyValueStore),
        onError,
      })
  store.listeners.add('record names', recordNames)
  store.listeners.add('used places', dependencies.usedPlaces)
  const recordIndex = config.listIndex
    ? await followIndex(store, dependencies, options, restored?.recordIndex)
    : undefined
  await Promise.race([recordNames.filled, sleep(maxIndexWaitMs, undefined, { ref: false })])
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
    isRestored: restored !== undefined,
    async close(): Promise<void> {
      await store.close()
      await recordNames.close()
      await recordIndex?.close()
    },
  }
}

/**
 * The index of a store that others use too, kept current by its commits. It is waited for a moment.
 * @param filled with all records, if there is one
 */
export async function followIndex(
  store: SharedStore,
  dependencies: IndexDependencies,
  { log }: Pick<RecordStoreOptions, 'log'>,
  filled?: MemoryRecordIndex,
): Promise<FollowedRecordIndex> {
  const index = new FollowedRecordIndex({
    store,
    iris: dependencies.iris,
    filled,
    createIndex: () => new MemoryRecordIndex(dependencies),
    sparql: new SparqlRecordIndex({ store, ...dependencies }),
    onFilled: (records, seconds) => log?.info({ records, seconds }, 'index filled'),
    onError: (error) => log?.error({ err: error }, 'index'),
  })
  await index.whenReady(maxIndexWaitMs)
  return index
}

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
  recordIndex: new MemoryRecordIndex(dependencies),
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

/**
 * How long a start over a remote store waits for names and index. Those of a small catalogue are
 * full by then.
 */
const maxIndexWaitMs = 1000

/** The number of records that are read at a time for their names. */
const namesBatchSize = 200

const ignore = (): void => undefined
