// A sheet as the formats that are written by hand ask it: texts, terms with their labels, and the
// records it names, each of which can be asked in turn.

import type { Iris } from '../model/iris.js'
import { type RecordValues, textValue, listValue } from '../model/record/values.js'
import type { Field, Resources } from '../model/resources.js'
import { type ResolvedRecord, referencesOfField } from '../model/record/views.js'
import { matchesOf } from '../model/vocabulary.js'

/** A code with what its vocabulary says of it. */
export type LabelledCode = {
  readonly code: string
  /** The code itself where the vocabulary has it no longer. */
  readonly label: string
  readonly uri: string
  /** The IRIs of the same concept elsewhere: `skos:exactMatch`. */
  readonly matches: readonly string[]
}

export type RecordAccessor = {
  readonly id: string
  /** Of the thing, not of the record. */
  readonly iri: string
  /** The values of a field, none where it is unset, or private and the record not public. */
  values(field: string): readonly string[]
  /** The only value, or nothing. */
  text(field: string): string
  codes(field: string): readonly LabelledCode[]
  /** The records that a field names, but those that were deleted: an identifier is not a name. */
  related(field: string): readonly RecordAccessor[]
}

export type AccessorDependencies = { readonly resources: Resources; readonly iris: Iris }

export function accessRecord(
  shelves: AccessorDependencies,
  { resource, values, lookup }: ResolvedRecord,
): RecordAccessor {
  const { resources, iris } = shelves
  const id = textValue(values, resource.id.name)

  const fieldOf = (name: string): Field => {
    const field = resource.byName.get(name)
    if (!field) throw new Error(`${resource.name} have no field ${name}`)
    return field
  }
  const valuesOf = (name: string): readonly string[] => {
    const field = fieldOf(name)
    return field.private && values.public === false ? [] : valuesIn(field, values)
  }
  return {
    id,
    iri: iris.thing(resource.name, id).value,
    values: valuesOf,
    text: (name) => valuesOf(name)[0] ?? '',
    codes: (name) => valuesOf(name).map((code) => termOf(fieldOf(name), code)),
    related: (name) =>
      referencesOfField(fieldOf(name), values).flatMap((reference) => {
        const found = lookup(reference)
        return found
          ? [
              accessRecord(shelves, {
                resource: resources[reference.target],
                values: found,
                lookup,
              }),
            ]
          : []
      }),
  }
}

function valuesIn(field: Field, card: RecordValues): readonly string[] {
  if (field.repeatable) return listValue(card, field.name)
  const value = card[field.name] ?? ''
  return value === '' ? [] : [String(value)]
}

function termOf({ vocabulary, name }: Field, code: string): LabelledCode {
  if (!vocabulary) throw new Error(`${name} has no vocabulary`)
  return {
    code,
    label: vocabulary.find(code)?.label ?? code,
    uri: vocabulary.concept(code).value,
    matches: matchesOf(vocabulary, code),
  }
}
