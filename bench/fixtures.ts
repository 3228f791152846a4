// Makes data directories with a synthetic catalogue, as the service itself would have written them. They
// are cached in `bench/.cache/`, since a hundred thousand zines take a while, and copied for each run.
// The records: synthetic.ts.

import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { derivationEntry } from '../src/store/key-value/data-version.js'
import { recordKey } from '../src/catalogue/records/record-cache.js'
import { dataFiles } from '../src/config.js'
import { type ResourceName, createIris } from '../src/model/iris.js'
import type { Resources } from '../src/model/resources.js'
import { type RdfMapper, createRdfMapper } from '../src/model/record/rdf-mapper.js'
import { writeNQuads } from '../src/rdf/terms.js'
import { checkBaseUrl } from '../src/store/key-value/base-url.js'
import { prefixes } from '../src/store/key-value/keys.js'
import { type KeyValueWrite, openKeyValueStore } from '../src/lib/key-value/key-value-store.js'
import { median } from './report.js'
import { countsOf, buildRecords } from './synthetic.js'

/** The base URL of the records, which is that of `loadResources`. */
export const base = 'http://localhost'

export type PreparedDirectory = {
  /** A copy, which may be written to. */
  readonly dataDir: string
  /** The number of quads of a record: `typical` is the median. */
  readonly quads: Readonly<
    Record<ResourceName, { readonly typical: number; readonly mean: number }>
  >
  /** The size of all records as N-Quads. */
  readonly bytes: number
  remove(): Promise<void>
}

/** Has the data directories, and the figures of the last run. */
export const cacheDirectory = resolve('bench', '.cache')

/** A data directory with so many zines, and agents, repositories and holdings in proportion. */
export async function prepareDirectory(
  zines: number,
  resources: Resources,
): Promise<PreparedDirectory> {
  const mapper = createRdfMapper(createIris(base))
  const cached = join(cacheDirectory, `${zines}-${signature(zines, resources, mapper)}`)
  if (!(await exists(cached))) {
    process.stderr.write(`making a catalogue of ${zines} zines in ${cached}\n`)
    const unfinished = `${cached}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await fill(unfinished, zines, resources, mapper)
    await rename(unfinished, cached)
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-bench-'))
  await cp(cached, dataDir, { recursive: true })
  return {
    dataDir,
    ...(await measure(dataDir)),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

async function fill(
  directory: string,
  zines: number,
  resources: Resources,
  mapper: RdfMapper,
): Promise<void> {
  await mkdir(directory, { recursive: true })
  const store = await openKeyValueStore(dataFiles(directory).store)
  await checkBaseUrl(store, base)
  let batch: KeyValueWrite[] = []
  for (const entry of buildEntries(zines, resources, mapper)) {
    if (batch.push(entry) < 1000) continue
    await store.write(batch)
    batch = []
  }
  await store.write(batch)
  await store.close()
}

function* buildEntries(
  zines: number,
  resources: Resources,
  mapper: RdfMapper,
): Generator<KeyValueWrite> {
  for (const { reference, values } of buildRecords(zines, resources))
    yield {
      key: prefixes.records + recordKey(reference),
      value: writeNQuads(mapper.toQuads(resources[reference.target], values)),
    }
}

/** Changes when the same number of zines would give other entries. */
function signature(zines: number, resources: Resources, mapper: RdfMapper): string {
  const hash = createHash('sha256').update(JSON.stringify(derivationEntry))
  let remaining = countsOf(zines).agents + 200
  for (const { key, value } of buildEntries(zines, resources, mapper)) {
    if ((remaining -= 1) < 0) break
    hash.update(`${key}\n${value}`)
  }
  return hash.digest('hex').slice(0, 12)
}

async function measure(dataDir: string): Promise<Pick<PreparedDirectory, 'quads' | 'bytes'>> {
  const store = await openKeyValueStore(dataFiles(dataDir).store)
  const quads = new Map<string, PreparedDirectory['quads'][ResourceName]>()
  let bytes = 0
  for (const name of Object.keys(countsOf(1))) {
    const counts: number[] = []
    for await (const [key, value] of store.entries(`${prefixes.records}${name}/`)) {
      counts.push(value.split('\n').length - 1)
      bytes += key.length + value.length
    }
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    quads.set(name, { typical: median(counts), mean })
  }
  await store.close()
  return { quads: Object.fromEntries(quads) as PreparedDirectory['quads'], bytes }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
