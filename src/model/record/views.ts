// The read shapes: what a list, a record and a referring record show of a card.

import type { ResourceName } from '../iris.js'
import { type RecordValues, type FieldValue, textValue, listValue } from './values.js'
import { type Field, type Resource, type Resources, unsetValue } from '../resources.js'
import type { NestedFields } from '../declarations/field-declaration.js'

/** A record as it is shown: JSON, in the order of its rows. */
export type RecordView = { readonly [key: string]: FieldValue | RecordView | readonly RecordView[] }

/** In a list, on its own, or on its own with what only some accounts may see. */
export type ViewName = 'list' | 'detail' | 'private'

/** A record that another one names. */
export type Reference = { readonly target: ResourceName; readonly id: string }

/** The card of a record that another one names; undefined when it has been deleted. */
export type RecordLookup = (reference: Reference) => RecordValues | undefined

/** A record, and the cards of those that it names: all that any format makes an answer from. */
export type ResolvedRecord = {
  readonly resource: Resource
  readonly values: RecordValues
  readonly lookup: RecordLookup
}

/** Shows a record. Its cards have to know all that `referencesOf` named. */
export function toView(
  resources: Resources,
  { resource, values, lookup }: ResolvedRecord,
  view: ViewName,
): RecordView {
  const fields = resource.fields.filter(
    (field) => (view !== 'list' || field.inLists) && isVisible(field, values, view),
  )
  return Object.fromEntries<RecordView[string]>(
    fields.map((field) => [
      field.outputName,
      showField(resources, field, values, shownBy(field, view), lookup),
    ]),
  )
}

/** A private field is open while its record is public, and to those who asked for it by right. */
export const isVisible = (field: Field, card: RecordValues, view: ViewName): boolean =>
  !field.private || card.public !== false || view === 'private'

const shownBy = (field: Field, view: ViewName): NestedFields | undefined =>
  view === 'list' ? field.nested?.list : field.nested?.detail

function showField(
  resources: Resources,
  field: Field,
  card: RecordValues,
  shown: NestedFields | undefined,
  cards: RecordLookup,
): RecordView[string] {
  if (!shown) return card[field.name] ?? unsetValue(field)
  const showings = valuesIn(field, card).map((value) =>
    field.target
      ? showReference(resources, { target: field.target, id: value }, field, shown, cards)
      : showEntry(field, value, shown),
  )
  return field.repeatable ? showings : (showings[0] ?? '')
}

function showReference(
  resources: Resources,
  reference: Reference,
  field: Field,
  shown: NestedFields,
  cards: RecordLookup,
): RecordView {
  const resource = resources[reference.target]
  const card = cards(reference)
  // Of a record that was deleted since, the identifier is left, and the keys that a list would show.
  const keys = card ? shown : shown.filter((key) => field.nested?.list.includes(key) ?? true)
  const known = card ?? { [resource.id.name]: reference.id }
  return Object.fromEntries(
    keys.map((key) => {
      const [name, nested] = typeof key === 'string' ? [key] : key
      const inner = resource.byName.get(name)
      return [name, inner ? showField(resources, inner, known, nested, cards) : '']
    }),
  )
}

function showEntry(field: Field, code: string, shown: NestedFields): RecordView {
  const entry = field.vocabulary?.find(code) ?? {
    code,
    label: '',
    uri: field.vocabulary?.concept(code).value ?? '',
  }
  return Object.fromEntries(Object.entries(entry).filter(([key]) => shown.includes(key)))
}

/** The records that a showing of the card names directly. */
export function referencesOf(resource: Resource, card: RecordValues, view: ViewName): Reference[] {
  return resource.fields
    .filter((field) => view !== 'list' || field.inLists)
    .flatMap((field) => referencesOfField(field, card))
}

/**
 * The records that are named by those that the card names, such as a held zine's makers: all of
 * them, since not every format shows what JSON does. Lists show none.
 */
export function secondLevelReferencesOf(
  resources: Resources,
  resource: Resource,
  card: RecordValues,
  view: ViewName,
  cards: RecordLookup,
): Reference[] {
  if (view === 'list') return []
  return referencesOf(resource, card, view).flatMap((reference) => {
    const named = cards(reference)
    return named ? referencesOf(resources[reference.target], named, view) : []
  })
}

/** The records that one field names. */
export function referencesOfField(field: Field, card: RecordValues): Reference[] {
  const { target } = field
  return target ? valuesIn(field, card).map((id) => ({ target, id })) : []
}

/** The values of a field, one or many, as a list. */
export function valuesIn(field: Field, card: RecordValues): readonly string[] {
  if (field.repeatable) return listValue(card, field.name)
  const value = textValue(card, field.name)
  return value === '' ? [] : [value]
}
