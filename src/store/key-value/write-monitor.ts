// A home as those see it who watch over the service: how long each write took, how it ended, and
// whether the next one can be expected to succeed.

import { DiskFailedError, DiskFullError } from '../errors.js'
import type { KeyValueWrite, KeyValueStore } from './key-value-store.js'

export type WriteOutcome = 'kept' | 'full' | 'failed'

export type MonitoredStore = KeyValueStore & {
  /** How the last write ended; where the disk was full, it is tried again. */
  state(): Promise<WriteOutcome>
}

/**
 * @param told is told of every write how it ended, after how many seconds
 * @param probe is written to find out whether there is space again; it changes nothing
 */
export function monitorWrites(
  home: KeyValueStore,
  told: (outcome: WriteOutcome, seconds: number) => void,
  probe: () => KeyValueWrite,
): MonitoredStore {
  let last: WriteOutcome = 'kept'

  async function write(entries: readonly KeyValueWrite[]): Promise<void> {
    const started = performance.now()
    try {
      await home.write(entries)
      last = 'kept'
    } catch (error) {
      if (error instanceof DiskFullError && last !== 'failed') last = 'full'
      if (error instanceof DiskFailedError) last = 'failed'
      throw error
    } finally {
      told(last, (performance.now() - started) / 1000)
    }
  }

  async function state(): Promise<WriteOutcome> {
    if (last === 'full') await write([probe()]).catch(() => undefined)
    return last
  }

  return { ...home, write, state }
}
