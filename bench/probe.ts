// Loaded into a process before its program (`node --import`): tells, when it is asked, how long the event
// loop was held up since it was asked last, and what the process takes and holds; with `--expose-gc`,
// once all garbage is collected and given back. The program knows nothing of it.

import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
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
  process.on('message', () => void probe().then((probed) => process.send?.(probed)))
  process.channel?.unref()

  async function probe(): Promise<Probed> {
    // What holds up the loop now is counted once the loop goes round.
    await sleep(20)
    const { user, system } = process.cpuUsage()
    const took = { blocked: delay.max / 1e6, cpu: (user + system) / 1000 }
    await clear()
    const probed = { ...took, ...held() }
    delay.reset()
    return probed
  }
}

/** V8 gives back the memory of what it collected by and by: a second later, and some of it at the next round. */
async function clear(): Promise<void> {
  const { gc } = globalThis
  for (let round = 0; gc && round < 3; round += 1) {
    gc()
    await sleep(1000)
  }
}

function held(): Omit<Probed, 'blocked' | 'cpu'> {
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
