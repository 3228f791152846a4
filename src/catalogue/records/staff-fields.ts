// Adds the fields that only staff sees to records of a list.

import type { RecordValues } from '../../model/record/values.js'
import { type Reference, type ResolvedRecord, referenceTo } from '../../model/record/views.js'
import { type RecordReader, recordKey } from './record-cache.js'

/**
 * The records, and their holdings, with the fields for the staff of those that somebody may edit.
 * Other private fields stay out.
 */
export async function addStaffFields(
  records: RecordReader,
  listed: readonly ResolvedRecord[],
  mayEdit: (reference: Reference) => Promise<boolean>,
): Promise<readonly ResolvedRecord[]> {
  const editable: Reference[] = []
  for (const record of listed.flatMap((item) => [item, ...(item.holdings ?? [])]))
    if (await mayEdit(referenceTo(record))) editable.push(referenceTo(record))
  const valuesByKey = await records.getWithPrivate(editable)
  return listed.map((record) => withStaffValues(record, valuesByKey))
}

/** @param valuesByKey all values of the records that may be edited */
function withStaffValues(
  record: ResolvedRecord,
  valuesByKey: ReadonlyMap<string, RecordValues>,
): ResolvedRecord {
  const all = valuesByKey.get(recordKey(referenceTo(record)))
  const staffFields = record.resource.fields.filter((field) => field.private === 'always')
  const staffValues: RecordValues = Object.fromEntries(
    staffFields.map(({ name }) => [name, all?.[name] ?? '']),
  )
  return {
    ...record,
    ...(all && { values: { ...record.values, ...staffValues }, forStaff: true }),
    ...(record.holdings && {
      holdings: record.holdings.map((holding) => withStaffValues(holding, valuesByKey)),
    }),
  }
}
