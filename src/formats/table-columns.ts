// The columns of records as a table, the same in CSV and XLSX: the input fields in the order of the
// model, and beside a reference the titles of the referred records (docs/reference/csv.md, "CSV").

import { titleColumn, writeCell } from '../model/record/csv-cells.js'
import { titleOfReference } from '../model/record/title.js'
import type { FieldValue } from '../model/record/values.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../model/record/views.js'
import type { Field, Resource, Resources } from '../model/resources.js'

export type TableColumn = {
  readonly name: string
  readonly field: Field
  /** It has the titles of the records that the field refers to, not the field itself. */
  readonly hasTitles: boolean
  /** What the cell has; null where the field is unset or may not be seen. */
  readonly valueOf: (record: ResolvedRecord) => FieldValue
  readonly cellOf: (record: ResolvedRecord) => string
}

/**
 * The columns of a resource: its fields, but for one that clients cannot write and few records have.
 * Private fields of records that are not public are empty cells.
 */
export const tableColumns = (resources: Resources, resource: Resource): readonly TableColumn[] =>
  columnsOfFields(resources, resource, (field) => field.private !== 'always')

/** The same with those for the staff. */
export const staffColumns = (resources: Resources, resource: Resource): readonly TableColumn[] =>
  columnsOfFields(resources, resource, () => true)

const columnsOfFields = (
  resources: Resources,
  resource: Resource,
  isShown: (field: Field) => boolean,
): readonly TableColumn[] =>
  resource.fields
    .filter((field) => isShown(field) && !(field.leftOutIfUnset && field.onRecordNode))
    .flatMap((field) => columnsOf(resources, field))

/**
 * The column of a field; for a reference, a second column with the titles of the referred records.
 */
function columnsOf(resources: Resources, field: Field): TableColumn[] {
  const valueOf = ({ values, forStaff }: ResolvedRecord): FieldValue => {
    const view = forStaff && field.private === 'always' ? 'private' : 'detail'
    return isVisible(field, values, view) ? (values[field.name] ?? null) : null
  }
  const fieldColumn = columnWith(valueOf, { name: field.name, field, hasTitles: false })
  const name = titleColumn(resources, field)
  if (name === undefined) return [fieldColumn]
  const titlesOf = ({ values, lookup }: ResolvedRecord): FieldValue => {
    const titles = referencesOfField(field, values).map((reference) =>
      titleOfReference(resources, lookup, reference),
    )
    return field.repeatable ? titles : (titles[0] ?? null)
  }
  return [fieldColumn, columnWith(titlesOf, { name, field, hasTitles: true })]
}

const columnWith = (
  valueOf: TableColumn['valueOf'],
  column: Pick<TableColumn, 'name' | 'field' | 'hasTitles'>,
): TableColumn => ({ ...column, valueOf, cellOf: (record) => writeCell(valueOf(record)) })
