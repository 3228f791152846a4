// One worker as the main thread sees it: it runs one query at a time, and is ended. worker.ts is
// the other side.

import { Worker } from 'node:worker_threads'

import { InvalidError, RequestError } from '../../errors.js'
import { QueryParserError } from './errors.js'
import type { QuadPattern } from './quad-patterns.js'
import type {
  FromWorker,
  QueryRequest,
  QueryResult,
  ToWorker,
  WorkerConfig,
} from './worker-protocol.js'

/** The worker ended or broke before it returned a result. */
export class WorkerLostError extends Error {}

export type WorkerHandle = {
  /**
   * Resolves when it can run queries.
   * @throws WorkerLostError
   */
  readonly ready: Promise<void>
  /**
   * @param after the number of the commit that the query must see
   * @throws InvalidError, QueryParserError, ForbiddenError, RequestError, UnavailableError,
   * WorkerLostError
   */
  runQuery(request: QueryRequest, after: number, events: QueryEvents): Promise<QueryResult>
  /** Whether it loads Oxigraph or quads, or ended while it did. */
  isLoading(): boolean
  /** For how many seconds it has loaded Oxigraph and quads; 0 if it has none. */
  loadSeconds(): number
  end(): Promise<void>
}

/** What is told of a query while it is under way. */
export type QueryEvents = {
  /** Called when Oxigraph or quads are loaded for it, before it runs. */
  readonly onLoading: () => void
  /**
   * Called when that is loaded.
   * @returns whether the query is to run; if not, it fails with a InvalidError
   */
  readonly onLoaded: () => boolean
}

type WorkerEvents = {
  /** Called once, when the worker ended for any reason. */
  readonly onExit: (reason: Error) => void
  /** Called at most once, when a new worker that loads these quads would be better. */
  readonly onStale: (patterns: readonly QuadPattern[]) => void
}

type PendingQuery = QueryEvents & {
  readonly resolve: (result: QueryResult) => void
  readonly reject: (error: Error) => void
}

export function startWorkerThread(
  config: WorkerConfig,
  { onExit, onStale }: WorkerEvents,
): WorkerHandle {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: config,
    transferList: config.replica ? [config.replica.port] : [],
    // For what is outside of WebAssembly: the syntax tree of the query and the text of the result.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  })
  let pending: PendingQuery | undefined
  let failure: WorkerLostError | undefined
  let loadMs = 0
  let loadingSince: number | undefined
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined
  const ready = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
  // Whoever waits for it learns of a failure.
  ready.catch(() => undefined)

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') settle?.resolve()
    if (message.kind === 'loading') {
      loadingSince = performance.now()
      pending?.onLoading()
    }
    if (message.kind === 'loaded') {
      loadMs += performance.now() - (loadingSince ?? performance.now())
      loadingSince = undefined
      if (pending) post({ kind: 'loaded', isWanted: pending.onLoaded() })
    }
    if (message.kind === 'result') pending?.resolve(message.result)
    if (message.kind === 'rejected') pending?.reject(errorOf(message))
    if (message.kind === 'stale') onStale(message.patterns)
    if (message.kind === 'broken') exit(new WorkerLostError(message.message))
  })
  worker.on('error', (error) => exit(new WorkerLostError(error.message, { cause: error })))
  worker.on('exit', () => exit(new WorkerLostError('the worker ended')))

  const post = (message: ToWorker): void => worker.postMessage(message)

  function exit(reason: WorkerLostError): void {
    if (failure) return
    failure = reason
    settle?.reject(reason)
    pending?.reject(reason)
    void worker.terminate()
    onExit(reason)
  }

  return {
    ready,
    async runQuery(request, after, events) {
      if (failure) throw failure
      try {
        return await new Promise<QueryResult>((resolve, reject) => {
          pending = { resolve, reject, ...events }
          post({ kind: 'query', request, after })
        })
      } finally {
        pending = undefined
      }
    },
    isLoading: () => loadingSince !== undefined,
    loadSeconds: () =>
      (loadMs + (loadingSince === undefined ? 0 : performance.now() - loadingSince)) / 1000,
    async end() {
      exit(new WorkerLostError('the worker was ended'))
      await worker.terminate()
    },
  }
}

/** When a client may try again after the remote store did not respond. */
const retryAfterSeconds = 5

function errorOf({ why, message }: Extract<FromWorker, { kind: 'rejected' }>): Error {
  if (why === 'parser') return new QueryParserError(message)
  if (why === 'invalid') return new InvalidError(message)
  const retryAfter = why === 'unavailable' ? retryAfterSeconds : undefined
  return new RequestError(why, message, { retryAfter })
}
