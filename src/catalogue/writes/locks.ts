// Locks for writes: one write at a time for each record, many records at once. An exclusive write
// waits for all others: a cascade must not miss a record that is created while it looks for
// dependent ones.

import { stoppingError } from '../../errors.js'

export type Locks = {
  /** Runs the work while no other write has the key or the exclusive lock. */
  withRecordLock<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Runs the work while there is no other write. */
  withExclusiveLock<Result>(work: () => Promise<Result>): Promise<Result>
  /** When the oldest write that is not done was asked for, in milliseconds since 1970. */
  readonly oldestStart: () => number | undefined
  /** Lets no further write begin, and resolves when none is under way. */
  readonly close: () => Promise<void>
}

export function createLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>()
  /** With the times at which they were asked for, the oldest first. */
  const running = new Map<Promise<unknown>, number>()
  let lastExclusive: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function withRecordLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    // A write that comes after an exclusive one waits for it, so that the exclusive one gets its
    // turn.
    const before = [lastExclusive, queues.get(key)]
    const done = runAfter(before, work)
    queues.set(key, done)
    try {
      return await done
    } finally {
      if (queues.get(key) === done) queues.delete(key)
    }
  }

  async function withExclusiveLock<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = [lastExclusive, ...running.keys()]
    const done = runAfter(before, work)
    lastExclusive = done
    return done
  }

  async function runAfter<Result>(
    before: readonly (Promise<unknown> | undefined)[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const done = Promise.all(before.map(settled)).then(() => {
      if (isClosed) throw stoppingError()
      return work()
    })
    running.set(done, Date.now())
    void settled(done).then(() => running.delete(done))
    return done
  }

  function oldestStart(): number | undefined {
    for (const start of running.values()) return start
    return undefined
  }

  async function close(): Promise<void> {
    isClosed = true
    await Promise.all([...running.keys()].map(settled))
  }

  return { withRecordLock, withExclusiveLock, oldestStart, close }
}

const settled = (work: Promise<unknown> | undefined): Promise<void> =>
  Promise.resolve(work).then(
    () => undefined,
    () => undefined,
  )
