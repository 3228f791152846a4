// Writes the tables of a release, in SQLite and in Parquet, in a thread.

import { join } from 'node:path'

import { threadModule } from '../../../lib/package-files.js'
import { WorkerThread } from '../../../lib/worker-thread.js'
import { parquetName } from '../../../model/dataset-description.js'
import type { ResolvedRecord } from '../../../model/record/views.js'
import type { Resource, Resources } from '../../../model/resources.js'
import { parquetColumns, parquetSchema } from './parquet.js'
import { rowsAbout, sqliteEnd, sqliteRows, sqliteSchema } from './sqlite.js'
import type { TablesRequest } from './tables-worker.js'

type TablesOptions = {
  readonly directory: string
  readonly resources: Resources
  /** What the files say of the release, by name. */
  readonly about: Readonly<Record<string, string>>
}

export class ReleaseTables {
  readonly #options: TablesOptions
  readonly #thread = new WorkerThread<TablesRequest, true>({
    module: threadModule('features/dataset/releases/tables-worker.js'),
    heapMb: 256,
    timeoutMs: 600_000,
  })

  constructor(options: TablesOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    const { directory, resources, about } = this.#options
    const database = join(directory, 'catalogue.sqlite')
    await this.#thread.answer({ database, sql: sqliteSchema(resources) })
    await this.#thread.answer({ insert: [rowsAbout(about)] })
  }

  /** Call for each kind before its records are added. */
  async begin(resource: Resource): Promise<void> {
    const { directory, resources, about } = this.#options
    const file = join(directory, parquetName(resource.name))
    const schema = parquetSchema(resources, resource)
    await this.#thread.answer({ table: { file, schema, about } })
  }

  async add(resource: Resource, records: readonly ResolvedRecord[]): Promise<void> {
    const { resources } = this.#options
    await this.#thread.answer({
      insert: sqliteRows(resources, resource, records),
      columns: parquetColumns(resources, resource, records),
    })
  }

  /** The files are whole then. */
  async finish(): Promise<void> {
    await this.#thread.answer({ close: sqliteEnd(this.#options.resources) })
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}
