// Loaded into a process before its program (`node --import`): tells, when it is asked, how long the event
// loop was held up since it was asked last, and what the process takes and holds; with `--expose-gc`,
// once all garbage is collected. The program knows nothing of it.

import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

export type Probed = {
  /** The longest that the event loop was held up, in milliseconds. */
  readonly blocked: number
  /** The processor time of all its threads until now, in milliseconds. */
  readonly cpu: number
  /** Resident memory, and what of it is JavaScript's and the buffers', in bytes. */
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly files: number
  readonly threads: number
  /** Timers, sockets, workers and the like that keep the event loop going. */
  readonly handles: number
}

// Threads of the program are told the same arguments, and have nobody to answer to.
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  process.on('message', () => {
    // What holds up the loop now is counted once the loop goes round.
    setTimeout(() => {
      const { user, system } = process.cpuUsage()
      const took = { blocked: delay.max / 1e6, cpu: (user + system) / 1000 }
      const probed: Probed = { ...took, ...held() }
      delay.reset()
      process.send?.(probed)
    }, 20)
  })
  process.channel?.unref()
}

function held(): Omit<Probed, 'blocked' | 'cpu'> {
  // Twice, for what the first round has only found to be of no use.
  for (let round = 0; round < 2; round += 1) globalThis.gc?.()
  const { rss, heapUsed: heap, external } = process.memoryUsage()
  return {
    rss,
    heap,
    external,
    files: countIn('/proc/self/fd'),
    threads: countIn('/proc/self/task'),
    handles: process.getActiveResourcesInfo().length,
  }
}

function countIn(directory: string): number {
  try {
    return readdirSync(directory).length
  } catch {
    // Not on Linux.
    return 0
  }
}
