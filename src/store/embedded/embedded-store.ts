// The embedded store: the key-value store keeps the records durably, each as one entry with its
// N-Quads. Where there is no index in memory, Oxigraph in this process has all quads and answers
// queries.

import { Store as Oxigraph } from 'oxigraph'

import {
  countQuads,
  differenceOf,
  filterByGraph,
  isCertainlyValid,
  splitLines,
  toDeleteData,
} from '../../rdf/nquads.js'
import type { Sparql } from '../../rdf/sparql-template.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import { createYielder, limitConcurrency, yieldToEventLoop } from '../../lib/scheduling.js'
import { partsOf } from '../commit-parts.js'
import { type QuadChange, type WrittenRecord, createCommitListeners } from '../commit-listeners.js'
import { DiskFailedError } from '../../lib/key-value/errors.js'
import { ExpectedError } from '../../errors.js'
import { type ChangeLog, type KeyedChange, loggedChanges } from '../key-value/change-log.js'
import {
  type KeyValueStore,
  type KeyValueWrite,
  getSoonest,
} from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import type { SelectRow, StoreChange } from '../store.js'
import { readTsv } from './sparql-tsv.js'

/**
 * The number of records that a dump reads at a time. It bounds how long it delays other requests.
 */
const dumpBatchSize = 25

/** The number of quads that are loaded at a time when they are not records. */
const transientBatchSize = 250

/** A commit of more records is applied in steps. */
const maxChangesInOneStep = 50

/** One string of 40 MB loads four times slower than forty strings of 1 MB. */
const loadBatchSize = 1000

type LoadProgress = {
  /** Called from time to time with the number of records loaded so far. */
  readonly onLoaded: (records: number) => void
  /** Called with the key and the N-Quads of every stored record. */
  readonly onRecord: (key: string, nquads: string) => void
}

type EmbeddedStoreOptions = LoadProgress & {
  /** The number of quads of all records, where `onRecord` need not be called. */
  readonly recordQuads?: number | undefined
  readonly changeLog: Pick<ChangeLog, 'write'>
  /** Whether there will be queries: without it, `select` throws. */
  readonly isQueried?: boolean
  /** Called when the store cannot go on. */
  readonly onFatal: (failure: DiskFailedError) => void
}

/** Opens the store with all records of the key-value store. */
export async function openEmbeddedStore(
  keyValueStore: KeyValueStore,
  options: EmbeddedStoreOptions,
): Promise<EmbeddedStore> {
  const store = new EmbeddedStore(keyValueStore, options)
  if (options.recordQuads === undefined) await store.loadRecords(options)
  return store
}

class EmbeddedStore {
  readonly isShared = false
  readonly listeners = createCommitListeners()
  readonly #keyValueStore: KeyValueStore
  readonly #changeLog: Pick<ChangeLog, 'write'>
  readonly #onFatal: (failure: DiskFailedError) => void
  /**
   * N-Quads that are not stored durably: those of `loadTransient`, and those that were added to
   * them.
   */
  #loadedQuads: readonly string[] = []
  readonly #addedQuads: string[] = []
  #transientCount = 0
  #quadCount: number
  readonly #queried: ReturnType<typeof openQueriedQuads> | undefined
  readonly #validateParses = createParseValidation((work) => this.#unlessFailed(work))
  #failure: DiskFailedError | undefined
  /** For large commits, which Oxigraph is told of in steps, and what must not come between. */
  readonly #inTurn = limitConcurrency(1)

  constructor(
    keyValueStore: KeyValueStore,
    { changeLog, recordQuads = 0, isQueried = false, onFatal }: EmbeddedStoreOptions,
  ) {
    this.#keyValueStore = keyValueStore
    this.#changeLog = changeLog
    this.#onFatal = onFatal
    this.#quadCount = recordQuads
    this.#queried = isQueried ? openQueriedQuads() : undefined
  }

