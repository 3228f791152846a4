// Work that nobody waits for by the millisecond, such as the batches of all exports: one piece at a
// time, and after each the event loop goes round, so that however many exports there are, a request
// is held up by one batch at most.

export function openTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work)
      last = result.then(pause, pause)
      return result
    },
  }
}

const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
