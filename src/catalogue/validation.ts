// Judges what a client wrote: the types of its JSON, the shapes of its graph, and whether what it names
// is there; and tells all that is wrong at once.

import type { Iris } from '../model/iris.js'
import type { RecordValues } from '../model/record/values.js'
import type { Resource } from '../model/resources.js'
import type { Validator } from '../model/validation/validator.js'
import { referencesOfField } from '../model/record/views.js'
import { ValidationError, type ParsedInput } from '../model/record/input.js'
import type { RecordReader } from './records/record-cache.js'

/**
 * @param card the record as it would be
 * @param reading the fields of it that are to be judged, and the messages of those that are not well typed
 * @param known a message that is known before, by field; it comes first
 * @throws Invalid unless everything is right
 */
export type ValidateRecord = (
  resource: Resource,
  card: RecordValues,
  reading: ParsedInput,
  known: ReadonlyMap<string, string>,
) => Promise<void>

type RecordValidationDependencies = {
  readonly iris: Iris
  readonly cards: RecordReader
  readonly validator: Validator
}

export const createRecordValidation =
  ({ iris, cards, validator }: RecordValidationDependencies): ValidateRecord =>
  async (resource, card, { card: judged, failures }, known) => {
    const named = resource.inputFields.flatMap((field) =>
      field.name in judged ? referencesOfField(field, card) : [],
    )
    const there = await cards.get(named)
    const exists = new Set(
      named.filter(there).map(({ target, id }) => iris.thing(target, id).value),
    )
    const refused = await validator.validate(resource, card, exists)
    const all = resource.inputFields.flatMap((field) => {
      const { name } = field
      const first = known.get(name)
      // A field that is not well typed is not in the graph, so the shapes know nothing of it.
      const rest = failures.get(name) ?? (name in judged ? (refused.get(name) ?? []) : [])
      const messages = [...(first === undefined ? [] : [first]), ...rest]
      return messages.length > 0 ? [[name, messages] as const] : []
    })
    if (all.length > 0) throw new ValidationError(new Map(all))
  }
