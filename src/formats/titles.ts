// What people call a record that another one names.

import { textValue } from '../model/record/values.js'
import type { Resources } from '../model/resources.js'
import type { RecordLookup, Reference } from '../model/record/views.js'

/** Its title or name; empty when it has been deleted. */
export function titleOf(resources: Resources, cards: RecordLookup, reference: Reference): string {
  const { title } = resources[reference.target]
  const card = cards(reference)
  return title && card ? textValue(card, title.name) : ''
}
