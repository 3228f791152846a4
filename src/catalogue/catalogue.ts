// The librarian: lists, reads, creates, replaces, changes and removes records. Knows no HTTP: it is
// given parsed JSON, answers with showings, and throws what failed.

import { createHash } from 'node:crypto'

import type { Addresses, ResourceName } from '../model/addresses.js'
import { type Card, textOf } from '../model/card.js'
import type { Resource, Resources } from '../model/facts.js'
import type { Judge } from '../model/judge.js'
import type { Lens } from '../model/lens.js'
import {
  type Cards,
  type Reference,
  type Sheet,
  type Showing,
  type View,
  furtherReferencesOf,
  referencesIn,
  referencesOf,
  show,
} from '../model/read-shape.js'
import { Invalid, type Reading, readSent, readWhole } from '../model/write-shape.js'
import { type Listing, countOf, pageOf, wholeOf } from '../queries/lists.js'
import { firstAndLastChange, lastChange, referringTo } from '../queries/records.js'
import type { Row, Store } from '../store/store.js'
import { type Written, keyOf, readCards } from './cards.js'
import { cascades } from './cascade.js'
import { startClock } from './clock.js'
import { Changed, NoSuchPage, NotFound } from './failures.js'
import { openLocks } from './locks.js'
import { keepHidden } from './privacy.js'
import { searchTerms } from './search.js'
import { openTurns } from './turns.js'

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

/** A list of any length: its records come some at a time, as fast as they are taken. */
export type Walk = {
  readonly count: number
  readonly batches: AsyncIterable<readonly Sheet[]>
}

export type Survey = {
  readonly counts: Readonly<Record<ResourceName, number>>
  /** When the first record was made and the last one written; undefined when there are none. */
  readonly issued: string | undefined
  readonly modified: string | undefined
}

/** A record, and a mark that changes with anything that its JSON shows. */
export type Found = { readonly sheet: Sheet; readonly version: string }

/** What the writer expects of the record as it is: told its version, it answers whether to go on. */
export type Expectation = (versions: readonly string[]) => boolean

type Body = ReadonlyMap<string, unknown>
type Write = { readonly view?: View; readonly expects?: Expectation | undefined }

export type Catalogue = {
  /**
   * A page of records, with the cards of those that the view of them names.
   * @throws NoSuchPage past the last page
   */
  list(name: ResourceName, request: ListRequest, view?: View): Promise<Page>
  /** The whole list, as it was when it was asked for; records that were removed since are left out. */
  walk(name: ResourceName, sought: Sought): Promise<Walk>
  /** How many records there are of each kind, and in what time they were written. */
  survey(): Promise<Survey>
  /** @throws NotFound */
  read(name: ResourceName, id: string, view?: View): Promise<Found>
  /** @throws Invalid with the messages of every field that fails */
  create(name: ResourceName, body: Body, write?: Write): Promise<Found>
  /** PUT: what was not sent is cleared. @throws NotFound, Changed, Invalid */
  replace(name: ResourceName, id: string, body: Body, write?: Write): Promise<Found>
  /** PATCH: what was not sent stays, and is not judged again. @throws NotFound, Changed, Invalid */
  change(name: ResourceName, id: string, body: Body, write?: Write): Promise<Found>
  /** Removes a record and what goes with it, all or nothing. @throws NotFound, Changed */
  remove(name: ResourceName, id: string, write?: Write): Promise<void>
}

// How many records are read at once for a list that is walked through. With 200, a request beside an
// export waits ten times as long for its turn as with 20, and the export is no faster.
const batch = 20

export type Parts = {
  readonly store: Store
  readonly addresses: Addresses
  readonly resources: Resources
  readonly lens: Lens
  readonly judge: Judge
}

