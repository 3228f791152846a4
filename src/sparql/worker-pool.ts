// The workers that run public queries. The pool ends a query that runs too long, keeps a worker free
// for short ones, and replaces a worker that broke or became stale. query-queue.ts decides which query is next; worker-handle.ts
// talks to one worker.

import type { GarbageLimit } from '../store/embedded/garbage-counter.js'
import type { SparqlClientConfig } from '../store/remote/sparql-client.js'
import type { Store } from '../store/store.js'
import { QueryError } from './errors.js'
import { checkQueryText } from './precheck.js'
import { type QueryClient, type QueryJob, createQueryQueue } from './query-queue.js'
import { type WorkerHandle, WorkerLostError, startWorkerThread } from './worker-handle.js'
import type { QueryLimits, QueryRequest, QueryResult } from './worker-protocol.js'

export type { QueryClient } from './query-queue.js'

export type PoolSettings = {
  /** The base URL; the endpoint is `sparql` below it. */
  readonly base: string
  /** The IRIs of the public graphs. */
  readonly graphs: readonly string[]
  readonly workers: number
  /** How long a query may run, in seconds. */
  readonly timeout: number
  readonly limits: QueryLimits
  /** The remote store that holds the graphs. Without one, each worker has a replica. */
  readonly engine?: SparqlClientConfig | undefined
  /** How many quads may be removed from a replica before it is replaced. */
  readonly garbageLimit?: GarbageLimit
}

export type WorkerPool = {
  /**
   * Starts the workers. Queries wait for a while until one is ready.
   * @returns resolves when the replicas are filled, or could not be filled at once
   */
  start(): Promise<void>
  /**
   * Runs a query when a worker is free.
   * @throws QueryError, UpdateNotAllowedError, ResultFormatError, PoolBusyError, TooManyQueriesError
   */
  ask(request: QueryRequest, client: QueryClient): Promise<QueryResult>
  /** The number of workers that are free, that run a query, and that ended so far. */
  workers(): { readonly free: number; readonly busy: number; readonly ended: number }
  close(): Promise<void>
}

/** The memory for a query, and for each quad of the replica. */
const memoryBytes = { query: 512 * 1024 * 1024, quad: 1_000 }

/** How long a query counts as short. */
const shortMs = 1000

/** How long the extra worker is kept after it was needed. */
const keepExtraMs = 60_000

