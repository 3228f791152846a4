// Follows the commits of the writing process: asks the remote store again and again for the number
// of the last one, and reads the records that the notes of new ones name
// (docs/explanation/remote-store.md, "The index in memory").

import type { CommitListeners, WrittenRecord } from '../commit-listeners.js'
import type { SharedCommits } from '../store.js'
import type { RecordLog } from './record-log.js'
import type { SparqlClient } from './sparql-client.js'

type FollowTiming = {
  /** The pause between two questions. */
  readonly pauseMs: number
  /** After so long without an answer, nothing that was learned counts as current. */
  readonly maxAgeMs: number
}

const defaultTiming: FollowTiming = { pauseMs: 100, maxAgeMs: 5000 }

type FollowerDependencies = {
  readonly client: Pick<SparqlClient, 'select'>
  readonly log: RecordLog
  readonly listeners: Pick<CommitListeners, 'tell' | 'tellOfGap'>
  /** The N-Quads of those records that exist, by their keys. */
  readonly readBatch: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly timing?: FollowTiming | undefined
}

/** The number of records that one query reads. */
const batchSize = 100

export type CommitFollower = Omit<SharedCommits, 'records'> & {
  /**
   * The number of the last commit that is known; undefined before the first answer, and after a
   * gap.
   */
  readonly last: () => number | undefined
  /** Resolves when all who follow know what is being told. */
  readonly whenTold: () => Promise<void>
  /**
   * Has to be called with the number of the last commit when something was read: nothing older is
   * shown after it.
   */
  readonly onRead: (commit: number) => Promise<void>
  readonly close: () => Promise<void>
}

export function createCommitFollower({
  client,
  log,
  listeners,
  readBatch,
  timing: { pauseMs, maxAgeMs } = defaultTiming,
}: FollowerDependencies): CommitFollower {
  let position: { readonly commit: number; readonly catalogue: string | undefined } | undefined
  let currentAt = -Infinity
  let running: Promise<void> | undefined
  let telling = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isFollowing = false

  /** Learns of all commits up to the last one. */
  async function learn(): Promise<void> {
    for (;;) {
      const askedAt = performance.now()
      const since = position?.commit ?? 0
      const found = log.parseFollowed(await client.select(log.followQuery(since)), since)
      const { commit, catalogue, keys, until } = found
      if (position && (!keys || catalogue !== position.catalogue)) {
        position = undefined
        continue
      }
      // The store is being filled.
      if (commit === undefined) return
      if (!position) {
        position = { commit, catalogue }
        listeners.tellOfGap()
      } else if (until > since) {
        await tell(keys ?? [])
        position = { commit: until, catalogue }
      }
      if (position.commit < commit) continue
      currentAt = askedAt
      return
    }
  }

  async function tell(keys: readonly string[]): Promise<void> {
    const written: WrittenRecord[] = []
    for (let start = 0; start < keys.length; start += batchSize) {
      const batch = keys.slice(start, start + batchSize)
      const found = await readBatch(batch)
      for (const key of batch) written.push({ key, nquads: found.get(key) })
    }
    if (!isFollowing) return
    const told = listeners.tell({ records: written })
    telling = told.catch(() => undefined)
    await told
  }

  /** One question at a time. An error is no answer: after a while nothing is current. */
  function run(): Promise<void> {
    clearTimeout(timer)
    running ??= learn()
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        if (isFollowing) timer = setTimeout(() => void run(), pauseMs).unref()
      })
    return running
  }

  async function catchUp(): Promise<void> {
    if (!isFollowing) return
    const calledAt = performance.now()
    // One that began before may miss it.
    await running
    await run()
    // There was no answer, so it is not known.
    if (currentAt < calledAt) currentAt = -Infinity
  }

  return {
    follow() {
      isFollowing = true
      void run()
    },
    last: () => position?.commit,
    isCurrent: () => position !== undefined && performance.now() - currentAt < maxAgeMs,
    catchUp,
    whenTold: () => telling,
    async onRead(commit) {
      if (!position || position.commit >= commit) return
      currentAt = -Infinity
      await catchUp()
    },
    async close() {
      isFollowing = false
      clearTimeout(timer)
      await running
    },
  }
}
