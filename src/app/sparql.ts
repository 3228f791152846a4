// The endpoint for strangers' queries, with its threads, its examples and its page.

import { join } from 'node:path'

import type { Config } from '../config.js'
import type { AssetUrls } from '../http/response/html.js'
import { sparqlPage } from '../http/pages/sparql.js'
import { sparqlEndpoints } from '../http/sparql/endpoint.js'
import type { Metrics } from '../metrics.js'
import { readTurtle } from '../rdf/turtle-reader.js'
import { createWorkerPool } from '../sparql/worker-pool.js'
import type { Backend } from './backend.js'
import { withQueryMetrics } from './instrumentation.js'
import { packageRoot } from './package-files.js'

/** The endpoint for queries and the examples of them; only the examples where it is switched off. */
export async function openSparqlService(
  { iris, ontology, store }: Backend,
  { store: kept, sparql: { workers, timeout, ...limits } }: Config,
  { assets, metrics }: { readonly assets: AssetUrls; readonly metrics: Metrics },
  failed: (error: Error) => void,
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
    engine: kept === 'embedded' ? undefined : { ...kept, timeout },
  }
  const pool = withQueryMetrics(createWorkerPool(store, settings, failed), metrics)
  const page = sparqlPage(pool, { assets, base, examples, ontology })
  return {
    endpoints: sparqlEndpoints(pool, settings, examples, page),
    workers: () => pool.workers(),
    close: () => pool.close(),
  }
}
