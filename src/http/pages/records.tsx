// Lists and records as pages: what they show beside the record itself is gathered here.

import { mayWrite, maySeePrivate } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Count, Sought } from '../../catalogue/lists.js'
import { printList } from '../../formats/serializer.js'
import type { Presses } from '../../formats/serializers.js'
import { listPath } from '../../views/links.js'
import { type Choice, type Facet, ListPage } from '../../views/pages/list.js'
import { RecordPage, type Related } from '../../views/pages/record.js'
import { titleOf } from '../../views/components/field-value.js'
import type { Addresses, ResourceName } from '../../model/iris.js'
import { type Filter, type Resource, type Resources, filtersOf } from '../../model/resources.js'
import type { View } from '../../model/record/views.js'
import { pause } from '../../scheduling.js'
import type { Assets } from '../middleware/static-files.js'
import { firstOf, idOf, soughtOf } from '../request/list-query.js'
import type { Context, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { linkPages, pageRequestOf } from '../request/pagination.js'
import { showPage, visitOf } from '../response/html.js'

export type Browsing = {
  readonly addresses: Addresses
  readonly assets: Assets
  readonly catalogue: Catalogue
  readonly presses: Presses
  readonly resources: Resources
}

/** The pages of lists and records, to be put beside what their addresses answer as data. */
export const browse = (browsing: Browsing) => ({
  list: (name: ResourceName): Handler => listPage(browsing, browsing.resources[name]),
  record: (name: ResourceName): Handler => recordPage(browsing, browsing.resources[name]),
})

/** What each list can be narrowed by on its page: of all filters, those whose values are few enough to be counted off. */
const facets: Readonly<Record<ResourceName, readonly string[]>> = {
  zines: ['subject', 'genre', 'year', 'language', 'creator'],
  agents: ['kind', 'public'],
  repositories: ['repository_kind', 'country', 'status'],
  holdings: ['repository_id', 'access_status', 'digital_available'],
}

const mostChoices = 40

function listPage(browsing: Browsing, resource: Resource): Handler {
  const { assets, catalogue, presses, resources } = browsing
  const { name } = resource
  return async (ctx) => {
    const sought = soughtOf(ctx)
    const request = { ...sought, ...pageRequestOf(ctx) }
    const { count, sheets } = await catalogue.list(name, request, 'list')
    const links = linkPages(ctx, request, count)
    const page = (
      <ListPage
        visit={visitOf(ctx, assets)}
        resource={resource}
        resources={resources}
        sheets={sheets}
        count={count}
        page={{ number: request.page, size: request.pageSize }}
        links={links}
        search={sought.search}
        ordering={sought.ordering.join(',')}
        facets={await facetsOf(browsing, resource, sought)}
        mayWrite={mayChange(ctx, name)}
        formats={presses[name]}
        json={printList(jsonPressOf(presses, name), sheets, { count, links })}
      />
    )
    showPage(ctx, page)
  }
}

async function facetsOf(
  { catalogue, resources }: Browsing,
  resource: Resource,
  sought: Sought,
): Promise<Facet[]> {
  const filters = filtersOf(resource)
  const counted = facets[resource.name].flatMap((name) =>
    filters.filter((one) => one.name === name),
  )
  // What is not counted off is there to be let go of.
  const others = filters.filter((one) => !counted.includes(one) && sought.filters.get(one.name))
  const found: Facet[] = []
  for (const filter of [...counted, ...others]) {
    // To count takes a moment of everybody's time.
    await pause()
    const value = sought.filters.get(filter.name) ?? ''
    const counts = counted.includes(filter)
      ? (await catalogue.tally(resource.name, filter.name, sought)).slice(0, mostChoices)
      : [{ value, count: 0 }]
    found.push({
      name: filter.name,
      label: filter.label,
      chosen: value,
      values: await choicesOf(catalogue, resources, filter, counts),
    })
  }
  return found
}

/** The counted values as people know them. */
export async function choicesOf(
  catalogue: Catalogue,
  resources: Resources,
  filter: Filter,
  counts: readonly Count[],
): Promise<readonly Choice[]> {
  if ('leading' in filter) return [...counts].sort(latestFirst).map(asItIs)
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

const asItIs = ({ value, count }: Count): Choice => ({ value, count, label: value })

const latestFirst = (a: Count, b: Count): number => (a.value < b.value ? 1 : -1)

function recordPage(browsing: Browsing, resource: Resource): Handler {
  const { addresses, assets, catalogue, presses, resources } = browsing
  const { name } = resource
  return async (ctx) => {
    const id = idOf(ctx)
    const view = viewOf(ctx, name)
    const { sheet } = await catalogue.read(name, id, view)
    const page = (
      <RecordPage
        visit={visitOf(ctx, assets)}
        sheet={sheet}
        resources={resources}
        view={view}
        thing={addresses.thing(name, id).value}
        related={await relatedTo(catalogue, name, id)}
        mayWrite={mayChange(ctx, name)}
        formats={presses[name]}
        json={jsonPressOf(presses, name).record(sheet)}
      />
    )
    showPage(ctx, page)
  }
}

type Relation = {
  readonly title: string
  readonly from: ResourceName
  /** The filter that finds them. */
  readonly by: string
  readonly shown: number
}

/** The records that lead to a record, by the filters that find them. */
const relations: Readonly<Record<ResourceName, readonly Relation[]>> = {
  zines: [{ title: 'Held by', from: 'holdings', by: 'zine_id', shown: 10 }],
  agents: [{ title: 'Zines', from: 'zines', by: 'creator', shown: 10 }],
  repositories: [{ title: 'Holdings', from: 'holdings', by: 'repository_id', shown: 10 }],
  holdings: [],
}

const relatedTo = (catalogue: Catalogue, name: ResourceName, id: string): Promise<Related[]> =>
  Promise.all(
    relations[name].map(async ({ title, from, by, shown }) => {
      const filters = { [by]: id }
      const { count, sheets } = await catalogue.list(from, firstOf(shown, { filters }), 'list')
      return { title, path: listPath(from, filters), count, sheets }
    }),
  )

/** Private fields are shown on an agent's own page to those who are signed in and may edit agents. */
function viewOf({ state: { session } }: Context, name: ResourceName): View {
  return name === 'agents' && session && maySeePrivate(session.account) ? 'private' : 'detail'
}

const mayChange = ({ state: { session } }: Context, name: ResourceName): boolean =>
  session !== undefined && mayWrite(session.account, name)

function jsonPressOf(presses: Presses, name: ResourceName) {
  const press = presses[name].find((one) => one.name === json.name)
  if (!press) throw new Error(`nothing prints ${name} as JSON`)
  return press
}
