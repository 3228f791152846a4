// Lists and records as pages: what they show beside the record itself is gathered here.

import { mayWrite, maySeePrivate } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount, ListQuery } from '../../catalogue/lists.js'
import { serializeList } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import { listPath } from '../../views/links.js'
import { type FacetChoice, type Facet, ListPage } from '../../views/pages/list.js'
import { RecordPage, type RelatedRecords } from '../../views/pages/record.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import { type Filter, type Resource, type Resources, filtersOf } from '../../model/resources.js'
import { titleOf } from '../../model/record/title.js'
import type { ViewName } from '../../model/record/views.js'
import { yieldToEventLoop } from '../../scheduling.js'
import type { Assets } from '../middleware/static-files.js'
import { firstPageQuery, recordIdParam, parseListQuery } from '../request/list-query.js'
import type { RequestContext, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { setPageLinks, parsePageQuery } from '../request/pagination.js'
import { sendPage, pageContext } from '../response/html.js'

export type RecordPagesDependencies = {
  readonly iris: Iris
  readonly assets: Assets
  readonly catalogue: Catalogue
  readonly serializers: Serializers
  readonly resources: Resources
}

/** The pages of lists and records, to be put beside what their addresses answer as data. */
export const createRecordPages = (browsing: RecordPagesDependencies) => ({
  list: (name: ResourceName): Handler => listPage(browsing, browsing.resources[name]),
  record: (name: ResourceName): Handler => recordPage(browsing, browsing.resources[name]),
})

const mostChoices = 40

function listPage(browsing: RecordPagesDependencies, resource: Resource): Handler {
  const { assets, catalogue, serializers, resources } = browsing
  const { name } = resource
  return async (ctx) => {
    const sought = parseListQuery(ctx)
    const request = { ...sought, ...parsePageQuery(ctx) }
    const { count, records } = await catalogue.list(name, request, 'list')
    const links = setPageLinks(ctx, request, count)
    const page = (
      <ListPage
        visit={pageContext(ctx, assets)}
        resource={resource}
        resources={resources}
        records={records}
        count={count}
        page={{ number: request.page, size: request.pageSize }}
        links={links}
        search={sought.search}
        ordering={sought.ordering.join(',')}
        facets={await facetsOf(browsing, resource, sought)}
        mayWrite={mayChange(ctx, name)}
        formats={serializers[name]}
        json={serializeList(jsonSerializerOf(serializers, name), records, { count, links })}
      />
    )
    sendPage(ctx, page)
  }
}

async function facetsOf(
  { catalogue, resources }: RecordPagesDependencies,
  resource: Resource,
  sought: ListQuery,
): Promise<Facet[]> {
  const filters = filtersOf(resource)
  const counted = resource.facets
  // What is not counted off is there to be let go of.
  const others = filters.filter((one) => !counted.includes(one) && sought.filters.get(one.name))
  const found: Facet[] = []
  for (const filter of [...counted, ...others]) {
    // To count takes a moment of everybody's time.
    await yieldToEventLoop()
    const value = sought.filters.get(filter.name) ?? ''
    const counts = counted.includes(filter)
      ? (await catalogue.facetCounts(resource.name, filter.name, sought)).slice(0, mostChoices)
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

/** The counted values as people know them. */
export async function labelFacetCounts(
  catalogue: Catalogue,
  resources: Resources,
  filter: Filter,
  counts: readonly FacetCount[],
): Promise<readonly FacetChoice[]> {
  if ('prefixes' in filter) return [...counts].sort(latestFirst).map(asItIs)
  const { target, vocabulary, kind } = filter
  if (target) {
    const cards = await catalogue.find(counts.map(({ value }) => ({ target, id: value })))
    return counts.map(({ value, count }) => {
      const card = cards({ target, id: value })
      return { value, count, label: card ? titleOf(resources, target, card) : value }
    })
  }
  if (vocabulary)
    return counts.map(({ value, count }) => ({
      value,
      count,
      label: vocabulary.find(value)?.label ?? value,
    }))
  if (kind === 'boolean')
    return counts.map(({ value, count }) => ({
      value,
      count,
      label: value === 'true' ? 'Yes' : 'No',
    }))
  return counts.map(asItIs)
}

const asItIs = ({ value, count }: FacetCount): FacetChoice => ({ value, count, label: value })

const latestFirst = (a: FacetCount, b: FacetCount): number => (a.value < b.value ? 1 : -1)

function recordPage(browsing: RecordPagesDependencies, resource: Resource): Handler {
  const { iris, assets, catalogue, serializers, resources } = browsing
  const { name } = resource
  return async (ctx) => {
    const id = recordIdParam(ctx)
    const view = viewOf(ctx, name)
    const { record: resolved } = await catalogue.read(name, id, view)
    const page = (
      <RecordPage
        visit={pageContext(ctx, assets)}
        record={resolved}
        resources={resources}
        view={view}
        thing={iris.thing(name, id).value}
        related={await relatedTo(catalogue, name, id)}
        mayWrite={mayChange(ctx, name)}
        formats={serializers[name]}
        json={jsonSerializerOf(serializers, name).record(resolved)}
      />
    )
    sendPage(ctx, page)
  }
}

type RecordRelation = {
  readonly title: string
  readonly from: ResourceName
  /** The filter that finds them. */
  readonly by: string
  readonly shown: number
}

/** The records that lead to a record, by the filters that find them. */
const relations: Readonly<Record<ResourceName, readonly RecordRelation[]>> = {
  zines: [{ title: 'Held by', from: 'holdings', by: 'zine_id', shown: 10 }],
  agents: [{ title: 'Zines', from: 'zines', by: 'creator', shown: 10 }],
  repositories: [{ title: 'Holdings', from: 'holdings', by: 'repository_id', shown: 10 }],
  holdings: [],
}

const relatedTo = (
  catalogue: Catalogue,
  name: ResourceName,
  id: string,
): Promise<RelatedRecords[]> =>
  Promise.all(
    relations[name].map(async ({ title, from, by, shown }) => {
      const filters = { [by]: id }
      const { count, records } = await catalogue.list(
        from,
        firstPageQuery(shown, { filters }),
        'list',
      )
      return { title, path: listPath(from, filters), count, records }
    }),
  )

/** Private fields are shown on an agent's own page to those who are signed in and may edit agents. */
function viewOf({ state: { session } }: RequestContext, name: ResourceName): ViewName {
  return name === 'agents' && session && maySeePrivate(session.account) ? 'private' : 'detail'
}

const mayChange = ({ state: { session } }: RequestContext, name: ResourceName): boolean =>
  session !== undefined && mayWrite(session.account, name)

function jsonSerializerOf(serializers: Serializers, name: ResourceName) {
  const serializer = serializers[name].find((one) => one.name === json.name)
  if (!serializer) throw new Error(`nothing prints ${name} as JSON`)
  return serializer
}
