// One worker, as the main thread sees it: filled with a replica of what everybody may see, kept up to
// date, asked one question at a time, and ended.

import { Worker } from 'node:worker_threads'

import { iri } from '../rdf/terms.js'
import { createCommitQueue } from '../store/embedded/commit-queue.js'
import type { StoreCommit, Store } from '../store/store.js'
import { type GarbageLimit, createGarbageCounter } from '../store/embedded/garbage-counter.js'
import { PoolBusyError, ResultFormatError, QueryError, UpdateNotAllowedError } from './errors.js'
import type {
  QueryResult,
  FromWorker,
  QueryRequest,
  WorkerConfig,
  ToWorker,
} from './worker-protocol.js'

/** The worker was ended, or broke, before it answered. */
export class WorkerLostError extends Error {}

export type WorkerHandle = {
  /** Kept once the replica is whole. @throws SeatLost, and what the store's dump does */
  readonly ready: Promise<void>
  /** @throws QueryRefused, UpdateRefused, FormRefused; SeatLost */
  ask(question: QueryRequest): Promise<QueryResult>
  end(): Promise<void>
}

type PendingRequest = {
  readonly done: (answer?: QueryResult) => void
  readonly failed: (error: Error) => void
}

type WorkerEvents = {
  /** Once, that the worker ended, whether by `end` or by itself. */
  readonly onExit: (why: Error) => void
  /** Once, that another would be better by now: a replica keeps in memory what is removed from it. */
  readonly onStale: () => void
  readonly most?: GarbageLimit | undefined
}

export function openWorker(
  store: Store,
  start: WorkerConfig,
  { onExit, onStale, most }: WorkerEvents,
): WorkerHandle {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: start,
    // What is outside of WebAssembly: the tree of the query and the text of the answer.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  let waiting: PendingRequest | undefined
  let failure: WorkerLostError | undefined
  /** What was committed while the replica was being filled; undefined once it is. */
  let late: StoreCommit[] | undefined = []
  const backlog = createCommitQueue((commit) => post({ kind: 'change', ...commit }))

  const graphs = start.graphs.map(iri)
  const wear = createGarbageCounter(() => store.size(), most)
  let isWorn = false
  // Who asks elsewhere holds nothing.
  const unwatch = start.engine ? () => false : store.subscribe(graphs, follow)

  function follow(commit: StoreCommit): void {
    if (late) late.push(commit)
    else backlog.add(commit)
    // One that is still being filled is nobody's yet.
    if (!wear.add(commit) || late || isWorn) return
    isWorn = true
    onStale()
  }

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'loaded') waiting?.done()
    if (message.kind === 'answered') waiting?.done(message.answer)
    if (message.kind === 'refused') waiting?.failed(startErrors[message.because](message.why))
    if (message.kind === 'broken') lose(new WorkerLostError(message.why))
  })
  worker.on('error', (error) => lose(new WorkerLostError(error.message, { cause: error })))
  worker.on('exit', () => lose(new WorkerLostError('the worker ended')))

  function lose(why: WorkerLostError): void {
    if (failure) return
    failure = why
    unwatch()
    backlog.close()
    waiting?.failed(why)
    void worker.terminate()
    onExit(why)
  }

  const post = (message: ToWorker): void => worker.postMessage(message)

  async function tell(message: ToWorker): Promise<QueryResult | undefined> {
    if (failure) throw failure
    try {
      return await new Promise<QueryResult | undefined>((done, failed) => {
        waiting = { done, failed }
        post(message)
      })
    } finally {
      waiting = undefined
    }
  }

  // A piece at a time, so that neither side has the whole of it in its hands.
  async function fill(): Promise<void> {
    if (start.engine) return
    for await (const nquads of store.dump(graphs)) await tell({ kind: 'load', nquads })
    if (failure) throw failure
    late?.forEach(backlog.add)
    late = undefined
  }

  return {
    ready: fill(),
    async ask(question) {
      backlog.flush()
      const answer = await tell({ kind: 'ask', question })
      if (!answer) throw new WorkerLostError('the worker gave no answer')
      return answer
    },
    async end() {
      lose(new WorkerLostError('the worker was ended'))
      await worker.terminate()
    },
  }
}

/** How long to wait before asking an engine again that did not answer, in seconds. */
const startRetryDelayMs = 5

const startErrors = {
  query: (why: string) => new QueryError(why),
  update: () => new UpdateNotAllowedError(),
  form: (why: string) => new ResultFormatError(why),
  busy: (why: string) => new PoolBusyError(why, startRetryDelayMs),
} as const
