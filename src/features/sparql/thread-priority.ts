// Gives public queries a lower priority than the rest of the service when there are too few
// processors. Otherwise the scheduler shares them evenly, in slices of several milliseconds.

import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Lowers the priority of this thread on Linux, where threads have priorities and known numbers. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // The link leads to this thread: `1234/task/1240`.
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without /proc, or where priorities are fixed, queries run at normal priority.
  }
}
