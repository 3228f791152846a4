// How much memory the machine has, and how it gets back what this process no longer needs.

import { totalmem } from 'node:os'
import { measureMemory } from 'node:vm'

/** The memory that this process may use, in bytes: that of the machine, or of its container. */
export const machineMemory = Math.min(totalmem(), process.constrainedMemory() || Infinity)

/**
 * Has V8 collect garbage soon, in steps that hardly block. V8 itself collects when something is
 * allocated, so a service that nobody asks keeps the memory of a busy hour.
 */
export function collectGarbageSoon(): void {
  timer ??= setTimeout(collectGarbage, 1000).unref()
}

/** One for all that ask within a second. */
let timer: NodeJS.Timeout | undefined

function collectGarbage(): void {
  timer = undefined
  // eslint-disable-next-line @typescript-eslint/unbound-method -- put back as it was
  const { emitWarning } = process
  // Node warns that the function is experimental. Its figures, which may change, are not used here.
  process.emitWarning = () => undefined
  try {
    void measureMemory({ mode: 'summary', execution: 'eager' }).catch(() => undefined)
  } finally {
    process.emitWarning = emitWarning
  }
}
