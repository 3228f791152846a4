// A key-value store in memory, for tests of what is built on it.

import { openEmbeddedStore } from '../../src/store/embedded/embedded-store.js'
import { loadChangeLog } from '../../src/store/key-value/change-log.js'
import type { KeyValueStore } from '../../src/lib/key-value/key-value-store.js'

const ignore = (): void => undefined

/** The records of a key-value store, which queries can be asked about, with the log of changes. */
export async function openRecords(
  home: KeyValueStore,
  onRecord: (key: string, nquads: string) => void = ignore,
) {
  const changeLog = await loadChangeLog(home)
  const events = { onLoaded: ignore, onFatal: ignore, onRecord }
  const store = await openEmbeddedStore(home, { changeLog, isQueried: true, ...events })
  return { changeLog, store }
}

export function memoryHome() {
  const kept = new Map<string, string>()
  const home: KeyValueStore = {
    get: (key) => Promise.resolve(kept.get(key)),
    getMany: (keys) => Promise.resolve(keys.map((key) => kept.get(key))),
    getNow: (key) => kept.get(key),
    async *entries(prefix, after = '') {
      for (const entry of await Promise.resolve([...kept].sort(byKey)))
        if (entry[0].startsWith(prefix) && entry[0] > after) yield entry
    },
    snapshot: () => home.entries(''),
    lastKey: (prefix) =>
      Promise.resolve(
        [...kept.keys()]
          .filter((key) => key.startsWith(prefix))
          .sort()
          .at(-1),
      ),
    write(entries) {
      for (const { key, value } of entries)
        if (value === undefined) kept.delete(key)
        else kept.set(key, value)
      return Promise.resolve()
    },
    compact: () => Promise.resolve(),
    isReadOnly: () => false,
    close: () => Promise.resolve(),
  }
  return home
}

type Entry = readonly [key: string, value: string]

const byKey = ([one]: Entry, [other]: Entry): number => (one < other ? -1 : 1)
