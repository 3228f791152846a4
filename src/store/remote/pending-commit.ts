// The one commit that is being written to the remote store, from its beginning to its result. It is
// noted in the key-value store first, so that it can be completed after a crash. commit-writer.ts
// decides when to begin and when to try again.

import { type ChangeLog, loggedChanges } from '../key-value/change-log.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../key-value/keys.js'
import type { NumberedCommit, RemoteCommits } from './commit-protocol.js'
import { type PendingCommit, commitEntries, pendingEntry } from './remote-state.js'
import { ConnectionError, RequestRejectedError } from './sparql-client.js'

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

export type PendingCommits = ReturnType<typeof createPendingCommits>

/** @param start the number of the last commit, and the commit that a crash left pending */
export function createPendingCommits(
  { keyValueStore, changeLog, remote, onCommit, onError }: CommitDependencies,
  start: { readonly lastCommit: number; readonly pending: PendingCommit | undefined },
) {
  let { lastCommit, pending } = start

  async function begin(
    changes: NumberedCommit['changes'],
    entries: readonly KeyValueWrite[],
  ): Promise<void> {
    pending = { number: lastCommit + 1, changes, entries, rollingBack: false, maybeSent: false }
    await keyValueStore.write([pendingEntry(pending)])
  }

  /**
   * Completes the pending commit: it is published, or rolled back.
   * @throws ConnectionError, RequestRejectedError, NoResponseError: it is still pending
   * @throws DiskFullError, DiskFailedError
   */
  async function complete(): Promise<CommitResult> {
    const commit = pending
    if (!commit) return 'written'
    if (!commit.rollingBack && !(await isPublished(commit)))
      try {
        await remote.prepare(commit, () => (commit.maybeSent = true))
      } catch (error) {
        if (error instanceof ConnectionError && !commit.maybeSent)
          return finish(commit, 'unreachable')
        if (!(error instanceof RequestRejectedError)) {
          commit.maybeSent = true
          throw error
        }
        onError(error)
        commit.rollingBack = true
        // Noted before it is done, so that a rejected commit does not come back after a crash.
        await keyValueStore.write([pendingEntry(commit)])
      }
    if (commit.rollingBack) {
      await remote.rollback(commit)
      return finish(commit, 'rejected')
    }
    await remote.publish(commit)
    return finish(commit, 'written')
  }

  /** Whether readers see it already, because an earlier attempt published it. */
  const isPublished = async ({ number, maybeSent }: PendingCommit): Promise<boolean> =>
    maybeSent && Number((await remote.readState()).commit) >= number

  async function finish(commit: PendingCommit, result: CommitResult): Promise<CommitResult> {
    const { number, changes, entries } = commit
    const isWritten = result === 'written'
    const records = changes.map(({ key, after }) => ({ key: prefixes.records + key, value: after }))
    const written = isWritten ? [...records, ...entries, ...commitEntries(number)] : commitEntries()
    await changeLog.write(written, isWritten ? loggedChanges(changes) : [])
    pending = undefined
    if (!isWritten) return result
    lastCommit = number
    await onCommit(commit)
    return result
  }

  return {
    begin,
    complete,
    lastCommit: () => lastCommit,
    isPending: () => pending !== undefined,
    isRollingBack: () => pending?.rollingBack === true,
  }
}
