// Counts the commits of this process, and knows which records each of them wrote. Every cache asks
// it whether what it holds is still current (docs/explanation/requests.md, "Caches").

import type { IsCurrent } from '../lib/cache.js'
import type { Commit } from '../store/commit-listeners.js'
import type { SharedCommits, Store } from '../store/store.js'

/** The number of a commit. */
export type RevisionNumber = number

export type Revision = {
  /** The number of the last commit. */
  current(): RevisionNumber
  /**
   * Whether none of these records, or no record at all, was written since a revision. It may say no
   * without need.
   * @param keys of the records, as `recordKey` makes them
   */
  isCurrent(since: RevisionNumber, keys?: readonly string[]): boolean
  /**
   * Call when records, or what is shown with them, were written. `createRevisionOf` does it for
   * commits; one that failed may have been written too.
   */
  onWrite(keys: readonly string[]): void
}

/**
 * For how many records the last commit is known. After more, everything before counts as written.
 */
const maxTrackedRecords = 200_000

/** The revision of a store that nobody else writes. */
export function createRevision(): Revision {
  let current = 0
  let trackedSince = 0
  const lastCommits = new Map<string, RevisionNumber>()

  return {
    current: () => current,
    isCurrent(since, keys) {
      if (since === current) return true
      if (!keys || since < trackedSince) return false
      for (const key of keys) if ((lastCommits.get(key) ?? 0) > since) return false
      return true
    },
    onWrite(keys) {
      current += 1
      if (lastCommits.size > maxTrackedRecords) {
        lastCommits.clear()
        trackedSince = current
      }
      for (const key of keys) lastCommits.set(key, current)
    },
  }
}

/**
 * The revision of a store that other processes write too, or in which a commit may appear after it
 * seemed to have failed: nothing that was read from it is known to be current.
 */
function createSharedRevision(): Revision {
  let current = 0
  return {
    current: () => current,
    isCurrent: () => false,
    onWrite() {
      current += 1
    },
  }
}

/** Until when what is read from now on is current: until the next write. */
export function currentUntilWrite(revision: Revision): IsCurrent {
  const readAt = revision.current()
  return () => revision.isCurrent(readAt)
}

type ReadOptions = {
  /** The keys of the records that are read; all records without them. */
  readonly keys?: readonly string[]
  /** How often it is read at most. */
  readonly maxReads?: number
}

/**
 * Reads again until nothing was written meanwhile.
 * @param read is given the revision at its beginning, and how often it was read before
 */
export async function readUnchanged<Result>(
  revision: Revision,
  read: (readAt: RevisionNumber, before: number) => Promise<Result> | Result,
  { keys, maxReads = Infinity }: ReadOptions = {},
): Promise<Result> {
  for (let before = 0; ; before += 1) {
    const readAt = revision.current()
    const result = await read(readAt, before)
    const isSure = revision.current() === readAt || revision.isCurrent(readAt, keys)
    if (isSure || before + 1 >= maxReads) return result
  }
}

/**
 * Reads records with those that they show. They are read again if one of them was written
 * meanwhile, since it might be shown with others of a later time: as a holding whose zine is
 * deleted, and the holding too.
 * @param keys of the records
 */
export const readTogether = <Result>(
  revision: Revision,
  keys: readonly string[],
  read: (readAt: RevisionNumber) => Promise<Result>,
): Promise<Result> => readUnchanged(revision, read, { keys, maxReads: 3 })

/** A revision of which nothing is known to be current after a gap. */
type FollowedRevision = Revision & { readonly onGap: () => void }

/** The revision of a store that other processes write too, of whose commits this one is told. */
function createFollowedRevision(commits: Pick<SharedCommits, 'isCurrent'>): FollowedRevision {
  let revision = createRevision()
  let before = 0
  return {
    current: () => before + revision.current(),
    isCurrent: (since, keys) =>
      since >= before && commits.isCurrent() && revision.isCurrent(since - before, keys),
    onWrite: (keys) => revision.onWrite(keys),
    onGap() {
      before += revision.current() + 1
      revision = createRevision()
    },
  }
}

/**
 * The revision of a store, which is told of its commits.
 * @param isFollowed whether this process learns of the commits of others
 */
export function createRevisionOf(store: Store, isFollowed: boolean): Revision {
  const revision: Revision & Partial<FollowedRevision> = store.isShared
    ? isFollowed
      ? createFollowedRevision(store.commits)
      : createSharedRevision()
    : createRevision()
  const { onGap } = revision
  const onCommit = ({ records }: Commit): void => revision.onWrite(records.map(({ key }) => key))
  store.listeners.add('revision', { onCommit, ...(onGap ? { onGap } : {}) })
  store.listeners.add('revision again', { onCommit })
  return revision
}
