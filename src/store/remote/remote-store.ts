// The store of the one process that writes to a remote SPARQL store. The key-value store holds
// every record; the remote store holds the public graphs, for queries. A write is acknowledged when
// it is in both. See docs/explanation/remote-store.md, "One writer, many readers". commit-writer.ts
// writes the commits; read-only-store.ts is the store of readers.

import { randomUUID } from 'node:crypto'

import { ExpectedError } from '../../errors.js'
import { filterByGraph } from '../../rdf/nquads.js'
import { type Quad, writeNQuads } from '../../rdf/terms.js'
import { createCommitListeners } from '../commit-listeners.js'
import { recordBatches } from '../embedded/embedded-store.js'
import type { ChangeLog } from '../key-value/change-log.js'
import type { KeyValueStore } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import type { SharedCommits, SharedStore } from '../store.js'
import { RemoteCommits, type RemoteGraphs } from './commit-protocol.js'
import { CommitWriter } from './commit-writer.js'
import { type CommitDependencies, PendingCommits } from './pending-commit.js'
import {
  type RemoteState,
  commitEntries,
  markRemoteStale,
  readRemoteState,
  writeCatalogueId,
} from './remote-state.js'
import { type SparqlClient, asStoreUnavailable } from './sparql-client.js'

export { markRemoteStale } from './remote-state.js'

type RemoteStoreOptions = {
  readonly changeLog: Pick<ChangeLog, 'write'>
  /**
   * Called from time to time with the number of records written while the remote store is filled.
   */
  readonly onLoaded: (records: number) => void
  /** Called with what the remote store rejected or did not answer. */
  readonly onError: (failure: Error) => void
}

/** Virtuoso silently truncates an IRI of 1,900 bytes; the base URL has its share of them. */
export const maxEncodedBytes = 1000

/** The number of records that are read at a time, to fill the remote store and to dump it. */
const batchSizes = { fill: 200, dump: 25 }

/**
 * Opens the store, and makes the remote store hold the same records as the key-value store.
 * @throws ExpectedError when it holds another catalogue, or a later state of this one
 * @throws StoreUnavailableError when it does not answer
 */
export async function openRemoteStore(
  keyValueStore: KeyValueStore,
  client: SparqlClient,
  graphs: RemoteGraphs,
  { changeLog, onLoaded, onError }: RemoteStoreOptions,
): Promise<SharedStore> {
  const remote = new RemoteCommits(client, graphs)
  const listeners = createCommitListeners()
  const dependencies: CommitDependencies = {
    keyValueStore,
    changeLog,
    remote,
    onCommit: ({ changes, entries }) =>
      listeners.tell({
        records: changes.map(({ key, after }) => ({
          key,
          nquads: after && filterByGraph(after, graphs.inEntries),
        })),
        entries,
      }),
    onError,
  }
  const writer = await asStoreUnavailable(() => synchronize(dependencies, onLoaded))
  let vocabularies = ''
  let added: readonly Quad[] = []

  return {
    select: (query) => asStoreUnavailable(() => remote.select(query)),
    commit: (changes, entries, hidden) => writer.commit(changes, entries, hidden),
    settlePending: () => writer.settlePending(),
    isShared: true,
    async readRecords(keys) {
      const records = await Promise.all(
        keys.map(async (key) => [key, await keyValueStore.get(prefixes.records + key)] as const),
      )
      return new Map(
        records.flatMap(([key, nquads]) => (nquads === undefined ? [] : [[key, nquads] as const])),
      )
    },
    commits: {
      // Those of this process are told.
      follow: () => undefined,
      records: () => publicBatches(keyValueStore, graphs),
      // Nobody else writes.
      isCurrent: () => true,
      catchUp: () => Promise.resolve(),
    } satisfies SharedCommits,
    maxIdentifierBytes: maxEncodedBytes,
    async loadTransient(quads) {
      vocabularies = writeNQuads(quads)
      await asStoreUnavailable(() => remote.load(quads))
      // Loading the vocabularies anew empties their graph first.
      if (added.length > 0) await asStoreUnavailable(() => remote.add(added))
    },
    async addTransient(quads) {
      await asStoreUnavailable(() => remote.add(quads))
      added = [...added, ...quads]
    },
    async *dump(graphs) {
      yield filterByGraph(vocabularies + writeNQuads(added), graphs)
      for await (const records of recordBatches(keyValueStore, batchSizes.dump))
        yield filterByGraph(records.map(([, nquads]) => nquads).join(''), graphs)
    },
    listeners,
    // Only the remote store knows.
    size: () => 0,
    close: () => writer.close(),
  }
}

