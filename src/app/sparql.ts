// Opens what answers SPARQL queries: the worker threads, and the example queries. How a query runs,
// its endpoint and its page: features/sparql/.

import { join } from 'node:path'

import type { Config } from '../config.js'
import type { Metrics } from '../metrics.js'
import { readTurtle } from '../rdf/turtle-reader.js'
import { examplesOf } from '../features/sparql/named-query.js'
import { withRejectionLimit } from '../features/sparql/rejection-limit.js'
import { createWordSearch } from '../features/sparql/word-search.js'
import { WorkerPool } from '../features/sparql/worker-pool.js'
import type { Backend } from './backend.js'
import { withQueryMetrics } from './instrumentation.js'
import { packageRoot } from '../lib/package-files.js'

/** With SPARQL_WORKERS=0 only the example queries are served. */
export async function openSparqlService(
  { iris, store, catalogue }: Backend,
  { store: storeConfig, sparql: { workers, timeout, ...limits } }: Config,
  { metrics, stopping }: { readonly metrics: Metrics; readonly stopping: AbortSignal },
  onError: (error: Error) => void,
) {
  const { base, graphs } = iris
  const examples = await readTurtle(
    join(packageRoot, 'ontology', 'sparql-examples.ttl'),
    `${base}/.well-known/sparql-examples`,
  )
  const settings = {
    base,
    graphs: [graphs.public.value, graphs.vocabularies.value],
    workers,
    timeout,
    limits,
    stopping,
    searchWords: catalogue.findsWords ? createWordSearch(catalogue, iris) : undefined,
    preloaded: examplesOf(examples).map(({ query }) => query),
    engine: storeConfig === 'embedded' ? undefined : { ...storeConfig, timeout },
  }
  const pool = new WorkerPool(store, settings, onError)
  const queries = withQueryMetrics(withRejectionLimit(pool), metrics)
  return {
    parts: { queries, settings, examples },
    start: () => pool.start(),
    workers: () => pool.workers(),
    close: () => pool.close(),
  }
}
