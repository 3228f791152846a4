// Loaded into a process before its program (`node --import`): tells, when it is asked, how long the event
// loop was held up since it was asked last, and what the process takes. The program knows nothing of it.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

export type Probed = {
  /** The longest that the event loop was held up, in milliseconds. */
  readonly blocked: number
  /** Resident memory, and what of it is JavaScript's and the buffers', in bytes. */
  readonly rss: number
  readonly heap: number
  readonly external: number
  /** The processor time of all its threads until now, in milliseconds. */
  readonly cpu: number
}

// Workers inherit the arguments of the process.
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  process.on('message', () => {
    // What holds up the loop now is counted once the loop goes round.
    setTimeout(() => {
      const { rss, heapUsed, external } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const cpu = (user + system) / 1000
      const probed: Probed = { blocked: delay.max / 1e6, rss, heap: heapUsed, external, cpu }
      delay.reset()
      process.send?.(probed)
    }, 20)
  })
  process.channel?.unref()
}
