// The page of a list: its records and its facets with their counts. How it looks is left to
// features/records/list-page.tsx.

import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { curatedListFilter } from '../../catalogue/list-conditions.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { serializeList } from '../../formats/serializer.js'
import { type Serializers, exportFormatsOf } from '../../formats/serializers.js'
import type { Iris } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import type { Pictures } from '../pictures/pictures.js'
import { queryWithout } from '../../views/links.js'
import { listTitle } from '../../views/list-title.js'
import { ListPage, searchesIn } from './list-page.js'
import type { Handler } from '../../http/context.js'
import { parseListQuery } from '../../http/request/list-query.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { chooseListView } from './list-view.js'
import { parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { queryParam } from '../../http/request/url.js'
import { signpostsOfList } from '../../http/response/signposting.js'
import { filtersInTitle, findFilters } from './list-facets.js'
import { listInIssueOrder } from './issue-order.js'
import { editorialNames, withoutFilters, withoutMembers } from './editorial-fields.js'
import { requireJsonSerializer } from './json-serializer.js'

export type ListPageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  /** Those of pages of lists. */
  readonly pageSerializers: Serializers
  readonly resources: Resources
  readonly iris: Iris
  /** The URL of the licence of the data. */
  readonly license: string
}

/**
 * How many records the page shows as JSON, as an example: more would take more room than all else
 * on it.
 */
const maxInJson = 1

export function listPage(dependencies: ListPageDependencies, resource: Resource): Handler {
  const { assets, catalogue, pictures, pageSerializers: serializers, resources } = dependencies
  const { name } = resource
  return async (ctx) => {
    const { session } = ctx.state
    const isWriter = session !== undefined && mayWrite(session.account, name)
    const hidden = isWriter ? [] : editorialNames(resource)
    const listQuery = withoutFilters(parseListQuery(ctx), hidden)
    const pageQuery = parsePageQuery(ctx)
    const query = { ...listQuery, ...pageQuery }
    const page = await listInIssueOrder(catalogue, resource, query)
    const { count, records, didYouMean } = page
    const sorted = await catalogue.withHoldings(page.sorted)
    const { search } = listQuery
    const q = (listQuery.q ?? '').trim()
    // Links from this page show the most frequent values again.
    const left = queryWithout(ctx.querystring, 'facet', ...hidden)
    const context = { ...pageContext(ctx, assets), query: left }
    const { translator } = context
    const whole = queryParam(ctx, 'facet')
    const filtering = {
      catalogue,
      resources,
      resource,
      query: listQuery,
      whole,
      isWriter,
      translator,
    }
    const { facets, chosen } = await findFilters(filtering)
    const marks = q === '' ? [] : await catalogue.markWords(sorted, q)
    // A hundred records take a while to write.
    await yieldToEventLoop()
    const links = setPageLinks(ctx, pageQuery, count)
    ctx.state.links = [
      ...(ctx.state.links ?? []),
      ...signpostsOfList(dependencies.iris, dependencies.license),
    ]
    const inJson = records.slice(0, maxInJson)
    const rendered = (
      <ListPage
        context={context}
        resource={resource}
        resources={resources}
        records={sorted}
        count={count}
        page={{ number: pageQuery.page, size: pageQuery.pageSize }}
        links={links}
        search={search}
        q={q}
        didYouMean={didYouMean}
        marks={marks}
        ordering={listQuery.ordering.join(',')}
        view={name === 'zines' ? chooseListView(ctx) : undefined}
        covers={pictures}
        facets={facets}
        chosen={chosen}
        title={listTitle(
          name,
          [...filtersInTitle(resource, chosen, translator), ...searchesIn({ q, search })],
          translator,
        )}
        mayWrite={isWriter}
        mayEditLists={mayEditLists(session?.account)}
        formats={serializers[name]}
        exportFormats={isForEveryone(catalogue, listQuery) ? exportFormatsOf(name) : []}
        json={withoutMembers(
          serializeList(requireJsonSerializer(serializers, name), inJson, {
            count,
            links,
            didYouMean,
          }),
          hidden,
        )}
        leftOutOfJson={records.length - inJson.length}
      />
    )
    sendPage(ctx, rendered)
  }
}

/** Whether the files of a list have what the page has: a session counts for pages alone. */
const isForEveryone = (
  catalogue: Pick<Catalogue, 'curatedListTitle'>,
  { filters }: ListQuery,
): boolean => {
  const slug = filters.get(curatedListFilter)?.trim() ?? ''
  return slug === '' || catalogue.curatedListTitle(slug, {}) !== undefined
}
