// The records of a kind as a table in Parquet: the columns of the CSV, with lists where a field has
// several values (docs/reference/releases.md, "Parquet").

import type { SchemaElement } from 'hyparquet'

import type { FieldValue } from '../../../model/record/values.js'
import type { ResolvedRecord } from '../../../model/record/views.js'
import type { FieldKind, Resource, Resources } from '../../../model/resources.js'
import type { TableColumn } from '../../../formats/table-columns.js'
import { releaseColumns } from './release-columns.js'

/** A file that is to be written. */
export type ParquetTable = {
  readonly file: string
  readonly schema: readonly SchemaElement[]
  /** What the file says of itself. */
  readonly about: Readonly<Record<string, string>>
}

/** The columns of some rows, in the order of the schema. */
export type ParquetColumns = readonly { readonly name: string; readonly data: ParquetValue[] }[]

export type ParquetValue = string | bigint | boolean | Date | readonly string[] | null

export function parquetSchema(resources: Resources, resource: Resource): readonly SchemaElement[] {
  const columns = releaseColumns(resources, resource)
  return [
    { name: resource.name, num_children: columns.length },
    ...columns.flatMap((column) => elementsOf(column, column.field === resource.id)),
  ]
}

export const parquetColumns = (
  resources: Resources,
  resource: Resource,
  records: readonly ResolvedRecord[],
): ParquetColumns =>
  releaseColumns(resources, resource).map((column) => ({
    name: column.name,
    data: records.map((record) => parquetValue(column, column.valueOf(record))),
  }))

const text = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} as const

/** The types of values that are no text. */
const types: Partial<Record<FieldKind, Omit<SchemaElement, 'name'>>> = {
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
}

const typeOf = ({ field, hasTitles }: TableColumn) => (hasTitles ? undefined : types[field.kind])

function elementsOf(column: TableColumn, isRequired: boolean): readonly SchemaElement[] {
  const { name, field } = column
  if (!field.repeatable) {
    const repetition = isRequired ? 'REQUIRED' : 'OPTIONAL'
    return [{ name, repetition_type: repetition, ...(typeOf(column) ?? text) }]
  }
  // A list of its own has three levels (parquet-format, LogicalTypes.md, "Lists").
  const list = { converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 } as const
  return [
    { name, repetition_type: 'REQUIRED', ...list },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...text },
  ]
}

function parquetValue(column: TableColumn, value: FieldValue): ParquetValue {
  if (column.field.repeatable) return typeof value === 'object' ? (value ?? []) : []
  if (typeof value === 'number') return BigInt(value)
  if (value === null || value === '' || typeof value === 'object') return null
  // The cast: a time is a text.
  return typeOf(column) === types.time ? new Date(value as string) : value
}
