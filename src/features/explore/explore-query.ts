// Reads from a request what is counted on the Explore page: two facets of zines, and the filters of
// the list of zines that is counted (docs/reference/explore.md, "Explore").

import { message } from '../../message.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { ValidationError } from '../../model/record/input.js'
import type { Resource } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import { listParamsOf, parseListQuery } from '../../http/request/list-query.js'
import { queryParam, queryParams } from '../../http/request/url.js'

/** A facet that can be chosen. */
export type ExploredFacet = {
  readonly name: string
  readonly title: string
  /** What the values of it are called. */
  readonly plural: string
  /** The filter of the list of zines that takes one of its values. */
  readonly parameter: string
}

// prettier-ignore
export const exploredFacets: readonly ExploredFacet[] = [
  { name: 'decade', title: message('Decade'), plural: message('decades'), parameter: 'decade' },
  { name: 'year', title: message('Year'), plural: message('years'), parameter: 'year' },
  { name: 'subject', title: message('Subject'), plural: message('subjects'), parameter: 'subject' },
  { name: 'genre', title: message('Genre'), plural: message('genres'), parameter: 'genre' },
  { name: 'language', title: message('Language'), plural: message('languages'), parameter: 'language' },
  { name: 'creator', title: message('Maker'), plural: message('makers'), parameter: 'creator' },
  { name: 'repository', title: message('Library'), plural: message('libraries'), parameter: 'repository' },
  { name: 'country', title: message('Country of the library'), plural: message('countries'), parameter: 'country' },
  { name: 'access', title: message('Access'), plural: message('kinds of access'), parameter: 'access' },
  // `format` is the format of the answer.
  { name: 'format', title: message('Format'), plural: message('formats'), parameter: 'format__in' },
]

/** For no columns. */
export const noColumns = 'none'

export const exploreDefaults = { rows: 'decade', columns: 'genre' }

export const exploreLimits = {
  /** Of the page, the chart and JSON. */
  shown: { rows: 25, columns: 8 },
  /** Of CSV. */
  file: { rows: 1000, columns: 100 },
}

export type ExploreQuery = {
  readonly rows: ExploredFacet
  readonly columns: ExploredFacet | undefined
  /** The zines that are counted. */
  readonly query: ListQuery
  /** The filters of these, by name. */
  readonly filters: Readonly<Record<string, string>>
  /** How many rows are asked for; undefined for the usual number. */
  readonly limit: number | undefined
}

/**
 * Filters by a facet that is shown as rows or columns do not apply, since each row is one.
 * @throws ValidationError for a facet that there is none of
 */
export function parseExploreQuery(ctx: RequestContext, zines: Resource): ExploreQuery {
  const rows = parseFacet(ctx, 'rows')
  const columns = parseFacet(ctx, 'columns')
  if (!rows) throw unknownFacet('rows')
  const shown = [rows, columns].map((facet) => facet?.parameter)
  const applied = listParamsOf(zines).filter((name) => !shown.includes(name))
  const params = queryParams(ctx)
  const filters = Object.fromEntries(
    applied.flatMap((name) => {
      const value = params.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  )
  return {
    rows,
    columns: columns === rows ? undefined : columns,
    query: { ...parseListQuery(ctx), filters: new Map(Object.entries(filters)), ordering: [] },
    filters,
    limit: parseLimit(queryParam(ctx, 'limit')),
  }
}

function parseFacet(ctx: RequestContext, name: 'rows' | 'columns'): ExploredFacet | undefined {
  const value = queryParam(ctx, name).trim() || exploreDefaults[name]
  if (name === 'columns' && value === noColumns) return undefined
  const facet = exploredFacets.find((candidate) => candidate.name === value)
  if (!facet) throw unknownFacet(name)
  return facet
}

const unknownFacet = (name: string): ValidationError =>
  new ValidationError(
    new Map([
      [name, [`A facet has to be one of ${exploredFacets.map((facet) => facet.name).join(', ')}.`]],
    ]),
  )

const parseLimit = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) > 0
    ? Math.min(Number(text), exploreLimits.file.rows)
    : undefined
