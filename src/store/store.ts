// What the catalogue needs from a store: SPARQL queries, atomic commits of whole records, and a
// dump. embedded/ and remote/ implement it.

import type { Sparql } from '../rdf/sparql-template.js'
import type { NamedNode, Quad } from '../rdf/terms.js'
import type { CommitListeners } from './commit-listeners.js'
import type { Change, KeyedChange } from './key-value/change-log.js'
import type { KeyValueWrite } from '../lib/key-value/key-value-store.js'

/** One solution of a SELECT: the value of each bound variable. */
export type SelectRow = Readonly<Record<string, { readonly value: string } | undefined>>

/**
 * The new state of one record: its quads, or undefined when it is deleted. The caller chooses the
 * key.
 */
export type StoreChange = {
  readonly key: string
  readonly quads: readonly Quad[] | undefined
  /** The caller knows that the record did not exist before, so the store need not read it. */
  readonly isNew?: boolean
  /** What the log of changes says of it. */
  readonly change?: Change
}

export type Store = UnsharedStore | SharedStore

type CommonStore = {
  /** The rows of a SELECT, in their order. Earlier commits are visible. */
  select(query: Sparql): Promise<readonly SelectRow[]>
  /**
   * The N-Quads of records by their keys, each record complete, after earlier commits. A missing
   * record is not in the map.
   */
  readRecords(keys: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Makes all changes or none, with their entries in the log of changes. Resolves when they would
   * survive a crash and every later select sees them. Two commits that change the same key must not
   * overlap; the caller prevents that.
   * @throws DiskFullError, DiskFailedError, WriteRejectedError: no select ever sees any of the
   * changes
   * @param entries further entries of the key-value store, which are written with the changes
   * @param hidden what the log of changes says of hidden records, which are among the entries
   * @throws WriteUnconfirmedError: whether the changes were made is decided later
   */
  commit(
    changes: readonly StoreChange[],
    entries?: readonly KeyValueWrite[],
    hidden?: readonly KeyedChange[],
  ): Promise<void>
  /**
   * Settles a commit that was left unconfirmed. To be called before reading what a write depends
   * on.
   * @throws WriteRejectedError when it cannot be settled now
   */
  settlePending(): Promise<void>
  /** The maximum length in bytes of a percent-encoded identifier, if the store has one. */
  readonly maxIdentifierBytes?: number
  /**
   * Adds quads that are not stored durably. They are loaded again at each start, like vocabularies.
   * Called again, these are in place of those before. Listeners are told.
   */
  loadTransient(quads: readonly Quad[]): Promise<void>
  /**
   * Adds quads to them that were not there before. They need not be among those of a later
   * `loadTransient`. Listeners are told.
   */
  addTransient(quads: readonly Quad[]): Promise<void>
  /**
   * All quads of these graphs as N-Quads, in chunks: those committed before the first chunk is
   * requested, and nothing committed later.
   */
  dump(graphs: readonly NamedNode[]): AsyncIterable<string>
  /**
   * Who is told of each commit before it resolves, also of what is not stored durably. Who listens
   * first and dumps afterwards misses nothing; a commit may then be in both.
   */
  readonly listeners: CommitListeners
  /** The number of quads in all graphs; 0 when it is not known. */
  size(): number
  close(): Promise<void>
}

/**
 * Only this process uses the store: what was read stays valid until this process commits a change.
 */
type UnsharedStore = CommonStore & {
  readonly isShared: false
  /**
   * The N-Quads of a record by its key, as they are on the disk, at once; undefined when there is
   * no such record. Earlier commits are visible, and one that is being made may be.
   * @throws DiskFailedError when they cannot be read now: `readRecords` may wait until they can
   */
  readonly readNow: (key: string) => string | undefined
}

/**
 * Other processes use the store too. What was read may be outdated at once and must not be cached.
 * A select may see a record half written, or without its private quads, so records are read by key.
 */
export type SharedStore = CommonStore & {
  readonly isShared: true
  readonly commits: SharedCommits
}

/**
 * The commits to a shared store, whoever makes them. The process that makes one learns of it before
 * it is acknowledged; others learn of it soon after.
 */
export type SharedCommits = {
  /** Begins to tell the listeners of what others write. */
  readonly follow: () => void
  /**
   * All records, as N-Quads by their keys. Of those that are written after the call, of which
   * listeners are told, it may have an earlier state or none.
   */
  readonly records: () => AsyncIterable<readonly (readonly [key: string, nquads: string])[]>
  /** Whether this process has learned of all commits, but for those of the last seconds. */
  readonly isCurrent: () => boolean
  /** Learns of all that was committed before the call, if it can. */
  readonly catchUp: () => Promise<void>
}
