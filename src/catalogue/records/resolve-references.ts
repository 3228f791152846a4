// Gathers what a showing needs: the cards of those that records name, and of those that these name.

import type { RecordValues } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import {
  type RecordLookup,
  type ResolvedRecord,
  type ViewName,
  secondLevelReferencesOf,
  referencesOf,
} from '../../model/record/views.js'
import type { RecordReader } from './record-cache.js'

/** How cards are read: kept for the next one who asks, or passed on and forgotten. */
export type ReadMode = Extract<keyof RecordReader, 'get' | 'getUncached'>

/** The sheets of cards of one resource, in their order. */
export type ResolveReferences = (
  resource: Resource,
  cards: readonly RecordValues[],
  view: ViewName,
  way: ReadMode,
) => Promise<ResolvedRecord[]>

export const createReferenceResolver =
  (reader: RecordReader, resources: Resources): ResolveReferences =>
  async (resource, cards, view, way) => {
    const named = await reader[way](cards.flatMap((card) => referencesOf(resource, card, view)))
    const further = await reader[way](
      cards.flatMap((card) => secondLevelReferencesOf(resources, resource, card, view, named)),
    )
    const both: RecordLookup = (reference) => named(reference) ?? further(reference)
    return cards.map((values) => ({ resource, values, lookup: both }))
  }
