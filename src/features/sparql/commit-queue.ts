// Commits that are to be applied to a store in memory. Applying many quads takes hardly longer than
// a few, so commits are applied together: before the next query, or after 50 ms.

import { splitLines } from '../../rdf/nquads.js'
import type { QuadChange } from '../../store/commit-listeners.js'

export type CommitQueue = {
  readonly add: (commit: QuadChange) => void
  /** Applies all waiting commits now. */
  readonly flush: () => void
  /** Drops the waiting commits. */
  readonly close: () => void
}

const maxWaitMs = 50

const maxWaiting = 50

/** @param apply gets the waiting commits as one */
export function createCommitQueue(apply: (commit: QuadChange) => void): CommitQueue {
  let waiting: QuadChange[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    const commits = take()
    if (commits.length > 0) apply(joinCommits(commits))
  }

  function take(): readonly QuadChange[] {
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

/**
 * One commit with the result of several: what one of them removes may have been added by an earlier
 * one.
 */
function joinCommits(commits: readonly QuadChange[]): QuadChange {
  if (commits.every(({ removed }) => removed === ''))
    return { removed: '', added: commits.map(({ added }) => added).join('') }
  const removed = new Set<string>()
  const added = new Set<string>()
  for (const commit of commits) {
    for (const line of splitLines(commit.removed)) {
      removed.add(line)
      added.delete(line)
    }
    for (const line of splitLines(commit.added)) added.add(line)
  }
  return { removed: [...removed].join(''), added: [...added].join('') }
}
