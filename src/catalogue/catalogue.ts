// The librarian: lists, reads, creates, replaces, changes and removes records. Knows no HTTP: it is
// given parsed JSON, answers with sheets, and throws what failed.

import type { Iris, ResourceName } from '../model/iris.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import type { Resources } from '../model/resources.js'
import type { Validator } from '../model/validation/validator.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  type ViewName,
  toView,
} from '../model/record/views.js'
import {
  ValidationError,
  type ParsedInput,
  parsePartial,
  parseFull,
} from '../model/record/input.js'
import { selectReferrers } from '../queries/record-queries.js'
import { encodeSegment } from '../rdf/terms.js'
import type { Store } from '../store/store.js'
import { type RecordChange, recordKey, createRecordReader } from './records/record-cache.js'
import { cascades } from './cascade.js'
import { createRecordValidation } from './validation.js'
import { createMonotonicClock } from './clock.js'
import { PreconditionFailedError, RecordNotFoundError } from './errors.js'
import type { RecordIndex } from './sparql-record-index.js'
import { type Lists, createLists } from './lists.js'
import { createLocks } from './locks.js'
import { preservePrivateValues } from './privacy.js'
import {
  type IsCurrent,
  type RecordJson,
  contentHash,
  createJsonCache,
} from './records/json-cache.js'
import { createReferenceResolver } from './records/resolve-references.js'

/** A record, with its JSON and the mark of it. */
export type FoundRecord = RecordJson & { readonly record: ResolvedRecord }

/** What the writer expects of the record as it is: told its version, it answers whether to go on. */
export type Precondition = (versions: readonly string[]) => boolean

type RequestBody = ReadonlyMap<string, unknown>
type RecordWrite = { readonly view?: ViewName; readonly expects?: Precondition | undefined }

export type Catalogue = Lists & {
  /** A number that changes with every write: what was made before is good as long as it stays. */
  edition(): number
  /** Tells until when nothing was written: for so long, what is read from now on holds. */
  unchanged(): IsCurrent
  /** The cards of records, as everybody may see them; of those that there are. */
  find(references: readonly Reference[]): Promise<RecordLookup>
  /** @throws NotFound */
  read(name: ResourceName, id: string, view?: ViewName): Promise<FoundRecord>
  /** The JSON of a record as everybody may see it, sooner. @throws NotFound */
  print(name: ResourceName, id: string): Promise<RecordJson & { readonly holds: IsCurrent }>
  /** @throws Invalid with the messages of every field that fails */
  create(name: ResourceName, body: RequestBody, write?: RecordWrite): Promise<FoundRecord>
  /** PUT: what was not sent is cleared. @throws NotFound, Changed, Invalid */
  replace(
    name: ResourceName,
    id: string,
    body: RequestBody,
    write?: RecordWrite,
  ): Promise<FoundRecord>
  /** PATCH: what was not sent stays, and is not judged again. @throws NotFound, Changed, Invalid */
  change(
    name: ResourceName,
    id: string,
    body: RequestBody,
    write?: RecordWrite,
  ): Promise<FoundRecord>
  /** Removes a record and what goes with it, all or nothing. @throws NotFound, Changed */
  remove(name: ResourceName, id: string, write?: RecordWrite): Promise<void>
}

export type CatalogueDependencies = {
  readonly store: Store
  readonly recordIndex: RecordIndex
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly validator: Validator
}

