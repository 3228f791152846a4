// What a request asks of the series: the list of those with several issues, one of them, and what a
// repository lacks of it.

import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import { ValidationError } from '../../model/record/input.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import {
  type SeriesDetails,
  type SeriesListing,
  type SeriesRepository,
  describeSeries,
  makerOf,
  seriesIn,
} from '../../model/series-details.js'
import { foldLetters } from '../../lib/text-folding.js'
import { compareCodePoints, encodeSegment } from '../../rdf/terms.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import type { RequestContext } from '../../http/context.js'
import { hrefOf, requestAddress } from '../../http/address.js'
import { firstPageQuery } from '../../http/request/list-query.js'
import { paginate, parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'

/** Where the address of a former series leads. */
type FormerSeriesRequest = { readonly movedTo: string }

/**
 * The series in the path, with all its issues, or the address of what it became.
 * @throws NotFoundError
 */
export async function findSeries(
  ctx: RequestContext,
  catalogue: Catalogue,
): Promise<SeriesDetails | FormerSeriesRequest> {
  const slug = (ctx.params.slug ?? '').normalize('NFC')
  const zines: ResolvedRecord[] = []
  const filters = new Map([['series', slug]])
  const { batches } = await catalogue.stream('zines', { filters, search: '', ordering: [] })
  for await (const batch of batches) zines.push(...(await catalogue.withHoldings(batch)))
  const series = describeSeries(slug, zines)
  if (series) return series
  const present = await catalogue.presentSeries(slug)
  if (present === undefined) throw new NotFoundError()
  const path = `/series/${encodeSegment(present)}`
  return { movedTo: hrefOf({ ...requestAddress(ctx), path }) }
}

/**
 * The repository whose missing issues are asked for, if that is asked.
 * @throws ValidationError for one that does not exist
 */
export async function parseLackedBy(
  ctx: RequestContext,
  catalogue: Catalogue,
  { repositories }: SeriesDetails,
): Promise<SeriesRepository | undefined> {
  const id = queryParam(ctx, 'lacked_by').normalize('NFC')
  if (id === '') return undefined
  const known = repositories.find((repository) => repository.id === id)
  if (known) return known
  const reference = { target: 'repositories', id } as const
  const values = (await catalogue.find([reference]))(reference)
  if (!values)
    throw new ValidationError(new Map([['lacked_by', [`Repository '${id}' does not exist`]]]))
  return { id, name: textValue(values, 'repository_name'), issueIds: new Set() }
}

/** A series with the zine of it that was added last. */
export type ListedSeries = SeriesListing & { readonly newest: ResolvedRecord }

/** Series of so many issues are listed. */
export const minIssues = 2

type SeriesCounts = () => Promise<readonly FacetCount[]>

/**
 * The requested page of the series that have several issues.
 * @param countIssues how many zines each series has that has several
 * @throws NotFoundError
 */
export async function searchSeries(
  ctx: RequestContext,
  catalogue: Catalogue,
  countIssues: SeriesCounts,
) {
  const pageQuery = parsePageQuery(ctx)
  const words = foldLetters(queryParam(ctx, 'search')).match(/[\p{L}\p{N}]+/gu) ?? []
  const matches = (await countIssues()).filter(({ value }) =>
    words.every((word) => titlePart(value).includes(word)),
  )
  if (queryParam(ctx, 'ordering') !== '-issues')
    matches.sort((a, b) => compareCodePoints(a.value, b.value))
  const { count, results } = paginate(matches, pageQuery)
  const series: ListedSeries[] = []
  for (const { value: slug, count: issueCount } of results) {
    const newest = await findNewest(catalogue, slug)
    const fields = newest && seriesIn(newest.values, slug)
    if (fields) {
      const maker = makerOf({ ...fields, issues: [newest] })
      series.push({ slug, title: fields.title, maker, issueCount, newest })
    }
    await yieldToEventLoop()
  }
  return { pageQuery, count, series, links: setPageLinks(ctx, pageQuery, count) }
}

/** A slug without its hash. */
const titlePart = (slug: string): string => slug.slice(0, Math.max(0, slug.lastIndexOf('-')))

/** The zine of a series that was added last; undefined where all were removed meanwhile. */
async function findNewest(catalogue: Catalogue, slug: string): Promise<ResolvedRecord | undefined> {
  const query = firstPageQuery(1, { filters: { series: slug } })
  return (await catalogue.list('zines', query, 'list')).records[0]
}
