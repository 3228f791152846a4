// Serializes records as JSON Lines: the input fields of each record on a line of its own, so that
// an exported file can be loaded again. `updated_at` tells `load` whether the record was changed since,
// `deleted_agents` which of its references lead to agents that do not exist any more.

import type { RecordValues } from '../model/record/values.js'
import { unsetValue } from '../model/resources.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../model/record/views.js'
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

function line({ resource, values, lookup }: ResolvedRecord): string {
  const fields = resource.inputFields.filter((field) => isVisible(field, values, 'detail'))
  const visibleValues: RecordValues = Object.fromEntries(
    fields.map((field) => [field.name, values[field.name] ?? unsetValue(field)]),
  )
  const agents = fields
    .flatMap((field) => referencesOfField(field, values))
    .filter(({ target }) => target === 'agents')
  const deleted = new Set(agents.filter((reference) => !lookup(reference)).map(({ id }) => id))
  return `${JSON.stringify({
    ...visibleValues,
    updated_at: values.updated_at,
    ...(deleted.size > 0 ? { deleted_agents: [...deleted] } : {}),
  })}\n`
}
