// What this feature adds to the service. The workers that run the queries: app/sparql.ts.

import type { Quad } from '../../rdf/terms.js'
import type { AssetUrls } from '../../http/response/html.js'
import type { Iris } from '../../model/iris.js'
import { type Frames, sparqlEndpoints } from './endpoint.js'
import { sparqlPages } from './sparql.js'
import type { PoolSettings, QueryRunner } from './worker-pool.js'

type Parts = {
  readonly sparql: {
    readonly queries: QueryRunner
    readonly settings: PoolSettings
    readonly examples: readonly Quad[]
  }
  readonly assets: AssetUrls
  readonly documents: { readonly frame: Frames }
  readonly iris: Pick<Iris, 'base'>
  readonly ontology: readonly Quad[]
}

export const sparqlFeature = {
  name: 'sparql',
  pages({ sparql, assets, documents, iris, ontology }: Parts) {
    const { queries, settings, examples } = sparql
    const pages = sparqlPages(queries, { assets, base: iris.base, examples, ontology })
    return sparqlEndpoints(queries, settings, examples, { pages, frames: documents.frame })
  },
}
