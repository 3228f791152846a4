// Reads a real collection for the benchmarks: the records of a directory with zines.jsonl, agents.jsonl,
// repositories.jsonl and holdings.jsonl, and its own vocabularies. They are put into an index in memory, or into a
// service.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { loadModel } from '../src/app/load-model.js'
import { MemoryRecordIndex } from '../src/catalogue/index/memory-record-index.js'
import { dataFiles } from '../src/config.js'
import { resourceNames } from '../src/model/iris.js'
import type { RecordValues } from '../src/model/record/values.js'
import { writeNQuads } from '../src/rdf/terms.js'
import { base } from './fixtures.js'
import { startService } from './processes.js'

export type Collection = Awaited<ReturnType<typeof openCollection>>

export const hasCollection = (directory: string): boolean =>
  directory !== '' && existsSync(join(directory, 'zines.jsonl'))

export async function openCollection(directory: string) {
  const dataDir = await createDataDirectory(directory)
  const model = await loadModel({ baseUrl: 'https://zines.example', dataDir })
  await rm(dataDir, { recursive: true })

  const { iris, resources, mapper, declared } = model
  const recordIndex = new MemoryRecordIndex({ iris, resources, mapper })
  const records = { zines: [], agents: [], repositories: [], holdings: [] } as Records
  let time = Date.parse('2026-01-01T00:00:00Z')
  for (const name of resourceNames)
    for (const record of await readLines(join(directory, `${name}.jsonl`))) {
      time += 1000
      const at = new Date(time).toISOString().replace('Z', '000Z')
      const values = { ...record, created_at: at, updated_at: at }
      const id = String(record[resources[name].id.name])
      records[name].push(values)
      recordIndex.add(`${name}/${id}`, writeNQuads(mapper.toQuads(resources[name], values)))
    }
  await recordIndex.build()
  return { recordIndex, records, resources, mapper, vocabularies: declared.named }
}

/** Starts a service with the collection, whose data are removed at its end. */
export async function startCollectionService(directory: string) {
  const dataDir = await createDataDirectory(directory)
  const files = ['agents', 'repositories', 'zines', 'holdings']
    .map((name) => join(directory, `${name}.jsonl`))
    .filter((file) => existsSync(file))
  const program = fileURLToPath(new URL('../src/main.js', import.meta.url))
  await promisify(execFile)(process.execPath, [program, 'load', ...files], {
    env: { ...process.env, DATA_DIR: dataDir, BASE_URL: base },
  })
  const service = await startService(dataDir, { env: { BASE_URL: base, LOG_LEVEL: 'warn' } })
  return {
    url: service.url,
    async end() {
      await service.end()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** A data directory with the terms of the collection. */
async function createDataDirectory(directory: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'collection-'))
  const { vocabularies } = dataFiles(dataDir)
  await mkdir(vocabularies, { recursive: true })
  for (const file of ['subjects.ttl', 'genres.ttl'])
    if (existsSync(join(directory, file)))
      await copyFile(join(directory, file), join(vocabularies, file))
  return dataDir
}

type Records = Record<(typeof resourceNames)[number], RecordValues[]>

async function readLines(file: string): Promise<RecordValues[]> {
  if (!existsSync(file)) return []
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  // The cast: the files have records as the API takes them.
  return lines.map((line) => JSON.parse(line) as RecordValues)
}
