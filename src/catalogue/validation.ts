// Judges what a client wrote: the types of its JSON, the shapes of its graph, and whether what it names
// is there; and tells all that is wrong at once.

import type { Addresses } from '../model/iris.js'
import type { Card } from '../model/record/values.js'
import type { Resource } from '../model/resources.js'
import type { Judge } from '../model/validation/validator.js'
import { referencesIn } from '../model/record/views.js'
import { Invalid, type Reading } from '../model/record/input.js'
import type { CardReader } from './records/record-cache.js'

/**
 * @param card the record as it would be
 * @param reading the fields of it that are to be judged, and the messages of those that are not well typed
 * @param known a message that is known before, by field; it comes first
 * @throws Invalid unless everything is right
 */
export type Check = (
  resource: Resource,
  card: Card,
  reading: Reading,
  known: ReadonlyMap<string, string>,
) => Promise<void>

type Parts = {
  readonly addresses: Addresses
  readonly cards: CardReader
  readonly judge: Judge
}

export const checkWith =
  ({ addresses, cards, judge }: Parts): Check =>
  async (resource, card, { card: judged, failures }, known) => {
    const named = resource.written.flatMap((field) =>
      field.name in judged ? referencesIn(field, card) : [],
    )
    const there = await cards.find(named)
    const exists = new Set(
      named.filter(there).map(({ target, id }) => addresses.thing(target, id).value),
    )
    const refused = await judge.judge(resource, card, exists)
    const all = resource.written.flatMap((field) => {
      const { name } = field
      const first = known.get(name)
      // A field that is not well typed is not in the graph, so the shapes know nothing of it.
      const rest = failures.get(name) ?? (name in judged ? (refused.get(name) ?? []) : [])
      const messages = [...(first === undefined ? [] : [first]), ...rest]
      return messages.length > 0 ? [[name, messages] as const] : []
    })
    if (all.length > 0) throw new Invalid(new Map(all))
  }
