// The page of a list: its records and its facets with their counts. How it looks is left to
// views/pages/list.tsx.

import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { serializeList } from '../../formats/serializer.js'
import { type Serializers, exportFormatsOf } from '../../formats/serializers.js'
import { type Resource, type Resources, filtersOf } from '../../model/resources.js'
import { publicCover } from '../../pictures/picture.js'
import type { Pictures } from '../../pictures/pictures.js'
import { yieldToEventLoop } from '../../scheduling.js'
import { type Facet, ListPage } from '../../views/pages/list.js'
import type { Handler } from '../context.js'
import { parseListQuery } from '../request/list-query.js'
import { chooseListView } from '../request/list-view.js'
import { parsePageQuery, setPageLinks } from '../request/pagination.js'
import { type AssetUrls, pageContext, sendPage } from '../response/html.js'
import { labelFacetCounts } from '../response/facet-labels.js'
import { listInIssueOrder } from './issue-order.js'
import { requireJsonSerializer } from './json-serializer.js'

export type ListPageDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  /** Those of pages of lists. */
  readonly pageSerializers: Serializers
  readonly resources: Resources
}

const maxChoices = 40

export function listPage(dependencies: ListPageDependencies, resource: Resource): Handler {
  const { assets, catalogue, pictures, pageSerializers: serializers, resources } = dependencies
  const { name } = resource
  return async (ctx) => {
    const listQuery = parseListQuery(ctx)
    const pageQuery = parsePageQuery(ctx)
    const query = { ...listQuery, ...pageQuery }
    const { count, records, sorted } = await listInIssueOrder(catalogue, resource, query)
    const links = setPageLinks(ctx, pageQuery, count)
    const { session } = ctx.state
    const page = (
      <ListPage
        context={pageContext(ctx, assets)}
        resource={resource}
        resources={resources}
        records={sorted}
        count={count}
        page={{ number: pageQuery.page, size: pageQuery.pageSize }}
        links={links}
        search={listQuery.search}
        q={(listQuery.q ?? '').trim()}
        ordering={listQuery.ordering.join(',')}
        view={name === 'zines' ? chooseListView(ctx) : undefined}
        coverOf={(id) => publicCover(pictures.list({ target: name, id }))}
        facets={await findFacets(dependencies, resource, listQuery)}
        mayWrite={session !== undefined && mayWrite(session.account, name)}
        formats={serializers[name]}
        exportFormats={exportFormatsOf(name)}
        json={serializeList(requireJsonSerializer(serializers, name), records, { count, links })}
      />
    )
    sendPage(ctx, page)
  }
}

async function findFacets(
  { catalogue, resources }: ListPageDependencies,
  resource: Resource,
  listQuery: ListQuery,
): Promise<Facet[]> {
  const filters = filtersOf(resource)
  const countedFilters = resource.facets
  // Other filters are shown while they are set, so that they can be removed.
  const otherFilters = filters.filter(
    (filter) => !countedFilters.includes(filter) && listQuery.filters.get(filter.name),
  )
  const found: Facet[] = []
  for (const filter of [...countedFilters, ...otherFilters]) {
    // Counting blocks the event loop for a moment.
    await yieldToEventLoop()
    const value = listQuery.filters.get(filter.name) ?? ''
    const counts = countedFilters.includes(filter)
      ? (await catalogue.facetCounts(resource.name, filter.name, listQuery)).slice(0, maxChoices)
      : [{ value, count: 0 }]
    found.push({
      name: filter.name,
      label: filter.label,
      chosen: value,
      values: await labelFacetCounts(catalogue, resources, filter, counts),
    })
  }
  return found
}
