// Reads the public values of a few fields of many records, without their other values. Whole
// records: record-cache.ts.

import type { Iris } from '../../model/iris.js'
import type { Field, Resource } from '../../model/resources.js'
import { selectTriples } from '../../rdf/nquads.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import type { Store } from '../../store/store.js'
import { recordKey } from './record-cache.js'

/** The values of the terms of fields, by the identifier of the record and the field. */
export type ValuesByField = ReadonlyMap<string, ReadonlyMap<Field, readonly string[]>>

/** How many records are read at a time. Other requests wait so long at most. */
export const fieldValuesBatchSize = 100

/** What a read is about: fields of records of one resource, which have properties of their own. */
type WantedValues = {
  readonly resource: Resource
  readonly fields: readonly Field[]
  readonly ids: readonly string[]
}

/** The values of up to `fieldValuesBatchSize` records; those that have none are left out. */
export async function readFieldValues(
  { store, iris }: { readonly store: Store; readonly iris: Iris },
  { resource, fields, ids }: WantedValues,
): Promise<ValuesByField> {
  const properties = new Set(fields.flatMap(({ path }) => path[0]?.value ?? []))
  const entries = await store.readRecords(ids.map((id) => recordKey({ target: resource.name, id })))
  const valuesById = new Map<string, Map<Field, string[]>>()
  for (const id of ids) {
    const nquads = entries.get(recordKey({ target: resource.name, id })) ?? ''
    const thing = iris.thing(resource.name, id).value
    for (const { s, p, o } of selectTriples(nquads, iris.graphs.public, properties))
      for (const field of fields)
        if (s === thing && p === field.path[0]?.value) addValue(valuesById, id, field, o)
  }
  await yieldToEventLoop()
  return valuesById
}

function addValue(
  valuesById: Map<string, Map<Field, string[]>>,
  id: string,
  field: Field,
  value: string,
): void {
  const values = valuesById.get(id) ?? new Map<Field, string[]>()
  valuesById.set(id, values)
  const ofField = values.get(field)
  if (ofField) ofField.push(value)
  else values.set(field, [value])
}
