// The read shapes: what a list, a record and a referring record show of a card.

import type { ResourceName } from '../iris.js'
import { type Card, type Value, textOf, valuesOf } from './values.js'
import { type Field, type Resource, type Resources, unset } from '../resources.js'
import type { Shown } from '../declarations/field-declaration.js'

/** A record as it is shown: JSON, in the order of its rows. */
export type Showing = { readonly [key: string]: Value | Showing | readonly Showing[] }

/** In a list, on its own, or on its own with what only some accounts may see. */
export type View = 'list' | 'detail' | 'private'

/** A record that another one names. */
export type Reference = { readonly target: ResourceName; readonly id: string }

/** The card of a record that another one names; undefined when it has been deleted. */
export type Cards = (reference: Reference) => Card | undefined

/** A record, and the cards of those that it names: all that any format makes an answer from. */
export type Sheet = { readonly resource: Resource; readonly card: Card; readonly cards: Cards }

/** Shows a record. Its cards have to know all that `referencesOf` named. */
export function show(resources: Resources, { resource, card, cards }: Sheet, view: View): Showing {
  const fields = resource.fields.filter(
    (field) => (view !== 'list' || field.list) && isOpen(field, card, view),
  )
  return Object.fromEntries<Showing[string]>(
    fields.map((field) => [
      field.as,
      showField(resources, field, card, shownBy(field, view), cards),
    ]),
  )
}

/** A private field is open while its record is public, and to those who asked for it by right. */
export const isOpen = (field: Field, card: Card, view: View): boolean =>
  !field.private || card.public !== false || view === 'private'

const shownBy = (field: Field, view: View): Shown | undefined =>
  view === 'list' ? field.shows?.list : field.shows?.detail

function showField(
  resources: Resources,
  field: Field,
  card: Card,
  shown: Shown | undefined,
  cards: Cards,
): Showing[string] {
  if (!shown) return card[field.name] ?? unset(field)
  const showings = valuesIn(field, card).map((value) =>
    field.target
      ? showReference(resources, { target: field.target, id: value }, field, shown, cards)
      : showEntry(field, value, shown),
  )
  return field.many ? showings : (showings[0] ?? '')
}

function showReference(
  resources: Resources,
  reference: Reference,
  field: Field,
  shown: Shown,
  cards: Cards,
): Showing {
  const resource = resources[reference.target]
  const card = cards(reference)
  // Of a record that was deleted since, the identifier is left, and the keys that a list would show.
  const keys = card ? shown : shown.filter((key) => field.shows?.list.includes(key) ?? true)
  const known = card ?? { [resource.id.name]: reference.id }
  return Object.fromEntries(
    keys.map((key) => {
      const [name, nested] = typeof key === 'string' ? [key] : key
      const inner = resource.byName.get(name)
      return [name, inner ? showField(resources, inner, known, nested, cards) : '']
    }),
  )
}

function showEntry(field: Field, code: string, shown: Shown): Showing {
  const entry = field.vocabulary?.find(code) ?? {
    code,
    label: '',
    uri: field.vocabulary?.concept(code).value ?? '',
  }
  return Object.fromEntries(Object.entries(entry).filter(([key]) => shown.includes(key)))
}

/** The records that a showing of the card names directly. */
export function referencesOf(resource: Resource, card: Card, view: View): Reference[] {
  return resource.fields
    .filter((field) => view !== 'list' || field.list)
    .flatMap((field) => referencesIn(field, card))
}

/**
 * The records that are named by those that the card names, such as a held zine's makers: all of
 * them, since not every format shows what JSON does. Lists show none.
 */
export function furtherReferencesOf(
  resources: Resources,
  resource: Resource,
  card: Card,
  view: View,
  cards: Cards,
): Reference[] {
  if (view === 'list') return []
  return referencesOf(resource, card, view).flatMap((reference) => {
    const named = cards(reference)
    return named ? referencesOf(resources[reference.target], named, view) : []
  })
}

/** The records that one field names. */
export function referencesIn(field: Field, card: Card): Reference[] {
  const { target } = field
  return target ? valuesIn(field, card).map((id) => ({ target, id })) : []
}

/** The values of a field, one or many, as a list. */
export function valuesIn(field: Field, card: Card): readonly string[] {
  if (field.many) return valuesOf(card, field.name)
  const value = textOf(card, field.name)
  return value === '' ? [] : [value]
}
