// Gives the formats with a crosswalk of their own (BibTeX, MARC) simple access to a record: the
// texts of its fields, codes with their labels, and the records it refers to.

import type { Iris } from '../model/iris.js'
import { type RecordValues, textValue, listValue } from '../model/record/values.js'
import type { Field, Resources } from '../model/resources.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../model/record/views.js'
import { type Heading, matchesOf } from '../model/vocabulary.js'

/** A code with its entry in the vocabulary. */
export type LabelledCode = {
  readonly code: string
  /** The code itself where the vocabulary no longer has it. */
  readonly label: string
  readonly uri: string
  /** The IRIs of the same concept in other vocabularies: `skos:exactMatch`. */
  readonly matches: readonly string[]
  readonly headings: readonly Heading[]
}

export type RecordAccessor = {
  readonly id: string
  /** The IRI of the thing, not of the record that describes it. */
  readonly iri: string
  /** The values of a field; none where it is unset, or private while the record is not public. */
  values(field: string): readonly string[]
  /** The first value; empty where there is none. */
  text(field: string): string
  codes(field: string): readonly LabelledCode[]
  /** The records that a field refers to, without deleted ones. */
  related(field: string): readonly RecordAccessor[]
  /** The same in the order of the field, with undefined for each deleted one. */
  references(field: string): readonly (RecordAccessor | undefined)[]
  /** The holdings of a zine; none where the record came without them. */
  holdings(): readonly RecordAccessor[]
}

export type AccessorDependencies = { readonly resources: Resources; readonly iris: Iris }

/** The content advice of a zine: the labels of its codes, then the library's own words. */
export const contentAdviceOf = (zine: RecordAccessor): readonly string[] => [
  ...zine.codes('content_advice').map(({ label }) => label),
  ...zine.values('content_advice_note'),
]

/** @throws Error from each function for a field that the resource does not have */
export function accessRecord(
  dependencies: AccessorDependencies,
  { resource, values, lookup, forStaff, holdings = [] }: ResolvedRecord,
): RecordAccessor {
  const { resources, iris } = dependencies
  const id = textValue(values, resource.id.name)

  const fieldOf = (name: string): Field => {
    const field = resource.byName.get(name)
    if (!field) throw new Error(`${resource.name} have no field ${name}`)
    return field
  }
  const valuesOf = (name: string): readonly string[] => {
    const field = fieldOf(name)
    const view = forStaff && field.private === 'always' ? 'private' : 'detail'
    return isVisible(field, values, view) ? valuesIn(field, values) : []
  }
  const referencesIn = (name: string): readonly (RecordAccessor | undefined)[] =>
    referencesOfField(fieldOf(name), values).map((reference) => {
      const referredValues = lookup(reference)
      const referred = {
        resource: resources[reference.target],
        values: referredValues ?? {},
        lookup,
      }
      return referredValues && accessRecord(dependencies, referred)
    })
  return {
    id,
    iri: iris.thing(resource.name, id).value,
    values: valuesOf,
    text: (name) => valuesOf(name)[0] ?? '',
    codes: (name) => valuesOf(name).map((code) => labelledCode(fieldOf(name), code)),
    references: referencesIn,
    related: (name) => referencesIn(name).filter((record) => record !== undefined),
    holdings: () => holdings.map((holding) => accessRecord(dependencies, holding)),
  }
}

function valuesIn(field: Field, values: RecordValues): readonly string[] {
  if (field.repeatable) return listValue(values, field.name)
  const value = values[field.name] ?? ''
  return value === '' ? [] : [String(value)]
}

function labelledCode({ vocabulary, name }: Field, code: string): LabelledCode {
  if (!vocabulary) throw new Error(`${name} has no vocabulary`)
  return {
    code,
    label: vocabulary.find(code)?.label ?? code,
    uri: vocabulary.concept(code).value,
    matches: matchesOf(vocabulary, code),
    headings: vocabulary.headings(code),
  }
}
