// A queue for what must not happen too often at once.

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
