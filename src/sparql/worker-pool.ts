// The reading room: a few workers, a queue before them, and a clock. It sees to it that a query ends
// in time, that what a query broke is replaced, and that no client has the room to itself.

import type { SparqlClientConfig } from '../store/remote/sparql-client.js'
import type { Store } from '../store/store.js'
import type { GarbageLimit } from '../store/embedded/garbage-counter.js'
import { PoolBusyError, QueryError, TooManyQueriesError } from './errors.js'
import { checkQueryText } from './precheck.js'
import type { QueryResult, QueryLimits, QueryRequest } from './worker-protocol.js'
import { type WorkerHandle, WorkerLostError, openWorker } from './worker-handle.js'

export type PoolSettings = {
  /** The base of the IRIs: the endpoint's is under it. */
  readonly base: string
  /** The graphs that everybody may see. */
  readonly graphs: readonly string[]
  readonly workers: number
  /** How long a query may run, in seconds. */
  readonly timeout: number
  readonly limits: QueryLimits
  /** Where the graphs are, when no worker is to hold a copy of them. */
  readonly engine?: SparqlClientConfig | undefined
  /** How many quads may be removed from a replica before another takes its place. */
  readonly most?: GarbageLimit
}

export type QueryClient = {
  /** Whoever asks, by account or address. */
  readonly client: string
  /** Says that the client has its answer, or will not take it any more. */
  readonly gone: AbortSignal
}

export type Pool = {
  /** @throws QueryRefused, UpdateRefused, FormRefused, Busy, TooMany */
  ask(question: QueryRequest, asking: QueryClient): Promise<QueryResult>
  /** How many workers could answer, how many do, and how many were ended or broke so far. */
  workers(): { readonly free: number; readonly busy: number; readonly ended: number }
  close(): Promise<void>
}

/** What one client may have under way: one query that runs, the others wait or are being sent. */
const maxPerClient = 3

/** How many queries may wait in all. */
const maxQueued = 32

/** How long a query may wait, besides what another may run: as long as a large replica needs to load. */
const maxWaitSeconds = 30

/** What a query may take besides the replica, and what a replica takes for a quad, in bytes. */
const memory = { query: 512 * 1024 * 1024, quad: 1_000 }

type QueryJob = QueryClient & {
  readonly question: QueryRequest
  readonly done: (answer: QueryResult) => void
  readonly failed: (error: Error) => void
}

