// Loaded into a process before its program (`node --import`). For each message of the parent process it
// sends how long the event loop was blocked since the last message, and what the process uses; with
// `--expose-gc` after a collection of all garbage. The program itself is not changed.

import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'

export type ProbeSample = {
  /** The longest time that the event loop was blocked, in milliseconds. */
  readonly blocked: number
  /** The processor time of all threads since the start, in milliseconds. */
  readonly cpu: number
  /** Resident memory, and its parts: the JavaScript heap and the buffers; in bytes. */
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly files: number
  readonly threads: number
  /** Timers, sockets, workers and the like that keep the event loop going. */
  readonly handles: number
}

// Worker threads load this file too, but have no parent process to send to.
if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  process.on('message', () => void probe().then((sample) => process.send?.(sample)))
  process.channel?.unref()

  async function probe(): Promise<ProbeSample> {
    // What blocks the loop now is counted after the next turn of the loop.
    await sleep(20)
    const { user, system } = process.cpuUsage()
    const activity = { blocked: delay.max / 1e6, cpu: (user + system) / 1000 }
    await collectGarbage()
    const sample = { ...activity, ...usage() }
    delay.reset()
    return sample
  }
}

/** V8 returns collected memory with a delay: a second later, and some of it in the next round. */
async function collectGarbage(): Promise<void> {
  const { gc } = globalThis
  for (let round = 0; gc && round < 3; round += 1) {
    gc()
    await sleep(1000)
  }
}

function usage(): Omit<ProbeSample, 'blocked' | 'cpu'> {
  const { rss, heapUsed: heap, external } = process.memoryUsage()
  return {
    rss,
    heap,
    external,
    files: countFiles('/proc/self/fd'),
    threads: countFiles('/proc/self/task'),
    handles: process.getActiveResourcesInfo().length,
  }
}

function countFiles(directory: string): number {
  try {
    return readdirSync(directory).length
  } catch {
    // Not on Linux.
    return 0
  }
}
