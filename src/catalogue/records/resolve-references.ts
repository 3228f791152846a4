// Gathers what a showing needs: the cards of those that records name, and of those that these name.

import type { Card } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import {
  type Cards,
  type Sheet,
  type View,
  furtherReferencesOf,
  referencesOf,
} from '../../model/record/views.js'
import type { CardReader } from './record-cache.js'

/** How cards are read: kept for the next one who asks, or passed on and forgotten. */
export type Way = Extract<keyof CardReader, 'find' | 'pass'>

/** The sheets of cards of one resource, in their order. */
export type GatherSheets = (
  resource: Resource,
  cards: readonly Card[],
  view: View,
  way: Way,
) => Promise<Sheet[]>

export const gatherWith =
  (reader: CardReader, resources: Resources): GatherSheets =>
  async (resource, cards, view, way) => {
    const named = await reader[way](cards.flatMap((card) => referencesOf(resource, card, view)))
    const further = await reader[way](
      cards.flatMap((card) => furtherReferencesOf(resources, resource, card, view, named)),
    )
    const both: Cards = (reference) => named(reference) ?? further(reference)
    return cards.map((card) => ({ resource, card, cards: both }))
  }
