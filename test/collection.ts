// A real collection for tests: COLLECTION_FILES names a folder with agents.jsonl, repositories.jsonl, zines.jsonl,
// holdings.jsonl and, where it has its own terms, subjects.ttl and genres.ttl. It is not part of the repository.

import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import type { TestService } from './service.js'

const folder = process.env.COLLECTION_FILES ?? ''

export const hasCollection = folder !== '' && existsSync(join(folder, 'agents.jsonl'))

/** The records of a kind. */
export async function readCollection<Line extends object>(kind: string): Promise<readonly Line[]> {
  const text = await readFile(join(folder, `${kind}.jsonl`), 'utf8')
  // The cast: the collection was made for this catalogue.
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** A data directory with the terms of the collection, for the service that gets its records. */
export async function createCollectionDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  await mkdir(join(dataDir, 'vocabularies'), { recursive: true })
  for (const name of ['subjects.ttl', 'genres.ttl'])
    if (existsSync(join(folder, name)))
      await copyFile(join(folder, name), join(dataDir, 'vocabularies', name))
  return dataDir
}

const batchSize = 1000

/** Creates records of one kind. */
export async function createRecords(
  service: TestService,
  kind: string,
  records: readonly object[],
): Promise<void> {
  for (let start = 0; start < records.length; start += batchSize) {
    const lines = records
      .slice(start, start + batchSize)
      .map((body) => JSON.stringify({ op: 'create', kind, body }))
    const { status, text } = await service.ask('POST', '/api/batches/?mode=each', {
      raw: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(status, text.slice(0, 500)).to.equal(200)
  }
}
