// Whose turn it is: queues for what must not happen too often at once, and long work of small steps that
// holds nobody up.

/** Runs a task when its turn has come, and answers as the task does. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Lets so many tasks run at a time; the others wait, first come first served.
 * @param rest what has to happen after each before the next has its turn; who gave the task does not wait
 */
export function atMost(places: number, rest?: () => Promise<void>): Turns {
  const waiting: (() => void)[] = []
  let free = places

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
      if (rest) void rest().then(passOn)
      else passOn()
    }
  }
}

/**
 * Work that nobody waits for by the millisecond, such as the batches of all exports: one piece at a
 * time, and after each the event loop goes round, so that however many exports there are, a request is
 * held up by one batch at most.
 */
export const oneByOne = (): Turns => atMost(1, pause)

/** Lets everybody else have a turn. */
export const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** How long others wait for work in steps, in milliseconds. */
const longest = 8

/** Gives what is called between the steps of a work, and lets others have a turn now and then. */
export function pauses(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began <= longest) return
    await pause()
    began = performance.now()
  }
}

/** Does all steps of a work with pauses, and answers what the steps gave. */
export async function inSteps<Step>(work: Iterable<Step>): Promise<Step[]> {
  const done: Step[] = []
  const maybePause = pauses()
  for (const step of work) {
    done.push(step)
    await maybePause()
  }
  return done
}
