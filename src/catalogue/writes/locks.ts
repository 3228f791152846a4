// Locks for writes: one write at a time for each record, many records at once. An exclusive write waits
// for all others: a cascade must not miss a record that is created while it looks for dependent ones.

export type Locks = {
  /** Runs the work while no other write has the key or the exclusive lock. */
  withRecordLock<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Runs the work while there is no other write. */
  withExclusiveLock<Result>(work: () => Promise<Result>): Promise<Result>
  /** When the oldest write that is not done was asked for, in milliseconds since 1970. */
  readonly oldestStart: () => number | undefined
}

export function createLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>()
  /** With the times at which they were asked for, the oldest first. */
  const running = new Map<Promise<unknown>, number>()
  let lastExclusive: Promise<unknown> = Promise.resolve()

  async function withRecordLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    // A write that comes after an exclusive one waits for it, so that the exclusive one gets its turn.
    const before = [lastExclusive, queues.get(key)]
    const done = Promise.all(before.map(settled)).then(work)
    track(done)
    queues.set(key, done)
    try {
      return await done
    } finally {
      if (queues.get(key) === done) queues.delete(key)
    }
  }

  async function withExclusiveLock<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = [lastExclusive, ...running.keys()]
    const done = Promise.all(before.map(settled)).then(work)
    lastExclusive = done
    track(done)
    return done
  }

  function track(work: Promise<unknown>): void {
    running.set(work, Date.now())
    void settled(work).then(() => running.delete(work))
  }

  function oldestStart(): number | undefined {
    for (const start of running.values()) return start
    return undefined
  }

  return { withRecordLock, withExclusiveLock, oldestStart }
}

const settled = (work: Promise<unknown> | undefined): Promise<void> =>
  Promise.resolve(work).then(
    () => undefined,
    () => undefined,
  )
