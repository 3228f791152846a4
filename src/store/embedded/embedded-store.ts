// The embedded store: Oxigraph in this process, which answers and forgets, over the durable home,
// which remembers. A record is one entry of the home, its value the record's N-Quads.

import { Store as Oxigraph } from 'oxigraph'

import { countQuads, isCertainlyValid, filterByGraph } from '../../rdf/nquads.js'
import { type NamedNode, writeNQuads } from '../../rdf/terms.js'
import { yieldToEventLoop } from '../../scheduling.js'
import { createCommitQueue } from './commit-queue.js'
import { DiskFailedError } from '../errors.js'
import type { KeyValueStore } from '../key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import { openInMemoryStore } from './rebuildable-store.js'
import type { StoreCommit, Store } from '../store.js'
import { readTsv } from './sparql-tsv.js'
import type { GarbageLimit } from './garbage-counter.js'

/** How many records are read at a time: whoever takes them holds everybody up for no longer. */
const dumpBatchSize = 25

type LoadProgress = {
  /** Is told the number of records read so far, now and then. */
  readonly onLoaded: (records: number) => void
  /** Is given every record that was kept, its quads as N-Quads, under its key. */
  readonly onRecord: (key: string, nquads: string) => void
}

type EmbeddedStoreOptions = LoadProgress & {
  /** Is told that the store cannot go on. */
  readonly onFatal: (failure: DiskFailedError) => void
  /** Is told of what went wrong behind everybody's back, and will be tried again. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly most?: GarbageLimit
}

/** Opens the store with all that the home holds. */
export async function openEmbeddedStore(
  home: KeyValueStore,
  { onLoaded, onRecord, onFatal, onError, most }: EmbeddedStoreOptions,
): Promise<Store> {
  /** What is in no home. */
  const passing: string[] = []
  let quads = 0
  const memory = openInMemoryStore(pieces, { size: () => quads, most, failed: onError })
  await loadRecords(home, load, { onLoaded, onRecord })
  let stage = new Oxigraph()
  let rehearsals = 0
  let failure: DiskFailedError | undefined
  /** What is on the disk and not yet here. */
  const backlog = createCommitQueue(apply)
  const watchers = new Set<(commit: StoreCommit) => void>()

  function load(nquads: string): void {
    memory.load(nquads)
    quads += countQuads(nquads)
  }

  /** All that there is. */
  async function* pieces(): AsyncGenerator<string> {
    yield* passing
    for await (const records of recordBatches(home, dumpBatchSize))
      yield records.map(([, value]) => value).join('')
  }

  async function* dump(graphs: readonly NamedNode[]): AsyncGenerator<string> {
    for await (const quads of pieces()) yield filterByGraph(quads, graphs)
  }

  /** Whatever Oxigraph could refuse it refuses here, before anything is written. */
  function rehearse(quads: string): void {
    if (isCertainlyValid(quads)) return
    // A store for each time would be slow, and one for ever would grow.
    if ((rehearsals += 1) % 100 === 0) stage = new Oxigraph()
    unlessBroken(() => stage.load(quads, { format: 'application/n-quads' }))
  }

  function apply(commit: StoreCommit): void {
    try {
      memory.apply(commit)
    } catch (cause) {
      fail(cause)
    }
  }

  /** @throws StorageFailed once memory cannot be trusted any more */
  function unlessBroken<Result>(work: () => Result): Result {
    if (failure) throw failure
    try {
      return work()
    } catch (cause) {
      throw isCrash(cause) ? fail(cause) : cause
    }
  }

  function fail(cause: unknown): DiskFailedError {
    failure = new DiskFailedError('the store in memory broke', { cause })
    onFatal(failure)
    return failure
  }

  return {
    isShared: false,
    // The answer is a string that leaves WASM whole: walking terms out one by one is far slower.
    select: (query) =>
      settle(() => {
        backlog.flush()
        return readTsv(unlessBroken(() => memory.query(query)))
      }),
    async commit(changes) {
      const entries = changes.map(({ key, quads }) => ({
        key: prefixes.records + key,
        value: quads && writeNQuads(quads),
      }))
      const kept = await Promise.all(
        entries.map(async ({ key }, index) =>
          changes[index]?.isNew ? undefined : await home.get(key),
        ),
      )
      // What stays is not touched: a change of one field costs that field.
      const differences = entries.map(({ value = '' }, index) => compare(kept[index] ?? '', value))
      const removed = differences.map((difference) => difference.removed).join('')
      const added = differences.map((difference) => difference.added).join('')
      rehearse(added)
      await home.write(entries)
      quads += countQuads(added) - countQuads(removed)
      const commit = { removed, added }
      backlog.add(commit)
      for (const tell of watchers) tell(commit)
    },
    // Nothing is ever left unconfirmed here.
    settlePending: () => Promise.resolve(),
    loadTransient: (quads) =>
      settle(() => {
        for (let start = 0; start < quads.length; start += dumpBatchSize * 10) {
          const written = writeNQuads(quads.slice(start, start + dumpBatchSize * 10))
          load(written)
          passing.push(written)
        }
      }),
    dump,
    subscribe(graphs, told) {
      const tell = ({ removed, added }: StoreCommit): void =>
        told({ removed: filterByGraph(removed, graphs), added: filterByGraph(added, graphs) })
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    // Oxigraph would count them one by one.
    size: () => quads,
    // The home is closed by whoever opened it.
    close() {
      backlog.close()
      return memory.close()
    },
  }
}

/** The lines that are in one text alone. */
function compare(before: string, after: string): StoreCommit {
  const [old, now] = [linesOf(before), linesOf(after)]
  return {
    removed: [...old].filter((line) => !now.has(line)).join(''),
    added: [...now].filter((line) => !old.has(line)).join(''),
  }
}

/** The lines of N-Quads, each with its end; no literal holds one. */
const linesOf = (nquads: string): ReadonlySet<string> =>
  new Set(
    nquads
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${line}\n`),
  )

async function loadRecords(
  home: KeyValueStore,
  load: (nquads: string) => void,
  { onLoaded, onRecord }: LoadProgress,
): Promise<void> {
  let count = 0
  // One string of 40 MB loads four times slower than forty of one; and between two of them the
  // process answers that it is not ready yet.
  for await (const records of recordBatches(home, 1000)) {
    load(records.map(([, value]) => value).join(''))
    await yieldToEventLoop()
    for (const [key, value] of records) onRecord(key.slice(prefixes.records.length), value)
    onLoaded((count += records.length))
    await yieldToEventLoop()
  }
}

type RecordLines = readonly [key: string, value: string]

/** All records, so many at a time; at the end, what is left. */
export async function* recordBatches(
  home: KeyValueStore,
  size: number,
): AsyncGenerator<readonly RecordLines[]> {
  let records: RecordLines[] = []
  for await (const record of home.entries(prefixes.records)) {
    if (records.push(record) < size) continue
    yield records
    records = []
  }
  yield records
}

// What ends every store of a WebAssembly instance: its memory or its stack was overrun. The first has
// no class that Node's types know.
const isCrash = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')

const settle = <Answer>(answer: () => Answer): Promise<Answer> =>
  new Promise((resolve) => resolve(answer()))
