// The store of a process that only reads. It reads what the writing process put into the remote
// store, so every acknowledged write is visible to its queries at once, and to who reads records
// from its copy (record-copy.ts) when this process was told. commit-follower.ts tells what was
// written to those who keep something. remote-store.ts writes.

import { filterByGraph } from '../../rdf/nquads.js'
import type { Sparql } from '../../rdf/sparql-template.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import { StoreUnavailableError, WriteRejectedError } from '../errors.js'
import { createCommitListeners } from '../commit-listeners.js'
import type { SelectRow, SharedCommits, SharedStore } from '../store.js'
import { CommitFollower } from './commit-follower.js'
import { type RecordCopy, noRecordCopy } from './record-copy.js'
import { RecordLog, type RecordLogState, type RecordsOfCommit } from './record-log.js'
import { maxEncodedBytes } from './remote-store.js'
import { type SparqlClient, asStoreUnavailable } from './sparql-client.js'

/** The number of records that one query reads. */
const batchSize = 100

const maxAttempts = 10

type RecordPage = readonly (readonly [key: string, nquads: string])[]

export class ReadOnlyStore implements SharedStore {
  readonly isShared = true
  readonly maxIdentifierBytes = maxEncodedBytes
  readonly listeners = createCommitListeners()
  readonly commits: SharedCommits
  readonly #client: SparqlClient
  readonly #copy: RecordCopy
  readonly #log: RecordLog
  readonly #follower: CommitFollower
  #vocabularies = ''

  /**
   * @param records the graph of the record log
   * @param copy is kept current by following the commits
   */
  constructor(client: SparqlClient, records: NamedNode, copy: RecordCopy = noRecordCopy) {
    this.#client = client
    this.#copy = copy
    this.#log = new RecordLog(records)
    this.listeners.add('record copy', copy)
    const follower = new CommitFollower({
      client,
      log: this.#log,
      listeners: this.listeners,
      readBatch: async (keys) => (await this.#readBatch(keys)).records,
    })
    this.#follower = follower
    this.commits = {
      follow: () => follower.follow(),
      records: () => this.#readAll(),
      isCurrent: () => follower.isCurrent(),
      catchUp: () => follower.catchUp(),
    }
    // It may keep what is read before anybody else wants to know of commits.
    if (copy !== noRecordCopy) follower.follow()
  }

  select(query: Sparql): Promise<readonly SelectRow[]> {
    return asStoreUnavailable(async () => {
      // A store that is being filled would answer with a part of the records.
      const [rows, state] = await Promise.all([
        this.#client.select(query),
        this.#client.select(this.#log.stateQuery),
      ])
      const { commit } = this.#log.parseState(state)
      if (commit === undefined)
        throw new StoreUnavailableError('the remote store holds no catalogue yet')
      await this.#follower.onRead(Number(commit))
      return rows
    })
  }

  readRecords(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return asStoreUnavailable(() => this.#readRecords(keys))
  }

  commit(): Promise<void> {
    return Promise.reject(new WriteRejectedError('this process only reads'))
  }

  settlePending(): Promise<void> {
    return Promise.resolve()
  }

  loadTransient(quads: readonly Quad[]): Promise<void> {
    this.#vocabularies = writeNQuads(quads)
    return Promise.resolve()
  }

  // The writing process adds them.
  addTransient(): Promise<void> {
    return Promise.resolve()
  }

  async *dump(graphs: readonly NamedNode[]): AsyncIterable<string> {
    yield filterByGraph(this.#vocabularies, graphs)
    const { commit } = await this.#readState()
    for await (const page of this.#readPages(Number(commit ?? 0), true))
      yield filterByGraph(page.map(([, nquads]) => nquads).join(''), graphs)
  }

  size(): number {
    return 0
  }

  close(): Promise<void> {
    return this.#follower.close()
  }

  /**
   * The N-Quads of records by their keys, and the number of the last commit.
   * @throws StoreUnavailableError
   */
  async #readBatch(keys: readonly string[]): Promise<RecordsOfCommit> {
    for (let attempt = 1; ; attempt += 1) {
      const rows = await this.#client.select(this.#log.recordsQuery(keys))
      const read = this.#log.parseRecords(rows, keys)
      if (read) return read
      if (attempt === maxAttempts)
        throw new StoreUnavailableError('a write to the remote store does not end')
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
    }
  }

  /** All records in pages: as of a commit, and later ones as they are when they are read. */
  async *#readPages(last: number, withChanged: boolean): AsyncIterable<RecordPage> {
    const [row] = await asStoreUnavailable(() => this.#client.select(this.#log.countQuery))
    for (const query of this.#log.pageQueries(Number(row?.count?.value ?? 0))) {
      const rows = await asStoreUnavailable(() => this.#client.select(query))
      const { records, changed } = this.#log.parsePage(rows, last)
      if (!withChanged || changed.length === 0) {
        yield records
        continue
      }
      const again = await asStoreUnavailable(() => this.#readBatch(changed))
      yield [...records.filter(([key]) => !changed.includes(key)), ...again.records]
    }
  }

  async #readState(): Promise<RecordLogState> {
    return this.#log.parseState(
      await asStoreUnavailable(() => this.#client.select(this.#log.stateQuery)),
    )
  }

  /**
   * All records, for those who follow the commits. What was written meanwhile is missing in the
   * pages, or gone, so nothing made of them is current before those commits are known.
   */
  async *#readAll(): AsyncIterable<RecordPage> {
    yield* this.#copy.fill(() => this.#readPages(this.#follower.last() ?? 0, false))
    const { commit } = await this.#readState()
    await this.#follower.onRead(Number(commit ?? 0))
  }

  async #readRecords(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = new Map<string, string>()
    const unknown: string[] = []
    const isCopyCurrent = this.#follower.isCurrent()
    for (const key of keys) {
      const nquads = isCopyCurrent ? this.#copy.get(key) : undefined
      if (nquads === undefined) unknown.push(key)
      else records.set(key, nquads)
    }
    // What the copy has may be new to others.
    await this.#follower.whenTold()
    for (let start = 0; start < unknown.length; start += batchSize) {
      const changes = this.#copy.changes()
      const read = await this.#readBatch(unknown.slice(start, start + batchSize))
      for (const [key, nquads] of read.records) records.set(key, nquads)
      await this.#follower.onRead(read.commit)
      if (this.#follower.last() === read.commit) this.#copy.add(read.records, changes)
    }
    return records
  }
}
