// Validates a record before it is written, and reports the errors of all its fields at once: those
// of parsing (src/model/record/input.ts), those of the shapes (src/model/validation/validator.ts),
// and references to records that do not exist.

import type { Message } from '../../message.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import {
  type FieldMessage,
  type ParsedInput,
  ValidationError,
  formatMessages,
} from '../../model/record/input.js'
import type { RecordValues } from '../../model/record/values.js'
import { type Reference, referencesOfField } from '../../model/record/views.js'
import type { Resource } from '../../model/resources.js'
import type { Validator } from '../../model/validation/validator.js'
import type { RecordState } from './record-state.js'

type RecordToValidate = {
  readonly resource: Resource
  /** The record as it would be after the write. */
  readonly values: RecordValues
  /** The fields that are validated, and the errors of those that could not be parsed. */
  readonly parsed: ParsedInput
  /** Errors found before, by field; each comes before the other errors of its field. */
  readonly knownErrors: ReadonlyMap<string, Message>
  /** Agents that may be referred to although they do not exist. */
  readonly deletedAgents?: ReadonlySet<string> | undefined
  /** The kinds of which hidden records may be referred to; all unless given. */
  readonly mayName?: ((kind: ResourceName) => boolean) | undefined
  /** Where references are looked up. */
  readonly state: Pick<RecordState, 'lookup' | 'has'>
}

/** @throws ValidationError */
export type ValidateRecord = (record: RecordToValidate) => Promise<void>

type RecordValidationDependencies = {
  readonly iris: Iris
  readonly validator: Validator
}

export function createRecordValidation({
  iris,
  validator,
}: RecordValidationDependencies): ValidateRecord {
  /** The IRIs of what the fields that were sent refer to, as far as it exists. */
  async function existingReferences(record: RecordToValidate) {
    const { resource, values, parsed, deletedAgents, mayName = () => true, state } = record
    const references: Reference[] = []
    for (const field of resource.inputFields)
      if (field.target && field.name in parsed.values)
        references.push(...referencesOfField(field, values))
    const known = new Set<string>()
    if (references.length === 0) return known
    const lookup = await state.lookup(references)
    for (const reference of references)
      if (
        lookup(reference) !== undefined ||
        (reference.target === 'agents' && deletedAgents?.has(reference.id)) ||
        // Others than the public may know of a hidden one.
        (mayName(reference.target) && (await state.has(reference)))
      )
        known.add(iris.thing(reference.target, reference.id).value)
    return known
  }

  return async (record) => {
    const { resource, values, parsed, knownErrors } = record
    const knownReferences = await existingReferences(record)
    // What was not sent is not judged again, so that an old error in it does not call the SHACL
    // engine.
    const sent = new Set(Object.keys(parsed.values))
    const errors = await validator.validate(resource, values, knownReferences, sent)
    if (knownErrors.size + parsed.errors.size + errors.size === 0) return
    const all = resource.inputFields.flatMap(({ name }) => {
      const known = knownErrors.get(name)
      const messages = [
        ...(known === undefined ? [] : [{ text: known }]),
        ...(parsed.errors.get(name) ?? []),
        // What could not be parsed is not in the graph, so the shapes do not see it.
        ...(name in parsed.values
          ? atSentPositions(errors.get(name), parsed.positions.get(name))
          : []),
      ]
      return messages.length > 0 ? [[name, formatMessages(messages)] as const] : []
    })
    const ofNoField = [...knownErrors].flatMap(([name, known]) =>
      resource.byName.has(name) ? [] : [[name, formatMessages([{ text: known }])] as const],
    )
    if (all.length + ofNoField.length > 0)
      throw new ValidationError(new Map([...all, ...ofNoField]))
  }
}

/** The messages about items with the positions that the items had in the list that was sent. */
const atSentPositions = (
  messages: readonly FieldMessage[] = [],
  positions: readonly number[] = [],
): readonly FieldMessage[] =>
  messages.map((message) => {
    const item = message.item === undefined ? undefined : positions[message.item]
    return item === undefined ? message : { ...message, item }
  })
