// The workers that run public queries. The pool ends a query that runs too long, keeps a worker
// free for short ones, replaces a worker that broke or became stale, and all of them when no query
// came for long. query-queue.ts decides which query is next; worker-handle.ts talks to one worker,
// table-handle.ts to the thread from which all get their quads.

import { InvalidError } from '../../errors.js'
import { neverAborted } from '../../lib/scheduling.js'
import type { SparqlClientConfig } from '../../store/remote/sparql-client.js'
import type { Store } from '../../store/store.js'
import { readQueryText } from './precheck.js'
import type { QuadPattern } from './quad-patterns.js'
import { type QueryClient, type QueryJob, createQueryQueue } from './query-queue.js'
import { type TableHandle, startTableThread } from './table-handle.js'
import {
  type QueryEvents,
  type WorkerHandle,
  WorkerLostError,
  startWorkerThread,
} from './worker-handle.js'
import type { QueryLimits, QueryRequest, QueryResult, ReplicaConfig } from './worker-protocol.js'

export type PoolSettings = {
  /** The base URL; the endpoint is `sparql` below it. */
  readonly base: string
  /** The IRIs of the public graphs. */
  readonly graphs: readonly string[]
  readonly workers: number
  /** How long a query may run, in seconds. */
  readonly timeout: number
  readonly limits: QueryLimits
  /** The remote store that holds the graphs. Without one, the workers have quads of their own. */
  readonly engine?: SparqlClientConfig | undefined
  /**
   * How many quads may be removed before a worker is replaced and the table made again, unless by
   * their number.
   */
  readonly maxRemoved?: number | undefined
  /** How long workers keep their quads when no query is asked, in milliseconds. */
  readonly keepMs?: number
  /** Aborted when the service stops: short queries run to their end, and no others. */
  readonly stopping?: AbortSignal
}

export type WorkerPool = {
  /**
   * Starts the workers. Queries wait for a while until one is ready.
   * @returns resolves when they are ready, or could not be started at once
   */
  start(): Promise<void>
  /**
   * Runs a query when a worker is free.
   * @throws InvalidError, ForbiddenError, UnavailableError, RequestError
   */
  ask(request: QueryRequest, client: QueryClient): Promise<QueryResult>
  /** The number of workers that are free, that run a query, and that ended so far. */
  workers(): { readonly free: number; readonly busy: number; readonly ended: number }
  close(): Promise<void>
}

/** The memory that a worker may take for its query, and for each quad of the store. */
const memoryBytes = { query: 512 * 1024 * 1024, quad: 1_000 }

/** How long a query counts as short. */
const shortMs = 1000

/** How long the extra worker is kept after it was needed. */
const keepExtraMs = 60_000

/** How long workers keep their quads when no query is asked. */
const keepQuadsMs = 5 * 60_000

