// Those who are told of each commit, in the order of one list. A store tells them when the commit
// is on the disk and before it is acknowledged; the store of a reading process tells them of the
// commits of others.

import type { KeyValueWrite } from '../lib/key-value/key-value-store.js'

/** Removed and added quads, as N-Quads. A quad may be in both. */
export type QuadChange = { readonly removed: string; readonly added: string }

/** A record as a commit left it. In a reading process it has no private quads. */
export type WrittenRecord = {
  readonly key: string
  /** Its N-Quads; undefined when it was removed. */
  readonly nquads: string | undefined
  /** How it differs from before; undefined where only the result is known. */
  readonly change?: QuadChange
}

/** What was committed. */
export type Commit = {
  readonly records: readonly WrittenRecord[]
  /** Further entries of the key-value store that were written with the records. */
  readonly entries?: readonly KeyValueWrite[]
  /** Changed quads that are not stored durably, such as those of vocabularies. */
  readonly transient?: readonly QuadChange[]
}

/** Who is told, in this order. Each is told when all before it are done. */
const order = [
  // The others may read records, which a reading process has in a copy.
  'record copy',
  // What was read before the commit counts as outdated before any answer can be made of the new.
  'revision',
  // What is hidden counts as hidden before anybody finds it shown elsewhere.
  'hidden records',
  // No file that is downloaded has a record that is hidden.
  'releases',
  // Workers answer a query only when they have all commits that were passed on before it.
  'public quads',
  // These keep something of each record, and none depends on another. The fast ones come first.
  'triple counts',
  'pictures',
  'redirects',
  'record index',
  'record names',
  // They are loaded into the store, which may be slow, and which tells of them like of a commit.
  'used places',
  // What was made while the ones above were told may be of some that knew the commit and of others
  // that did not.
  'revision again',
  // Those who wait for changes find them wherever they look.
  'change feed',
] as const

type Place = (typeof order)[number]

type Listener = {
  readonly onCommit: (commit: Commit) => void | Promise<void>
  /** Called when it is not known what was written: anything may have been. */
  readonly onGap?: () => void
}

export type CommitListeners = {
  /** @returns a function that ends the listening */
  add(place: Place, listener: Listener): () => void
  tell(commit: Commit): Promise<void>
  tellOfGap(): void
}

export function createCommitListeners(): CommitListeners {
  const listeners = order.map((place) => ({ place, listeners: new Set<Listener>() }))
  const all = () => listeners.flatMap(({ listeners: atPlace }) => [...atPlace])
  return {
    add(place, listener) {
      const atPlace = listeners.find((entry) => entry.place === place)?.listeners
      atPlace?.add(listener)
      return () => atPlace?.delete(listener)
    },
    async tell(commit) {
      for (const listener of all()) {
        const done = listener.onCommit(commit)
        // All that is done at once is done in one turn, so that no answer is made in between.
        if (done) await done
      }
    },
    tellOfGap() {
      for (const listener of all()) listener.onGap?.()
    },
  }
}
