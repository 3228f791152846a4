// The queries that wait for a worker: how many may wait, for how long, and which one is next. A
// client that was served recently comes after the others, and where too many wait, the client with
// the most of them loses one. worker-pool.ts runs the queries.

import { UnavailableError } from '../../errors.js'
import { tooManyQueries } from './errors.js'
import { createQueryBudget } from './query-budget.js'
import type { QueryRequest, QueryResult } from './worker-protocol.js'

export type QueryClient = {
  /** The account of the client, or its network. */
  readonly client: string
  /** Aborted when the client has its response or has disconnected. */
  readonly signal: AbortSignal
}

export type QueryJob = QueryClient & {
  readonly request: QueryRequest
  readonly resolve: (result: QueryResult) => void
  readonly reject: (error: Error) => void
  /** Whether it ran for longer than a short query may. */
  isLong: boolean
  /** Whether it runs again after a worker failed to load its quads. */
  isRepeated: boolean
}

/**
 * The queries of one client that are running, waiting, or being sent. One of them runs at a time. A
 * program that joins this endpoint with documents, such as Comunica, sends dozens at once.
 */
const maxPerClient = 100

/** With the longest texts (precheck.ts) they take 50 MiB. */
const maxQueued = 400

/** What a query may wait longer than another may run: the time in which many quads are loaded. */
const extraWaitSeconds = 30

/** How long a query waits while the table of quads is loaded, which may take minutes. */
const loadingWaitSeconds = 10

export class QueryQueue {
  readonly #timeoutSeconds: number
  readonly #isLoading: () => boolean
  readonly #jobs: QueryJob[] = []
  readonly #budget = createQueryBudget()
  /** For each client the number of its queries, and the turn in which it was served last. */
  readonly #clients = new Map<string, { count: number; lastTurn: number }>()
  #turn = 0

  /**
   * @param timeoutSeconds how long a query may run
   * @param isLoading whether no query can run yet
   */
  constructor(timeoutSeconds: number, isLoading: () => boolean) {
    this.#timeoutSeconds = timeoutSeconds
    this.#isLoading = isLoading
  }

  /** @throws RequestError, UnavailableError */
  add(request: QueryRequest, { client, signal }: QueryClient): Promise<QueryResult> {
    this.#admit({ client, signal })
    return new Promise((resolve, reject) => {
      this.put({ client, signal, request, resolve, reject, isLong: false, isRepeated: false })
    })
  }

  /** Puts a query at the end of the queue, also one that was stopped to run again. */
  put(job: QueryJob): void {
    if (job.signal.aborted) {
      job.reject(this.busyError('The client is gone.'))
      return
    }
    const timer = this.#isLoading()
      ? setTimeout(
          () =>
            this.#remove(job, this.busyError('The records are still being loaded for queries.')),
          loadingWaitSeconds * 1000,
        )
      : setTimeout(
          () => this.#remove(job, this.busyError('No worker was free in time.')),
          (this.#timeoutSeconds + extraWaitSeconds) * 1000,
        )
    timer.unref()
    job.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      this.#remove(job, this.busyError('The client is gone.'))
    })
    this.#jobs.push(job)
  }

  /**
   * Takes the query that waits longest, among those of the clients that were served longest ago.
   * @param running the clients that have a query running; they have to wait
   * @param mayBeLong whether it may be one that is known to be long
   */
  takeNext(running: ReadonlySet<string>, mayBeLong: boolean): QueryJob | undefined {
    const lastTurn = ({ client }: QueryJob): number => this.#clients.get(client)?.lastTurn ?? 0
    const [job] = this.#jobs
      .filter(({ client, isLong }) => !running.has(client) && (mayBeLong || !isLong))
      .sort((a, b) => lastTurn(a) - lastTurn(b))
    if (!job) return undefined
    this.#jobs.splice(this.#jobs.indexOf(job), 1)
    const state = this.#clients.get(job.client)
    if (state) state.lastTurn = this.#turn += 1
    return job
  }

  /** Counts the time that a query of a client took. */
  spend(client: string, seconds: number): void {
    this.#budget.spend(client, seconds)
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#jobs.splice(0)) reject(error)
  }

  busyError(reason: string): UnavailableError {
    return new UnavailableError(`${reason} Try again later.`, Math.ceil(this.#timeoutSeconds / 2))
  }

  #admit({ client, signal }: QueryClient): void {
    if (signal.aborted) throw this.busyError('The client is gone.')
    const state = this.#clients.get(client) ?? { count: 0, lastTurn: 0 }
    if (state.count >= maxPerClient)
      throw tooManyQueries(`You have ${maxPerClient} queries under way already.`, 5)
    this.#budget.check(client)
    if (this.#jobs.length >= maxQueued) this.#makeRoomFor(client)
    state.count += 1
    this.#clients.set(client, state)
    signal.addEventListener('abort', () => {
      state.count -= 1
      if (state.count === 0) this.#clients.delete(client)
    })
  }

  /**
   * Rejects the last query of the client of which the most are waiting.
   * @throws UnavailableError when this client would have as many
   */
  #makeRoomFor(client: string): void {
    const counts = new Map<string, number>()
    for (const job of this.#jobs) counts.set(job.client, (counts.get(job.client) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const last = this.#jobs.findLast((job) => counts.get(job.client) === most)
    const reason = this.busyError('Too many queries are waiting.')
    if (!last || (counts.get(client) ?? 0) + 1 >= most) throw reason
    this.#remove(last, reason)
  }

  /** Does nothing when the query is running already. */
  #remove(job: QueryJob, error: Error): void {
    const index = this.#jobs.indexOf(job)
    if (index < 0) return
    this.#jobs.splice(index, 1)
    job.reject(error)
  }
}
