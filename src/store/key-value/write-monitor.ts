// A home as those see it who watch over the service: how long each write took, how it ended, and
// whether the next one can be expected to succeed.

import { StorageFailed, StorageFull } from '../errors.js'
import type { Entry, Home } from './key-value-store.js'

export type Outcome = 'kept' | 'full' | 'failed'

export type WatchedHome = Home & {
  /** How the last write ended; where the disk was full, it is tried again. */
  state(): Promise<Outcome>
}

/**
 * @param told is told of every write how it ended, after how many seconds
 * @param probe is written to find out whether there is space again; it changes nothing
 */
export function watchHome(
  home: Home,
  told: (outcome: Outcome, seconds: number) => void,
  probe: () => Entry,
): WatchedHome {
  let last: Outcome = 'kept'

  async function write(entries: readonly Entry[]): Promise<void> {
    const started = performance.now()
    try {
      await home.write(entries)
      last = 'kept'
    } catch (error) {
      if (error instanceof StorageFull && last !== 'failed') last = 'full'
      if (error instanceof StorageFailed) last = 'failed'
      throw error
    } finally {
      told(last, (performance.now() - started) / 1000)
    }
  }

  async function state(): Promise<Outcome> {
    if (last === 'full') await write([probe()]).catch(() => undefined)
    return last
  }

  return { ...home, write, state }
}
