// The queue of commits for the remote store. They are written one after the other; those that
// arrive meanwhile are written together as one. pending-commit.ts writes one; this file retries it.

import { writeNQuads } from '../../rdf/terms.js'
import { WriteRejectedError, WriteUnconfirmedError } from '../errors.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import type { StoreChange } from '../store.js'
import {
  type CommitDependencies,
  type CommitResult,
  type PendingCommits,
  createPendingCommits,
} from './pending-commit.js'
import { RemoteError } from './sparql-client.js'

export type CommitWriter = ReturnType<typeof createCommitWriter>

const maxCommitsPerBatch = 64

/** The delay before a failed commit is tried again: the first time, and at most. */
const retryDelayMs = { first: 200, max: 10_000 }

type QueuedCommit = {
  readonly changes: readonly StoreChange[]
  readonly entries: readonly KeyValueWrite[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export function createCommitWriter(
  dependencies: CommitDependencies,
  start: Parameters<typeof createPendingCommits>[1],
) {
  const { keyValueStore, onError } = dependencies
  const pending: PendingCommits = createPendingCommits(dependencies, start)
  let queue: QueuedCommit[] = []
  let running: Promise<void> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let isClosed = false

  /** @throws DiskFullError, DiskFailedError, WriteRejectedError, WriteUnconfirmedError */
  function commit(
    changes: readonly StoreChange[],
    entries: readonly KeyValueWrite[] = [],
  ): Promise<void> {
    const written = new Promise<void>((resolve, reject) =>
      queue.push({ changes, entries, resolve, reject }),
    )
    run()
    return written
  }

  function run(): void {
    running ??= processQueue().finally(() => {
      running = undefined
      if (queue.length > 0) run()
    })
  }

  async function processQueue(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxCommitsPerBatch)
      queue = queue.slice(maxCommitsPerBatch)
      await (pending.isPending() ? rejectBatch(batch) : writeBatch(batch))
    }
  }

  /**
   * Completing the pending commit may change the records that these commits were checked against.
   */
  async function rejectBatch(batch: readonly QueuedCommit[]): Promise<void> {
    const failure = await pending.complete().then(
      () => new WriteRejectedError('an earlier write had to be settled first'),
      (error: unknown) =>
        new WriteRejectedError('an earlier write cannot be settled', { cause: error }),
    )
    for (const { reject } of batch) reject(failure)
  }

  async function writeBatch(batch: readonly QueuedCommit[]): Promise<void> {
    try {
      await pending.begin(
        await Promise.all(batch.flatMap(({ changes }) => changes).map(changeOf)),
        batch.flatMap(({ entries }) => entries),
      )
      const result = await completeWithRetry()
      if (result === 'written') for (const { resolve } of batch) resolve()
      // One of them may be the reason.
      else if (result === 'rejected' && batch.length > 1)
        for (const queued of batch) await writeBatch([queued])
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

  const changeOf = async ({ key, quads, change }: StoreChange) => ({
    key,
    before: await keyValueStore.get(prefixes.records + key),
    after: quads && writeNQuads(quads),
    change,
  })

  /**
   * Tries twice, and then again in the background.
   * @throws WriteRejectedError, WriteUnconfirmedError
   */
  async function completeWithRetry(): Promise<CommitResult> {
    try {
      return await pending.complete()
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs.first))
    try {
      return await pending.complete()
    } catch (cause) {
      if (!(cause instanceof RemoteError)) throw cause
      retryLater(retryDelayMs.first)
      throw pending.isRollingBack()
        ? new WriteRejectedError('the write is still to be rolled back', { cause })
        : new WriteUnconfirmedError('the remote store did not answer', { cause })
    }
  }

  function retryLater(delayMs: number): void {
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => {
      void settlePending().then(
        () => undefined,
        () => retryLater(Math.min(delayMs * 2, retryDelayMs.max)),
      )
    }, delayMs).unref()
  }

  /** @throws WriteRejectedError */
  async function settlePending(): Promise<void> {
    // The queue settles it before anything else.
    while (pending.isPending() && running) await running
    if (!pending.isPending() || isClosed) return
    let failure: unknown
    running = pending.complete().then(
      () => undefined,
      (error: unknown) => onError((failure = error) as Error),
    )
    await running
    running = undefined
    if (queue.length > 0) run()
    if (failure)
      throw new WriteRejectedError('an earlier write cannot be settled', { cause: failure })
  }

  return {
    commit,
    settlePending,
    close: async (): Promise<void> => {
      isClosed = true
      clearTimeout(retryTimer)
      await running
    },
  }
}
