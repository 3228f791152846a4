// Work that nobody waits for by the millisecond, such as the batches of all exports: one piece at a
// time, and after each the event loop goes round, so that however many exports there are, a request
// is held up by one batch at most. And long work of small steps, which does not hold anybody up either.

import { type Turns, atMost } from '../turns.js'

export const oneByOne = (): Turns => atMost(1, pause)

/** Lets everybody else have a turn. */
export const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** How long others wait for work in steps, in milliseconds. */
const longest = 8

/** Does all steps of a work, lets others have a turn now and then, and answers what the steps gave. */
export async function inSteps<Step>(work: Iterable<Step>): Promise<Step[]> {
  const done: Step[] = []
  let began = performance.now()
  for (const step of work) {
    done.push(step)
    if (performance.now() - began > longest) {
      await pause()
      began = performance.now()
    }
  }
  return done
}
