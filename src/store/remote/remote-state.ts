// What the writing process notes about the remote store in its key-value store: the identifier of
// the catalogue, the number of the last commit, and the commit that is being written.

import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import {
  catalogueIdKey,
  formerCatalogueIdKey,
  prefixes,
  remoteCommitKey,
  remotePendingKey,
} from '../key-value/keys.js'
import type { KeyedChange } from '../key-value/change-log.js'
import type { NumberedCommit } from './commit-protocol.js'

export type PendingCommit = NumberedCommit & {
  /** Further entries of the key-value store, which are written with the changes. */
  readonly entries: readonly KeyValueWrite[]
  /** What the log of changes says of hidden records. */
  readonly hidden: readonly KeyedChange[]
  /** The remote store rejected it, and what it has of it is being removed. */
  rollingBack: boolean
  /** The remote store may have some of it. */
  maybeSent: boolean
}

export type RemoteState = {
  readonly catalogueId: string | undefined
  readonly lastCommit: number | undefined
  readonly pending: PendingCommit | undefined
}

export async function readRemoteState(store: KeyValueStore): Promise<RemoteState> {
  const [catalogueId, formerId, lastCommit, pending] = await Promise.all(
    [catalogueIdKey, formerCatalogueIdKey, remoteCommitKey, remotePendingKey].map((key) =>
      store.get(key),
    ),
  )
  return {
    catalogueId: catalogueId ?? formerId,
    lastCommit: lastCommit === undefined ? undefined : Number(lastCommit),
    pending: pending === undefined ? undefined : parsePending(pending),
  }
}

/** Whether a commit was begun, and neither written nor rejected. */
export const hasPendingCommit = async (store: KeyValueStore): Promise<boolean> =>
  (await store.get(remotePendingKey)) !== undefined

/** Stores the identifier where it is not stored yet. */
export async function writeCatalogueId(store: KeyValueStore, catalogueId: string): Promise<void> {
  if ((await store.get(catalogueIdKey)) === undefined)
    await store.write(catalogueIdEntries(catalogueId))
}

/** Notes a commit before anything of it is sent. It is removed by `commitEntries`. */
export const pendingEntry = ({
  number,
  changes,
  entries,
  hidden,
  rollingBack: back,
}: PendingCommit): KeyValueWrite => ({
  key: remotePendingKey,
  value: JSON.stringify({ number, changes, entries, hidden, back }),
})

/** Notes that nothing is pending and, with a number, which commit was the last. */
export const commitEntries = (lastCommit?: number): KeyValueWrite[] => [
  ...(lastCommit === undefined ? [] : [{ key: remoteCommitKey, value: String(lastCommit) }]),
  { key: remotePendingKey, value: undefined },
]

/**
 * Removes the notes about the remote store because it is about to miss a write. When it is opened
 * next, it is filled anew. The identifier of the catalogue stays; it tells whose the remote store
 * is.
 */
export async function markRemoteStale(store: KeyValueStore): Promise<void> {
  const notes: KeyValueWrite[] = []
  for await (const [key] of store.entries(prefixes.remote)) notes.push({ key, value: undefined })
  if (notes.length === 0) return
  const { catalogueId } = await readRemoteState(store)
  await store.write([
    ...(catalogueId === undefined ? [] : catalogueIdEntries(catalogueId)),
    ...notes,
  ])
}

const catalogueIdEntries = (catalogueId: string): KeyValueWrite[] => [
  { key: catalogueIdKey, value: catalogueId },
  { key: formerCatalogueIdKey, value: undefined },
]

function parsePending(text: string): PendingCommit {
  // The cast: `pendingEntry` wrote it.
  const stored = JSON.parse(text) as Omit<PendingCommit, 'entries' | 'hidden'> &
    Partial<Pick<PendingCommit, 'entries' | 'hidden'>> & { readonly back: boolean }
  // Earlier releases wrote neither.
  const { number, changes, entries = [], hidden = [], back } = stored
  // Before a crash some of it may have been sent.
  return { number, changes, entries, hidden, rollingBack: back, maybeSent: true }
}
