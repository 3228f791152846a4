// The messages of the thread that has the table of public quads (table-thread.ts): with the main
// thread (table-handle.ts), and with the threads that run queries (quad-source.ts).

import type { MessagePort } from 'node:worker_threads'

import type { QuadChange } from '../../store/commit-listeners.js'
import type { QuadPattern } from './quad-patterns.js'
import type { QuadPiece } from './quad-table.js'

/** The settings of the thread, given to it when it starts. */
export type TableConfig = {
  /** How many quads there are about. */
  readonly size: number
  /** How many quads may be removed before the table is made again, unless by their number. */
  readonly maxRemoved?: number | undefined
}

/** From the main thread. Commits are counted from 1. */
export type ToTable =
  | { readonly kind: 'load'; readonly nquads: string }
  | {
      readonly kind: 'change'
      readonly removed: string
      readonly added: string
      readonly number: number
    }
  /** A part of the large commit with this `id`; the quads change when it is complete. */
  | { readonly kind: 'part'; readonly id: number; readonly removed: string; readonly added: string }
  | { readonly kind: 'complete'; readonly id: number; readonly number: number }
  /** Wants to know how many quads have one of the patterns, for each list of patterns. */
  | { readonly kind: 'count'; readonly lists: readonly (readonly QuadPattern[])[] }
  /** A thread that runs queries will ask by this port. */
  | { readonly kind: 'connect'; readonly port: MessagePort }

/** To the main thread. */
export type FromTable =
  /** What was sent to be loaded is in the table. */
  | { readonly kind: 'loaded' }
  /** The answers come in the order of the questions. */
  | { readonly kind: 'counted'; readonly counts: readonly number[] }

/** From a thread that runs queries. */
export type QuadRequest =
  /**
   * Wants the quads of these patterns that it has not yet, after this commit. From then on it is
   * told of every change of quads that have one of its patterns.
   */
  | { readonly kind: 'get'; readonly patterns: readonly QuadPattern[]; readonly after: number }
  /** Wants more quads. */
  | { readonly kind: 'next' }

/** To a thread that runs queries. */
export type QuadMessage =
  /**
   * A whole commit, in the parts in which it is applied: a query that ran between two messages
   * would see half of it.
   */
  | { readonly kind: 'change'; readonly parts: readonly QuadChange[] }
  | ({ readonly kind: 'quads' } & QuadPiece)
  /** It has all quads that it wanted. There are none with the patterns that are `empty`. */
  | { readonly kind: 'complete'; readonly empty: readonly QuadPattern[] }
