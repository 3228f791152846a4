// Holds writers apart: one at a time for each key, many keys at once; and one that needs the whole
// catalogue to itself, such as a cascade, which must not miss a record made while it looks.

export type Locks = {
  /** Runs the work while nobody else writes the key, and nobody has everything. */
  withRecordLock<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Runs the work while nobody else writes anything. */
  withExclusiveLock<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>()
  const running = new Set<Promise<unknown>>()
  let everything: Promise<unknown> = Promise.resolve()

  async function withRecordLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    // A writer who comes after one that wants everything waits behind it, so that it gets its turn.
    const before = [everything, queues.get(key)]
    const done = Promise.all(before.map(settled)).then(work)
    hold(done)
    queues.set(key, done)
    try {
      return await done
    } finally {
      if (queues.get(key) === done) queues.delete(key)
    }
  }

  async function withExclusiveLock<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = [everything, ...running]
    const done = Promise.all(before.map(settled)).then(work)
    everything = done
    hold(done)
    return done
  }

  function hold(work: Promise<unknown>): void {
    running.add(work)
    void settled(work).then(() => running.delete(work))
  }

  return { withRecordLock, withExclusiveLock }
}

const settled = (work: Promise<unknown> | undefined): Promise<void> =>
  Promise.resolve(work).then(
    () => undefined,
    () => undefined,
  )
