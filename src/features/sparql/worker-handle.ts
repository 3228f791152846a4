// One worker as the main thread sees it: it runs one query at a time, and is ended. worker.ts is
// the other side.

import { Worker } from 'node:worker_threads'

import { InvalidError, RequestError } from '../../errors.js'
import { threadModule } from '../../lib/package-files.js'
import { QueryParserError } from './errors.js'
import { type QuadPattern, noPatterns } from './quad-patterns.js'
import type {
  FromWorker,
  Phases,
  QueryRequest,
  QueryResult,
  ToWorker,
  WorkerConfig,
} from './worker-protocol.js'
import type { WordHit, WordSearch } from './word-search-protocol.js'

/** The worker ended or broke before it returned a result. */
export class WorkerLostError extends Error {}

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

/** What searches found, in their order. */
type Found = {
  readonly records: readonly (readonly WordHit[])[]
  /** The number of the commit that the query must see. */
  readonly after: number
}

type WorkerEvents = {
  /** Called once, when the worker ended for any reason. */
  readonly onExit: (reason: Error) => void
  /** Called at most once, when a new worker that loads these quads would be better. */
  readonly onStale: (patterns: readonly QuadPattern[]) => void
  /**
   * Called when its query waits for what searches find.
   * @throws InvalidError, UnavailableError
   */
  readonly onSearch: (searches: readonly WordSearch[]) => Promise<Found>
}

/** A result, and how long each phase took. */
export type AnsweredQuery = { readonly result: QueryResult; readonly phases: Phases }

type PendingQuery = QueryEvents & {
  readonly resolve: (result: AnsweredQuery) => void
  readonly reject: (error: Error) => void
  /** Why its searches failed. */
  searchError?: Error
}

export class WorkerHandle {
  /**
   * Resolves when it can run queries.
   * @throws WorkerLostError
   */
  readonly ready: Promise<void>
  readonly #events: WorkerEvents
  readonly #worker: Worker
  /** What it loaded before it was ready. */
  readonly #preloaded: readonly QuadPattern[]
  #isReady = false
  #hasLoadedMore = false
  #settle: { resolve: () => void; reject: (error: Error) => void } | undefined
  #pending: PendingQuery | undefined
  /** What the query that runs needs, or ran last. */
  #patterns: readonly QuadPattern[] = []
  #failure: WorkerLostError | undefined
  #loadMs = 0
  #loadingSince: number | undefined

  constructor(config: WorkerConfig, events: WorkerEvents) {
    this.#events = events
    this.#preloaded = config.replica?.patterns ?? noPatterns
    this.#worker = new Worker(threadModule('features/sparql/worker.js'), {
      workerData: config,
      transferList: config.replica ? [config.replica.port] : [],
      // For what is outside of WebAssembly: the syntax tree of the query and the text of the result.
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
    })
    this.ready = new Promise<void>((resolve, reject) => (this.#settle = { resolve, reject }))
    // Whoever waits for it learns of a failure.
    this.ready.catch(() => undefined)
    this.#worker.on('message', (message: FromWorker) => this.#onMessage(message))
    this.#worker.on('error', (error) =>
      this.#exit(new WorkerLostError(error.message, { cause: error })),
    )
    this.#worker.on('exit', () => this.#exit(new WorkerLostError('the worker ended')))
  }

  /**
   * @param after the number of the commit that the query must see
   * @throws InvalidError, QueryParserError, ForbiddenError, RequestError, UnavailableError,
   * WorkerLostError
   */
  async runQuery(
    request: QueryRequest,
    after: number,
    events: QueryEvents,
  ): Promise<AnsweredQuery> {
    if (this.#failure) throw this.#failure
    this.#patterns = []
    try {
      return await new Promise<AnsweredQuery>((resolve, reject) => {
        this.#pending = { resolve, reject, ...events }
        this.#post({ kind: 'query', request, after })
      })
    } finally {
      this.#pending = undefined
    }
  }

  /** Whether it loads Oxigraph or quads, or ended while it did. */
  isLoading(): boolean {
    return this.#loadingSince !== undefined
  }

  /** For how many seconds it has loaded Oxigraph and quads; 0 if it has none. */
  loadSeconds(): number {
    return (
      (this.#loadMs +
        (this.#loadingSince === undefined ? 0 : performance.now() - this.#loadingSince)) /
      1000
    )
  }

  /** Whether it has loaded these before it was ready, and nothing since. */
  hasOnly(patterns: readonly QuadPattern[]): boolean {
    return this.#preloaded === patterns && !this.#hasLoadedMore
  }

  /** What the query needs that runs, or ran last; nothing before it has that. */
  patterns(): readonly QuadPattern[] {
    return this.#patterns
  }

  async end(): Promise<void> {
    this.#exit(new WorkerLostError('the worker was ended'))
    await this.#worker.terminate()
  }

  #onMessage(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#settle?.resolve()
    }
    if (message.kind === 'loading') {
      this.#hasLoadedMore ||= this.#isReady
      this.#loadingSince = performance.now()
      this.#pending?.onLoading()
    }
    if (message.kind === 'loaded') {
      this.#loadMs += performance.now() - (this.#loadingSince ?? performance.now())
      this.#loadingSince = undefined
      if (this.#pending) this.#post({ kind: 'loaded', isWanted: this.#pending.onLoaded() })
    }
    if (message.kind === 'search') void this.#search(message.searches)
    if (message.kind === 'result') this.#pending?.resolve(message)
    if (message.kind === 'runs') this.#patterns = message.patterns
    if (message.kind === 'rejected')
      this.#pending?.reject(this.#pending.searchError ?? errorOf(message))
    if (message.kind === 'stale') this.#events.onStale(message.patterns)
    if (message.kind === 'broken') this.#exit(new WorkerLostError(message.message))
  }

  /** The query fails in its worker too, which is then free for the next. */
  async #search(searches: readonly WordSearch[]): Promise<void> {
    const pending = this.#pending
    if (!pending) return
    try {
      const found = await this.#events.onSearch(searches)
      this.#post({ kind: 'found', ...found })
    } catch (error) {
      pending.searchError = error as Error
      this.#post({ kind: 'found', records: undefined, after: 0 })
    }
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #exit(reason: WorkerLostError): void {
    if (this.#failure) return
    this.#failure = reason
    this.#settle?.reject(reason)
    this.#pending?.reject(reason)
    void this.#worker.terminate()
    this.#events.onExit(reason)
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
