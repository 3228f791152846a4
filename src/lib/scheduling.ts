// Limits how many tasks run at the same time, splits long work into steps so that it does not block
// other requests, and ends the wait for it when the service stops.

import { setMaxListeners } from 'node:events'

/** Runs a task when there is a free slot, with the task's result. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Runs at most `limit` tasks at the same time; the others wait in order of arrival.
 * @param afterEach runs after each task before its slot is free; the caller of the task does not
 * wait for it
 */
export function limitConcurrency(limit: number, afterEach?: () => Promise<void>): Limiter {
  const waiting: (() => void)[] = []
  let free = limit

  // The slot goes directly to the next waiting task, so that no later task takes it.
  function releaseSlot(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async (task) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      if (afterEach) void afterEach().then(releaseSlot)
      else releaseSlot()
    }
  }
}

/** Waits for a free slot. @returns what frees it */
export const takeSlot = (limiter: Limiter): Promise<() => void> =>
  new Promise((begin) => void limiter(() => new Promise<void>(begin)))

/**
 * Does work on items in groups: those that arrive while a group is worked on are the next one. Each
 * caller gets the result of its group.
 * @param inTurn lets one group begin when the one before is done
 */
export function createGroupQueue<Item>(
  inTurn: Limiter,
  work: (group: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: { readonly items: Item[]; readonly done: Promise<void> } | undefined
  return (item) => {
    if (!waiting) {
      const items: Item[] = []
      // The work may begin at once, so it gets its items a moment later.
      const done = inTurn(async () => {
        await Promise.resolve()
        waiting = undefined
        await work(items)
      })
      waiting = { items, done }
    }
    waiting.items.push(item)
    return waiting.done
  }
}

/**
 * A queue for background work such as the batches of all exports: one task at a time, and after
 * each the event loop runs, so that however many exports there are, a request waits for one batch
 * at most.
 */
export const createSerialQueue = (): Limiter => limitConcurrency(1, yieldToEventLoop)

/** Resolves after the other events that are waiting. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(resolve))

/** How long work in steps may run before it yields. */
const maxStepMs = 8

/** Creates a function to call between steps. It yields to the event loop when 8 ms have passed. */
export function createYielder(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt <= maxStepMs) return
    await yieldToEventLoop()
    startedAt = performance.now()
  }
}

/** Of work that nobody stops, such as that of a command. */
export const neverAborted = new AbortController().signal
setMaxListeners(0, neverAborted)

/**
 * The result of the work. When the signal is aborted nobody waits for it any more, though it may go
 * on.
 * @throws the reason of the signal
 */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let onAbort = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
  })
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Runs all steps, yielding in between, and returns their results. */
export async function collectInSteps<Step>(steps: Iterable<Step>): Promise<Step[]> {
  const results: Step[] = []
  const maybeYield = createYielder()
  for (const step of steps) {
    results.push(step)
    await maybeYield()
  }
  return results
}
