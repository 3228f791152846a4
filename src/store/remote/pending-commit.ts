// The one commit that is being written to the remote store, from its beginning to its result. It is
// noted in the key-value store first, so that it can be completed after a crash. commit-writer.ts
// decides when to begin and when to try again.

import { type ChangeLog, type KeyedChange, loggedChanges } from '../key-value/change-log.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import type { NumberedCommit, RemoteCommits } from './commit-protocol.js'
import { type PendingCommit, commitEntries, pendingEntry } from './remote-state.js'
import { RemoteError } from './remote-error.js'

export type CommitResult = 'written' | 'rejected' | 'unreachable'

export type CommitDependencies = {
  readonly keyValueStore: KeyValueStore
  readonly changeLog: Pick<ChangeLog, 'write'>
  readonly remote: RemoteCommits
  /** Called when it is in both stores. */
  readonly onCommit: (commit: PendingCommit) => Promise<void>
  /** Called with what the remote store rejected or did not answer. */
  readonly onError: (error: Error) => void
}

/** The number of the last commit, and the commit that a crash left pending. */
export type CommitStart = {
  readonly lastCommit: number
  readonly pending: PendingCommit | undefined
}

export class PendingCommits {
  readonly #dependencies: CommitDependencies
  #lastCommit: number
  #pending: PendingCommit | undefined

  constructor(dependencies: CommitDependencies, { lastCommit, pending }: CommitStart) {
    this.#dependencies = dependencies
    this.#lastCommit = lastCommit
    this.#pending = pending
  }

  async begin(
    changes: NumberedCommit['changes'],
    entries: readonly KeyValueWrite[],
    hidden: readonly KeyedChange[],
  ): Promise<void> {
    this.#pending = {
      number: this.#lastCommit + 1,
      changes,
      entries,
      hidden,
      rollingBack: false,
      maybeSent: false,
    }
    await this.#dependencies.keyValueStore.write([pendingEntry(this.#pending)])
  }

  /**
   * Completes the pending commit: it is published, or rolled back.
   * @throws RemoteError: it is still pending
   * @throws DiskFullError, DiskFailedError
   */
  async complete(): Promise<CommitResult> {
    const commit = this.#pending
    if (!commit) return 'written'
    if (!commit.rollingBack && !(await this.#isPublished(commit)))
      try {
        await this.#dependencies.remote.prepare(commit, () => (commit.maybeSent = true))
      } catch (error) {
        const isUnreachable = error instanceof RemoteError && error.failure === 'unreachable'
        if (isUnreachable && !commit.maybeSent) return this.#finish(commit, 'unreachable')
        if (!(error instanceof RemoteError && error.isRejected)) {
          commit.maybeSent = true
          throw error
        }
        this.#dependencies.onError(error)
        commit.rollingBack = true
        // Noted before it is done, so that a rejected commit does not come back after a crash.
        await this.#dependencies.keyValueStore.write([pendingEntry(commit)])
      }
    if (commit.rollingBack) {
      await this.#dependencies.remote.rollback(commit)
      return this.#finish(commit, 'rejected')
    }
    await this.#dependencies.remote.publish(commit)
    return this.#finish(commit, 'written')
  }

  lastCommit(): number {
    return this.#lastCommit
  }

  isPending(): boolean {
    return this.#pending !== undefined
  }

  isRollingBack(): boolean {
    return this.#pending?.rollingBack === true
  }

  /** Whether readers see it already, because an earlier attempt published it. */
  async #isPublished({ number, maybeSent }: PendingCommit): Promise<boolean> {
    return maybeSent && Number((await this.#dependencies.remote.readState()).commit) >= number
  }

  async #finish(commit: PendingCommit, result: CommitResult): Promise<CommitResult> {
    const { number, changes, entries, hidden } = commit
    const isWritten = result === 'written'
    const records = changes.map(({ key, after }) => ({ key: prefixes.records + key, value: after }))
    const written = isWritten ? [...records, ...entries, ...commitEntries(number)] : commitEntries()
    const { changeLog } = this.#dependencies
    if (isWritten) await changeLog.write(written, loggedChanges(changes), hidden)
    else await changeLog.write(written, [])
    this.#pending = undefined
    if (!isWritten) return result
    this.#lastCommit = number
    await this.#dependencies.onCommit(commit)
    return result
  }
}
