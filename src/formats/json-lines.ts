// Serializes records as JSON Lines: the input fields of each record on a line of its own, so that
// an exported file can be loaded again.

import type { RecordValues } from '../model/record/values.js'
import { unsetValue } from '../model/resources.js'
import { type ResolvedRecord, isVisible } from '../model/record/views.js'
import type { Format, RecordSerializer } from './serializer.js'

export const jsonLines: Format = {
  name: 'jsonl',
  title: 'JSON lines',
  type: 'application/jsonl',
}

export const jsonLinesSerializer: RecordSerializer = {
  ...jsonLines,
  record: line,
  listStart: () => '',
  listItem: line,
  listEnd: () => '',
}

function line({ resource, values }: ResolvedRecord): string {
  const fields = resource.inputFields.filter((field) => isVisible(field, values, 'detail'))
  const visibleValues: RecordValues = Object.fromEntries(
    fields.map((field) => [field.name, values[field.name] ?? unsetValue(field)]),
  )
  return `${JSON.stringify(visibleValues)}\n`
}
