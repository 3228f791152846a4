// JSON lines: each record in the write shape on a line of its own, so that it can be loaded again.

import type { Card } from '../model/record/values.js'
import { unset } from '../model/resources.js'
import { type Sheet, isOpen } from '../model/record/views.js'
import type { Press } from './serializer.js'

export const jsonLinesPress: Press = {
  name: 'jsonl',
  type: 'application/jsonl',
  record: line,
  open: () => '',
  item: line,
  close: () => '',
}

function line({ resource, card }: Sheet): string {
  const fields = resource.written.filter((field) => isOpen(field, card, 'detail'))
  const written: Card = Object.fromEntries(
    fields.map((field) => [field.name, card[field.name] ?? unset(field)]),
  )
  return `${JSON.stringify(written)}\n`
}
