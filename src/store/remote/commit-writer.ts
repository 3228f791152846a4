// The queue of commits for the remote store. They are written one after the other; those that
// arrive meanwhile are written together as one. pending-commit.ts writes one; this file retries it.

import { writeNQuads } from '../../rdf/terms.js'
import { WriteRejectedError, WriteUnconfirmedError } from '../errors.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import type { KeyedChange } from '../key-value/change-log.js'
import type { StoreChange } from '../store.js'
import {
  type CommitDependencies,
  type CommitResult,
  type CommitStart,
  PendingCommits,
} from './pending-commit.js'
import { RemoteError } from './remote-error.js'

const maxCommitsPerBatch = 64

/** The delay before a failed commit is tried again: the first time, and at most. */
const retryDelayMs = { first: 200, max: 10_000 }

type QueuedCommit = {
  readonly changes: readonly StoreChange[]
  readonly entries: readonly KeyValueWrite[]
  readonly hidden: readonly KeyedChange[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class CommitWriter {
  readonly #dependencies: CommitDependencies
  readonly #pending: PendingCommits
  #queue: QueuedCommit[] = []
  #running: Promise<void> | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(dependencies: CommitDependencies, start: CommitStart) {
    this.#dependencies = dependencies
    this.#pending = new PendingCommits(dependencies, start)
  }

  /** @throws DiskFullError, DiskFailedError, WriteRejectedError, WriteUnconfirmedError */
  commit(
    changes: readonly StoreChange[],
    entries: readonly KeyValueWrite[] = [],
    hidden: readonly KeyedChange[] = [],
  ): Promise<void> {
    const written = new Promise<void>((resolve, reject) =>
      this.#queue.push({ changes, entries, hidden, resolve, reject }),
    )
    this.#run()
    return written
  }

  /** @throws WriteRejectedError */
  async settlePending(): Promise<void> {
    // The queue settles it before anything else.
    while (this.#pending.isPending() && this.#running) await this.#running
    if (!this.#pending.isPending() || this.#isClosed) return
    let failure: unknown
    this.#running = this.#pending.complete().then(
      () => undefined,
      (error: unknown) => this.#dependencies.onError((failure = error) as Error),
    )
    await this.#running
    this.#running = undefined
    if (this.#queue.length > 0) this.#run()
    if (failure)
      throw new WriteRejectedError('an earlier write cannot be settled', { cause: failure })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retryTimer)
    await this.#running
  }

  #run(): void {
    this.#running ??= this.#processQueue().finally(() => {
      this.#running = undefined
      if (this.#queue.length > 0) this.#run()
    })
  }

  async #processQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, maxCommitsPerBatch)
      this.#queue = this.#queue.slice(maxCommitsPerBatch)
      await (this.#pending.isPending() ? this.#rejectBatch(batch) : this.#writeBatch(batch))
    }
  }

  /**
   * Completing the pending commit may change the records that these commits were checked against.
   */
  async #rejectBatch(batch: readonly QueuedCommit[]): Promise<void> {
    const failure = await this.#pending.complete().then(
      () => new WriteRejectedError('an earlier write had to be settled first'),
      (error: unknown) =>
        new WriteRejectedError('an earlier write cannot be settled', { cause: error }),
    )
    for (const { reject } of batch) reject(failure)
  }

  async #writeBatch(batch: readonly QueuedCommit[]): Promise<void> {
    try {
      await this.#pending.begin(
        await Promise.all(
          batch.flatMap(({ changes }) => changes).map((change) => this.#changeOf(change)),
        ),
        batch.flatMap(({ entries }) => entries),
        batch.flatMap(({ hidden }) => hidden),
      )
      const result = await this.#completeWithRetry()
      if (result === 'written') for (const { resolve } of batch) resolve()
      // One of them may be the reason.
      else if (result === 'rejected' && batch.length > 1)
        for (const queued of batch) await this.#writeBatch([queued])
      else
        throw new WriteRejectedError(
          result === 'rejected'
            ? 'the remote store rejected the write'
            : 'the remote store cannot be reached',
        )
    } catch (error) {
      for (const { reject } of batch) reject(error as Error)
    }
  }

  async #changeOf({ key, quads, change }: StoreChange) {
    return {
      key,
      before: await this.#dependencies.keyValueStore.get(prefixes.records + key),
      after: quads && writeNQuads(quads),
      change,
    }
  }

  /**
   * Tries twice, and then again in the background.
   * @throws WriteRejectedError, WriteUnconfirmedError
   */
  async #completeWithRetry(): Promise<CommitResult> {
    try {
      return await this.#pending.complete()
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs.first))
    try {
      return await this.#pending.complete()
    } catch (cause) {
      if (!(cause instanceof RemoteError)) throw cause
      this.#retryLater(retryDelayMs.first)
      throw this.#pending.isRollingBack()
        ? new WriteRejectedError('the write is still to be rolled back', { cause })
        : new WriteUnconfirmedError('the remote store did not answer', { cause })
    }
  }

  #retryLater(delayMs: number): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => {
      void this.settlePending().then(
        () => undefined,
        () => this.#retryLater(Math.min(delayMs * 2, retryDelayMs.max)),
      )
    }, delayMs).unref()
  }
}
