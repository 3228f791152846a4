// What the main thread and a worker say to each other.

import type { SparqlClientConfig } from '../store/remote/sparql-client.js'
import type { GraphFormat, TableFormat } from './result-formats.js'

/** The graphs that a query is about. */
export type QueryDataset = {
  readonly default: readonly string[]
  readonly named: readonly string[]
}

export type QueryRequest = {
  readonly query: string
  /** Where the protocol names it; it goes before what the query says (SPARQL 1.1 Protocol, 2.1.4). */
  readonly dataset: QueryDataset | undefined
  /** The format that the client likes best for either kind of answer; undefined for none at all. */
  readonly table: TableFormat | undefined
  readonly graph: GraphFormat | undefined
}

export type QueryResult = { readonly type: string; readonly bytes: Uint8Array }

/** An answer's limits, in rows and in bytes. */
export type QueryLimits = { readonly rows: number; readonly bytes: number }

/** What a worker is given when it starts. */
export type WorkerConfig = {
  /** The IRI of the endpoint, which relative ones in a query are resolved against. */
  readonly endpoint: string
  /** The graphs that it holds. */
  readonly graphs: readonly string[]
  readonly limits: QueryLimits
  /** Where the graphs are, when the worker is to hold none and ask there. */
  readonly engine?: SparqlClientConfig | undefined
  /** The most that its Oxigraph may take, in bytes. */
  readonly memory: number
}

export type ToWorker =
  | { readonly kind: 'load'; readonly nquads: string }
  | { readonly kind: 'change'; readonly removed: string; readonly added: string }
  | { readonly kind: 'ask'; readonly question: QueryRequest }

export type FromWorker =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'answered'; readonly answer: QueryResult }
  | {
      readonly kind: 'refused'
      readonly because: 'query' | 'update' | 'form' | 'busy'
      readonly why: string
    }
  /** It is of no use any more. */
  | { readonly kind: 'broken'; readonly why: string }