export async function openCatalogue(parts: CatalogueDependencies): Promise<Catalogue> {
  const { store, recordIndex, iris, resources, mapper, validator } = parts
  const graph = iris.graphs.public
  const now = createMonotonicClock((await recordIndex.statistics()).modified)
  const cards = createRecordReader(parts)
  const gather = createReferenceResolver(cards, resources)
  const jsonCache = createJsonCache({ resources, cards, gather })
  const check = createRecordValidation({ iris, cards, validator })
  const locks = createLocks()
  let edition = 0

  async function read(
    name: ResourceName,
    id: string,
    view: ViewName = 'detail',
  ): Promise<FoundRecord> {
    return found(name, await valuesOfRecord({ target: name, id }, view), view)
  }

  async function print(name: ResourceName, id: string) {
    const printed = await jsonCache.detail({ target: name, id })
    if (!printed) throw new RecordNotFoundError()
    return printed
  }

  async function create(
    name: ResourceName,
    body: RequestBody,
    { view = 'detail' }: RecordWrite = {},
  ) {
    const resource = resources[name]
    const reading = parseFull(resource, body)
    const id = textValue(reading.card, resource.id.name)
    const reference = { target: name, id }
    return locks.withRecordLock(recordKey(reference), async () => {
      await store.settlePending()
      const taken = (await recordIndex.has(reference))
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
    throw new ValidationError(new Map([[field, [message]]]))
  }

  async function replace(name: ResourceName, id: string, body: RequestBody, how: RecordWrite = {}) {
    const resource = resources[name]
    return rewrite(name, id, how, (before) => {
      const reading = parseFull(resource, body)
      return how.view === 'private'
        ? reading
        : { ...reading, card: preservePrivateValues(resource, before, reading.card, body) }
    })
  }

  async function change(name: ResourceName, id: string, body: RequestBody, how: RecordWrite = {}) {
    return rewrite(name, id, how, (before) => {
      const reading = parsePartial(resources[name], body)
      return { ...reading, card: { ...before, ...reading.card }, judged: reading.card }
    })
  }

  /** Writes what becomes of a record; `judged` are the fields to be judged, all unless it says. */
  async function rewrite(
    name: ResourceName,
    id: string,
    { view = 'detail', expects }: RecordWrite,
    rewritten: (before: RecordValues) => ParsedInput & { readonly judged?: RecordValues },
  ): Promise<FoundRecord> {
    const resource = resources[name]
    const reference = { target: name, id }
    return locks.withRecordLock(recordKey(reference), async () => {
      await store.settlePending()
      const before = await cards.getWithPrivate(reference)
      if (!before) throw new RecordNotFoundError()
      await meet(reference, expects)
      const { card, failures, judged = card } = rewritten(before)
      const idNow = textValue(card, resource.id.name)
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

  async function remove(
    name: ResourceName,
    id: string,
    { expects }: RecordWrite = {},
  ): Promise<void> {
    const reference = { target: name, id }
    // With everything to itself: a holding made meanwhile would outlive its zine.
    return locks.withExclusiveLock(async () => {
      await store.settlePending()
      if (!(await cards.get([reference]))(reference)) throw new RecordNotFoundError()
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
        const rows = await store.select(selectReferrers(iris.thing(target, id), property, graph))
        return rows.flatMap(({ s }) =>
          s ? [{ target: resource, id: iris.idFromIri(s.value) }] : [],
        )
      }),
    )
    return found.flat()
  }

  /** @throws Changed when the record is not what the writer expects it to be */
  async function meet(reference: Reference, expects: Precondition | undefined): Promise<void> {
    if (!expects) return
    const views: readonly ViewName[] = ['detail', 'private']
    const states = await Promise.all(
      views.map((view) => read(reference.target, reference.id, view)),
    )
    if (!expects(states.map(({ version }) => version))) throw new PreconditionFailedError()
  }

  const write = (reference: Reference, card: RecordValues, isNew: boolean): Promise<void> =>
    commit([{ reference, quads: mapper.toQuads(resources[reference.target], card), isNew }])

  async function commit(changes: readonly RecordChange[]): Promise<void> {
    try {
      await store.commit(
        changes.map(({ reference, ...change }) => ({ key: recordKey(reference), ...change })),
      )
    } finally {
      // Also of a commit that failed it may not be known how much of it is there.
      edition += 1
    }
    cards.onCommit(changes)
    recordIndex.onCommit(changes)
  }

  async function valuesOfRecord(reference: Reference, view: ViewName): Promise<RecordValues> {
    const card =
      view === 'private'
        ? await cards.getWithPrivate(reference)
        : (await cards.get([reference]))(reference)
    if (!card) throw new RecordNotFoundError()
    return card
  }

  async function found(
    name: ResourceName,
    card: RecordValues,
    view: ViewName,
  ): Promise<FoundRecord> {
    const [record] = await gather(resources[name], [card], view, 'get')
    if (!record) throw new RecordNotFoundError()
    const json = JSON.stringify(toView(resources, record, view))
    return { record, json, version: contentHash(json) }
  }

  const lists = createLists({ recordIndex, resources, mapper, cards, gather, jsonCache })
  return {
    ...lists,
    // Where others write, it is another one each second.
    edition: () => (store.isShared ? Math.floor(performance.now() / 1000) : edition),
    unchanged() {
      const moment = edition
      return () => !store.isShared && moment === edition
    },
    find: (references) => cards.get(references),
    read,
    print,
    create,
    replace,
    change,
    remove,
  }
}
