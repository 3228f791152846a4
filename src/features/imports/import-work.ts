// The work on imports. Long work goes on while other requests are answered, and tells how far it
// is. Short work on an import is done in turn.

import type { Message } from '../../message.js'
import { ConflictError, ExpectedError, InvalidError, NotFoundError } from '../../errors.js'
import { fullDiskError } from '../../catalogue/errors.js'
import { LocalTermError } from '../../model/declarations/local-terms.js'
import { unlessAborted } from '../../lib/scheduling.js'
import { wrongState } from './errors.js'
import { type Import, type ImportState, type ImportStore, rulesOf } from './import-state.js'
import { ProfileError } from './mapping/profile-parser.js'

type Progress = NonNullable<Import['progress']>

export type ReportProgress = (progress: Progress) => void

export type ImportWorkDependencies = {
  readonly store: ImportStore
  /** Aborted when the service stops: no work goes on. */
  readonly stopping: AbortSignal
  /** Called with errors that are nobody's input. */
  readonly onError: (error: unknown) => void
}

type LongWork = {
  readonly done: Promise<void>
  progress: Progress
  /** Ends it before its next step. */
  readonly end: AbortController
}

export class ImportWork {
  readonly #store: ImportStore
  readonly #stopping: AbortSignal
  readonly #onError: (error: unknown) => void
  /** The long work that goes on, by import. */
  readonly #going = new Map<string, LongWork>()
  /**
   * The short work that was asked for last, by import: it is done after all that was asked for
   * before.
   */
  readonly #waiting = new Map<string, Promise<unknown>>()

  constructor({ store, stopping, onError }: ImportWorkDependencies) {
    this.#store = store
    this.#stopping = stopping
    this.#onError = onError
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<Import> {
    const job = await this.#store.get(id)
    if (!job) throw new NotFoundError()
    return job
  }

  /**
   * @throws NotFoundError, and ConflictError unless this may be done in its state
   */
  async getFor(id: string, what: 'mayChange' | 'mayUndo'): Promise<Import> {
    const job = await this.get(id)
    if (this.isGoingOn(id) || !rulesOf(job)[what]) throw wrongState(job.state)
    return job
  }

  isGoingOn(id: string): boolean {
    return this.#going.has(id)
  }

  withProgress(job: Import): Import {
    const progress = this.#going.get(job.id)?.progress
    return progress ? { ...job, progress } : job
  }

  inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#waiting.get(id) ?? Promise.resolve()
    const result = before
      .catch(() => undefined)
      .then(work)
      .finally(() => {
        if (this.#waiting.get(id) === result) this.#waiting.delete(id)
      })
    this.#waiting.set(id, result)
    return result
  }

  /** Begins work while nothing else is asked for. @throws ConflictError */
  alone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#waiting.has(id)
      ? Promise.reject(wrongState('being changed'))
      : this.inTurn(id, work)
  }

  /** Does long work on an import. An error ends it in the state `failing`. */
  async begin(
    job: Import,
    failing: ImportState,
    work: (report: ReportProgress) => Promise<Import>,
  ): Promise<Import> {
    await this.#store.put(job)
    const end = new AbortController()
    const state = { progress: job.progress ?? { done: 0, total: job.rows }, end }
    const result = work((progress) => {
      this.#stopping.throwIfAborted()
      end.signal.throwIfAborted()
      state.progress = progress
    })
    const done = unlessAborted(result, this.#stopping)
      .catch(async (error: unknown) => {
        if (this.#stopping.aborted) return undefined
        const known = await this.get(job.id)
        if (error === end.signal.reason) return interrupted(known, endedMessage)
        return { ...known, state: failing, message: this.#messageFor(error) }
      })
      .then(async (result) => {
        if (result) await this.#store.put({ ...result, progress: undefined })
      })
      .catch(this.#onError)
      .finally(() => this.#going.delete(job.id))
    this.#going.set(job.id, Object.assign(state, { done }))
    return this.withProgress(job)
  }

  /** Ends the long work on an import, since a redaction takes its files. */
  async end(id: string): Promise<void> {
    const work = this.#going.get(id)
    work?.end.abort()
    await work?.done
  }

  /** Waits until the long work on an import is done. */
  async done(id: string): Promise<void> {
    await this.#going.get(id)?.done
  }

  /** Waits until the long work on an import is done, or for so many milliseconds. */
  async settled(id: string, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
    await Promise.race([this.done(id), timeout])
    clearTimeout(timer)
  }

  /** What an error of long work is called; those that are nobody's input are also logged. */
  #messageFor(error: unknown): Message {
    if (fullDiskError(error)) return 'The disk is full.'
    if (error instanceof ExpectedError && knownErrors.some((kind) => error instanceof kind))
      return error.text
    this.#onError(error)
    return 'An error happened, which is in the log of the service.'
  }
}

/**
 * Changes the states of the imports whose work the end of the process interrupted: it is not begun
 * again by itself.
 */
export async function endInterruptedWork(store: ImportStore): Promise<void> {
  for (const job of await store.all())
    if (rulesOf(job).work) await store.put(interrupted(job, stoppedMessage))
}

const knownErrors = [LocalTermError, ConflictError, InvalidError, ProfileError]

const stoppedMessage = 'The service ended meanwhile.'
const endedMessage = 'A value was removed for good meanwhile, which its rows may have.'

/** Of an import whose work was interrupted. */
const interrupted = (job: Import, message: string): Import => ({
  ...job,
  progress: undefined,
  message,
  state: rulesOf(job).work?.ifInterrupted ?? 'failed',
})
