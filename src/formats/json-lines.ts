// Serializes records as JSON Lines: the input fields of each record on a line of its own, so that
// an exported file can be loaded again. `updated_at` tells `load` whether the record was changed
// since, `deleted_agents` which of its references lead to agents that do not exist any more.

import { type ResolvedRecord, referencesOfField, toInputValues } from '../model/record/views.js'
import { mayNameDeleted } from '../model/resources.js'
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

function line(record: ResolvedRecord): string {
  const { resource, values, lookup } = record
  const agents = resource.inputFields
    .filter(mayNameDeleted)
    .flatMap((field) => referencesOfField(field, values))
  const deleted = new Set(agents.filter((reference) => !lookup(reference)).map(({ id }) => id))
  return `${JSON.stringify({
    ...toInputValues(record, 'detail'),
    updated_at: values.updated_at,
    ...(deleted.size > 0 ? { deleted_agents: [...deleted] } : {}),
  })}\n`
}
