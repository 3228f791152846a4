// The store of a process that only reads. It reads what the writing process put into the remote
// store, so every acknowledged write is visible to its queries at once, and to who reads records
// from its copy (record-copy.ts) when this process was told. commit-follower.ts tells what was
// written to those who keep something. remote-store.ts writes.

import { filterByGraph } from '../../rdf/nquads.js'
import { type NamedNode, writeNQuads } from '../../rdf/terms.js'
import { StoreUnavailableError, WriteRejectedError } from '../errors.js'
import { createCommitListeners } from '../commit-listeners.js'
import type { SharedStore } from '../store.js'
import { createCommitFollower } from './commit-follower.js'
import { type RecordCopy, noRecordCopy } from './record-copy.js'
import { type RecordsOfCommit, TornReadError, RecordLog } from './record-log.js'
import { maxEncodedBytes } from './remote-store.js'
import { type SparqlClient, asStoreUnavailable } from './sparql-client.js'

/** The number of records that one query reads. */
const batchSize = 100

const maxAttempts = 10

/**
 * @param records the graph of the record log
 * @param copy is kept current by following the commits
 */
export function createReadOnlyStore(
  client: SparqlClient,
  records: NamedNode,
  copy: RecordCopy = noRecordCopy,
): SharedStore {
  const log = new RecordLog(records)
  const listeners = createCommitListeners()
  listeners.add('record copy', copy)
  const follower = createCommitFollower({
    client,
    log,
    listeners,
    readBatch: async (keys) => (await readBatch(keys)).records,
  })
  // It may keep what is read before anybody else wants to know of commits.
  if (copy !== noRecordCopy) follower.follow()
  let vocabularies = ''

  /**
   * The N-Quads of records by their keys, and the number of the last commit.
   * @throws StoreUnavailableError
   */
  async function readBatch(keys: readonly string[]): Promise<RecordsOfCommit> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return log.parseRecords(await client.select(log.recordsQuery(keys)), keys)
      } catch (error) {
        if (!(error instanceof TornReadError)) throw error
        if (attempt === maxAttempts)
          throw new StoreUnavailableError('a write to the remote store does not end', {
            cause: error,
          })
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
      }
  }

  /** All records in pages: as of a commit, and later ones as they are when they are read. */
  async function* readPages(
    last: number,
    withChanged: boolean,
  ): AsyncGenerator<(readonly [key: string, nquads: string])[]> {
    const [row] = await asStoreUnavailable(() => client.select(log.countQuery))
    for (const query of log.pageQueries(Number(row?.count?.value ?? 0))) {
      const rows = await asStoreUnavailable(() => client.select(query))
      const { records: found, changed } = log.parsePage(rows, last)
      if (!withChanged || changed.length === 0) {
        yield found
        continue
      }
      const again = await asStoreUnavailable(() => readBatch(changed))
      yield [...found.filter(([key]) => !changed.includes(key)), ...again.records]
    }
  }

  const readState = async () =>
    log.parseState(await asStoreUnavailable(() => client.select(log.stateQuery)))

  /**
   * All records, for those who follow the commits. What was written meanwhile is missing in the
   * pages, or gone, so nothing made of them is current before those commits are known.
   */
  async function* readAll() {
    yield* copy.fill(() => readPages(follower.last() ?? 0, false))
    const { commit } = await readState()
    await follower.onRead(Number(commit ?? 0))
  }

  async function readRecords(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    const unknown: string[] = []
    const isCopyCurrent = follower.isCurrent()
    for (const key of keys) {
      const nquads = isCopyCurrent ? copy.get(key) : undefined
      if (nquads === undefined) unknown.push(key)
      else found.set(key, nquads)
    }
    // What the copy has may be new to others.
    await follower.whenTold()
    for (let start = 0; start < unknown.length; start += batchSize) {
      const changes = copy.changes()
      const read = await readBatch(unknown.slice(start, start + batchSize))
      for (const [key, nquads] of read.records) found.set(key, nquads)
      await follower.onRead(read.commit)
      if (follower.last() === read.commit) copy.add(read.records, changes)
    }
    return found
  }

  return {
    select: (query) =>
      asStoreUnavailable(async () => {
        // A store that is being filled would answer with a part of the records.
        const [rows, state] = await Promise.all([
          client.select(query),
          client.select(log.stateQuery),
        ])
        const { commit } = log.parseState(state)
        if (commit === undefined)
          throw new StoreUnavailableError('the remote store holds no catalogue yet')
        await follower.onRead(Number(commit))
        return rows
      }),
    commit: () => Promise.reject(new WriteRejectedError('this process only reads')),
    settlePending: () => Promise.resolve(),
    isShared: true,
    readRecords: (keys) => asStoreUnavailable(() => readRecords(keys)),
    commits: { ...follower, records: readAll },
    maxIdentifierBytes: maxEncodedBytes,
    loadTransient(quads) {
      vocabularies = writeNQuads(quads)
      return Promise.resolve()
    },
    // The writing process adds them.
    addTransient: () => Promise.resolve(),
    async *dump(graphs) {
      yield filterByGraph(vocabularies, graphs)
      const { commit } = await readState()
      for await (const page of readPages(Number(commit ?? 0), true))
        yield filterByGraph(page.map(([, nquads]) => nquads).join(''), graphs)
    },
    listeners,
    size: () => 0,
    close: follower.close,
  }
}
