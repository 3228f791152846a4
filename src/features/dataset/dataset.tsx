// The page of the dataset description: statistics, exports and the same as Turtle. How it looks is
// left to features/dataset/dataset-page.tsx.

import type { Statistics } from '../../catalogue/sparql-record-index.js'
import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { turtle } from '../../formats/rdf/turtle.js'
import type { Serializers } from '../../formats/serializers.js'
import type { Quad } from '../../rdf/terms.js'
import { DatasetPage } from './dataset-page.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'

type DatasetPageDependencies = {
  readonly about: { readonly description: string }
  readonly assets: AssetUrls
  readonly license: string
  readonly publisher: string
  readonly contact: string | undefined
  readonly statistics: CachedStatistics
  readonly exports: Serializers
  readonly rdfContext: RdfContext
  /** Builds the triples of the description. */
  readonly describe: (statistics: Statistics) => readonly Quad[]
}

export function datasetPage(dependencies: DatasetPageDependencies): Handler {
  const { about, assets, describe, exports, license, publisher, contact, rdfContext } = dependencies
  return async (ctx) => {
    const statistics = await dependencies.statistics.statistics()
    const page = (
      <DatasetPage
        context={pageContext(ctx, assets)}
        base={rdfContext.base}
        description={`${about.description}.`}
        license={license}
        publisher={publisher}
        contact={contact}
        counts={statistics.counts}
        issued={statistics.issued}
        modified={statistics.modified}
        exports={exports}
        formats={rdfFormats}
        turtle={serializeRdf(turtle, describe(statistics), rdfContext)}
      />
    )
    sendPage(ctx, page)
  }
}
