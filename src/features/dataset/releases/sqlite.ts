// The records as an SQLite database: a table for each kind, one more for each field with several
// values, and an index of words for each kind (docs/reference/releases.md, "SQLite").

import type { ResolvedRecord } from '../../../model/record/views.js'
import type { Field, Resource, Resources } from '../../../model/resources.js'
import type { TableColumn } from '../../../formats/table-columns.js'
import { releaseColumns } from './release-columns.js'

/** A statement, and the values of each time that it is run. */
export type SqlRows = { readonly sql: string; readonly rows: readonly (readonly SqlValue[])[] }

type SqlValue = string | number | null

/** The columns of the table of a kind. */
const mainColumns = (resources: Resources, resource: Resource): readonly TableColumn[] =>
  releaseColumns(resources, resource).filter(
    ({ field, hasTitles }) => hasTitles || !field.repeatable,
  )

const repeatedColumns = (resources: Resources, resource: Resource): readonly TableColumn[] =>
  releaseColumns(resources, resource).filter(
    ({ field, hasTitles }) => !hasTitles && field.repeatable,
  )

/** The statements that make the tables. */
export function sqliteSchema(resources: Resources): string {
  const tables = Object.values(resources).flatMap((resource) => [
    table(
      resource.name,
      mainColumns(resources, resource).map((column) => columnOf(resources, resource, column)),
    ),
    ...repeatedColumns(resources, resource).flatMap(({ field }) =>
      tableOfValues(resources, resource, field),
    ),
  ])
  const statements = [
    // A file that is not finished is thrown away, and a finished one is written to the disk.
    'PRAGMA journal_mode = OFF',
    // Tables are filled one after the other, and what a reference names may be deleted.
    'PRAGMA foreign_keys = OFF',
    'PRAGMA synchronous = OFF',
    'PRAGMA locking_mode = EXCLUSIVE',
    'BEGIN',
    table('catalogue', ['name TEXT PRIMARY KEY', 'value TEXT']),
    ...tables,
  ]
  return `${statements.join(';\n')};`
}

/** The row of the table `catalogue` for each name. */
export const rowsAbout = (about: Readonly<Record<string, string>>): SqlRows => ({
  sql: insertInto('catalogue', 2),
  rows: Object.entries(about),
})

const table = (name: string, columns: readonly string[], end = ''): string =>
  `CREATE TABLE ${quoted(name)} (\n  ${columns.join(',\n  ')}\n)${end}`

function columnOf(
  resources: Resources,
  resource: Resource,
  { name, field, hasTitles }: TableColumn,
): string {
  if (hasTitles) return `${quoted(name)} TEXT`
  const isNumber = field.kind === 'integer' || field.kind === 'boolean'
  const type = isNumber ? 'INTEGER' : 'TEXT'
  const key = field === resource.id ? ' PRIMARY KEY' : ''
  return `${quoted(name)} ${type}${key}${referenceOf(resources, field)}`
}

/** A reference is a link for programs; nothing checks that the record exists. */
const referenceOf = (resources: Resources, { target }: Field): string =>
  target === undefined ? '' : ` REFERENCES ${quoted(target)} (${quoted(resources[target].id.name)})`

function tableOfValues(resources: Resources, resource: Resource, field: Field): readonly string[] {
  const name = tableName(resource, field)
  const id = quoted(resource.id.name)
  const columns = [
    `${id} TEXT NOT NULL REFERENCES ${quoted(resource.name)} (${id})`,
    'position INTEGER NOT NULL',
    `value TEXT NOT NULL${referenceOf(resources, field)}`,
    ...(field.vocabulary ? ['label TEXT'] : []),
    `PRIMARY KEY (${id}, position)`,
  ]
  return [
    table(name, columns, ' WITHOUT ROWID'),
    `CREATE INDEX ${quoted(`${name}_value`)} ON ${quoted(name)} (value)`,
  ]
}

const tableName = (resource: Resource, field: Field): string => `${resource.name}_${field.name}`

/** The statements that complete the database. */
export const sqliteEnd = (resources: Resources): string =>
  [
    ...Object.values(resources).flatMap((resource) => wordIndex(resources, resource)),
    'COMMIT',
    'ANALYZE',
  ].join(';\n')

/** The statements that make and fill the index of words of a kind, as Datasette looks for it. */
function wordIndex(resources: Resources, resource: Resource): readonly string[] {
  const words = mainColumns(resources, resource)
    .filter(({ field, hasTitles }) => hasTitles || field.kind === 'text')
    .map(({ name }) => quoted(name))
  const name = quoted(`${resource.name}_fts`)
  return [
    `CREATE VIRTUAL TABLE ${name} USING FTS5 (${words.join(', ')}, content=${quoted(resource.name)}, tokenize='unicode61 remove_diacritics 2')`,
    `INSERT INTO ${name} (${name}) VALUES ('rebuild')`,
  ]
}

/** The rows of records of a kind, in all its tables. */
export function sqliteRows(
  resources: Resources,
  resource: Resource,
  records: readonly ResolvedRecord[],
): readonly SqlRows[] {
  const columns = mainColumns(resources, resource)
  return [
    {
      sql: insertInto(resource.name, columns.length),
      rows: records.map((record) => columns.map((column) => sqlValueOf(column, record))),
    },
    ...repeatedColumns(resources, resource).map((column) => ({
      sql: insertInto(tableName(resource, column.field), column.field.vocabulary ? 4 : 3),
      rows: records.flatMap((record) => valuesOf(resource, column, record)),
    })),
  ]
}

const insertInto = (name: string, count: number): string =>
  `INSERT INTO ${quoted(name)} VALUES (${Array.from({ length: count }, () => '?').join(', ')})`

function sqlValueOf({ hasTitles, cellOf, valueOf }: TableColumn, record: ResolvedRecord): SqlValue {
  const value = hasTitles ? cellOf(record) : valueOf(record)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function valuesOf(
  resource: Resource,
  { field, valueOf }: TableColumn,
  record: ResolvedRecord,
): readonly (readonly SqlValue[])[] {
  const id = record.values[resource.id.name]
  // The casts: an identifier is a text, and a repeatable field has texts.
  return ((valueOf(record) ?? []) as readonly string[]).map((value, at) => [
    id as string,
    at + 1,
    value,
    ...(field.vocabulary ? [field.vocabulary.find(value)?.label ?? null] : []),
  ])
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
