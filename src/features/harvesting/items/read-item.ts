// Reads from the entry of a record in the key-value store what the table of items needs: when it
// was changed, what it refers to, and its sets. Private statements are not looked at.

import type { Iris, ResourceName } from '../../../model/iris.js'
import type { RdfMapper } from '../../../model/record/rdf-mapper.js'
import { redirectOfEntry } from '../../../model/record/redirect.js'
import type { Field, Resources } from '../../../model/resources.js'
import { selectTriples } from '../../../rdf/nquads.js'
import { toMicroseconds } from '../../../catalogue/clock.js'
import { recordKey, referenceOf } from '../../../catalogue/records/record-cache.js'
import type { ItemRecord } from './item-table.js'
import { type ParentSet, kindSet, setOf } from './sets.js'

export type ItemEntry = ItemRecord & {
  /** When the record was created. */
  readonly created: number
}

/** The fields whose values are sets, by the name of the field. */
const setFields: ReadonlyMap<string, ParentSet> = new Map([
  ['repository_id', 'repository'],
  ['language', 'language'],
  ['genre', 'genre'],
])

type ReadItemDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

/** Creates a function that reads an entry; undefined for one that leads to another record. */
export function createItemReader({ iris, resources, mapper }: ReadItemDependencies) {
  const fieldsByKind = new Map(
    Object.values(resources).map(({ name, fields }) => [
      name,
      new Map(fields.filter(isNeeded).map((field): [string, Field] => [propertyOf(field), field])),
    ]),
  )

  return (key: string, nquads: string): ItemEntry | undefined => {
    if (redirectOfEntry(iris, nquads) !== undefined) return undefined
    const { target } = referenceOf(key)
    const fields = fieldsByKind.get(target) ?? new Map<string, Field>()
    const times = { created_at: 0, updated_at: 0 }
    const references: string[] = []
    const sets = [kindSet(target)]
    for (const { p, o } of selectTriples(nquads, iris.graphs.public, new Set(fields.keys()))) {
      const field = fields.get(p)
      if (!field) continue
      if (isTime(field)) times[field.name] = toMicroseconds(o)
      if (field.target) references.push(recordKey({ target: field.target, id: iris.idFromIri(o) }))
      const set = setFields.get(field.name)
      if (set) sets.push(setOf(set, String(mapper.valueOf(field, o))))
    }
    return { key, created: times.created_at, changed: times.updated_at, references, sets }
  }
}

type TimeField = Field & { readonly name: 'created_at' | 'updated_at' }

const isTime = (field: Field): field is TimeField => /^(?:created|updated)_at$/.test(field.name)

const isNeeded = (field: Field): boolean =>
  isTime(field) || field.target !== undefined || setFields.has(field.name)

const propertyOf = ({ path }: Field): string => path.at(-1)?.value ?? ''

/** The sets of a record by the values that it had. Of some, only a part may be known. */
export function setsOfValues(
  kind: ResourceName,
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  const below = [...setFields].flatMap(([field, set]) =>
    [values[field]]
      .flat()
      .flatMap((value) => (typeof value === 'string' && value !== '' ? [setOf(set, value)] : [])),
  )
  return [kindSet(kind), ...below]
}
