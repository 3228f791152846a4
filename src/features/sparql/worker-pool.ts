// The workers that run public queries. The pool ends a query that runs too long, keeps a worker
// free for short ones, replaces a worker that broke or became stale, and all of them when no query
// came for long. query-queue.ts decides which query is next, query-watch.ts which one is stopped;
// worker-handle.ts talks to one worker, table-handle.ts to the thread from which all get their quads.

import { InvalidError } from '../../errors.js'
import { neverAborted } from '../../lib/scheduling.js'
import type { SparqlClientConfig } from '../../store/remote/sparql-client.js'
import type { Store } from '../../store/store.js'
import { type StopReason, QueryWatch } from './query-watch.js'
import { readQueryText } from './precheck.js'
import { mayPreload, patternsOfQueries } from './preloaded-quads.js'
import { type QuadPattern, noPatterns, writePattern } from './quad-patterns.js'
import { type QueryClient, type QueryJob, QueryQueue } from './query-queue.js'
import { TableHandle } from './table-handle.js'
import { WorkerHandle, WorkerLostError } from './worker-handle.js'
import type { SearchWords } from './word-search.js'
import type { WordHit, WordSearch } from './word-search-protocol.js'
import type {
  QueryLimits,
  QueryPlan,
  QueryRequest,
  QueryResult,
  ReplicaConfig,
} from './worker-protocol.js'

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
  /** Answers the searches of queries; undefined without an index of words. */
  readonly searchWords?: SearchWords | undefined
  /**
   * How many quads may be removed before a worker is replaced and the table made again, unless by
   * their number.
   */
  readonly maxRemoved?: number | undefined
  /** Queries whose quads a worker has at rest, where there are not too many. */
  readonly preloaded?: readonly string[] | undefined
  /** How long workers keep their quads when no query is asked, in milliseconds. */
  readonly keepMs?: number
  /** How long after the start a worker loads those that it has at rest, in milliseconds. */
  readonly preloadMs?: number
  /** Aborted when the service stops: short queries run to their end, and no others. */
  readonly stopping?: AbortSignal
}

/** The memory that a worker may take for its query, and for each quad of the store. */
const memoryBytes = { query: 512 * 1024 * 1024, quad: 1_000 }

/** How long the extra worker is kept after it was needed. */
const keepExtraMs = 60_000

/** How long workers keep their quads when no query is asked. */
const keepQuadsMs = 5 * 60_000

/** What else is read at the start comes first. */
const preloadAfterMs = 2_000

/** The part of the pool that runs queries, also with what limits and counts them around it. */
export type QueryRunner = Pick<WorkerPool, 'ask'>

export class WorkerPool {
  readonly #store: Store
  readonly #settings: PoolSettings
  readonly #onError: (error: Error) => void
  readonly #stopping: AbortSignal
  /** Whether no query can run yet, since the table or the first worker is not ready. */
  #isLoading = true
  readonly #queue: QueryQueue
  /** Has the quads for the workers, once they are loaded. With a remote store there is none. */
  #table: TableHandle | undefined
  /** The table that is being loaded, or the same. */
  #openTable: TableHandle | undefined
  readonly #started = new Set<WorkerHandle>()
  /** The workers that can run queries, each with the one that it runs. */
  readonly #ready = new Map<WorkerHandle, QueryJob | undefined>()
  /** Workers whose replacement is being started. */
  readonly #replacing = new Set<WorkerHandle>()
  /** Workers whose replacement is ready. They end after their query. */
  readonly #retiring = new Set<WorkerHandle>()
  #extraTimer: NodeJS.Timeout | undefined
  #restTimer: NodeJS.Timeout | undefined
  #hasRested = false
  /** The patterns of the queries that are preloaded. */
  #preloaded: readonly QuadPattern[] | undefined
  #ended = 0
  #isClosed = false

  /** @param onError is called with errors of workers that no query is the reason of */
  constructor(store: Store, settings: PoolSettings, onError: (error: Error) => void) {
    this.#store = store
    this.#settings = settings
    this.#onError = onError
    this.#stopping = settings.stopping ?? neverAborted
    this.#queue = new QueryQueue(settings.timeout, () => this.#isLoading)
    this.#stopping.addEventListener('abort', () => this.#rejectWaiting())
  }

  /**
   * Starts the workers. Queries wait for a while until one is ready.
   * @returns resolves when they are ready, or could not be started at once
   */
  start(): Promise<void> {
    return this.#start()
  }

