// What people call a record that another one names.

import { textOf } from '../model/record/values.js'
import type { Resources } from '../model/resources.js'
import type { Cards, Reference } from '../model/record/views.js'

/** Its title or name; empty when it has been deleted. */
export function titleOf(resources: Resources, cards: Cards, reference: Reference): string {
  const { title } = resources[reference.target]
  const card = cards(reference)
  return title && card ? textOf(card, title.name) : ''
}
