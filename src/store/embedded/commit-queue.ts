// Commits that wait for whoever applies them. A store takes many quads at once in hardly more time than
// a few, so commits are applied some at a time: when somebody asks, or soon.

import type { StoreCommit } from '../store.js'

export type CommitQueue = {
  readonly add: (commit: StoreCommit) => void
  /** Has all that waits applied now. */
  readonly flush: () => void
  /** Forgets what waits. */
  readonly close: () => void
}

/** For how long a commit waits at most, in milliseconds, and how many wait. */
const limits = { milliseconds: 50, commits: 50 }

/** @param apply is given commits in their order, those that follow each other and only add as one */
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
      if (waiting.push(commit) >= limits.commits) flush()
      else timer ??= setTimeout(flush, limits.milliseconds).unref()
    },
    flush,
    close: () => void take(),
  }
}
