// Lists: a page of one, the whole of one, and how much there is in all.

import type { ResourceName } from '../model/iris.js'
import { type Filter, type Resource, type Resources, filtersOf } from '../model/resources.js'
import type { Lens } from '../model/record/rdf-mapper.js'
import type { Reference, Sheet, View } from '../model/record/views.js'
import type { Filtering, Listing } from '../queries/list-queries.js'
import { compareCodePoints, text } from '../rdf/terms.js'
import { oneByOne } from '../scheduling.js'
import type { CardReader } from './records/record-cache.js'
import { NoSuchPage } from './errors.js'
import type { Finder, Ids, Survey } from './sparql-record-index.js'
import type { Prints } from './records/json-cache.js'
import { searchTerms } from './search-terms.js'
import type { GatherSheets } from './records/resolve-references.js'

/** What a client asks of a list, as it wrote it. */
export type Sought = {
  /** By the name of the field; an empty value is no filter. */
  readonly filters: ReadonlyMap<string, string>
  readonly search: string
  /** Field names, each with `-` before it for the other direction. */
  readonly ordering: readonly string[]
}

export type ListRequest = Sought & {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

export type Page = { readonly count: number; readonly sheets: readonly Sheet[] }

/** A page whose records are JSON already. */
export type PrintedPage = { readonly count: number; readonly items: readonly string[] }

/** A list of any length: its records come some at a time, as fast as they are taken. */
export type Walk = {
  readonly count: number
  readonly batches: AsyncIterable<readonly Sheet[]>
}

/** How many records have a value, as the filter takes it. */
export type Count = { readonly value: string; readonly count: number }

export type Lists = {
  /**
   * A page of records, with the cards of those that the view of them names.
   * @throws NoSuchPage past the last page
   */
  list(name: ResourceName, request: ListRequest, view?: View): Promise<Page>
  /** The same page with its records as lists show them, sooner. @throws NoSuchPage past the last page */
  printList(name: ResourceName, request: ListRequest): Promise<PrintedPage>
  /** The whole list, as it was when it was asked for; records that were removed since are left out. */
  walk(name: ResourceName, sought: Sought): Promise<Walk>
  /**
   * How many records of the list have each value that a filter takes, the most frequent first, then by
   * code point. A filter leaves its own tally alone: it tells what there would be without it.
   */
  tally(name: ResourceName, filter: string, sought?: Sought): Promise<readonly Count[]>
  /** How many records there are of each kind, and in what time they were written. */
  survey(): Promise<Survey>
}

// How many records are read at once for a list that is walked through: whoever asks for something else
// meanwhile waits for them. With 200 they wait twenty times as long, for an export that is no faster.
const batch = 8

const everything: Sought = { filters: new Map(), search: '', ordering: [] }

type Parts = {
  readonly finder: Finder
  readonly resources: Resources
  readonly lens: Lens
  readonly cards: CardReader
  readonly gather: GatherSheets
  readonly prints: Prints
}

export function openLists(parts: Parts): Lists {
  const { finder, resources, lens, cards, gather, prints } = parts
  const inTurn = oneByOne()

  async function list(
    name: ResourceName,
    request: ListRequest,
    view: View = 'list',
  ): Promise<Page> {
    const { count, references } = await pageOfList(name, request)
    const known = await cards.find(references)
    const results = references.map(known).filter((card) => card !== undefined)
    return { count, sheets: await gather(resources[name], results, view, 'find') }
  }

  async function printList(name: ResourceName, request: ListRequest): Promise<PrintedPage> {
    const { count, references } = await pageOfList(name, request)
    return { count, items: await prints.items(references) }
  }

  async function pageOfList(name: ResourceName, request: ListRequest) {
    const offset = (request.page - 1) * request.pageSize
    const span = { limit: request.pageSize, offset }
    const { count, ids } = await finder.page(listingOf(resources[name], request, lens), span)
    // The first page of nothing is an empty page.
    if (offset > 0 && offset >= count) throw new NoSuchPage()
    return { count, references: referencesTo(name, ids) }
  }

  const referencesTo = (name: ResourceName, ids: Ids): Reference[] =>
    ids.map((id) => ({ target: name, id }))

  async function tally(
    name: ResourceName,
    filterName: string,
    sought: Sought = everything,
  ): Promise<readonly Count[]> {
    const resource = resources[name]
    const filter = filtersOf(resource).find((one) => one.name === filterName)
    if (!filter) throw new Error(`no filter of ${name} is called ${filterName}`)
    const listing = listingOf(resource, sought, lens)
    const filters = listing.filters.filter((one) => one.filter.name !== filterName)
    const counts = await finder.tally({ ...listing, filters }, filter)
    return [...counts]
      .map(([term, count]) => ({ value: filterValue(lens, filter, term), count }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value))
  }

  async function walk(name: ResourceName, sought: Sought): Promise<Walk> {
    const ids = await finder.whole(listingOf(resources[name], sought, lens))
    return { count: ids.length, batches: batchesOf(resources[name], ids) }
  }

  /** The records, a batch at a time; between two of them whoever else waits is answered. */
  async function* batchesOf(resource: Resource, ids: Ids) {
    for (let start = 0; start < ids.length; start += batch) {
      const some = referencesTo(resource.name, ids.slice(start, start + batch))
      yield await inTurn(async () => {
        const known = await cards.pass(some)
        const found = some.map(known).filter((card) => card !== undefined)
        return gather(resource, found, 'detail', 'pass')
      })
    }
  }

  return { list, printList, walk, tally, survey: () => finder.survey() }
}

/** What a request asks for, in the terms of the resource; what it does not know is passed over. */
export function listingOf(resource: Resource, request: Sought, lens: Lens): Listing {
  const filters = filtersOf(resource).flatMap((filter): Filtering[] => {
    const value = request.filters.get(filter.name)
    return value ? [{ filter, term: filterTerm(lens, filter, value) }] : []
  })
  // A field named twice orders by the first of the two.
  const order = new Map<string, Listing['order'][number]>()
  for (const name of request.ordering) {
    const field = resource.byName.get(name.replace(/^-/, ''))
    if (field?.order && !order.has(field.name))
      order.set(field.name, { field, descending: name.startsWith('-') })
  }
  const newest = resource.byName.get('created_at')
  const byDefault = newest ? [{ field: newest, descending: true }] : []
  return {
    resource,
    filters,
    terms: resource.fields.some((field) => field.search) ? searchTerms(request.search) : [],
    order: order.size > 0 ? [...order.values()] : byDefault,
  }
}

// A boolean takes true and false; anything else is a text, which no boolean equals.
function filterTerm(lens: Lens, filter: Filter, value: string): Filtering['term'] {
  if ('leading' in filter) return text(value)
  const isBoolean = filter.kind === 'boolean' && ['true', 'false'].includes(value)
  return lens.termOf(filter, isBoolean ? value === 'true' : value)
}

const filterValue = (lens: Lens, filter: Filter, term: string): string =>
  'leading' in filter ? term : String(lens.valueOf(filter, term))
