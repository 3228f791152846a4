// The pages of series: their list, and one with its issues. How they look is left to
// features/series/series-page.tsx.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import { json } from '../../formats/common-formats.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import type { GraphBuilderDependencies } from '../../formats/rdf/record-graph.js'
import { createSeriesSerializer } from '../../formats/series.js'
import type { Covers } from '../covers/cover.js'
import { SeriesListPage, SeriesPage } from './series-page.js'
import type { Handler } from '../../http/context.js'
import { findSeries, parseLackedBy, searchSeries } from './series-query.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { redirectPermanently } from '../../http/response/redirect.js'

type SeriesPagesDependencies = GraphBuilderDependencies & {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly rdfContext: RdfContext
  readonly countIssues: () => Promise<readonly FacetCount[]>
  readonly pictures: Covers
}

export function createSeriesPages(dependencies: SeriesPagesDependencies) {
  const { assets, catalogue, countIssues, resources, pictures: covers } = dependencies
  const serializer = createSeriesSerializer(dependencies)

  const list: Handler = async (ctx) => {
    const page = await searchSeries(ctx, catalogue, countIssues)
    const { pageQuery, count, series, links } = page
    sendPage(
      ctx,
      <SeriesListPage
        context={pageContext(ctx, assets)}
        series={series}
        {...{ resources, covers }}
        count={count}
        page={{ number: pageQuery.page, size: pageQuery.pageSize }}
        links={links}
        search={queryParam(ctx, 'search')}
        ordering={queryParam(ctx, 'ordering')}
        formats={jsonAndRdfFormats}
        json={serializer.page(json, page)}
      />,
    )
  }

  const item: Handler = async (ctx) => {
    const series = await findSeries(ctx, catalogue)
    if ('movedTo' in series) {
      redirectPermanently(ctx, series.movedTo)
      return
    }
    const lackedBy = await parseLackedBy(ctx, catalogue, series)
    sendPage(
      ctx,
      <SeriesPage
        context={pageContext(ctx, assets)}
        series={series}
        lackedBy={lackedBy}
        {...{ resources, covers }}
        formats={jsonAndRdfFormats}
        json={serializer.item(json, series, lackedBy)}
      />,
    )
  }

  return { list, item }
}
