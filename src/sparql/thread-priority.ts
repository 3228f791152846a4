// Strangers' queries give way to the rest of the service where there are not enough processors for
// both: a scheduler shares them evenly otherwise, in slices of several milliseconds.

import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** Lowers the priority of this thread, on systems where threads have one and tell their number. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // As this thread alone sees it: `1234/task/1240`.
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where /proc is hidden or priorities are fixed, queries are answered all the same.
  }
}
