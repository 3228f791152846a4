// Edits that are made to many records at once: what is added to, removed from or replaced in a
// field, or set in it. They are turned here into the fields that a record is sent to get.

import type { FieldValue, RecordValues } from '../../model/record/values.js'
import { reasonOf, visibilityNames, visibilityOf } from '../../model/record/visibility.js'
import { listValue } from '../../model/record/values.js'
import { type Field, type Resource, unsetValue } from '../../model/resources.js'
import { isSameValue } from '../history/value-differences.js'
import type { RequestBody } from './planned-writes.js'

/** What is done to one field: `remove`, `replace` and `add` change a list, in this order. */
export type FieldEdit =
  | { readonly set: unknown }
  | { readonly clear: true }
  | {
      readonly add: readonly string[]
      readonly remove: readonly string[]
      /** New values by old ones. */
      readonly replace: ReadonlyMap<string, string>
    }

/** Edits by the name of the field. */
export type FieldEdits = ReadonlyMap<string, FieldEdit>

/**
 * The fields that the edits change in a record, with the values to be sent; none if nothing
 * changes.
 */
export function applyEdits(
  resource: Resource,
  values: RecordValues,
  edits: FieldEdits,
): RequestBody {
  const sent = [...edits].flatMap(([name, edit]) => {
    if (visibilityNames.includes(name))
      return 'set' in edit && !isVisibility(values, name, edit.set)
        ? [[name, edit.set] as const]
        : []
    const field = resource.byName.get(name)
    const value = field && applyEdit(field, values, edit)
    // What is set may be any JSON; only a value of the field's own type can be the same.
    const isSame = isSameValue(values[name], value as FieldValue)
    return field && !isSame ? [[name, value] as const] : []
  })
  return new Map(sent)
}

/** Whether the visibility of a record, or the reason for it, is this already. */
const isVisibility = (values: RecordValues, name: string, value: unknown): boolean =>
  value === (name === 'visibility' ? visibilityOf(values) : reasonOf(values))

function applyEdit(field: Field, values: RecordValues, edit: FieldEdit): unknown {
  if ('set' in edit) return edit.set
  if ('clear' in edit) return field.defaultValue ?? unsetValue(field)
  const { add, remove, replace } = edit
  const items = listValue(values, field.name)
    .filter((item) => !remove.includes(item))
    .map((item) => replace.get(item) ?? item)
  return [...new Set([...items, ...add])]
}
