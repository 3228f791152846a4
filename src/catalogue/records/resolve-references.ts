// Reads the records that a view of records shows: those that they refer to, and those that these
// refer to in turn. What of them is shown is decided in src/model/record/views.ts.

import { NotFoundError } from '../../errors.js'
import type { RecordValues } from '../../model/record/values.js'
import {
  type RecordLookup,
  type ResolvedRecord,
  type ViewName,
  referencesOf,
  secondLevelReferencesOf,
} from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ReadUse, RecordReader } from './record-cache.js'

/** Resolves records of one resource, in their order. */
export type ResolveReferences = (
  resource: Resource,
  records: readonly RecordValues[],
  view: ViewName,
  use: ReadUse,
) => Promise<ResolvedRecord[]>

export const createReferenceResolver =
  (reader: RecordReader, resources: Resources): ResolveReferences =>
  async (resource, records, view, use) => {
    const first = await reader.get(
      records.flatMap((values) => referencesOf(resource, values, view)),
      use,
    )
    const second = await reader.get(
      records.flatMap((values) =>
        secondLevelReferencesOf(resources, { resource, values, lookup: first }, view),
      ),
      use,
    )
    const lookup: RecordLookup = (reference) => first(reference) ?? second(reference)
    return records.map((values) => ({ resource, values, lookup }))
  }

/** One record with these values. */
export async function resolveValues(
  resolve: ResolveReferences,
  resource: Resource,
  values: RecordValues,
  view: ViewName,
): Promise<ResolvedRecord> {
  const [record] = await resolve(resource, [values], view, 'again')
  if (!record) throw new NotFoundError()
  return record
}