/** @param onError is called with errors of workers that no query is the reason of */
export function createWorkerPool(
  store: Store,
  settings: PoolSettings,
  onError: (error: Error) => void,
): WorkerPool {
  const { base, graphs, workers, timeout, limits, engine, maxRemoved, keepMs } = settings
  const { stopping = neverAborted } = settings
  /** Whether no query can run yet, since the table or the first worker is not ready. */
  let isLoading = true
  const queue = createQueryQueue(timeout, () => isLoading)
  /** Has the quads for the workers, once they are loaded. With a remote store there is none. */
  let table: TableHandle | undefined
  /** The table that is being loaded, or the same. */
  let openTable: TableHandle | undefined
  const started = new Set<WorkerHandle>()
  /** The workers that can run queries, each with the one that it runs. */
  const ready = new Map<WorkerHandle, QueryJob | undefined>()
  /** Workers whose replacement is being started. */
  const replacing = new Set<WorkerHandle>()
  /** Workers whose replacement is ready. They end after their query. */
  const retiring = new Set<WorkerHandle>()
  let extraTimer: NodeJS.Timeout | undefined
  let keepTimer: NodeJS.Timeout | undefined
  let ended = 0
  let isClosed = false

  const rejectWaiting = (): void => queue.rejectAll(queue.busyError('The service is stopping.'))
  stopping.addEventListener('abort', rejectWaiting)

  /** @returns resolves when the workers are ready, or could not be started at once */
  async function start(failures = 0): Promise<void> {
    if (workers === 0) return
    try {
      if (!engine) table = await loadTable()
      await startWorkers()
    } catch (error) {
      onStartFailure(error as Error, failures)
    }
  }

  /** @throws Error, and the errors of the store's dump */
  async function loadTable(): Promise<TableHandle> {
    const onExit = (error: Error): void => {
      if (table === opened && !isClosed) onTableLost(error)
    }
    const opened = startTableThread(store, graphs, onExit, maxRemoved)
    openTable = opened
    await opened.ready
    return opened
  }

  function onStartFailure(error: Error, failures: number): void {
    if (isClosed) return
    onError(error)
    void openTable?.end()
    const again = (): void => {
      if (!isClosed) void start(failures + 1)
    }
    setTimeout(again, delayAfter(failures)).unref()
  }

  const startWorkers = async (): Promise<void> => {
    await Promise.all(Array.from({ length: workers }, () => startWorker(0)))
  }

  /** The workers get their changes from it, so they end with it. */
  function onTableLost(error: Error): void {
    table = undefined
    isLoading = true
    onError(error)
    ready.clear()
    for (const worker of started) void worker.end()
    void start()
  }

  /**
   * @param failures the number of failed attempts; the delay before the next grows with it
   * @param replaced the worker that retires when this one is ready
   * @param patterns the quads that it loads before it is ready
   * @returns resolves when it is ready, or failed
   */
  async function startWorker(
    failures: number,
    replaced?: WorkerHandle,
    patterns: readonly QuadPattern[] = [],
  ): Promise<void> {
    if (isClosed || !(engine ?? table)) return
    const ownTable = table
    // With another table, other workers are started.
    const isWanted = (): boolean => !isClosed && table === ownTable
    const tryAgain = (): void => {
      const again = (): void => {
        if (isWanted()) void startWorker(failures + 1, replaced, patterns)
      }
      setTimeout(again, delayAfter(failures)).unref()
    }
    let worker: WorkerHandle | undefined
    try {
      worker = openWorker(patterns)
      await worker.ready
    } catch (error) {
      if (!isWanted()) return
      onError(error as Error)
      void worker?.end()
      tryAgain()
      return
    }
    // It may have ended just before.
    if (started.has(worker)) onWorkerReady(worker, replaced)
    else tryAgain()
  }

  function openWorker(patterns: readonly QuadPattern[]): WorkerHandle {
    const worker: WorkerHandle = startWorkerThread(
      {
        endpoint: `${base}/sparql`,
        graphs,
        limits,
        engine,
        replica: replicaConfig(patterns),
        memory: memoryBytes.query + memoryBytes.quad * store.size(),
      },
      {
        onExit: (error) => onWorkerExit(worker, error),
        onStale: (wanted) => replace(worker, wanted),
      },
    )
    started.add(worker)
    return worker
  }

  const replicaConfig = (patterns: readonly QuadPattern[]): ReplicaConfig | undefined =>
    table && { port: table.connect(), patterns, maxRemoved }

  function replace(worker: WorkerHandle, patterns: readonly QuadPattern[]): void {
    if (replacing.has(worker) || retiring.has(worker)) return
    replacing.add(worker)
    void startWorker(0, worker, patterns)
  }

  /** Releases the quads of all workers, unless a query is asked before. */
  function releaseLater(): void {
    clearTimeout(keepTimer)
    const isBusy = [...ready.values()].some(Boolean)
    if (!isBusy && !isClosed) keepTimer = setTimeout(releaseQuads, keepMs ?? keepQuadsMs).unref()
  }

  /** Starts other workers, without quads, in place of those that have some and run no query. */
  function releaseQuads(): void {
    for (const worker of freeWorkers()) if (worker.loadSeconds() > 0) replace(worker, [])
  }

  function onWorkerReady(worker: WorkerHandle, replaced: WorkerHandle | undefined): void {
    isLoading = false
    ready.set(worker, undefined)
    if (replaced && replacing.delete(replaced)) retiring.add(replaced)
    retireIdle()
    if (ready.size > workers) retireExtraLater()
    dispatch()
    releaseLater()
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
    for (const worker of freeWorkers()) {
      const job = queue.takeNext(runningClients(), countLong() < workers)
      if (!job) return
      ready.set(worker, job)
      void run(worker, job)
    }
  }

  /**
   * The workers that run no query. Those that have loaded more come first, since their quads may be
   * wanted again.
   */
  const freeWorkers = (): WorkerHandle[] =>
    [...ready]
      .flatMap(([worker, job]) => (job ? [] : [worker]))
      .sort((one, other) => other.loadSeconds() - one.loadSeconds())

  const runningClients = (): ReadonlySet<string> =>
    new Set([...ready.values()].flatMap((job) => (job ? [job.client] : [])))

  const countLong = (): number => [...ready.values()].filter((job) => job?.isLong).length

  /**
   * One worker is kept free for short queries: if all are busy with long ones, an extra one is
   * started; and if the query of that one turns out to be long too, it is stopped and waits.
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
      const last = freeWorkers().findLast((worker) => !replacing.has(worker))
      if (last && countLong() < workers) {
        retiring.add(last)
        retireIdle()
      } else retireExtraLater()
    }, keepExtraMs).unref()
  }

  async function run(worker: WorkerHandle, job: QueryJob): Promise<void> {
    const startedAt = performance.now()
    const loadedBefore = worker.loadSeconds()
    const wasLong = job.isLong
    let stopped: StopReason | undefined
    let isBreaking = false
    const stop = (reason: StopReason): void => {
      // What is loaded serves the next queries too.
      if (worker.isLoading()) return
      stopped ??= reason
      void worker.end()
    }
    const afterShort = (): void => {
      if ((job.gone.aborted || stopping.aborted) && !worker.isLoading()) stop('gone')
      else if (!mayGoOn(job)) stop('long')
    }
    const startTimers = (): NodeJS.Timeout[] => [
      setTimeout(() => stop('late'), timeout * 1000),
      setTimeout(afterShort, shortMs),
    ]
    let timers = startTimers()
    const restartTimers = (): void => {
      timers.forEach(clearTimeout)
      timers = startTimers()
    }
    const events: QueryEvents = {
      onLoading: restartTimers,
      onLoaded() {
        job.isLong = wasLong
        restartTimers()
        return !job.gone.aborted
      },
    }
    // A short query is not worth a new worker.
    const onGone = (): void => {
      if (job.isLong) stop('gone')
    }
    for (const signal of [job.gone, stopping]) signal.addEventListener('abort', onGone)
    clearTimeout(keepTimer)
    try {
      job.resolve(await worker.runQuery(job.request, table?.flush() ?? 0, events))
    } catch (error) {
      const isLost = error instanceof WorkerLostError
      // The quads may have become more than the worker had room for.
      const isFailedLoad = isLost && stopped === undefined && worker.isLoading() && !job.isRepeated
      if (!isClosed && (stopped === 'long' || isFailedLoad)) {
        job.isRepeated ||= isFailedLoad
        queue.put(job)
      } else {
        isBreaking = isLost
        job.reject(isLost ? reasonFor(error, stopped) : (error as Error))
      }
    } finally {
      timers.forEach(clearTimeout)
      for (const signal of [job.gone, stopping]) signal.removeEventListener('abort', onGone)
      // Quads are loaded for all clients; but who breaks a worker has it loaded again.
      const loaded = isBreaking ? -loadedBefore : worker.loadSeconds() - loadedBefore
      queue.spend(job.client, secondsSince(startedAt) - loaded)
      if (ready.has(worker)) ready.set(worker, undefined)
      retireIdle()
      dispatch()
      releaseLater()
    }
  }

  function reasonFor(lost: WorkerLostError, stopped: StopReason | undefined): Error {
    if (isClosed || stopping.aborted) return queue.busyError('The service is stopping.')
    if (stopped === 'gone') return queue.busyError('The client is gone.')
    if (isLoading) return queue.busyError('The records are being loaded again for queries.')
    if (stopped === 'late')
      return new InvalidError(`The query takes longer than ${timeout} seconds.`)
    onError(lost)
    return new InvalidError(
      'The query needs more memory than there is for one, or is nested too deep.',
    )
  }

  return {
    start: () => start(),
    ask(request, client) {
      const query = readQueryText(request.query)
      const result = queue.add({ ...request, query }, client)
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
      clearTimeout(keepTimer)
      rejectWaiting()
      await Promise.all([...[...started].map((worker) => worker.end()), openTable?.end()])
    },
  }
}

/**
 * Why a running query is stopped: by the time limit, because the client is gone, or because only
 * short queries may run now.
 */
type StopReason = 'late' | 'gone' | 'long'

/** How long to wait after so many failures and one more, in milliseconds. */
const delayAfter = (failures: number): number => Math.min(30_000, 100 * 4 ** failures)

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000
