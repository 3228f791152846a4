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

export class CommitFollower implements Omit<SharedCommits, 'records'> {
  readonly #client: Pick<SparqlClient, 'select'>
  readonly #log: RecordLog
  readonly #listeners: Pick<CommitListeners, 'tell' | 'tellOfGap'>
  readonly #readBatch: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly #timing: FollowTiming
  #position: { readonly commit: number; readonly catalogue: string | undefined } | undefined
  #currentAt = -Infinity
  #running: Promise<void> | undefined
  #notification = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isFollowing = false

  constructor({ client, log, listeners, readBatch, timing = defaultTiming }: FollowerDependencies) {
    this.#client = client
    this.#log = log
    this.#listeners = listeners
    this.#readBatch = readBatch
    this.#timing = timing
  }

  async catchUp(): Promise<void> {
    if (!this.#isFollowing) return
    const calledAt = performance.now()
    // One that began before may miss it.
    await this.#running
    await this.#run()
    // There was no answer, so it is not known.
    if (this.#currentAt < calledAt) this.#currentAt = -Infinity
  }

  follow(): void {
    this.#isFollowing = true
    void this.#run()
  }

  /**
   * The number of the last commit that is known; undefined before the first answer, and after a
   * gap.
   */
  last(): number | undefined {
    return this.#position?.commit
  }

  isCurrent(): boolean {
    return (
      this.#position !== undefined && performance.now() - this.#currentAt < this.#timing.maxAgeMs
    )
  }

  /** Resolves when all who follow know what is being told. */
  whenTold(): Promise<void> {
    return this.#notification
  }

  /**
   * Has to be called with the number of the last commit when something was read: nothing older is
   * shown after it.
   */
  async onRead(commit: number): Promise<void> {
    if (!this.#position || this.#position.commit >= commit) return
    this.#currentAt = -Infinity
    await this.catchUp()
  }

  async close(): Promise<void> {
    this.#isFollowing = false
    clearTimeout(this.#timer)
    await this.#running
  }

  /** Learns of all commits up to the last one. */
  async #learn(): Promise<void> {
    for (;;) {
      const askedAt = performance.now()
      const since = this.#position?.commit ?? 0
      const followed = this.#log.parseFollowed(
        await this.#client.select(this.#log.followQuery(since)),
        since,
      )
      const { commit, catalogue, keys, until } = followed
      if (this.#position && (!keys || catalogue !== this.#position.catalogue)) {
        this.#position = undefined
        continue
      }
      // The store is being filled.
      if (commit === undefined) return
      if (!this.#position) {
        this.#position = { commit, catalogue }
        this.#listeners.tellOfGap()
      } else if (until > since) {
        await this.#tell(keys ?? [])
        this.#position = { commit: until, catalogue }
      }
      if (this.#position.commit < commit) continue
      this.#currentAt = askedAt
      return
    }
  }

  async #tell(keys: readonly string[]): Promise<void> {
    const written: WrittenRecord[] = []
    for (let start = 0; start < keys.length; start += batchSize) {
      const batch = keys.slice(start, start + batchSize)
      const records = await this.#readBatch(batch)
      for (const key of batch) written.push({ key, nquads: records.get(key) })
    }
    if (!this.#isFollowing) return
    const notification = this.#listeners.tell({ records: written })
    this.#notification = notification.catch(() => undefined)
    await notification
  }

  /** One question at a time. An error is no answer: after a while nothing is current. */
  #run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#running ??= this.#learn()
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined
        if (this.#isFollowing)
          this.#timer = setTimeout(() => void this.#run(), this.#timing.pauseMs).unref()
      })
    return this.#running
  }
}
