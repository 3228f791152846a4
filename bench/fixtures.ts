// Durable homes that hold a synthetic catalogue, as the service itself would have written them. They are
// kept in `bench/.cache/`, since a hundred thousand zines take a while, and copied for each run.

import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { recordKey } from '../src/catalogue/records/record-cache.js'
import { dataFiles } from '../src/config.js'
import { type ResourceName, createIris } from '../src/model/iris.js'
import type { Resources } from '../src/model/resources.js'
import { type RdfMapper, createRdfMapper } from '../src/model/record/rdf-mapper.js'
import { writeNQuads } from '../src/rdf/terms.js'
import { checkBaseUrl } from '../src/store/key-value/base-url.js'
import { prefixes } from '../src/store/key-value/keys.js'
import { type KeyValueWrite, openKeyValueStore } from '../src/store/key-value/key-value-store.js'
import { median } from './report.js'
import { countsOf, recordsOf } from './synthetic.js'

/** The base of the IRIs in the homes; it is that of `readResources`. */
export const base = 'http://localhost'

export type PreparedDirectory = {
  /** A data directory of its own, to be written to and removed. */
  readonly dataDir: string
  /** The number of quads of a record: of a typical one, than which half have fewer, and the mean. */
  readonly quads: Readonly<
    Record<ResourceName, { readonly typical: number; readonly mean: number }>
  >
  /** What the records take on the disk. */
  readonly bytes: number
  remove(): Promise<void>
}

/** Where they are kept, and the figures of the last run. */
export const cache = resolve('bench', '.cache')

/** A data directory with so many zines and what belongs to them. */
export async function prepareDirectory(
  zines: number,
  resources: Resources,
): Promise<PreparedDirectory> {
  const mapper = createRdfMapper(createIris(base))
  const kept = join(cache, `${zines}-${signature(zines, resources, mapper)}`)
  if (!(await exists(kept))) {
    process.stderr.write(`making a catalogue of ${zines} zines in ${kept}\n`)
    const draft = `${kept}.draft`
    await rm(draft, { recursive: true, force: true })
    await fill(draft, zines, resources, mapper)
    await rename(draft, kept)
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'zine-bench-'))
  await cp(kept, dataDir, { recursive: true })
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
  const home = await openKeyValueStore(dataFiles(directory).home)
  await checkBaseUrl(home, base)
  let entries: KeyValueWrite[] = []
  for (const entry of entriesOf(zines, resources, mapper)) {
    if (entries.push(entry) < 1000) continue
    await home.write(entries)
    entries = []
  }
  await home.write(entries)
  await home.close()
}

function* entriesOf(
  zines: number,
  resources: Resources,
  mapper: RdfMapper,
): Generator<KeyValueWrite> {
  for (const { reference, card } of recordsOf(zines, resources))
    yield {
      key: prefixes.records + recordKey(reference),
      value: writeNQuads(mapper.toQuads(resources[reference.target], card)),
    }
}

/** Changes with whatever would make the home another one. */
function signature(zines: number, resources: Resources, mapper: RdfMapper): string {
  const hash = createHash('sha256')
  let left = countsOf(zines).agents + 200
  for (const { key, value } of entriesOf(zines, resources, mapper)) {
    if ((left -= 1) < 0) break
    hash.update(`${key}\n${value}`)
  }
  return hash.digest('hex').slice(0, 12)
}

async function measure(dataDir: string): Promise<Pick<PreparedDirectory, 'quads' | 'bytes'>> {
  const home = await openKeyValueStore(dataFiles(dataDir).home)
  const quads = new Map<string, PreparedDirectory['quads'][ResourceName]>()
  let bytes = 0
  for (const name of Object.keys(countsOf(1))) {
    const counts: number[] = []
    for await (const [key, value] of home.entries(`${prefixes.records}${name}/`)) {
      counts.push(value.split('\n').length - 1)
      bytes += key.length + value.length
    }
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    quads.set(name, { typical: median(counts), mean })
  }
  await home.close()
  return { quads: Object.fromEntries(quads) as PreparedDirectory['quads'], bytes }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
