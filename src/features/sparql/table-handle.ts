// The thread with the table of public quads as the main thread sees it: it is loaded, gets every
// commit, and is connected with the threads that run queries. table-thread.ts is the other side.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'

import { type NamedNode, iri } from '../../rdf/terms.js'
import { threadModule } from '../../lib/package-files.js'
import { createYielder } from '../../lib/scheduling.js'
import type { Commit, QuadChange } from '../../store/commit-listeners.js'
import { partsInGraphs } from '../../store/commit-parts.js'
import type { Store } from '../../store/store.js'
import { createCommitQueue } from './commit-queue.js'
import type { QuadPattern } from './quad-patterns.js'
import type { FromTable, TableConfig, ToTable } from './table-protocol.js'

export class TableHandle {
  /**
   * Resolves when the table has all quads.
   * @throws Error when the thread ended, and the errors of the store's dump
   */
  readonly ready: Promise<void>
  readonly #store: Pick<Store, 'dump' | 'size' | 'listeners'>
  readonly #onExit: (reason: Error) => void
  readonly #thread: Worker
  #onLoaded: { resolve: () => void; reject: (error: Error) => void } | undefined
  #failure: Error | undefined
  /** Those who wait for counts, in the order in which they asked. */
  readonly #onCounted: ((counts: readonly number[]) => void)[] = []
  /** The commits made while the table is loaded; undefined afterwards. */
  #commitsDuringLoad: QuadChange[] | undefined = []
  #lastCommit = 0
  #largeCommits = 0
  readonly #commitQueue = createCommitQueue((commit) => {
    this.#lastCommit += 1
    this.#post({ kind: 'change', ...commit, number: this.#lastCommit })
  })
  readonly #publicGraphs: readonly NamedNode[]
  readonly #stopListening: () => void

  /**
   * @param onExit called once, when the thread ended for any reason
   * @param maxRemoved how many quads may be removed before the table is made again, unless by their
   * number
   */
  constructor(
    store: Pick<Store, 'dump' | 'size' | 'listeners'>,
    graphs: readonly string[],
    onExit: (reason: Error) => void,
    maxRemoved?: number,
  ) {
    this.#store = store
    this.#onExit = onExit
    this.#thread = new Worker(threadModule('features/sparql/table-thread.js'), {
      workerData: { size: store.size(), maxRemoved } satisfies TableConfig,
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    })
    this.#publicGraphs = graphs.map(iri)
    this.#stopListening = store.listeners.add('public quads', {
      onCommit: (commit) => this.#onCommit(commit),
    })
    this.#thread.on('message', (message: FromTable) => {
      if (message.kind === 'loaded') this.#onLoaded?.resolve()
      else this.#onCounted.shift()?.(message.counts)
    })
    this.#thread.on('error', (reason) => this.#exit(reason))
    this.#thread.on('exit', () => this.#exit(new Error('the thread with the public quads ended')))
    this.ready = this.#load()
  }

  /** A port for a thread that runs queries (quad-source.ts). */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#post({ kind: 'connect', port: port1 }, [port1])
    return port2
  }

  /** Passes on what was committed so far. @returns the number of the last commit */
  flush(): number {
    this.#commitQueue.flush()
    return this.#lastCommit
  }

  /**
   * How many quads have one of the patterns, for each list of patterns; nothing when the thread
   * ended.
   */
  count(lists: readonly (readonly QuadPattern[])[]): Promise<readonly number[]> {
    if (this.#failure) return Promise.resolve([])
    return new Promise((resolve) => {
      this.#onCounted.push(resolve)
      this.#post({ kind: 'count', lists })
    })
  }

  async end(): Promise<void> {
    this.#exit(new Error('the thread with the public quads was ended'))
    await this.#thread.terminate()
  }

  async #onCommit(commit: Commit): Promise<void> {
    const parts = await partsInGraphs(commit, this.#publicGraphs)
    if (this.#commitsDuringLoad) this.#commitsDuringLoad.push(...parts)
    else if (parts.length === 1) parts.forEach(this.#commitQueue.add)
    else await this.#postParts(parts)
  }

  /** Copying a large commit for the thread takes long, so it is done in steps. */
  async #postParts(parts: readonly QuadChange[]): Promise<void> {
    this.#commitQueue.flush()
    const id = (this.#largeCommits += 1)
    const maybeYield = createYielder()
    for (const part of parts) {
      this.#post({ kind: 'part', id, ...part })
      await maybeYield()
    }
    this.#lastCommit += 1
    this.#post({ kind: 'complete', id, number: this.#lastCommit })
  }

  #exit(reason: Error): void {
    if (this.#failure) return
    this.#failure = reason
    this.#stopListening()
    this.#commitQueue.close()
    this.#onLoaded?.reject(reason)
    for (const resolve of this.#onCounted.splice(0)) resolve([])
    void this.#thread.terminate()
    this.#onExit(reason)
  }

  #post(message: ToTable, transferred: readonly MessagePort[] = []): void {
    this.#thread.postMessage(message, transferred)
  }

  // One chunk at a time, so that neither thread holds all of it as text.
  async #load(): Promise<void> {
    for await (const nquads of this.#store.dump(this.#publicGraphs)) {
      if (this.#failure) throw this.#failure
      await new Promise<void>((resolve, reject) => {
        this.#onLoaded = { resolve, reject }
        this.#post({ kind: 'load', nquads })
      })
    }
    const maybeYield = createYielder()
    while (!this.#failure && this.#commitsDuringLoad?.length) {
      this.#commitsDuringLoad.splice(0, 10).forEach(this.#commitQueue.add)
      await maybeYield()
    }
    if (this.#failure) throw this.#failure
    this.#commitsDuringLoad = undefined
  }
}
