// The librarian: lists, reads, creates, replaces, changes and removes records. Knows no HTTP: it is
// given parsed JSON, answers with sheets, and throws what failed.

import type { Addresses, ResourceName } from '../model/iris.js'
import { type Card, textOf } from '../model/record/values.js'
import type { Resources } from '../model/resources.js'
import type { Judge } from '../model/validation/validator.js'
import type { Lens } from '../model/record/rdf-mapper.js'
import { type Cards, type Reference, type Sheet, type View, show } from '../model/record/views.js'
import { Invalid, type Reading, readSent, readWhole } from '../model/record/input.js'
import { referringTo } from '../queries/record-queries.js'
import { encodeSegment } from '../rdf/terms.js'
import type { Store } from '../store/store.js'
import { type Written, keyOf, readCards } from './records/record-cache.js'
import { cascades } from './cascade.js'
import { checkWith } from './validation.js'
import { startClock } from './clock.js'
import { Changed, NotFound } from './errors.js'
import type { Finder } from './sparql-record-index.js'
import { type Lists, openLists } from './lists.js'
import { openLocks } from './locks.js'
import { keepHidden } from './privacy.js'
import { type Holds, type Printed, markOf, openPrints } from './records/json-cache.js'
import { gatherWith } from './records/resolve-references.js'

/** A record, with its JSON and the mark of it. */
export type Found = Printed & { readonly sheet: Sheet }

/** What the writer expects of the record as it is: told its version, it answers whether to go on. */
export type Expectation = (versions: readonly string[]) => boolean

type Body = ReadonlyMap<string, unknown>
type Write = { readonly view?: View; readonly expects?: Expectation | undefined }

export type Catalogue = Lists & {
  /** A number that changes with every write: what was made before is good as long as it stays. */
  edition(): number
  /** Tells until when nothing was written: for so long, what is read from now on holds. */
  unchanged(): Holds
  /** The cards of records, as everybody may see them; of those that there are. */
  find(references: readonly Reference[]): Promise<Cards>
  /** @throws NotFound */
  read(name: ResourceName, id: string, view?: View): Promise<Found>
  /** The JSON of a record as everybody may see it, sooner. @throws NotFound */
  print(name: ResourceName, id: string): Promise<Printed & { readonly holds: Holds }>
  /** @throws Invalid with the messages of every field that fails */
  create(name: ResourceName, body: Body, write?: Write): Promise<Found>
  /** PUT: what was not sent is cleared. @throws NotFound, Changed, Invalid */
  replace(name: ResourceName, id: string, body: Body, write?: Write): Promise<Found>
  /** PATCH: what was not sent stays, and is not judged again. @throws NotFound, Changed, Invalid */
  change(name: ResourceName, id: string, body: Body, write?: Write): Promise<Found>
  /** Removes a record and what goes with it, all or nothing. @throws NotFound, Changed */
  remove(name: ResourceName, id: string, write?: Write): Promise<void>
}

export type Parts = {
  readonly store: Store
  readonly finder: Finder
  readonly addresses: Addresses
  readonly resources: Resources
  readonly lens: Lens
  readonly judge: Judge
}

export async function openCatalogue(parts: Parts): Promise<Catalogue> {
  const { store, finder, addresses, resources, lens, judge } = parts
  const graph = addresses.graphs.public
  const now = startClock((await finder.survey()).modified)
  const cards = readCards(parts)
  const gather = gatherWith(cards, resources)
  const prints = openPrints({ resources, cards, gather })
  const check = checkWith({ addresses, cards, judge })
  const locks = openLocks()
  let edition = 0

  async function read(name: ResourceName, id: string, view: View = 'detail'): Promise<Found> {
    return found(name, await cardOf({ target: name, id }, view), view)
  }

  async function print(name: ResourceName, id: string) {
    const printed = await prints.record({ target: name, id })
    if (!printed) throw new NotFound()
    return printed
  }

  async function create(name: ResourceName, body: Body, { view = 'detail' }: Write = {}) {
    const resource = resources[name]
    const reading = readWhole(resource, body)
    const id = textOf(reading.card, resource.id.name)
    const reference = { target: name, id }
    return locks.one(keyOf(reference), async () => {
      await store.settle()
      const taken = (await finder.has(reference))
        ? [[resource.id.name, `${resource.noun} with this ${resource.id.name} already exists.`]]
        : []
      await check(resource, reading.card, reading, new Map(taken as [string, string][]))
      refuseTooLong(resource.id.name, id)
      const time = now()
      await write(reference, { ...reading.card, created_at: time, updated_at: time }, true)
      return read(name, id, view)
    })
  }

  /** @throws Invalid for an identifier that its shape takes and the store would cut off */
  function refuseTooLong(field: string, id: string): void {
    const { longestIdentifier = Infinity } = store
    if (encodeSegment(id).length <= longestIdentifier) return
    const message = `Ensure this field has no more than ${longestIdentifier} bytes when it is percent-encoded.`
    throw new Invalid(new Map([[field, [message]]]))
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
      await store.settle()
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
      await write(reference, { ...card, created_at, updated_at: now() }, false)
      return read(name, id, view)
    })
  }

  async function remove(name: ResourceName, id: string, { expects }: Write = {}): Promise<void> {
    const reference = { target: name, id }
    // With everything to itself: a holding made meanwhile would outlive its zine.
    return locks.all(async () => {
      await store.settle()
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

  /** @throws Changed when the record is not what the writer expects it to be */
  async function meet(reference: Reference, expects: Expectation | undefined): Promise<void> {
    if (!expects) return
    const views: readonly View[] = ['detail', 'private']
    const states = await Promise.all(
      views.map((view) => read(reference.target, reference.id, view)),
    )
    if (!expects(states.map(({ version }) => version))) throw new Changed()
  }

  const write = (reference: Reference, card: Card, isNew: boolean): Promise<void> =>
    commit([{ reference, quads: lens.toQuads(resources[reference.target], card), isNew }])

  async function commit(changes: readonly Written[]): Promise<void> {
    try {
      await store.commit(
        changes.map(({ reference, ...change }) => ({ key: keyOf(reference), ...change })),
      )
    } finally {
      // Also of a commit that failed it may not be known how much of it is there.
      edition += 1
    }
    cards.note(changes)
    finder.note(changes)
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
    const [sheet] = await gather(resources[name], [card], view, 'find')
    if (!sheet) throw new NotFound()
    const json = JSON.stringify(show(resources, sheet, view))
    return { sheet, json, version: markOf(json) }
  }

  const lists = openLists({ finder, resources, lens, cards, gather, prints })
  return {
    ...lists,
    // Where others write, it is another one each second.
    edition: () => (store.read ? Math.floor(performance.now() / 1000) : edition),
    unchanged() {
      const moment = edition
      return () => !store.read && moment === edition
    },
    find: (references) => cards.find(references),
    read,
    print,
    create,
    replace,
    change,
    remove,
  }
}
