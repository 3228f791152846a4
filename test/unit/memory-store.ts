// A key-value store in memory, for tests of what is built on it.

import type { KeyValueStore } from '../../src/store/key-value/key-value-store.js'

export function memoryHome(): KeyValueStore {
  const kept = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(kept.get(key)),
    async *entries(prefix) {
      for (const entry of await Promise.resolve([...kept]))
        if (entry[0].startsWith(prefix)) yield entry
    },
    write(entries) {
      for (const { key, value } of entries)
        if (value === undefined) kept.delete(key)
        else kept.set(key, value)
      return Promise.resolve()
    },
    isReadOnly: () => false,
    close: () => Promise.resolve(),
  }
}
