// The messages between the main thread (worker-handle.ts) and a worker thread (worker.ts).

import type { MessagePort } from 'node:worker_threads'

import type { Refusal } from '../../errors.js'
import type { SparqlClientConfig } from '../../store/remote/sparql-client.js'
import type { QuadPattern } from './quad-patterns.js'
import type { GraphFormat, TableFormat } from './result-formats.js'
import type { WordHit, WordSearch } from './word-search-protocol.js'

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
  /** Whether the result has its plan. */
  readonly isExplained?: boolean
}

export type QueryResult = {
  readonly type: string
  readonly bytes: Uint8Array
  /** How the query was answered; only of one that is to be explained. */
  readonly plan?: QueryPlan
}

export type QueryPlan = {
  /** What it needs, and how many triples each has; none over a remote store. */
  readonly patterns: readonly { readonly pattern: string; readonly triples: number | undefined }[]
  readonly phases: Phases
}

/** How long each phase took, in milliseconds. */
export type Phases = {
  /** Reading and checking it. */
  readonly parse: number
  /** The searches for words. */
  readonly search: number
  /** Loading triples that no earlier query needed. */
  readonly load: number
  /** Running it and writing its result. */
  readonly run: number
}

/** The maximum numbers of rows and bytes of a result. */
export type QueryLimits = { readonly rows: number; readonly bytes: number }

/** The settings of a worker, given to it when it starts. */
export type WorkerConfig = {
  /** The IRI of the endpoint; relative IRIs in a query are resolved against it. */
  readonly endpoint: string
  /** The IRIs of the public graphs. */
  readonly graphs: readonly string[]
  readonly limits: QueryLimits
  /** The remote store to query. */
  readonly engine?: SparqlClientConfig | undefined
  /** Where the worker gets its quads from, without a remote store. */
  readonly replica?: ReplicaConfig | undefined
  /** The maximum memory of its Oxigraph, in bytes. */
  readonly memory: number
}

export type ReplicaConfig = {
  /** Leads to the table of public quads. */
  readonly port: MessagePort
  /** What to load before the first query. */
  readonly patterns: readonly QuadPattern[]
  /** How many quads may be removed from it before it is stale. */
  readonly maxRemoved?: number | undefined
}

export type ToWorker =
  | {
      readonly kind: 'query'
      readonly request: QueryRequest
      /** The number of the commit that it must see. */
      readonly after: number
    }
  /** Whether the query for which something was loaded is still wanted. */
  | { readonly kind: 'loaded'; readonly isWanted: boolean }
  /** What its searches found, in their order; undefined when they cannot be answered. */
  | {
      readonly kind: 'found'
      readonly records: readonly (readonly WordHit[])[] | undefined
      /** The number of the commit that it must see, to see no less than the searches did. */
      readonly after: number
    }

export type FromWorker =
  /** It has loaded what its settings ask for. */
  | { readonly kind: 'ready' }
  /** It begins to load what its query needs: Oxigraph, or quads. */
  | { readonly kind: 'loading' }
  /** It has loaded it. If it is for a query, it waits for the answer of this kind. */
  | { readonly kind: 'loaded' }
  /** It waits for what these searches find. */
  | { readonly kind: 'search'; readonly searches: readonly WordSearch[] }
  /** It has what it needs, and runs. */
  | { readonly kind: 'runs'; readonly patterns: readonly QuadPattern[] }
  | { readonly kind: 'result'; readonly result: QueryResult; readonly phases: Phases }
  | {
      readonly kind: 'rejected'
      /** What kind of refusal it is; `parser` for a fault of this service. */
      readonly why: Refusal | 'parser'
      readonly message: string
    }
  /** A new worker that loads these would be better. It goes on meanwhile. */
  | { readonly kind: 'stale'; readonly patterns: readonly QuadPattern[] }
  /** The worker cannot go on. */
  | { readonly kind: 'broken'; readonly message: string }
