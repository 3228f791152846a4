// Stops a query that runs too long, whose client is gone, or that is long while only short ones may
// run. worker-pool.ts decides which may.

import type { QueryJob } from './query-queue.js'
import type { QueryEvents, WorkerHandle } from './worker-handle.js'

/**
 * Why a running query is stopped: by the time limit, because the client is gone, or because only
 * short queries may run now.
 */
export type StopReason = 'late' | 'gone' | 'long'

type WatchOptions = {
  readonly timeoutMs: number
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
  /** Asked when the query turns out not to be short. */
  readonly mayGoOn: () => boolean
}

/** How long a query counts as short. */
const shortMs = 1000

export class QueryWatch {
  /** For the worker that runs the query. The time in which quads are loaded does not count. */
  readonly events: QueryEvents
  readonly #worker: WorkerHandle
  readonly #job: QueryJob
  readonly #options: WatchOptions
  readonly #signals: readonly AbortSignal[]
  readonly #wasLong: boolean
  #timers: readonly NodeJS.Timeout[]
  #stopped: StopReason | undefined

  /** Begins to watch a query that begins to run. */
  constructor(worker: WorkerHandle, job: QueryJob, options: WatchOptions) {
    this.#worker = worker
    this.#job = job
    this.#options = options
    this.#signals = [job.signal, options.stopping]
    this.#wasLong = job.isLong
    this.events = {
      onLoading: () => this.#restartTimers(),
      onLoaded: () => this.#onLoaded(),
    }
    this.#timers = this.#startTimers()
    for (const signal of this.#signals) signal.addEventListener('abort', this.#onGone)
  }

  /** Undefined as long as nothing stopped the query. */
  get stopped(): StopReason | undefined {
    return this.#stopped
  }

  end(): void {
    this.#timers.forEach(clearTimeout)
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onGone)
  }

  #startTimers(): readonly NodeJS.Timeout[] {
    return [
      setTimeout(() => this.#stop('late'), this.#options.timeoutMs),
      setTimeout(() => this.#afterShort(), shortMs),
    ]
  }

  #restartTimers(): void {
    this.#timers.forEach(clearTimeout)
    this.#timers = this.#startTimers()
  }

  #onLoaded(): boolean {
    this.#job.isLong = this.#wasLong
    this.#restartTimers()
    return !this.#job.signal.aborted
  }

  #afterShort(): void {
    const isGone = this.#signals.some(({ aborted }) => aborted)
    if (isGone && !this.#worker.isLoading()) this.#stop('gone')
    else if (!this.#options.mayGoOn()) this.#stop('long')
  }

  // A short query is not worth a new worker.
  readonly #onGone = (): void => {
    if (this.#job.isLong) this.#stop('gone')
  }

  #stop(reason: StopReason): void {
    // What is loaded serves the next queries too.
    if (this.#worker.isLoading()) return
    this.#stopped ??= reason
    void this.#worker.end()
  }
}
