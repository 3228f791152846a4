// Serializes series as JSON and in every RDF format. What a document states besides what SPARQL
// has: docs/reference/data-model.md, "Series".

import type { IssueRange } from '../model/issue-numbers.js'
import { type RecordView, type ResolvedRecord, toView } from '../model/record/views.js'
import {
  type SeriesDetails,
  type SeriesListing,
  type SeriesRepository,
  issueId,
} from '../model/series-details.js'
import { dcterms, rdf, rdfs, schema } from '../rdf/namespaces.js'
import {
  type NamedNode,
  type Quad,
  distinctTriples,
  integer,
  stringLiteral,
  triple,
} from '../rdf/terms.js'
import { json } from './common-formats.js'
import { type RdfContext, serializeRdf } from './rdf/documents.js'
import { memberTriples, pageTriples } from './rdf/hydra-paging.js'
import { type GraphBuilderDependencies, GraphBuilder } from './rdf/record-graph.js'
import type { Format, PageLinks } from './serializer.js'

type SeriesPage = {
  readonly count: number
  readonly links: PageLinks
  readonly series: readonly SeriesListing[]
}

type SeriesSerializer = {
  /**
   * @param lackedBy the repository that the document is about: then the issues are those that it
   * lacks
   */
  item(format: Format, series: SeriesDetails, lackedBy?: SeriesRepository): string
  page(format: Format, page: SeriesPage): string
}

export function createSeriesSerializer(
  dependencies: GraphBuilderDependencies & { readonly rdfContext: RdfContext },
): SeriesSerializer {
  const { iris, resources, rdfContext } = dependencies
  const graphs = new GraphBuilder(dependencies)

  const viewOf = (issue: ResolvedRecord): RecordView => toView(resources, issue, 'list')

  function toJson(series: SeriesDetails, issues: readonly ResolvedRecord[]): object {
    const { slug, title, isStated, missing, repositories } = series
    const ids = series.issues.map(issueId)
    return {
      series: slug,
      url: iris.series(slug).value,
      title,
      stated: isStated,
      issue_count: ids.length,
      missing: missing.map(toJsonRange),
      repositories: repositories.map(({ id, name, issueIds }) => ({
        repo_id: id,
        repository_name: name,
        held: issueIds.size,
        lacks: ids.filter((issue) => !issueIds.has(issue)),
      })),
      issues: issues.map((issue) => ({
        ...viewOf(issue),
        repositories: repositories
          .filter(({ issueIds }) => issueIds.has(issueId(issue)))
          .map(({ id }) => id),
      })),
    }
  }

  function toTriples({ slug, title }: SeriesDetails, issues: readonly ResolvedRecord[]) {
    const series = iris.series(slug)
    return distinctTriples([
      ...aboutSeries(series, title),
      ...issues.flatMap((issue) => [
        triple(series, dcterms('hasPart'), iris.thing('zines', issueId(issue))),
        ...graphs.buildGraph(issue, 'list'),
        ...(issue.holdings ?? []).flatMap((holding) => graphs.buildGraph(holding, 'list')),
      ]),
    ])
  }

  return {
    item(format, series, lackedBy) {
      const issues = series.issues.filter((issue) => !lackedBy?.issueIds.has(issueId(issue)))
      return format.name === json.name
        ? JSON.stringify(toJson(series, issues))
        : serializeRdf(format, toTriples(series, issues), rdfContext)
    },
    page(format, page) {
      const { count, links, series } = page
      if (format.name === json.name) {
        const results = series.map(({ slug, title, issueCount }) => ({
          series: slug,
          url: iris.series(slug).value,
          title,
          issue_count: issueCount,
        }))
        return JSON.stringify({ count, next: links.next, previous: links.previous, results })
      }
      const members = series.flatMap(({ slug, title, issueCount }) => {
        const seriesIri = iris.series(slug)
        return [
          ...memberTriples(seriesIri, page),
          ...aboutSeries(seriesIri, title),
          triple(seriesIri, schema('numberOfItems'), integer(issueCount)),
        ]
      })
      return serializeRdf(format, [...pageTriples(page), ...members], rdfContext)
    },
  }
}

const aboutSeries = (series: NamedNode, title: string): readonly Quad[] => [
  triple(series, rdf('type'), schema('CreativeWorkSeries')),
  triple(series, dcterms('title'), stringLiteral(title)),
  triple(series, rdfs('label'), stringLiteral(title)),
]

const toJsonRange = ({ volume, from, to }: IssueRange) => ({
  ...(volume === undefined ? {} : { volume }),
  from,
  to,
})
