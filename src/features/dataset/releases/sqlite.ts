// The records as an SQLite database: a table for each kind, one more for each field with several
// values, and an index of words for each kind (docs/reference/releases.md, "SQLite").

import { isVisible } from '../../../model/record/views.js'
import type { ResolvedRecord } from '../../../model/record/views.js'
import type { FieldValue } from '../../../model/record/values.js'
import type { Field, Resource, Resources } from '../../../model/resources.js'
import { threadModule } from '../../../lib/package-files.js'
import { WorkerThread } from '../../../lib/worker-thread.js'
import type { TableColumn } from '../../../formats/table-columns.js'
import { releaseColumns } from './release-columns.js'
import type { SqlRequest, SqlRows, SqlValue } from './sqlite-worker.js'

/** A database that is being written. */
export type SqliteWriter = {
  add(resource: Resource, records: readonly ResolvedRecord[]): Promise<void>
  /** The file is whole then. */
  finish(): Promise<void>
  /** Ends the thread. */
  close(): Promise<void>
}

/** @param about what the table `catalogue` says, by name */
export async function writeSqlite(
  file: string,
  resources: Resources,
  about: Readonly<Record<string, string>>,
): Promise<SqliteWriter> {
  const thread = new WorkerThread<SqlRequest, true>({
    module: threadModule('features/dataset/releases/sqlite-worker.js'),
    heapMb: 256,
    timeoutMs: 600_000,
  })
  const kinds = Object.values(resources)
  await thread.answer({ open: file, sql: schemaOf(resources) })
  const sql = 'INSERT INTO catalogue VALUES (?, ?)'
  await thread.answer({ insert: [{ sql, rows: Object.entries(about) }] })
  return {
    async add(resource, records) {
      await thread.answer({ insert: rowsOf(resources, resource, records) })
    },
    async finish() {
      const close = kinds.flatMap((resource) => wordIndex(resources, resource))
      await thread.answer({ close: `${close.join(';\n')};\nCOMMIT;\nANALYZE` })
    },
    close: () => thread.close(),
  }
}

/** The columns of the table of a kind. */
const mainColumns = (resources: Resources, resource: Resource): readonly TableColumn[] =>
  releaseColumns(resources, resource).filter(
    ({ field, hasTitles }) => hasTitles || !field.repeatable,
  )

const repeatedFields = (resource: Resource, resources: Resources): readonly Field[] =>
  releaseColumns(resources, resource)
    .filter(({ field, hasTitles }) => !hasTitles && field.repeatable)
    .map(({ field }) => field)

const schemaOf = (resources: Resources): string => {
  const tables = Object.values(resources).flatMap((resource) => [
    table(
      resource.name,
      mainColumns(resources, resource).map((column) => columnOf(resources, resource, column)),
    ),
    ...repeatedFields(resource, resources).flatMap((field) =>
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

function rowsOf(
  resources: Resources,
  resource: Resource,
  records: readonly ResolvedRecord[],
): readonly SqlRows[] {
  const columns = mainColumns(resources, resource)
  return [
    {
      sql: insertInto(resource.name, columns.length),
      rows: records.map((record) => columns.map((column) => valueOf(column, record))),
    },
    ...repeatedFields(resource, resources).map((field) => ({
      sql: insertInto(tableName(resource, field), field.vocabulary ? 4 : 3),
      rows: records.flatMap((record) => valuesOf(resource, field, record)),
    })),
  ]
}

const insertInto = (name: string, count: number): string =>
  `INSERT INTO ${quoted(name)} VALUES (${Array.from({ length: count }, () => '?').join(', ')})`

function valueOf({ field, hasTitles, cellOf }: TableColumn, record: ResolvedRecord): SqlValue {
  const value = hasTitles ? cellOf(record) : visibleValue(field, record)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function valuesOf(
  resource: Resource,
  field: Field,
  record: ResolvedRecord,
): readonly (readonly SqlValue[])[] {
  const id = record.values[resource.id.name]
  const values = visibleValue(field, record)
  // The casts: an identifier is a text, and a repeatable field has texts.
  return ((values ?? []) as readonly string[]).map((value, at) => [
    id as string,
    at + 1,
    value,
    ...(field.vocabulary ? [field.vocabulary.find(value)?.label ?? null] : []),
  ])
}

const visibleValue = (field: Field, { values }: ResolvedRecord): FieldValue =>
  isVisible(field, values, 'detail') ? (values[field.name] ?? null) : null

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
