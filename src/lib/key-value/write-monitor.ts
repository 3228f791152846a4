// A key-value store that reports each write for the metrics, and tells the health checks whether
// the next write can be expected to succeed.

import { DiskFailedError, DiskFullError } from './errors.js'
import type { KeyValueWrite, KeyValueStore } from './key-value-store.js'

export type WriteOutcome = 'written' | 'full' | 'failed'

export type MonitoredStore = KeyValueStore & {
  /** The outcome of the last write. If the disk was full, a new write is tried first. */
  state(): Promise<WriteOutcome>
}

/**
 * @param onWrite is called after every write with its outcome and its duration
 * @param probe an entry that changes nothing, written to find out whether the disk has space again
 */
export function monitorWrites(
  store: KeyValueStore,
  onWrite: (outcome: WriteOutcome, seconds: number) => void,
  probe: () => KeyValueWrite,
): MonitoredStore {
  let last: WriteOutcome = store.isReadOnly() ? 'full' : 'written'

  async function write(entries: readonly KeyValueWrite[]): Promise<void> {
    // Nothing reaches the disk, so nothing is known of it.
    if (entries.length === 0) return
    const started = performance.now()
    try {
      await store.write(entries)
      last = 'written'
    } catch (error) {
      if (error instanceof DiskFullError && last !== 'failed') last = 'full'
      if (error instanceof DiskFailedError) last = 'failed'
      throw error
    } finally {
      onWrite(last, (performance.now() - started) / 1000)
    }
  }

  async function state(): Promise<WriteOutcome> {
    if (last === 'full') await write([probe()]).catch(() => undefined)
    return last
  }

  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    getNow: (key) => store.getNow(key),
    entries: (prefix, after) => store.entries(prefix, after),
    snapshot: () => store.snapshot(),
    lastKey: (prefix) => store.lastKey(prefix),
    write,
    compact: () => store.compact(),
    isReadOnly: () => store.isReadOnly(),
    close: () => store.close(),
    state,
  }
}