/** Has the remote store filled anew at the next start, whatever it holds. */
export async function forceRemoteRebuild(
  keyValueStore: KeyValueStore,
  client: SparqlClient,
  graphs: RemoteGraphs,
): Promise<void> {
  await markRemoteStale(keyValueStore)
  await asStoreUnavailable(() => new RemoteCommits(client, graphs).clearState())
}

/**
 * Makes both stores agree, and returns the writer that goes on from there.
 * @throws ExpectedError
 */
async function synchronize(
  dependencies: CommitDependencies,
  onLoaded: (records: number) => void,
): Promise<CommitWriter> {
  const { keyValueStore, remote } = dependencies
  const local = await readRemoteState(keyValueStore)
  const catalogueId = local.catalogueId ?? randomUUID()
  await writeCatalogueId(keyValueStore, catalogueId)
  const { isLost, lastCommit } = await compare(dependencies, { ...local, catalogueId })
  if (!isLost) {
    await remote.completeLayout(keyedBatches(keyValueStore))
    return new CommitWriter(dependencies, { lastCommit, pending: undefined })
  }
  const number = lastCommit + 1
  await fillRemote(keyValueStore, remote, { number, catalogue: catalogueId }, onLoaded)
  return new CommitWriter(dependencies, { lastCommit: number, pending: undefined })
}

/**
 * Completes the pending commit, and tells whether the remote store lost data since.
 * @throws ExpectedError
 */
async function compare(
  dependencies: CommitDependencies,
  local: RemoteState,
): Promise<{ readonly isLost: boolean; readonly lastCommit: number }> {
  const { remote } = dependencies
  const { catalogueId, lastCommit } = local
  const state = await remote.readState()
  if (state.catalogue !== undefined && state.catalogue !== catalogueId)
    throw new ExpectedError(
      `the remote store holds another catalogue for this BASE_URL; ${rebuildHint('DATA_DIR')}`,
    )
  if (state.catalogue === undefined || state.commit === undefined || lastCommit === undefined)
    return { isLost: true, lastCommit: lastCommit ?? 0 }
  const pending = new PendingCommits(dependencies, { lastCommit, pending: local.pending })
  await pending.complete()
  const { commit = '' } = await remote.readState()
  if (Number(commit) > pending.lastCommit())
    throw new ExpectedError(
      `the remote store is ahead of DATA_DIR, at commit ${commit} where that is at ${pending.lastCommit()}: put the newer directory back; or, ${rebuildHint('this one')}`,
    )
  // Some lose acknowledged commits when the power fails.
  return { isLost: Number(commit) < pending.lastCommit(), lastCommit: pending.lastCommit() }
}

const rebuildHint = (what: string): string =>
  `to replace its content with that of ${what}, run: npx zine-catalogue rebuild`

async function fillRemote(
  keyValueStore: KeyValueStore,
  remote: RemoteCommits,
  commit: { readonly number: number; readonly catalogue: string },
  onLoaded: (records: number) => void,
): Promise<void> {
  await remote.replaceAll(keyedBatches(keyValueStore), commit, onLoaded)
  // A pending commit is dropped: it was never acknowledged.
  await keyValueStore.write(commitEntries(commit.number))
}

async function* publicBatches(store: KeyValueStore, { inEntries }: RemoteGraphs) {
  for await (const records of keyedBatches(store))
    yield records.map(([key, nquads]) => [key, filterByGraph(nquads, inEntries)] as const)
}

async function* keyedBatches(store: KeyValueStore) {
  for await (const records of recordBatches(store, batchSizes.fill))
    yield records.map(([key, nquads]) => [key.slice(prefixes.records.length), nquads] as const)
}
