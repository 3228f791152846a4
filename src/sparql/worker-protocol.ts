// The messages between the main thread (worker-handle.ts) and a worker thread (worker.ts).

import type { SparqlClientConfig } from '../store/remote/sparql-client.js'
import type { GraphFormat, TableFormat } from './result-formats.js'

/** The IRIs of the graphs that a query is about. */
export type QueryDataset = {
  readonly default: readonly string[]
  readonly named: readonly string[]
}

export type QueryRequest = {
  readonly query: string
  /**
   * The dataset of the HTTP request. It overrides that of the query (SPARQL 1.1 Protocol, 2.1.4).
   */
  readonly dataset: QueryDataset | undefined
  /** The format that the client prefers for each kind of result; undefined when it accepts none. */
  readonly table: TableFormat | undefined
  readonly graph: GraphFormat | undefined
}

export type QueryResult = { readonly type: string; readonly bytes: Uint8Array }

/** The maximum numbers of rows and bytes of a result. */
export type QueryLimits = { readonly rows: number; readonly bytes: number }

/** The settings of a worker, given to it when it starts. */
export type WorkerConfig = {
  /** The IRI of the endpoint; relative IRIs in a query are resolved against it. */
  readonly endpoint: string
  /** The IRIs of the public graphs. */
  readonly graphs: readonly string[]
  readonly limits: QueryLimits
  /** The remote store to query. Without one, the worker has a replica. */
  readonly engine?: SparqlClientConfig | undefined
  /** The maximum memory of its Oxigraph, in bytes. */
  readonly memory: number
}

export type ToWorker =
  | { readonly kind: 'load'; readonly nquads: string }
  | { readonly kind: 'change'; readonly removed: string; readonly added: string }
  /** A part of a large commit; what came of it is applied in one step when it is complete. */
  | { readonly kind: 'part'; readonly removed: string; readonly added: string }
  | { readonly kind: 'complete' }
  | { readonly kind: 'query'; readonly request: QueryRequest }

export type FromWorker =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'result'; readonly result: QueryResult }
  | {
      readonly kind: 'rejected'
      readonly error: 'query' | 'update' | 'format' | 'busy'
      readonly message: string
    }
  /** The worker cannot go on. */
  | { readonly kind: 'broken'; readonly message: string }