  /** Loads all records of the key-value store. @throws ExpectedError where they do not fit into the memory */
  async loadRecords(progress: LoadProgress): Promise<void> {
    try {
      await loadRecords(this.#keyValueStore, (nquads) => this.#load(nquads), progress)
    } catch (cause) {
      throw isTrap(cause) ? tooLargeError(this.#quadCount, cause) : cause
    }
  }

  readNow(key: string): string | undefined {
    return this.#keyValueStore.getNow(prefixes.records + key)
  }

  async select(query: Sparql): Promise<readonly SelectRow[]> {
    const queried = this.#queried
    if (!queried) throw new Error('the store was opened without queries')
    const table = this.#betweenCommits(() => this.#unlessFailed(() => queried.query(query)))
    return readTsv(await table)
  }

  async readRecords(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const values = await this.#keyValueStore.getMany(keys.map((key) => prefixes.records + key))
    return new Map(
      keys.flatMap((key, index) => {
        const value = values[index]
        return value === undefined ? [] : [[key, value] as const]
      }),
    )
  }

  async commit(
    changes: readonly StoreChange[],
    entries: readonly KeyValueWrite[] = [],
    hidden: readonly KeyedChange[] = [],
  ): Promise<void> {
    const maybeYield = createYielder()
    const records: WrittenRecord[] = []
    const differences: QuadChange[] = []
    let growth = 0
    for (const { key, quads, isNew } of changes) {
      const nquads = quads && writeNQuads(quads)
      const stored = isNew
        ? undefined
        : await getSoonest(this.#keyValueStore, prefixes.records + key)
      // Unchanged quads stay as they are, so a change of one field costs only that field.
      const difference = stored
        ? differenceOf(stored, nquads ?? '')
        : { removed: '', added: nquads ?? '' }
      this.#validateParses(difference.added)
      records.push({ key, nquads, change: difference })
      differences.push(difference)
      growth += countQuads(difference.added) - countQuads(difference.removed)
      await maybeYield()
    }
    await this.#changeLog.write(
      [
        ...records.map(({ key, nquads }) => ({ key: prefixes.records + key, value: nquads })),
        ...entries,
      ],
      loggedChanges(changes),
      hidden,
    )
    this.#quadCount += growth
    if (this.#queried && changes.length > maxChangesInOneStep)
      await this.#inTurn(() => this.#applyInSteps(differences))
    else for (const difference of differences) this.#apply(difference)
    await this.listeners.tell({ records, entries })
  }

  // No commit of this store is ever unconfirmed.
  settlePending(): Promise<void> {
    return Promise.resolve()
  }

  async loadTransient(quads: readonly Quad[]): Promise<void> {
    const known = splitLines(this.#loadedQuads.join(''))
    const toRemove = new Set(known)
    const parts: QuadChange[] = []
    const maybeYield = createYielder()
    for (let start = 0; start < quads.length; start += transientBatchSize) {
      await maybeYield()
      const nquads = writeNQuads(quads.slice(start, start + transientBatchSize))
      const lines = known.size === 0 ? [] : [...splitLines(nquads)]
      for (const line of lines) toRemove.delete(line)
      const added = known.size === 0 ? nquads : lines.filter((line) => !known.has(line)).join('')
      if (added === '') continue
      await this.#betweenCommits(() => {
        this.#loadTransient(added)
        this.#loadedQuads = [...this.#loadedQuads, added]
      })
      parts.push({ removed: '', added })
    }
    if (toRemove.size > 0)
      parts.push(await this.#betweenCommits(() => this.#unloadTransient(toRemove)))
    await this.listeners.tell({ records: [], transient: parts })
  }

  async addTransient(quads: readonly Quad[]): Promise<void> {
    const added = writeNQuads(quads)
    await this.#betweenCommits(() => {
      this.#loadTransient(added)
      this.#addedQuads.push(added)
    })
    await this.listeners.tell({ records: [], transient: [{ removed: '', added }] })
  }

  async *dump(graphs: readonly NamedNode[]): AsyncGenerator<string> {
    for await (const nquads of this.#allQuads()) yield filterByGraph(nquads, graphs)
  }

  // Oxigraph would count them one by one.
  size(): number {
    return this.#quadCount
  }

  /** The number of quads of all records. */
  countRecordQuads(): number {
    return this.#quadCount - this.#transientCount
  }

  // The caller closes the key-value store.
  close(): Promise<void> {
    return Promise.resolve()
  }

  #load(nquads: string): void {
    this.#queried?.load(nquads)
    this.#quadCount += countQuads(nquads)
  }

  #loadTransient(nquads: string): void {
    this.#load(nquads)
    this.#transientCount += countQuads(nquads)
  }