export async function openCatalogue(parts: Parts): Promise<Catalogue> {
  const { store, addresses, resources, lens, judge } = parts
  const graph = addresses.graphs.public
  const [row] = await store.select(lastChange(graph))
  const now = startClock(row?.last?.value)
  const cards = readCards(parts)
  const locks = openLocks()
  const turns = openTurns()

  async function list(
    name: ResourceName,
    request: ListRequest,
    view: View = 'list',
  ): Promise<Page> {
    const resource = resources[name]
    const listing = listingOf(resource, request, lens)
    const offset = (request.page - 1) * request.pageSize
    const count = await counted(listing)
    // The first page of nothing is an empty page.
    if (offset > 0 && offset >= count) throw new NoSuchPage()
    const rows = await store.select(pageOf(listing, graph, { limit: request.pageSize, offset }))
    const references = referencesTo(name, rows)
    const known = await cards.find(references)
    const results = references.map(known).filter((card) => card !== undefined)
    return { count, sheets: await sheetsOf(resource, results, view, 'find') }
  }

  async function counted(listing: Listing): Promise<number> {
    const [row] = await store.select(countOf(listing, graph))
    return Number(row?.count?.value ?? 0)
  }

  async function survey(): Promise<Survey> {
    const counts = await Promise.all(
      Object.values(resources).map(async (resource) => {
        const all = { resource, filters: [], terms: [], order: [] }
        return [resource.name, await counted(all)] as const
      }),
    )
    const [times] = await store.select(firstAndLastChange(graph))
    return {
      counts: Object.fromEntries(counts) as Survey['counts'],
      issued: times?.first?.value,
      modified: times?.last?.value,
    }
  }

  const referencesTo = (name: ResourceName, rows: readonly Row[]): Reference[] =>
    rows.flatMap(({ s }) => (s ? [{ target: name, id: addresses.identifierOf(s.value) }] : []))

  async function walk(name: ResourceName, sought: Sought): Promise<Walk> {
    const rows = await store.select(wholeOf(listingOf(resources[name], sought, lens), graph))
    const references = referencesTo(name, rows)
    return { count: references.length, batches: batchesOf(resources[name], references) }
  }

  /** The records, a batch at a time; between two of them whoever else waits is answered. */
  async function* batchesOf(resource: Resource, references: readonly Reference[]) {
    for (let start = 0; start < references.length; start += batch) {
      const some = references.slice(start, start + batch)
      yield await turns.take(async () => {
        const known = await cards.pass(some)
        const found = some.map(known).filter((card) => card !== undefined)
        return sheetsOf(resource, found, 'detail', 'pass')
      })
    }
  }

  async function read(name: ResourceName, id: string, view: View = 'detail'): Promise<Found> {
    return found(name, await cardOf({ target: name, id }, view), view)
  }

  async function create(name: ResourceName, body: Body, { view = 'detail' }: Write = {}) {
    const resource = resources[name]
    const reading = readWhole(resource, body)
    const id = textOf(reading.card, resource.id.name)
    const reference = { target: name, id }
    return locks.one(keyOf(reference), async () => {
      const taken = (await cards.find([reference]))(reference)
        ? [[resource.id.name, `${resource.noun} with this ${resource.id.name} already exists.`]]
        : []
      await check(resource, reading.card, reading, new Map(taken as [string, string][]))
      const time = now()
      await write(reference, { ...reading.card, created_at: time, updated_at: time })
      return read(name, id, view)
    })
  }

  async function replace(name: ResourceName, id: string, body: Body, how: Write = {}) {
    const resource = resources[name]
    return rewrite(name, id, how, (before) => {
      const reading = readWhole(resource, body)
      return how.view === 'private'
        ? reading
        : { ...reading, card: keepHidden(resource, before, reading.card, body) }
    })
  }

  async function change(name: ResourceName, id: string, body: Body, how: Write = {}) {
    return rewrite(name, id, how, (before) => {
      const reading = readSent(resources[name], body)
      return { ...reading, card: { ...before, ...reading.card }, judged: reading.card }
    })
  }

  /** Writes what becomes of a record; `judged` are the fields to be judged, all unless it says. */
  async function rewrite(
    name: ResourceName,
    id: string,
    { view = 'detail', expects }: Write,
    rewritten: (before: Card) => Reading & { readonly judged?: Card },
  ): Promise<Found> {
    const resource = resources[name]
    const reference = { target: name, id }
    return locks.one(keyOf(reference), async () => {
      const before = await cards.findWhole(reference)
      if (!before) throw new NotFound()
      await meet(reference, expects)
      const { card, failures, judged = card } = rewritten(before)
      const idNow = textOf(card, resource.id.name)
      const moved =
        idNow !== id && !failures.has(resource.id.name)
          ? new Map([[resource.id.name, 'This field may not be changed.']])
          : new Map<string, string>()
      await check(resource, card, { card: judged, failures }, moved)
      const created_at = before.created_at ?? ''
      await write(reference, { ...card, created_at, updated_at: now() })
      return read(name, id, view)
    })
  }

  async function remove(name: ResourceName, id: string, { expects }: Write = {}): Promise<void> {
    const reference = { target: name, id }
    // With everything to itself: a holding made meanwhile would outlive its zine.
    return locks.all(async () => {
      if (!(await cards.find([reference]))(reference)) throw new NotFound()
      await meet(reference, expects)
      const gone = [reference, ...(await dependants(reference))]
      await commit(gone.map((one) => ({ reference: one, quads: undefined })))
    })
  }

  async function dependants({ target, id }: Reference): Promise<Reference[]> {
    const found = await Promise.all(
      cascades[target].map(async ({ resource, field }) => {
        const property = resources[resource].byName.get(field)?.path[0]
        if (!property) throw new Error(`${resource} have no field ${field}`)
        const rows = await store.select(referringTo(addresses.thing(target, id), property, graph))
        return rows.flatMap(({ s }) =>
          s ? [{ target: resource, id: addresses.identifierOf(s.value) }] : [],
        )
      }),
    )
    return found.flat()
  }

  /** @throws Invalid unless everything that is to be judged is right; `known` failures come first. */
  async function check(
    resource: Resource,
    card: Card,
    { card: judged, failures }: Reading,
    known: ReadonlyMap<string, string>,
  ): Promise<void> {
    const named = resource.written.flatMap((field) =>
      field.name in judged ? referencesIn(field, card) : [],
    )
    const there = await cards.find(named)
    const exists = new Set(
      named.filter(there).map(({ target, id }) => addresses.thing(target, id).value),
    )
    const refused = await judge.judge(resource, card, exists)
    const all = resource.written.flatMap((field) => {
      const { name } = field
      const first = known.get(name)
      // A field that is not well typed is not in the graph, so the shapes know nothing of it.
      const rest = failures.get(name) ?? (name in judged ? (refused.get(name) ?? []) : [])
      const messages = [...(first === undefined ? [] : [first]), ...rest]
      return messages.length > 0 ? [[name, messages] as const] : []
    })
    if (all.length > 0) throw new Invalid(new Map(all))
  }

  /** @throws Changed when the record is not what the writer expects it to be */
  async function meet(reference: Reference, expects: Expectation | undefined): Promise<void> {
    if (!expects) return
    const views: readonly View[] = ['detail', 'private']
    const states = await Promise.all(
      views.map((view) => read(reference.target, reference.id, view)),
    )
    if (!expects(states.map(({ version }) => version))) throw new Changed()
  }

  const write = (reference: Reference, card: Card): Promise<void> =>
    commit([{ reference, quads: lens.toQuads(resources[reference.target], card) }])

  async function commit(changes: readonly Written[]): Promise<void> {
    await store.commit(changes.map(({ reference, quads }) => ({ key: keyOf(reference), quads })))
    cards.note(changes)
  }

  async function cardOf(reference: Reference, view: View): Promise<Card> {
    const card =
      view === 'private'
        ? await cards.findWhole(reference)
        : (await cards.find([reference]))(reference)
    if (!card) throw new NotFound()
    return card
  }

  async function found(name: ResourceName, card: Card, view: View): Promise<Found> {
    const [sheet] = await sheetsOf(resources[name], [card], view, 'find')
    if (!sheet) throw new NotFound()
    return { sheet, version: versionOf(show(resources, sheet, view)) }
  }

  async function sheetsOf(
    resource: Resource,
    shownCards: readonly Card[],
    view: View,
    how: 'find' | 'pass',
  ): Promise<Sheet[]> {
    const named = await cards[how](shownCards.flatMap((card) => referencesOf(resource, card, view)))
    const further = await cards[how](
      shownCards.flatMap((card) => furtherReferencesOf(resources, resource, card, view, named)),
    )
    const both: Cards = (reference) => named(reference) ?? further(reference)
    return shownCards.map((card) => ({ resource, card, cards: both }))
  }

  return { list, walk, survey, read, create, replace, change, remove }
}

/** What a request asks for, in the terms of the resource; what it does not know is passed over. */
function listingOf(resource: Resource, request: Sought, lens: Lens): Listing {
  const filters = resource.fields.flatMap((field) => {
    const value = field.filter ? request.filters.get(field.name) : undefined
    return value ? [{ field, term: filterTerm(lens, field, value) }] : []
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
const filterTerm = (lens: Lens, field: Resource['fields'][number], value: string) =>
  lens.termOf(
    field,
    field.kind === 'boolean' && ['true', 'false'].includes(value) ? value === 'true' : value,
  )

const versionOf = (showing: Showing): string =>
  createHash('sha256').update(JSON.stringify(showing)).digest('base64url').slice(0, 27)
