// The thread that writes the tables of a release: an SQLite database, and a Parquet file for each
// kind. What is written: sqlite.ts, parquet.ts.

import { ParquetWriter, fileWriter } from 'hyparquet-writer'
import sqlite from 'node-sqlite3-wasm'

import { answerRequests } from '../../../lib/worker-thread.js'
import type { ParquetColumns, ParquetTable, ParquetValue } from './parquet.js'
import type { SqlRows } from './sqlite.js'

/** `sql` has several statements. */
export type TablesRequest =
  | { readonly database: string; readonly sql: string }
  | { readonly insert: readonly SqlRows[] }
  /** Begins a Parquet file. One is written at a time. */
  | { readonly table: ParquetTable }
  | { readonly insert: readonly SqlRows[]; readonly columns: ParquetColumns }
  | { readonly close: string }

let database: InstanceType<typeof sqlite.Database> | undefined
let table: TableFile | undefined

answerRequests(function* (request: TablesRequest) {
  if ('database' in request) {
    database = new sqlite.Database(request.database)
    database.exec(request.sql)
  } else if ('table' in request) {
    table?.finish()
    table = new TableFile(request.table)
  } else if (database === undefined) throw new Error('no database is open')
  else if ('insert' in request) {
    insert(database, request.insert)
    if ('columns' in request) table?.add(request.columns)
  } else {
    table?.finish()
    table = undefined
    database.exec(request.close)
    database.close()
    database = undefined
  }
  yield true
})

function insert(into: InstanceType<typeof sqlite.Database>, inserts: readonly SqlRows[]): void {
  for (const { sql, rows } of inserts) {
    const statement = into.prepare(sql)
    for (const row of rows) statement.run([...row])
    statement.finalize()
  }
}

/** A row group has at most this many rows, or characters and a batch more. */
const groupLimits = { rows: 10_000, characters: 8_000_000 }

/** A Parquet file that is being written. Rows are kept until they are a row group. */
class TableFile {
  readonly #writer: ParquetWriter
  #columns: Map<string, ParquetValue[]>
  #rows = 0
  #characters = 0

  constructor({ file, schema, about }: ParquetTable) {
    this.#writer = new ParquetWriter({
      writer: fileWriter(file),
      schema: [...schema],
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
      createdBy: 'zine-catalogue',
    })
    this.#columns = new Map()
  }

  add(columns: ParquetColumns): void {
    for (const { name, data } of columns) {
      const column = this.#columns.get(name)
      if (column) column.push(...data)
      else this.#columns.set(name, data)
      for (const value of data) this.#characters += sizeOf(value)
    }
    this.#rows += columns[0]?.data.length ?? 0
    if (this.#rows >= groupLimits.rows || this.#characters >= groupLimits.characters)
      this.#writeGroup()
  }

  finish(): void {
    this.#writeGroup()
    void this.#writer.finish()
  }

  #writeGroup(): void {
    const columnData = [...this.#columns].map(([name, data]) => ({ name, data }))
    // It has no promise where its file is written at once.
    if (this.#rows > 0) void this.#writer.write({ columnData, rowGroupSize: this.#rows })
    this.#columns = new Map()
    this.#rows = 0
    this.#characters = 0
  }
}

function sizeOf(value: ParquetValue): number {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object' || value instanceof Date) return 0
  return value.reduce((sum, { length }) => sum + length, 0)
}