  /**
   * Runs a query when a worker is free.
   * @throws InvalidError, ForbiddenError, UnavailableError, RequestError
   */
  ask(request: QueryRequest, client: QueryClient): Promise<QueryResult> {
    const query = readQueryText(request.query)
    const result = this.#queue.add({ ...request, query }, client)
    this.#dispatch()
    return result
  }

  /** The number of workers that are free, that run a query, and that ended so far. */
  workers(): { readonly free: number; readonly busy: number; readonly ended: number } {
    const busy = [...this.#ready.values()].filter(Boolean).length
    return { free: this.#ready.size - busy, busy, ended: this.#ended }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#extraTimer)
    clearTimeout(this.#restTimer)
    this.#rejectWaiting()
    await Promise.all([...[...this.#started].map((worker) => worker.end()), this.#openTable?.end()])
  }

  #rejectWaiting(): void {
    this.#queue.rejectAll(this.#queue.busyError('The service is stopping.'))
  }

  /** @returns resolves when the workers are ready, or could not be started at once */
  async #start(failures = 0): Promise<void> {
    if (this.#settings.workers === 0) return
    try {
      if (!this.#settings.engine) this.#table = await this.#loadTable()
      await this.#startWorkers()
    } catch (error) {
      this.#onStartFailure(error as Error, failures)
    }
  }

  /** @throws Error, and the errors of the store's dump */
  async #loadTable(): Promise<TableHandle> {
    const onExit = (error: Error): void => {
      if (this.#table === opened && !this.#isClosed) this.#onTableLost(error)
    }
    const opened = new TableHandle(
      this.#store,
      this.#settings.graphs,
      onExit,
      this.#settings.maxRemoved,
    )
    this.#openTable = opened
    await opened.ready
    return opened
  }

  #onStartFailure(error: Error, failures: number): void {
    if (this.#isClosed) return
    this.#onError(error)
    void this.#openTable?.end()
    const again = (): void => {
      if (!this.#isClosed) void this.#start(failures + 1)
    }
    setTimeout(again, delayAfter(failures)).unref()
  }

  async #startWorkers(): Promise<void> {
    await Promise.all(Array.from({ length: this.#settings.workers }, () => this.#startWorker(0)))
  }

  /** The workers get their changes from it, so they end with it. */
  #onTableLost(error: Error): void {
    this.#table = undefined
    this.#isLoading = true
    this.#onError(error)
    this.#ready.clear()
    for (const worker of this.#started) void worker.end()
    void this.#start()
  }

  /**
   * @param failures the number of failed attempts; the delay before the next grows with it
   * @param replaced the worker that retires when this one is ready
   * @param patterns the quads that it loads before it is ready
   * @returns resolves when it is ready, or failed
   */
  async #startWorker(
    failures: number,
    replaced?: WorkerHandle,
    patterns = noPatterns,
  ): Promise<void> {
    if (this.#isClosed || !(this.#settings.engine ?? this.#table)) return
    const ownTable = this.#table
    // With another table, other workers are started.
    const isWanted = (): boolean => !this.#isClosed && this.#table === ownTable
    const tryAgain = (): void => {
      const again = (): void => {
        if (isWanted()) void this.#startWorker(failures + 1, replaced, patterns)
      }
      setTimeout(again, delayAfter(failures)).unref()
    }
    let worker: WorkerHandle | undefined
    try {
      worker = this.#openWorker(patterns)
      await worker.ready
    } catch (error) {
      if (!isWanted()) return
      this.#onError(error as Error)
      void worker?.end()
      tryAgain()
      return
    }
    // It may have ended just before.
    if (this.#started.has(worker)) this.#onWorkerReady(worker, replaced)
    else tryAgain()
  }

  #openWorker(patterns: readonly QuadPattern[]): WorkerHandle {
    const worker: WorkerHandle = new WorkerHandle(
      {
        endpoint: `${this.#settings.base}/sparql`,
        graphs: this.#settings.graphs,
        limits: this.#settings.limits,
        engine: this.#settings.engine,
        replica: this.#replicaConfig(patterns),
        memory: memoryBytes.query + memoryBytes.quad * this.#store.size(),
      },
      {
        onExit: (error) => this.#onWorkerExit(worker, error),
        onStale: (needed) => this.#replace(worker, needed),
        onSearch: this.#searchWords,
      },
    )
    this.#started.add(worker)
    return worker
  }

  #replicaConfig(patterns: readonly QuadPattern[]): ReplicaConfig | undefined {
    return (
      this.#table && {
        port: this.#table.connect(),
        patterns,
        maxRemoved: this.#settings.maxRemoved,
      }
    )
  }

  #replace(worker: WorkerHandle, patterns: readonly QuadPattern[]): void {
    if (this.#replacing.has(worker) || this.#retiring.has(worker)) return
    this.#replacing.add(worker)
    void this.#startWorker(0, worker, patterns)
  }

  /**
   * Releases the quads that queries needed, unless a query is asked before. Those that a worker has
   * at rest are not there yet after the start, so the first time comes soon.
   */
  #restLater(): void {
    clearTimeout(this.#restTimer)
    const isBusy = [...this.#ready.values()].some(Boolean)
    if (isBusy || this.#isClosed) return
    const { preloaded, preloadMs = preloadAfterMs, keepMs = keepQuadsMs } = this.#settings
    const ms = preloaded && !this.#hasRested ? preloadMs : keepMs
    this.#restTimer = setTimeout(() => void this.#rest(), ms).unref()
  }

  /**
   * Starts other workers in place of those that run no query: one with the quads that it has at
   * rest, the others without quads.
   */
  async #rest(): Promise<void> {
    this.#hasRested = true
    const preloaded = await this.#findPreloaded()
    for (const [index, worker] of this.#freeWorkers().entries()) {
      const patterns = index === 0 ? preloaded : noPatterns
      if (!worker.hasOnly(patterns)) this.#replace(worker, patterns)
    }
  }

  /** What a worker loads at rest; nothing where there is no table, or it would be too much. */
  async #findPreloaded(): Promise<readonly QuadPattern[]> {
    const { base, preloaded = [] } = this.#settings
    if (!this.#table || preloaded.length === 0) return noPatterns
    this.#preloaded ??= patternsOfQueries(preloaded, `${base}/sparql`)
    const [quads = Infinity] = await this.#table.count([this.#preloaded])
    return mayPreload(quads) ? this.#preloaded : noPatterns
  }

  #onWorkerReady(worker: WorkerHandle, replaced: WorkerHandle | undefined): void {
    this.#isLoading = false
    this.#ready.set(worker, undefined)
    if (replaced && this.#replacing.delete(replaced)) this.#retiring.add(replaced)
    this.#retireIdle()
    if (this.#ready.size > this.#settings.workers) this.#retireExtraLater()
    this.#dispatch()
    this.#restLater()
  }

  #onWorkerExit(worker: WorkerHandle, error: Error): void {
    this.#started.delete(worker)
    this.#ended += 1
    const isIdle = this.#ready.has(worker) && !this.#ready.get(worker)
    if (isIdle && !this.#isClosed) this.#onError(error)
    const wasReady = this.#ready.delete(worker)
    const isReplaced = this.#replacing.delete(worker) || this.#retiring.delete(worker)
    // A worker that failed while it was loading is started again with a delay, by `startWorker`.
    if (wasReady && !isReplaced) void this.#startWorker(0)
  }

  #retireIdle(): void {
    for (const worker of this.#retiring) {
      if (this.#ready.get(worker)) continue
      this.#ready.delete(worker)
      void worker.end()
    }
  }

  /** Gives waiting queries to free workers. */
  #dispatch(): void {
    for (const worker of this.#freeWorkers()) {
      const job = this.#queue.takeNext(
        this.#runningClients(),
        this.#countLong() < this.#settings.workers,
      )
      if (!job) return
      this.#ready.set(worker, job)
      void this.#run(worker, job)
    }
  }

  /**
   * The workers that run no query. Those that have loaded more come first, since their quads may be
   * wanted again.
   */
  #freeWorkers(): WorkerHandle[] {
    return [...this.#ready]
      .flatMap(([worker, job]) => (job ? [] : [worker]))
      .sort((a, b) => b.loadSeconds() - a.loadSeconds())
  }

  #runningClients(): ReadonlySet<string> {
    return new Set([...this.#ready.values()].flatMap((job) => (job ? [job.client] : [])))
  }

  #countLong(): number {
    return [...this.#ready.values()].filter((job) => job?.isLong).length
  }

  /**
   * One worker is kept free for short queries: if all are busy with long ones, an extra one is
   * started; and if the query of that one turns out to be long too, it is stopped and waits.
   * @returns whether the query may go on
   */
  #mayGoOn(job: QueryJob): boolean {
    job.isLong = true
    if (this.#countLong() > this.#settings.workers) return false
    if (
      this.#countLong() === this.#settings.workers &&
      this.#started.size - this.#retiring.size - this.#replacing.size <= this.#settings.workers
    ) {
      void this.#startWorker(0)
    }
    return true
  }

  #retireExtraLater(): void {
    clearTimeout(this.#extraTimer)
    this.#extraTimer = setTimeout(() => {
      if (this.#isClosed || this.#ready.size <= this.#settings.workers) return
      const last = this.#freeWorkers().findLast((worker) => !this.#replacing.has(worker))
      if (last && this.#countLong() < this.#settings.workers) {
        this.#retiring.add(last)
        this.#retireIdle()
      } else this.#retireExtraLater()
    }, keepExtraMs).unref()
  }

  async #run(worker: WorkerHandle, job: QueryJob): Promise<void> {
    const startedAt = performance.now()
    const loadedBefore = worker.loadSeconds()
    const watch = new QueryWatch(worker, job, {
      timeoutMs: this.#settings.timeout * 1000,
      stopping: this.#stopping,
      mayGoOn: () => this.#mayGoOn(job),
    })
    let isBreaking = false
    clearTimeout(this.#restTimer)
    try {
      const { result, phases } = await worker.runQuery(
        job.request,
        this.#table?.flush() ?? 0,
        watch.events,
      )
      job.resolve(
        job.request.isExplained
          ? { ...result, plan: { patterns: await this.#countPatterns(worker), phases } }
          : result,
      )
    } catch (error) {
      const isLost = error instanceof WorkerLostError
      const { stopped } = watch
      // The quads may have become more than the worker had room for.
      const isFailedLoad = isLost && stopped === undefined && worker.isLoading() && !job.isRepeated
      if (!this.#isClosed && (stopped === 'long' || isFailedLoad)) {
        job.isRepeated ||= isFailedLoad
        this.#queue.put(job)
      } else {
        isBreaking = isLost
        job.reject(isLost ? await this.#reasonFor(error, stopped, worker) : (error as Error))
      }
    } finally {
      watch.end()
      // Quads are loaded for all clients; but who breaks a worker has it loaded again.
      const loaded = isBreaking ? -loadedBefore : worker.loadSeconds() - loadedBefore
      this.#queue.spend(job.client, secondsSince(startedAt) - loaded)
      if (this.#ready.has(worker)) this.#ready.set(worker, undefined)
      this.#retireIdle()
      this.#dispatch()
      this.#restLater()
    }
  }

  readonly #searchWords = async (searches: readonly WordSearch[]) => {
    const { searchWords } = this.#settings
    if (!searchWords) throw new InvalidError(noWordSearch)
    const records: (readonly WordHit[])[] = []
    for (const search of searches) records.push(await searchWords(search))
    // After the searches, so that the triples are no older than what was found.
    return { records, after: this.#table?.flush() ?? 0 }
  }

  /** What the query of a worker needs, and how many triples each has, most first. */
  async #countPatterns(worker: WorkerHandle): Promise<QueryPlan['patterns']> {
    const patterns = worker.patterns()
    const counts = (await this.#table?.count(patterns.map((pattern) => [pattern]))) ?? []
    return patterns
      .map((pattern, index) => ({ pattern: writePattern(pattern), triples: counts[index] }))
      .sort((a, b) => (b.triples ?? 0) - (a.triples ?? 0))
  }

  async #reasonFor(
    lost: WorkerLostError,
    stopped: StopReason | undefined,
    worker: WorkerHandle,
  ): Promise<Error> {
    if (this.#isClosed || this.#stopping.aborted)
      return this.#queue.busyError('The service is stopping.')
    if (stopped === 'gone') return this.#queue.busyError('The client is gone.')
    if (this.#isLoading)
      return this.#queue.busyError('The records are being loaded again for queries.')
    if (stopped === 'late') {
      const late = `The query takes longer than ${this.#settings.timeout} seconds.`
      const [most] = await this.#countPatterns(worker)
      return new InvalidError(
        most?.triples === undefined
          ? late
          : `${late} Its pattern with the most triples, ${most.triples}, is: ${most.pattern}`,
      )
    }
    this.#onError(lost)
    return new InvalidError(
      'The query needs more memory than there is for one, or is nested too deep.',
    )
  }
}

const noWordSearch =
  'This service has no index of words in memory, so it does not answer zc:matches. FILTER with CONTAINS finds texts too.'

/** How long to wait after so many failures and one more, in milliseconds. */
const delayAfter = (failures: number): number => Math.min(30_000, 100 * 4 ** failures)

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000