  #unloadTransient(lines: ReadonlySet<string>): QuadChange {
    this.#loadedQuads = this.#loadedQuads.map((nquads) =>
      [...splitLines(nquads)].filter((line) => !lines.has(line)).join(''),
    )
    this.#quadCount -= lines.size
    this.#transientCount -= lines.size
    const commit = { removed: [...lines].join(''), added: '' }
    this.#apply(commit)
    return commit
  }

  async *#allQuads(): AsyncGenerator<string> {
    yield* [...this.#loadedQuads, ...this.#addedQuads]
    for await (const records of recordBatches(this.#keyValueStore, dumpBatchSize))
      yield records.map(([, value]) => value).join('')
  }

  /**
   * Applies a commit that would block other work too long in small steps. Queries wait meanwhile,
   * so that none sees half of it.
   */
  async #applyInSteps(differences: readonly QuadChange[]): Promise<void> {
    const maybeYield = createYielder()
    for (const part of await partsOf(differences)) {
      this.#apply(part)
      await maybeYield()
    }
  }

  #apply(commit: QuadChange): void {
    try {
      this.#queried?.apply(commit)
    } catch (cause) {
      this.#fail(cause)
    }
  }

  /** Reads or changes the quads of Oxigraph when no large commit is half applied. */
  #betweenCommits<Result>(work: () => Result): Promise<Result> {
    return this.#inTurn(() => Promise.resolve(work()))
  }

  /** @throws DiskFailedError when the content of the memory is unknown */
  #unlessFailed<Result>(work: () => Result): Result {
    if (this.#failure) throw this.#failure
    try {
      return work()
    } catch (cause) {
      throw isCrash(cause) ? this.#fail(cause) : cause
    }
  }

  #fail(cause: unknown): DiskFailedError {
    this.#failure = new DiskFailedError('the store in memory broke', { cause })
    this.#onFatal(this.#failure)
    return this.#failure
  }
}

const tooLargeError = (quads: number, cause: unknown): ExpectedError =>
  new ExpectedError(
    'the records do not fit into the memory of the embedded store, which has room for about 13 million quads; ' +
      `it was full after ${quads}. Set STORE (docs/explanation/remote-store.md); the data are ` +
      'complete',
    { cause },
  )

/**
 * Oxigraph with all quads. It never frees those that are removed, 1.2 KB each (its
 * storage/memory.rs), so its memory grows until the process ends.
 */
function openQueriedQuads() {
  const store = new Oxigraph()
  // They were validated when they were written, which saves a third of the time.
  const load = (text: string): void =>
    store.load(text, { format: 'application/n-quads', lenient: true, no_transaction: true })
  return {
    // The result leaves WASM as one string: converting the terms one by one is far slower.
    query: (sparql: string) => store.query(sparql, { results_format: 'tsv' }) as string,
    load,
    apply({ removed, added }: QuadChange): void {
      // Deleting quads as objects takes four times as long, and leaves an object for each term,
      // which the garbage collector has to finalize: half a second for ten thousand records.
      if (removed !== '') store.update(toDeleteData(removed))
      if (added !== '') load(added)
    },
  }
}

/**
 * The check that Oxigraph accepts quads, made before they are written.
 * @throws the error of Oxigraph
 */
function createParseValidation(guard: (work: () => void) => void): (nquads: string) => void {
  let scratch = new Oxigraph()
  let uses = 0
  return (nquads) => {
    if (isCertainlyValid(nquads)) return
    // A new store for each check would be slow, and one for all would grow.
    if ((uses += 1) % 100 === 0) scratch = new Oxigraph()
    guard(() => scratch.load(nquads, { format: 'application/n-quads' }))
  }
}

async function loadRecords(
  keyValueStore: KeyValueStore,
  load: (nquads: string) => void,
  { onLoaded, onRecord }: LoadProgress,
): Promise<void> {
  let count = 0
  for await (const records of recordBatches(keyValueStore, loadBatchSize)) {
    load(records.map(([, value]) => value).join(''))
    // Meanwhile the process can answer that it is not ready yet.
    await yieldToEventLoop()
    for (const [key, value] of records) onRecord(key.slice(prefixes.records.length), value)
    onLoaded((count += records.length))
    await yieldToEventLoop()
  }
}

type RecordEntry = readonly [key: string, value: string]

/** All records in batches of this size; the last one has what is left. */
export async function* recordBatches(
  keyValueStore: KeyValueStore,
  size: number,
): AsyncGenerator<readonly RecordEntry[]> {
  let records: RecordEntry[] = []
  for await (const record of keyValueStore.entries(prefixes.records)) {
    if (records.push(record) < size) continue
    yield records
    records = []
  }
  yield records
}

// The memory or the stack of the WebAssembly instance overflowed, so none of its stores can be used
// any more. Node's types do not know the class of the first error.
const isCrash = (error: unknown): boolean => error instanceof RangeError || isTrap(error)

const isTrap = (error: unknown): boolean => error instanceof Error && error.name === 'RuntimeError'