/** @param onError is called with errors of workers that no query is the reason of */
export function createWorkerPool(
  store: Store,
  { base, graphs, workers, timeout, limits, engine, garbageLimit }: PoolSettings,
  onError: (error: Error) => void,
): WorkerPool {
  /** Whether no worker has been ready yet. */
  let isLoading = true
  const queue = createQueryQueue(timeout, () => isLoading)
  const started = new Set<WorkerHandle>()
  /** The workers that can run queries, each with the one that it runs. */
  const ready = new Map<WorkerHandle, QueryJob | undefined>()
  /** Stale workers whose replacement is being loaded. */
  const replacing = new Set<WorkerHandle>()
  /** Stale workers whose replacement is ready. They end after their query. */
  const retiring = new Set<WorkerHandle>()
  /** How long the last worker took to load its replica. */
  let loadSeconds = 0
  let extraTimer: NodeJS.Timeout | undefined
  let ended = 0
  let isClosed = false

  /**
   * @param failures the number of failed attempts; the delay before the next grows with it
   * @param stale the worker that retires when this one is ready
   * @returns resolves when it is ready, or failed
   */
  async function startWorker(failures: number, stale?: WorkerHandle): Promise<void> {
    if (isClosed) return
    const tryAgain = (): void => {
      const delayMs = Math.min(30_000, 100 * 4 ** failures)
      setTimeout(() => void startWorker(failures + 1, stale), delayMs).unref()
    }
    const worker: WorkerHandle = startWorkerThread(
      store,
      {
        endpoint: `${base}/sparql`,
        graphs,
        limits,
        engine,
        memory: memoryBytes.query + memoryBytes.quad * store.size(),
      },
      {
        onExit: (error) => onWorkerExit(worker, error),
        onStale() {
          replacing.add(worker)
          void startWorker(0, worker)
        },
        garbageLimit,
      },
    )
    started.add(worker)
    const startedAt = performance.now()
    await worker.ready.then(
      () => {
        loadSeconds = secondsSince(startedAt)
        // It may have ended just before.
        if (started.has(worker)) onWorkerReady(worker, stale)
        else tryAgain()
      },
      (error: unknown) => {
        if (isClosed) return
        onError(error as Error)
        void worker.end()
        tryAgain()
      },
    )
  }

  function onWorkerReady(worker: WorkerHandle, stale: WorkerHandle | undefined): void {
    isLoading = false
    ready.set(worker, undefined)
    if (stale && replacing.delete(stale)) retiring.add(stale)
    retireIdle()
    if (ready.size > workers) retireExtraLater()
    dispatch()
  }

  function onWorkerExit(worker: WorkerHandle, error: Error): void {
    started.delete(worker)
    ended += 1
    const isIdle = ready.has(worker) && !ready.get(worker)
    if (isIdle && !isClosed) onError(error)
    const wasReady = ready.delete(worker)
    const isReplaced = replacing.delete(worker) || retiring.delete(worker)
    // A worker that failed while it was loading is started again with a delay, by `startWorker`.
    if (wasReady && !isReplaced) void startWorker(0)
  }

  function retireIdle(): void {
    for (const worker of retiring) {
      if (ready.get(worker)) continue
      ready.delete(worker)
      void worker.end()
    }
  }

  /** Gives waiting queries to free workers. */
  function dispatch(): void {
    for (const [worker, runningJob] of ready) {
      if (runningJob) continue
      const job = queue.takeNext(runningClients(), countLong() < workers)
      if (!job) return
      ready.set(worker, job)
      void run(worker, job)
    }
  }

  const runningClients = (): ReadonlySet<string> =>
    new Set([...ready.values()].flatMap((job) => (job ? [job.client] : [])))

  const countLong = (): number => [...ready.values()].filter((job) => job?.isLong).length

  /**
   * One worker is kept free for short queries: if all are busy with long ones, an extra one is started;
   * and if the query of that one turns out to be long too, it is stopped and waits.
   * @returns whether the query may go on
   */
  function mayGoOn(job: QueryJob): boolean {
    job.isLong = true
    if (countLong() > workers) return false
    if (countLong() === workers && started.size - retiring.size - replacing.size <= workers) {
      void startWorker(0)
    }
    return true
  }

  function retireExtraLater(): void {
    clearTimeout(extraTimer)
    extraTimer = setTimeout(() => {
      if (isClosed || ready.size <= workers) return
      const idle = [...ready].find(([worker, job]) => !job && !replacing.has(worker))?.[0]
      if (idle && countLong() < workers) {
        retiring.add(idle)
        retireIdle()
      } else retireExtraLater()
    }, keepExtraMs).unref()
  }

  async function run(worker: WorkerHandle, job: QueryJob): Promise<void> {
    const startedAt = performance.now()
    let stopped: StopReason | undefined
    let isWorkerLost = false
    const stop = (reason: StopReason): void => {
      stopped ??= reason
      void worker.end()
    }
    const timers = [
      setTimeout(() => stop('late'), timeout * 1000),
      setTimeout(() => {
        if (job.gone.aborted) stop('gone')
        else if (!mayGoOn(job)) stop('long')
      }, shortMs),
    ]
    // A short query is not worth a new worker, which has to load its replica.
    const onGone = (): void => {
      if (job.isLong) stop('gone')
    }
    job.gone.addEventListener('abort', onGone)
    try {
      job.resolve(await worker.runQuery(job.request))
    } catch (error) {
      isWorkerLost = error instanceof WorkerLostError
      if (stopped === 'long' && !isClosed) queue.put(job)
      else
        job.reject(error instanceof WorkerLostError ? reasonFor(error, stopped) : (error as Error))
    } finally {
      timers.forEach(clearTimeout)
      job.gone.removeEventListener('abort', onGone)
      queue.spend(job.client, secondsSince(startedAt) + (isWorkerLost ? loadSeconds : 0))
      if (ready.has(worker)) ready.set(worker, undefined)
      retireIdle()
      dispatch()
    }
  }

  function reasonFor(lost: WorkerLostError, stopped: StopReason | undefined): Error {
    if (isClosed) return queue.busyError('The service is stopping.')
    if (stopped === 'gone') return queue.busyError('The client is gone.')
    if (stopped === 'late') return new QueryError(`The query takes longer than ${timeout} seconds.`)
    onError(lost)
    return new QueryError(
      'The query needs more memory than there is for one, or is nested too deep.',
    )
  }

  return {
    async start() {
      await Promise.all(Array.from({ length: workers }, () => startWorker(0)))
    },
    ask(request, client) {
      checkQueryText(request.query)
      const result = queue.add(request, client)
      dispatch()
      return result
    },
    workers() {
      const busy = [...ready.values()].filter(Boolean).length
      return { free: ready.size - busy, busy, ended }
    },
    async close() {
      isClosed = true
      clearTimeout(extraTimer)
      queue.rejectAll(queue.busyError('The service is stopping.'))
      await Promise.all([...started].map((worker) => worker.end()))
    },
  }
}

/**
 * Why a running query is stopped: by the time limit, because the client is gone, or because only short
 * queries may run now.
 */
type StopReason = 'late' | 'gone' | 'long'

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000
