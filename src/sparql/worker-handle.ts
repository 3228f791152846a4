// One worker as the main thread sees it: it is loaded with a replica of the public graphs, gets
// every commit, runs one query at a time, and is ended. worker.ts is the other side.

import { Worker } from 'node:worker_threads'

import { iri } from '../rdf/terms.js'
import { createYielder } from '../scheduling.js'
import { createCommitQueue } from '../store/embedded/commit-queue.js'
import { type GarbageLimit, createGarbageCounter } from '../store/embedded/garbage-counter.js'
import type { StoreCommit, Store } from '../store/store.js'
import { PoolBusyError, ResultFormatError, QueryError, UpdateNotAllowedError } from './errors.js'
import type {
  QueryResult,
  FromWorker,
  QueryRequest,
  WorkerConfig,
  ToWorker,
} from './worker-protocol.js'

/** The worker ended or broke before it returned a result. */
export class WorkerLostError extends Error {}

export type WorkerHandle = {
  /**
   * Resolves when the replica is complete.
   * @throws WorkerLostError, and the errors of the store's dump
   */
  readonly ready: Promise<void>
  /**
   * @throws QueryError, UpdateNotAllowedError, ResultFormatError, PoolBusyError, WorkerLostError
   */
  runQuery(request: QueryRequest): Promise<QueryResult>
  end(): Promise<void>
}

type PendingRequest = {
  readonly resolve: (result?: QueryResult) => void
  readonly reject: (error: Error) => void
}

type WorkerEvents = {
  /** Called once, when the worker ended for any reason. */
  readonly onExit: (reason: Error) => void
  /** Called once, when the replica holds so much garbage that a new one would be better. */
  readonly onStale: () => void
  readonly garbageLimit?: GarbageLimit | undefined
}

export function startWorkerThread(
  store: Store,
  config: WorkerConfig,
  { onExit, onStale, garbageLimit }: WorkerEvents,
): WorkerHandle {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: config,
    // For what is outside of WebAssembly: the syntax tree of the query and the text of the result.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  let pending: PendingRequest | undefined
  let failure: WorkerLostError | undefined
  /** The commits made while the replica is loaded; undefined afterwards. */
  let commitsDuringLoad: StoreCommit[] | undefined = []
  const commitQueue = createCommitQueue((commit) => post({ kind: 'change', ...commit }))

  const graphs = config.graphs.map(iri)
  const garbage = createGarbageCounter(() => store.size(), garbageLimit)
  let isStale = false
  // With a remote store there is no replica.
  const unsubscribe = config.engine ? () => undefined : store.subscribe(graphs, onCommit)

  async function onCommit(parts: readonly StoreCommit[]): Promise<void> {
    if (commitsDuringLoad) commitsDuringLoad.push(...parts)
    else if (parts.length === 1) parts.forEach(commitQueue.add)
    else await postParts(parts)
    const hasManyRemoved = parts.map((part) => garbage.add(part)).includes(true)
    // One that is still being loaded is not replaced.
    if (!hasManyRemoved || commitsDuringLoad || isStale) return
    isStale = true
    onStale()
  }

  /** Copying a large commit for the worker takes long, so it is done in steps. */
  async function postParts(parts: readonly StoreCommit[]): Promise<void> {
    commitQueue.flush()
    const maybeYield = createYielder()
    for (const part of parts) {
      post({ kind: 'part', ...part })
      await maybeYield()
    }
    post({ kind: 'complete' })
  }

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'loaded') pending?.resolve()
    if (message.kind === 'result') pending?.resolve(message.result)
    if (message.kind === 'rejected') pending?.reject(errors[message.error](message.message))
    if (message.kind === 'broken') exit(new WorkerLostError(message.message))
  })
  worker.on('error', (error) => exit(new WorkerLostError(error.message, { cause: error })))
  worker.on('exit', () => exit(new WorkerLostError('the worker ended')))

  function exit(reason: WorkerLostError): void {
    if (failure) return
    failure = reason
    unsubscribe()
    commitQueue.close()
    pending?.reject(reason)
    void worker.terminate()
    onExit(reason)
  }

  const post = (message: ToWorker): void => worker.postMessage(message)

  async function request(message: ToWorker): Promise<QueryResult | undefined> {
    if (failure) throw failure
    try {
      return await new Promise<QueryResult | undefined>((resolve, reject) => {
        pending = { resolve, reject }
        post(message)
      })
    } finally {
      pending = undefined
    }
  }

  // One chunk at a time, so that neither thread holds all of it as text.
  async function load(): Promise<void> {
    if (config.engine) return
    for await (const nquads of store.dump(graphs)) await request({ kind: 'load', nquads })
    if (failure) throw failure
    const maybeYield = createYielder()
    while (commitsDuringLoad?.length) {
      commitsDuringLoad.splice(0, 10).forEach(commitQueue.add)
      await maybeYield()
    }
    commitsDuringLoad = undefined
  }

  return {
    ready: load(),
    async runQuery(query) {
      commitQueue.flush()
      const result = await request({ kind: 'query', request: query })
      if (!result) throw new WorkerLostError('the worker returned no result')
      return result
    },
    async end() {
      exit(new WorkerLostError('the worker was ended'))
      await worker.terminate()
    },
  }
}

/** When a client may try again after the remote store did not respond. */
const retryAfterSeconds = 5

const errors = {
  query: (message: string) => new QueryError(message),
  update: () => new UpdateNotAllowedError(),
  format: (message: string) => new ResultFormatError(message),
  busy: (message: string) => new PoolBusyError(message, retryAfterSeconds),
} as const
