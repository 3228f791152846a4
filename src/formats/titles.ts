// What people call a record that another one names.

import { textOf } from '../model/card.js'
import type { Resources } from '../model/facts.js'
import type { Cards, Reference } from '../model/read-shape.js'

/** Its title or name; empty when it has been deleted. */
export function titleOf(resources: Resources, cards: Cards, reference: Reference): string {
  const { title } = resources[reference.target]
  const card = cards(reference)
  return title && card ? textOf(card, title.name) : ''
}
