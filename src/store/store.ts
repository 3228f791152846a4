// The seam between the catalogue and whatever keeps its quads: SPARQL in, rows out; changes in, and kept.

import type { Sparql } from '../rdf/sparql-template.js'
import type { NamedNode, Quad } from '../rdf/terms.js'

/** One solution: the value of each variable that is bound. */
export type SelectRow = Readonly<Record<string, { readonly value: string } | undefined>>

/** What a record is from now on: these quads, or none at all. Its key is of the caller's choosing. */
export type StoreChange = {
  readonly key: string
  readonly quads: readonly Quad[] | undefined
  /** Whoever writes it has seen that there was none, so that nobody looks for it again. */
  readonly isNew?: boolean
}

/** What a commit did: the quads that went and those that came, as N-Quads. One may be in both. */
export type StoreCommit = { readonly removed: string; readonly added: string }

export type Store = {
  /** The rows of a SELECT, in their order. What was committed before is seen. */
  select(query: Sparql): Promise<readonly SelectRow[]>
  /**
   * Makes all changes or none, and is kept once they would outlive a crash and every later select
   * sees them. Two commits that touch one key must not overlap: the caller holds them apart.
   * @throws StorageFull, StorageFailed, NotWritten; then no select ever sees any of it
   * @throws Unconfirmed when it will be settled later which of the two it is
   */
  commit(changes: readonly StoreChange[]): Promise<void>
  /**
   * Settles what was left unconfirmed. Whoever looks at what there is, to decide what to write, asks
   * for it first. @throws NotWritten when it cannot be settled now
   */
  settlePending(): Promise<void>
  /**
   * The quads of records by their keys, each record whole. Only where a select may show a record half
   * written, or without what is kept elsewhere; what is read so is not to be kept.
   */
  readonly readRecords?: (keys: readonly string[]) => Promise<ReadonlyMap<string, readonly Quad[]>>
  /** The most bytes that an identifier may have in an IRI, where that is fewer than any has. */
  readonly longestIdentifier?: number
  /** Adds quads that are not kept: they come anew at each start, as the vocabularies do. */
  loadTransient(quads: readonly Quad[]): Promise<void>
  /**
   * All quads of these graphs as N-Quads, in pieces: those that were committed before the first piece
   * was asked for, and nothing that was committed later.
   */
  dump(graphs: readonly NamedNode[]): AsyncIterable<string>
  /**
   * Tells of every commit from now on what it did to these graphs, before whoever made it is told that
   * it is kept. Whoever watches first and dumps then misses nothing; what the dump has already may be
   * told again.
   * @returns what ends it
   */
  subscribe(graphs: readonly NamedNode[], told: (commit: StoreCommit) => void): () => void
  /** The number of quads in all graphs. */
  size(): number
  close(): Promise<void>
}
