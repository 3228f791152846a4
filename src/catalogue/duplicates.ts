// Finds records that are likely to describe the same: with the same title, but for case, accents and
// punctuation, or with the same identifier of another authority. Only public values are compared.

import type { IsCurrent } from '../cache.js'
import type { Iris, ResourceName } from '../model/iris.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { comparableTitle, titleWords } from '../model/record/title.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import { type Reference, valuesIn } from '../model/record/views.js'
import type { Field, Resource, Resources } from '../model/resources.js'
import { selectReferrers, selectProperties } from '../queries/record-queries.js'
import { createYielder, yieldToEventLoop } from '../scheduling.js'
import type { Store } from '../store/store.js'
import { buildListSpec } from './lists.js'
import type { RecordReader } from './records/record-cache.js'
import type { RecordIndex } from './sparql-record-index.js'

/** Records that share a value. */
export type DuplicateGroup = {
  readonly field: Field
  readonly ids: readonly string[]
}

export type Duplicates = {
  /** All groups of likely duplicates of a resource, those of one field after those of another. */
  duplicateGroups(name: ResourceName): Promise<readonly DuplicateGroup[]>
  /** The identifiers of records that are likely to describe the same as this one. */
  likelyDuplicates(name: ResourceName, id: string): Promise<readonly string[]>
}

/** How many records one query reads. Other requests wait for one query at most. */
const batchSize = 200

/** How many records with words of the same title are compared. */
const maxCompared = 50

type DuplicatesDependencies = {
  readonly store: Store
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly recordIndex: RecordIndex
  readonly records: RecordReader
  readonly currentUntilNextWrite: () => IsCurrent
}

export function createDuplicates({
  store,
  iris,
  resources,
  mapper,
  recordIndex,
  records,
  currentUntilNextWrite,
}: DuplicatesDependencies): Duplicates {
  type Search = { readonly isCurrent: IsCurrent; readonly groups: Promise<DuplicateGroup[]> }
  const searches = new Map<ResourceName, Search>()
  const wholeList = { filters: new Map<string, string>(), search: '', ordering: [] }

  /** One search at a time for each resource; its result is kept until something is written. */
  function duplicateGroups(name: ResourceName): Promise<readonly DuplicateGroup[]> {
    const known = searches.get(name)
    if (known?.isCurrent()) return known.groups
    const search = { isCurrent: currentUntilNextWrite(), groups: findGroups(resources[name]) }
    searches.set(name, search)
    search.groups.catch(() => searches.delete(name))
    return search.groups
  }

  async function findGroups(resource: Resource): Promise<DuplicateGroup[]> {
    const fields = comparedFields(resource)
    const idsByField = fields.map(() => new Map<string, string[]>())
    const maybeYield = createYielder()
    const ids = await recordIndex.all(buildListSpec(resource, wholeList, mapper))
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = await readCompared(resource, fields, ids.slice(start, start + batchSize))
      for (const [id, values] of batch) {
        for (const [index, field] of fields.entries())
          for (const key of keysOf(resource, field, values)) add(idsByField[index], key, id)
        await maybeYield()
      }
      await yieldToEventLoop()
    }
    return fields.flatMap((field, index) =>
      [...(idsByField[index] ?? [])]
        .filter(([, found]) => found.length > 1)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, found]) => ({ field, ids: found })),
    )
  }

  /** The values of the compared fields, by identifier. */
  async function readCompared(resource: Resource, fields: readonly Field[], ids: readonly string[]) {
    const { title, subtitle } = resource.summary
    const read = [...new Set([...fields, title, subtitle])].filter((field) => field !== undefined)
    const things = ids.map((id) => iris.thing(resource.name, id))
    const properties = read.flatMap(({ path }) => path.slice(0, 1))
    const rows = await store.select(selectProperties(things, properties, iris.graphs.public))
    const found = new Map<string, Record<string, string[]>>()
    for (const { s, p, o } of rows) {
      const field = read.find(({ path }) => path[0]?.value === p?.value)
      if (!s || !o || !field) continue
      const id = iris.idFromIri(s.value)
      const values = found.get(id) ?? {}
      ;(values[field.name] ??= []).push(String(mapper.valueOf(field, o.value)))
      found.set(id, values)
    }
    return found
  }

  async function likelyDuplicates(name: ResourceName, id: string): Promise<readonly string[]> {
    const reference = { target: name, id }
    const values = (await records.get([reference]))(reference)
    if (!values) return []
    const found = [
      ...(await withSameTitle(resources[name], values)),
      ...(await withSameIdentifier(resources[name], values)),
    ]
    return [...new Set(found)].filter((one) => one !== id)
  }

  async function withSameTitle(resource: Resource, values: RecordValues): Promise<string[]> {
    const { title } = resource
    const search = title ? titleWords(textValue(values, title.name)) : ''
    if (!title || search === '') return []
    const listSpec = buildListSpec(resource, { ...wholeList, search }, mapper)
    const { ids } = await recordIndex.page(listSpec, { limit: maxCompared, offset: 0 })
    const references = ids.map((one): Reference => ({ target: resource.name, id: one }))
    const lookup = await records.get(references)
    const [key] = keysOf(resource, title, asLists(values))
    return references
      .filter((one) => {
        const found = lookup(one)
        return found && keysOf(resource, title, asLists(found)).includes(key ?? '')
      })
      .map((one) => one.id)
  }

  async function withSameIdentifier(resource: Resource, values: RecordValues): Promise<string[]> {
    const found = await Promise.all(
      resource.fields
        .filter(({ identifies }) => identifies)
        .flatMap((field) =>
          valuesIn(field, values).map(async (value) => {
            const [property] = field.path
            if (!property) return []
            const term = mapper.termOf(field, value)
            return store.select(selectReferrers(term, property, iris.graphs.public))
          }),
        ),
    )
    return found.flat().flatMap(({ s }) => (s ? [iris.idFromIri(s.value)] : []))
  }

  return { duplicateGroups, likelyDuplicates }
}

/** The title and the identifiers of other authorities. */
const comparedFields = ({ title, fields }: Resource): readonly Field[] => [
  ...(title ? [title] : []),
  ...fields.filter(({ identifies }) => identifies),
]

type ListsByField = Readonly<Record<string, readonly string[]>>

/** What a value is compared by; issues of one title are compared with their number. */
function keysOf(resource: Resource, field: Field, values: ListsByField): readonly string[] {
  const own = values[field.name] ?? []
  if (field !== resource.title) return own.map((value) => value.trim().toLowerCase())
  const { subtitle } = resource.summary
  const number = comparableTitle((subtitle && values[subtitle.name]?.[0]) ?? '')
  const title = comparableTitle(own[0] ?? '')
  return title === '' ? [] : [`${title} ${number}`.trim()]
}

const asLists = (values: RecordValues): ListsByField =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? [value] : Array.isArray(value) ? value : [],
    ]),
  )

function add(idsByKey: Map<string, string[]> | undefined, key: string, id: string): void {
  const ids = idsByKey?.get(key)
  if (ids && !ids.includes(id)) ids.push(id)
  else if (!ids) idsByKey?.set(key, [id])
}
