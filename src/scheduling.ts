// Whose turn it is: queues for what must not happen too often at once, and long work of small steps that
// holds nobody up.

/** Runs a task when its turn has come, and answers as the task does. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Lets so many tasks run at a time; the others wait, first come first served.
 * @param afterEach what has to happen after each before the next has its turn; who gave the task does not wait
 */
export function limitConcurrency(limit: number, afterEach?: () => Promise<void>): Limiter {
  const waiting: (() => void)[] = []
  let free = limit

  // The place goes to the next in line directly, so that no newcomer slips in between.
  function passOn(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async (task) => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await task()
    } finally {
      if (afterEach) void afterEach().then(passOn)
      else passOn()
    }
  }
}

/**
 * Work that nobody waits for by the millisecond, such as the batches of all exports: one piece at a
 * time, and after each the event loop goes round, so that however many exports there are, a request is
 * held up by one batch at most.
 */
export const createSerialQueue = (): Limiter => limitConcurrency(1, yieldToEventLoop)

/** Lets everybody else have a turn. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => void setImmediate(resolve))

/** How long others wait for work in steps, in milliseconds. */
const maxStepMs = 8

/** Gives what is called between the steps of a work, and lets others have a turn now and then. */
export function createYielder(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began <= maxStepMs) return
    await yieldToEventLoop()
    began = performance.now()
  }
}

/** Does all steps of a work with pauses, and answers what the steps gave. */
export async function collectInSteps<Step>(work: Iterable<Step>): Promise<Step[]> {
  const done: Step[] = []
  const maybePause = createYielder()
  for (const step of work) {
    done.push(step)
    await maybePause()
  }
  return done
}
