// Reads the records that a view of records shows: those that they refer to, and those that these
// refer to in turn. What of them is shown is decided in src/model/record/views.ts.

import type { RecordValues } from '../../model/record/values.js'
import {
  type RecordLookup,
  type ResolvedRecord,
  type ViewName,
  referencesOf,
  secondLevelReferencesOf,
} from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { RecordReader } from './record-cache.js'

/** Whether the records that are read are added to the cache. */
type ReadMode = Extract<keyof RecordReader, 'get' | 'getUncached'>

/** Resolves records of one resource, in their order. */
export type ResolveReferences = (
  resource: Resource,
  records: readonly RecordValues[],
  view: ViewName,
  mode: ReadMode,
) => Promise<ResolvedRecord[]>

export const createReferenceResolver =
  (reader: RecordReader, resources: Resources): ResolveReferences =>
  async (resource, records, view, mode) => {
    const first = await reader[mode](
      records.flatMap((values) => referencesOf(resource, values, view)),
    )
    const second = await reader[mode](
      records.flatMap((values) =>
        secondLevelReferencesOf(resources, resource, values, view, first),
      ),
    )
    const lookup: RecordLookup = (reference) => first(reference) ?? second(reference)
    return records.map((values) => ({ resource, values, lookup }))
  }
