// The thread that writes an SQLite database. What is written: sqlite.ts.

import sqlite from 'node-sqlite3-wasm'

import { answerRequests } from '../../../lib/worker-thread.js'

export type SqlRows = { readonly sql: string; readonly rows: readonly (readonly SqlValue[])[] }

export type SqlValue = string | number | null

/** `sql` has several statements. */
export type SqlRequest =
  | { readonly open: string; readonly sql: string }
  | { readonly insert: readonly SqlRows[] }
  | { readonly close: string }

let database: InstanceType<typeof sqlite.Database> | undefined

answerRequests(function* (request: SqlRequest) {
  if ('open' in request) {
    database = new sqlite.Database(request.open)
    database.exec(request.sql)
  } else if (database === undefined) throw new Error('no database is open')
  else if ('insert' in request) insert(database, request.insert)
  else {
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
