// Series as linked data: what the IRI of a series answers with, and the list of series
// (docs/api.md, "Series").

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import type { GraphBuilderDependencies } from '../../formats/rdf/record-graph.js'
import { createSeriesSerializer } from '../../formats/series.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { findSeries, parseLackedBy, searchSeries } from './series-query.js'
import { sendText } from '../../http/response/conditional.js'
import { redirectPermanently } from '../../http/response/redirect.js'

type SeriesPages = { readonly list: Handler; readonly one: Handler }

type SeriesDependencies = GraphBuilderDependencies & {
  readonly catalogue: Catalogue
  readonly rdfContext: RdfContext
  /** How many zines each series has. */
  readonly countIssues: () => Promise<readonly FacetCount[]>
  readonly pages: SeriesPages
}

export function seriesEndpoints(dependencies: SeriesDependencies): Endpoint[] {
  const { catalogue, countIssues, pages } = dependencies
  const serializer = createSeriesSerializer(dependencies)
  return [
    {
      path: '/series',
      name: 'Series List',
      description: 'The series that have several issues here.',
      formats: jsonAndRdfFormats,
      htmlHandler: pages.list,
      methods: {
        async GET(ctx) {
          ctx.state.isCurrent = catalogue.currentUntilNextWrite()
          const page = await searchSeries(ctx, catalogue, countIssues)
          sendText(ctx, serializer.page(ctx.state.format, page))
        },
      },
    },
    {
      path: '/series/:slug',
      name: 'Series',
      description: 'The issues of a series, and which repositories have which.',
      formats: jsonAndRdfFormats,
      htmlHandler: pages.one,
      methods: {
        async GET(ctx) {
          ctx.state.isCurrent = catalogue.currentUntilNextWrite()
          const series = await findSeries(ctx, catalogue)
          if ('movedTo' in series) {
            redirectPermanently(ctx, series.movedTo)
            return
          }
          const lackedBy = await parseLackedBy(ctx, catalogue, series)
          sendText(ctx, serializer.one(ctx.state.format, series, lackedBy))
        },
      },
    },
  ]
}
