// Series as linked data: what the IRI of a series answers with, and the list of series
// (docs/reference/explore.md, "Series").

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import type { GraphBuilderDependencies } from '../../formats/rdf/record-graph.js'
import { createSeriesSerializer } from '../../formats/series.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery, pageOperation, recordSchema } from '../../http/operation.js'
import { findSeries, parseLackedBy, searchSeries } from './series-query.js'
import { sendText } from '../../http/response/conditional.js'
import { redirectPermanently } from '../../http/response/redirect.js'
import * as schema from '../../http/schemas.js'

const seriesProperties = {
  series: schema.text('The last part of the IRI.'),
  url: schema.url('The IRI.'),
  title: schema.text('The title, as one of its zines has it.'),
  issue_count: schema.count('How many issues it has here.'),
}

const listingSchema = schema.component(
  'SeriesListing',
  'A series in the list of those with several issues.',
  seriesProperties,
)

const issueSchema = {
  allOf: [recordSchema('ZineList'), schema.object({ repositories: schema.listOf(schema.text()) })],
}

const seriesSchema = schema.component(
  'Series',
  'The issues of a series in their order, and which repositories have which.',
  {
    ...seriesProperties,
    stated: schema.boolean(
      'Whether zines state the series; else it is that of their title and first maker.',
    ),
    missing: schema.listOf(
      schema.object({
        from: schema.integer(),
        to: schema.integer(),
        ...schema.partial({ volume: schema.integer('Where numbers begin anew in each volume.') }),
      }),
      'The numbers below the highest that no issue has.',
    ),
    repositories: schema.listOf(
      schema.object({
        repo_id: schema.text('The identifier of the repository.'),
        repository_name: schema.text('Its name.'),
        held: schema.count('How many issues it has.'),
        lacks: schema.listOf(schema.text('The identifier of an issue that it has not.')),
      }),
    ),
    issues: schema.listOf(
      issueSchema,
      'Zines as in lists, with the identifiers of the repositories that have them.',
    ),
  },
)

const listParameters = [
  inQuery('search', 'Words of the title, all of which have to occur.'),
  inQuery(
    'ordering',
    'The longest series first. Without it, by title.',
    schema.choice(['-issues']),
  ),
]

const lackedByParameter = inQuery(
  'lacked_by',
  'Only the issues that this repository lacks, by its identifier.',
)

type SeriesPages = { readonly list: Handler; readonly item: Handler }

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
      operations: {
        GET: {
          ...pageOperation(schema.page('SeriesList', listingSchema), ...listParameters),
          errors: [400],
        },
      },
    },
    {
      path: '/series/:slug',
      name: 'Series',
      description: 'The issues of a series, and which repositories have which.',
      formats: jsonAndRdfFormats,
      htmlHandler: pages.item,
      methods: {
        async GET(ctx) {
          ctx.state.isCurrent = catalogue.currentUntilNextWrite()
          const series = await findSeries(ctx, catalogue)
          if ('movedTo' in series) {
            redirectPermanently(ctx, series.movedTo)
            return
          }
          const lackedBy = await parseLackedBy(ctx, catalogue, series)
          sendText(ctx, serializer.item(ctx.state.format, series, lackedBy))
        },
      },
      operations: {
        GET: {
          response: seriesSchema,
          parameters: [lackedByParameter],
          moves: true,
          errors: [400],
        },
      },
    },
  ]
}
