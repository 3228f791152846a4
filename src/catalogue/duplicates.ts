// Finds records that are likely to describe the same: with the same title, but for case, accents
// and punctuation, or with the same identifier of another authority. Only public values are
// compared.

import type { IsCurrent } from '../lib/cache.js'
import type { Iris, ResourceName } from '../model/iris.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { comparableTitle } from '../model/record/title.js'
import type { Field, Resource, Resources } from '../model/resources.js'
import { createYielder } from '../lib/scheduling.js'
import type { Store } from '../store/store.js'
import { buildListSpec } from './lists.js'
import { fieldValuesBatchSize, readFieldValues } from './records/field-values.js'
import type { RecordIndex } from './sparql-record-index.js'

/** Records that share a value. */
type DuplicateGroup = {
  readonly field: Field
  readonly ids: readonly string[]
}

export type Duplicates = {
  /** All groups of likely duplicates of a resource, those of one field after those of another. */
  duplicateGroups(name: ResourceName): Promise<readonly DuplicateGroup[]>
  /** The identifiers of records that are likely to describe the same as this one. */
  likelyDuplicates(name: ResourceName, id: string): Promise<readonly string[]>
  /**
   * The public values of some fields of all records of a resource, which are read some at a time.
   */
  fieldValues(
    name: ResourceName,
    fields: readonly string[],
  ): AsyncIterable<readonly [id: string, values: ListsByField]>
}

/**
 * The result of a search that took longer than so many milliseconds is used for ten times as long,
 * whatever is written meanwhile.
 */
const longSearchMs = 500

type DuplicatesDependencies = {
  readonly store: Store
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly recordIndex: RecordIndex
  readonly currentUntilNextWrite: () => IsCurrent
}

export function createDuplicates({
  store,
  iris,
  resources,
  mapper,
  recordIndex,
  currentUntilNextWrite,
}: DuplicatesDependencies): Duplicates {
  type Search = { readonly isCurrent: IsCurrent; readonly groups: Promise<DuplicateGroup[]> }
  const searches = new Map<ResourceName, Search>()
  const wholeList = { filters: new Map<string, string>(), search: '', ordering: [] }

  /** One search at a time for each resource. */
  function duplicateGroups(name: ResourceName): Promise<readonly DuplicateGroup[]> {
    const known = searches.get(name)
    if (known?.isCurrent()) return known.groups
    const [isUnchanged, start] = [currentUntilNextWrite(), performance.now()]
    let end = Infinity
    const groups = findGroups(resources[name]).finally(() => {
      const [now, took] = [performance.now(), performance.now() - start]
      end = took > longSearchMs ? now + 10 * took : now
    })
    groups.catch(() => searches.delete(name))
    searches.set(name, { isCurrent: () => isUnchanged() || performance.now() < end, groups })
    return groups
  }

  async function findGroups(resource: Resource): Promise<DuplicateGroup[]> {
    const fields = comparedFields(resource)
    const { subtitle } = resource.summary
    const read = subtitle ? [...fields, subtitle] : fields
    const idsByField = fields.map(() => new Map<string, string[]>())
    const maybeYield = createYielder()
    for await (const [id, values] of readFields(resource, read)) {
      for (const [index, field] of fields.entries())
        for (const key of keysOf(resource, field, values)) add(idsByField[index], key, id)
      await maybeYield()
    }
    return fields.flatMap((field, index) =>
      [...(idsByField[index] ?? [])]
        .filter(([, ids]) => ids.length > 1)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, ids]) => ({ field, ids })),
    )
  }

  async function* readFields(
    resource: Resource,
    fields: readonly Field[],
  ): AsyncGenerator<readonly [id: string, values: ListsByField]> {
    const ids = await recordIndex.all(buildListSpec(resource, wholeList, { resources, mapper }))
    for (let start = 0; start < ids.length; start += fieldValuesBatchSize)
      yield* await readBatch(resource, fields, ids.slice(start, start + fieldValuesBatchSize))
  }

  /** The values of fields, by identifier. */
  async function readBatch(resource: Resource, fields: readonly Field[], ids: readonly string[]) {
    const valuesById = await readFieldValues({ store, iris }, { resource, fields, ids })
    return Array.from(
      valuesById,
      ([id, byField]) =>
        [
          id,
          Object.fromEntries(
            Array.from(byField, ([field, values]) => [
              field.name,
              values.map((value) => String(mapper.valueOf(field, value))),
            ]),
          ),
        ] as const,
    )
  }

  async function likelyDuplicates(name: ResourceName, id: string): Promise<readonly string[]> {
    const groups = (await duplicateGroups(name)).filter(({ ids }) => ids.includes(id))
    return [...new Set(groups.flatMap(({ ids }) => ids))].filter((candidate) => candidate !== id)
  }

  const fieldValues = (name: ResourceName, names: readonly string[]) =>
    readFields(
      resources[name],
      resources[name].fields.filter((field) => names.includes(field.name)),
    )

  return { duplicateGroups, likelyDuplicates, fieldValues }
}

/** The title and the identifiers of other authorities. */
const comparedFields = ({ title, fields }: Resource): readonly Field[] => [
  ...(title ? [title] : []),
  ...fields.filter(({ identifies }) => identifies),
]

/** The values of a record by field. */
type ListsByField = Readonly<Record<string, readonly string[]>>

/** What a value is compared by; issues of one title are compared with their number. */
function keysOf(resource: Resource, field: Field, values: ListsByField): readonly string[] {
  const texts = values[field.name] ?? []
  if (field !== resource.title) return texts.map((value) => value.trim().toLowerCase())
  const { subtitle } = resource.summary
  const number = comparableTitle((subtitle && values[subtitle.name]?.[0]) ?? '')
  const title = comparableTitle(texts[0] ?? '')
  return title === '' ? [] : [`${title} ${number}`.trim()]
}

function add(idsByKey: Map<string, string[]> | undefined, key: string, id: string): void {
  const ids = idsByKey?.get(key)
  if (ids && !ids.includes(id)) ids.push(id)
  else if (!ids) idsByKey?.set(key, [id])
}
