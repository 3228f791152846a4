// Those who are told of what is written to a remote store: in the writing process by the commits
// themselves, in a reading one by commit-follower.ts.

import type { SharedCommitListener, WrittenRecord } from '../store.js'

export function createCommitListeners() {
  const listeners = new Set<SharedCommitListener>()
  return {
    subscribe: (listener: SharedCommitListener): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** One listener after the other, in the order in which they subscribed. */
    async onCommit(written: readonly WrittenRecord[]): Promise<void> {
      for (const listener of listeners) await listener.onCommit(written)
    },
    onGap(): void {
      for (const listener of listeners) listener.onGap()
    },
  }
}
