// How tests wait and how they measure work, so that no outcome depends on what else the machine
// does. What never becomes true is ended by the time limit of all tests, in .mocharc.json.

import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until something is true. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10)
}

/** The processor time that this process has taken, in milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
