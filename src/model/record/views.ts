// The views of records: which fields a list, a record and a record that refers to it show, as JSON.
// Reading the records is left to src/catalogue.

import type { ResourceName } from '../iris.js'
import { type RecordValues, type FieldValue, textValue, listValue } from './values.js'
import { type Field, type Resource, type Resources, unsetValue } from '../resources.js'
import type { NestedFields } from '../declarations/field-declaration.js'

/** What a view shows of a record, as JSON in the order in which the fields are declared. */
export type RecordView = { readonly [key: string]: FieldValue | RecordView | readonly RecordView[] }

/** In a list; on its own; on its own with the private fields that only some accounts may see. */
export type ViewName = 'list' | 'detail' | 'private'

/** The views that show everybody the same. */
export type PublicView = Exclude<ViewName, 'private'>

/** A reference from one record to another. */
export type Reference = { readonly target: ResourceName; readonly id: string }

/** The values of a record that another one refers to; undefined when it does not exist any more. */
export type RecordLookup = (reference: Reference) => RecordValues | undefined

/** A record with the records that it refers to: what every format is made from. */
export type ResolvedRecord = {
  readonly resource: Resource
  readonly values: RecordValues
  readonly lookup: RecordLookup
  /** The values have the fields for the staff, and formats that can show these do. */
  readonly forStaff?: true
  /** The holdings of a zine, where a format needs them; their lookup has their repositories. */
  readonly holdings?: readonly ResolvedRecord[]
}

export const referenceTo = ({ resource, values }: ResolvedRecord): Reference => ({
  target: resource.name,
  id: textValue(values, resource.id.name),
})

/**
 * Makes a view. The lookup has to have what `referencesOf` and `secondLevelReferencesOf` return.
 */
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
      viewField(resources, { field, values, nested: nestedIn(field, view), lookup }),
    ]),
  )
}

/** A record as a client writes it, such as the body of a PUT that changes nothing. */
export const toInputValues = (
  { resource, values }: Pick<ResolvedRecord, 'resource' | 'values'>,
  view: ViewName,
): RecordValues =>
  Object.fromEntries(
    resource.inputFields
      .filter((field) => isVisible(field, values, view))
      .map((field) => [field.name, values[field.name] ?? unsetValue(field)]),
  )

/**
 * A private field is visible in the private view, and one that is private unless its record is
 * public while it is; some fields while they have a value.
 */
export const isVisible = (field: Field, values: RecordValues, view: ViewName): boolean =>
  (view === 'private' || !isPrivate(field, values)) &&
  (!field.leftOutIfUnset || valuesIn(field, values).length > 0)

/** Whether a field of a record is hidden from the public. */
export const isPrivate = (field: Field, values: RecordValues): boolean =>
  field.private === 'always' || (field.private === 'unlessPublic' && values.public === false)

/** What a view shows of that which a field refers to; undefined where it shows the value itself. */
export const nestedIn = (field: Field, view: ViewName): NestedFields | undefined =>
  view === 'list' ? field.nested?.list : field.nested?.detail

type FieldToView = {
  readonly field: Field
  readonly values: RecordValues
  /** The keys shown of what the field refers to; undefined where the value itself is shown. */
  readonly nested: NestedFields | undefined
  readonly lookup: RecordLookup
}

function viewField(
  resources: Resources,
  { field, values, nested, lookup }: FieldToView,
): RecordView[string] {
  if (!nested) return values[field.name] ?? unsetValue(field)
  const views = valuesIn(field, values).map((value) =>
    field.target
      ? viewReference(resources, { field, target: field.target, id: value, nested, lookup })
      : viewEntry(field, value, nested),
  )
  return field.repeatable ? views : (views[0] ?? '')
}

type ReferenceToView = Reference & {
  readonly field: Field
  readonly nested: NestedFields
  readonly lookup: RecordLookup
}

function viewReference(
  resources: Resources,
  { field, target, id, nested, lookup }: ReferenceToView,
): RecordView {
  const resource = resources[target]
  const referredValues = lookup({ target, id })
  const keys = referredValues ? nested : shownOfMissing(field, nested)
  const values = referredValues ?? { [resource.id.name]: id }
  return Object.fromEntries(
    keys.map((key) => {
      const [name, inner] = typeof key === 'string' ? [key] : key
      const innerField = resource.byName.get(name)
      return [
        name,
        innerField
          ? viewField(resources, { field: innerField, values, nested: inner, lookup })
          : '',
      ]
    }),
  )
}

/**
 * Of a record that was deleted, the identifier is shown, and the keys that lists show, all unset.
 */
export const shownOfMissing = (field: Field, nested: NestedFields): NestedFields =>
  nested.filter((key) => field.nested?.list.includes(key) ?? true)

export function viewEntry(field: Field, code: string, nested: NestedFields): RecordView {
  const entry = field.vocabulary?.find(code) ?? {
    code,
    label: '',
    uri: field.vocabulary?.concept(code).value ?? '',
  }
  return Object.fromEntries(Object.entries(entry).filter(([key]) => nested.includes(key)))
}

/** The records that a view of a record refers to directly. */
export function referencesOf(
  resource: Resource,
  values: RecordValues,
  view: ViewName,
): Reference[] {
  const references: Reference[] = []
  for (const field of resource.fields)
    if (field.target && (view !== 'list' || field.inLists))
      references.push(...referencesOfField(field, values))
  return references
}

/**
 * The references of the records that a record refers to, such as the creators of a held zine: all
 * of them, since other formats show more than JSON does. Lists show none. The lookup has to have
 * what `referencesOf` returns.
 */
export function secondLevelReferencesOf(
  resources: Resources,
  { resource, values, lookup }: ResolvedRecord,
  view: ViewName,
): Reference[] {
  if (view === 'list') return []
  return referencesOf(resource, values, view).flatMap((reference) => {
    const referredValues = lookup(reference)
    return referredValues ? referencesOf(resources[reference.target], referredValues, view) : []
  })
}

/** The records that one field refers to. */
export function referencesOfField(field: Field, values: RecordValues): Reference[] {
  const { target } = field
  return target ? valuesIn(field, values).map((id) => ({ target, id })) : []
}

/** The texts of a field, one or many, as a list; empty where it is unset. */
export function valuesIn(field: Field, values: RecordValues): readonly string[] {
  if (field.repeatable) return listValue(values, field.name)
  const value = textValue(values, field.name)
  return value === '' ? [] : [value]
}