/** @param report is told of what should not have happened */
export function createWorkerPool(
  store: Store,
  { base, graphs, workers, timeout, limits, engine, most }: PoolSettings,
  report: (error: Error) => void,
): Pool {
  /** The seats whose replica is whole, and who is asked there. */
  const seats = new Map<WorkerHandle, QueryJob | undefined>()
  const all = new Set<WorkerHandle>()
  /** Worn seats in whose place another is being filled, and those in whose place it is. */
  const relieved = new Set<WorkerHandle>()
  const leaving = new Set<WorkerHandle>()
  /** First come, first served; but for those who were served before. */
  const queue: QueryJob[] = []
  /** How many queries a client has under way, and when it was served last. */
  const clients = new Map<string, { count: number; served: number }>()
  let served = 0
  let ended = 0
  let closed = false

  for (let number = 0; number < workers; number += 1) hire(0)

  /**
   * @param failures how often it was tried in vain: each time it waits for longer
   * @param worn the seat that goes once this one is whole
   */
  function hire(failures: number, worn?: WorkerHandle): void {
    if (closed) return
    const again = (): void => {
      setTimeout(() => hire(failures + 1, worn), Math.min(30_000, 100 * 4 ** failures)).unref()
    }
    const seat: WorkerHandle = openWorker(
      store,
      {
        endpoint: `${base}/sparql`,
        graphs,
        limits,
        engine,
        memory: memory.query + memory.quad * store.size(),
      },
      {
        onExit(why) {
          all.delete(seat)
          ended += 1
          const isIdle = seats.has(seat) && !seats.get(seat)
          if (isIdle && !closed) report(why)
          const wasOfUse = seats.delete(seat)
          const isReplaced = relieved.delete(seat) || leaving.delete(seat)
          // Where it was of use until now, another takes its place at once.
          if (wasOfUse && !isReplaced) hire(0)
        },
        onStale() {
          relieved.add(seat)
          hire(0, seat)
        },
        most,
      },
    )
    all.add(seat)
    seat.ready.then(
      () => {
        // It may have ended on the way here.
        if (!all.has(seat)) {
          again()
          return
        }
        seats.set(seat, undefined)
        if (worn && relieved.delete(worn)) leaving.add(worn)
        letGo()
        serve()
      },
      (error: unknown) => {
        if (closed) return
        report(error as Error)
        void seat.end()
        again()
      },
    )
  }

  /** Ends those who have nobody sitting, and another in their place. */
  function letGo(): void {
    for (const seat of leaving) {
      if (seats.get(seat)) continue
      seats.delete(seat)
      void seat.end()
    }
  }

  function ask(question: QueryRequest, asking: QueryClient): Promise<QueryResult> {
    checkQueryText(question.query)
    admit(asking)
    return new Promise((done, failed) => {
      const job: QueryJob = { ...asking, question, done, failed }
      const leave = (why: Error): void => {
        const place = queue.indexOf(job)
        if (place < 0) return
        queue.splice(place, 1)
        failed(why)
      }
      const waited = setTimeout(
        () => leave(busy('No worker was free in time.')),
        (timeout + maxWaitSeconds) * 1000,
      )
      waited.unref()
      asking.gone.addEventListener('abort', () => {
        clearTimeout(waited)
        leave(busy('The client is gone.'))
      })
      queue.push(job)
      serve()
    })
  }

  /** @throws TooMany, Busy */
  function admit({ client, gone }: QueryClient): void {
    if (gone.aborted) throw busy('The client is gone.')
    const known = clients.get(client) ?? { count: 0, served: 0 }
    if (known.count >= maxPerClient)
      throw new TooManyQueriesError(`You have ${maxPerClient} queries under way already.`, 5)
    if (queue.length >= maxQueued) throw busy('Too many queries are waiting.')
    known.count += 1
    clients.set(client, known)
    gone.addEventListener('abort', () => {
      known.count -= 1
      if (known.count === 0) clients.delete(client)
    })
  }

  const busy = (why: string): PoolBusyError =>
    new PoolBusyError(`${why} Try again later.`, Math.ceil(timeout / 2))

  /** Seats those who wait, as long as there is a free seat. */
  function serve(): void {
    for (const [seat, sitting] of seats) {
      if (sitting) continue
      const job = next()
      if (!job) return
      queue.splice(queue.indexOf(job), 1)
      seats.set(seat, job)
      void run(seat, job)
    }
  }

  /** Who waits for longest of those who were served longest ago and are not being served. */
  function next(): QueryJob | undefined {
    const sitting = new Set([...seats.values()].map((job) => job?.client))
    const lastServed = ({ client }: QueryJob): number => clients.get(client)?.served ?? 0
    return queue
      .filter(({ client }) => !sitting.has(client))
      .sort((a, b) => lastServed(a) - lastServed(b))[0]
  }

  async function run(
    seat: WorkerHandle,
    { client, question, done, failed: refuse }: QueryJob,
  ): Promise<void> {
    const known = clients.get(client)
    if (known) known.served = served += 1
    let isLate = false
    const clock = setTimeout(() => {
      isLate = true
      void seat.end()
    }, timeout * 1000)
    try {
      done(await seat.ask(question))
    } catch (error) {
      refuse(error instanceof WorkerLostError ? reasonOf(error, isLate) : (error as Error))
    } finally {
      clearTimeout(clock)
      if (seats.has(seat)) seats.set(seat, undefined)
      letGo()
      serve()
    }
  }

  function reasonOf(lost: WorkerLostError, isLate: boolean): Error {
    if (closed) return busy('The service is stopping.')
    if (isLate) return new QueryError(`The query takes longer than ${timeout} seconds.`)
    report(lost)
    return new QueryError(
      'The query needs more memory than there is for one, or is nested too deep.',
    )
  }

  return {
    ask,
    workers() {
      const busy = [...seats.values()].filter(Boolean).length
      return { free: seats.size - busy, busy, ended }
    },
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.failed(busy('The service is stopping.'))
      await Promise.all([...all].map((seat) => seat.end()))
    },
  }
}
