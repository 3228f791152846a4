// Commits that are to be applied to a store in memory. Applying many quads takes hardly longer than
// a few, so commits are applied together: before the next query, or after 50 ms.

import type { StoreCommit } from '../store.js'

export type CommitQueue = {
  readonly add: (commit: StoreCommit) => void
  /** Applies all waiting commits now. */
  readonly flush: () => void
  /** Drops the waiting commits. */
  readonly close: () => void
}

const maxWaitMs = 50

const maxWaiting = 50

/** @param apply gets the commits in their order; consecutive ones that only add quads are merged */
export function createCommitQueue(apply: (commit: StoreCommit) => void): CommitQueue {
  let waiting: StoreCommit[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    const commits = take()
    let added = ''
    for (const commit of commits) {
      if (commit.removed === '') {
        added += commit.added
        continue
      }
      if (added !== '') apply({ removed: '', added })
      added = ''
      apply(commit)
    }
    if (added !== '') apply({ removed: '', added })
  }

  function take(): readonly StoreCommit[] {
    clearTimeout(timer)
    timer = undefined
    const commits = waiting
    waiting = []
    return commits
  }

  return {
    add(commit) {
      if (commit.removed === '' && commit.added === '') return
      if (waiting.push(commit) >= maxWaiting) flush()
      else timer ??= setTimeout(flush, maxWaitMs).unref()
    },
    flush,
    close: () => void take(),
  }
}
