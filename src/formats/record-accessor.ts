// A sheet as the formats that are written by hand ask it: texts, terms with their labels, and the
// records it names, each of which can be asked in turn.

import type { Addresses } from '../model/iris.js'
import { type Card, textOf, valuesOf } from '../model/record/values.js'
import type { Field, Resources } from '../model/resources.js'
import { type Sheet, referencesIn } from '../model/record/views.js'
import { matchesOf } from '../model/vocabulary.js'

/** A code with what its vocabulary says of it. */
export type Term = {
  readonly code: string
  /** The code itself where the vocabulary has it no longer. */
  readonly label: string
  readonly uri: string
  /** The IRIs of the same concept elsewhere: `skos:exactMatch`. */
  readonly matches: readonly string[]
}

export type Source = {
  readonly id: string
  /** Of the thing, not of the record. */
  readonly iri: string
  /** The values of a field, none where it is unset, or private and the record not public. */
  values(field: string): readonly string[]
  /** The only value, or nothing. */
  text(field: string): string
  terms(field: string): readonly Term[]
  /** The records that a field names, but those that were deleted: an identifier is not a name. */
  named(field: string): readonly Source[]
}

export type Shelves = { readonly resources: Resources; readonly addresses: Addresses }

export function sourceOf(shelves: Shelves, { resource, card, cards }: Sheet): Source {
  const { resources, addresses } = shelves
  const id = textOf(card, resource.id.name)

  const fieldOf = (name: string): Field => {
    const field = resource.byName.get(name)
    if (!field) throw new Error(`${resource.name} have no field ${name}`)
    return field
  }
  const values = (name: string): readonly string[] => {
    const field = fieldOf(name)
    return field.private && card.public === false ? [] : valuesIn(field, card)
  }
  return {
    id,
    iri: addresses.thing(resource.name, id).value,
    values,
    text: (name) => values(name)[0] ?? '',
    terms: (name) => values(name).map((code) => termOf(fieldOf(name), code)),
    named: (name) =>
      referencesIn(fieldOf(name), card).flatMap((reference) => {
        const found = cards(reference)
        return found
          ? [sourceOf(shelves, { resource: resources[reference.target], card: found, cards })]
          : []
      }),
  }
}

function valuesIn(field: Field, card: Card): readonly string[] {
  if (field.many) return valuesOf(card, field.name)
  const value = card[field.name] ?? ''
  return value === '' ? [] : [String(value)]
}

function termOf({ vocabulary, name }: Field, code: string): Term {
  if (!vocabulary) throw new Error(`${name} has no vocabulary`)
  return {
    code,
    label: vocabulary.find(code)?.label ?? code,
    uri: vocabulary.concept(code).value,
    matches: matchesOf(vocabulary, code),
  }
}
