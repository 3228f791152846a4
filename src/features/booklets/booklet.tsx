// The address at which the zines of a list are a zine to print (docs/reference/explore.md, "A list as
// a zine"). How it looks is left to booklet-page.tsx.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { html } from '../../formats/common-formats.js'
import type { Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext } from '../../http/context.js'
import { checkListParams, parseListQuery } from '../../http/request/list-query.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { bookletPath, listPath, withParameters } from '../../views/links.js'
import { listTitle } from '../../views/list-title.js'
import type { Covers } from '../covers/cover.js'
import { listInIssueOrder } from '../records/issue-order.js'
import { filtersInTitle, findFilters } from '../records/list-facets.js'
import { searchesIn } from '../records/list-page.js'
import { BookletPage, maxRecords, paperSizes, sheetKinds } from './booklet-page.js'

type BookletDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly pictures: Covers
}

export const bookletEndpoint = (dependencies: BookletDependencies): Endpoint => ({
  path: bookletPath,
  name: 'Zine to Print',
  description: 'The zines of a list as a zine to print, fold and cut or staple.',
  formats: [html],
  methods: {
    async GET(ctx) {
      const { catalogue, resources } = dependencies
      const { zines } = resources
      checkListParams(ctx, zines, ['sheet', 'paper'])
      const query = { ...parseListQuery(ctx), page: 1, pageSize: maxRecords }
      const { count, sorted } = await listInIssueOrder(catalogue, zines, query)
      await sendBooklet(ctx, dependencies, {
        title: await titleOf(ctx, query, dependencies),
        path: withParameters(listPath('zines'), ctx.querystring, notOfLists),
        records: sorted,
        count,
      })
    },
  },
})

/** The parameters of this page alone. */
const notOfLists = { sheet: undefined, paper: undefined, page: undefined, lang: undefined }

/** Records in an order, and where they are on the service. */
type PrintedList = {
  readonly title: string
  /** The path of the list, to which the printed zine leads back. */
  readonly path: string
  /** At most `maxRecords`. */
  readonly records: readonly ResolvedRecord[]
  /** How many there are in all. */
  readonly count: number
}

/** Sends any ordered records as a zine to print. */
export async function sendBooklet(
  ctx: RequestContext,
  { assets, catalogue, resources, pictures }: BookletDependencies,
  { records, ...list }: PrintedList,
): Promise<void> {
  const context = pageContext(ctx, assets)
  const [sheetName, paperName] = ['sheet', 'paper'].map((parameter) => queryParam(ctx, parameter))
  sendPage(
    ctx,
    <BookletPage
      {...{ ...list, context, resources }}
      records={await catalogue.withHoldings(records)}
      covers={pictures}
      sheet={sheetKinds.find(({ name }) => name === sheetName) ?? sheetKinds[0]}
      paper={paperSizes.find(({ name }) => name === paperName) ?? paperSizes[0]}
    />,
  )
}

/** What the page of the list is called. */
async function titleOf(
  ctx: RequestContext,
  query: ListQuery,
  { assets, catalogue, resources }: BookletDependencies,
): Promise<string> {
  const { translator } = pageContext(ctx, assets)
  const resource = resources.zines
  const filtering = { catalogue, resources, resource, query, translator }
  const { chosen } = await findFilters({ ...filtering, whole: '', isWriter: false })
  const { q = '', search } = query
  const filters = filtersInTitle(resource, chosen, translator)
  return listTitle('zines', [...filters, ...searchesIn({ q: q.trim(), search })], translator)
}
