// Makes a data directory with a synthetic catalogue and, beside it, the same as N-Triples for the bulk loader
// of an engine: `node build/bench/bulk.js ZINES DIRECTORY`. The writer that is started with the directory then finds the
// engine filled. README.md, "Over an engine", has the steps.

import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'

import { loadResources } from '../src/app/load-model.js'
import { remoteGraphs } from '../src/app/record-stores.js'
import { recordKey } from '../src/catalogue/records/record-cache.js'
import { dataFiles } from '../src/config.js'
import { createIris } from '../src/model/iris.js'
import { createRdfMapper } from '../src/model/record/rdf-mapper.js'
import { filterByGraph } from '../src/rdf/nquads.js'
import { type NamedNode, writeNQuads } from '../src/rdf/terms.js'
import { checkBaseUrl } from '../src/store/key-value/base-url.js'
import { type KeyValueWrite, openKeyValueStore } from '../src/lib/key-value/key-value-store.js'
import { catalogueIdKey, prefixes } from '../src/store/key-value/keys.js'
import { RecordLog, layout } from '../src/store/remote/record-log.js'
import { commitEntries } from '../src/store/remote/remote-state.js'
import { base } from './fixtures.js'
import { buildRecords } from './synthetic.js'

/** The number of records in a file, and in a batch of the key-value store. */
const sizes = { file: 50_000, batch: 1000 }

const [zines = '', directory = ''] = process.argv.slice(2)
const catalogue = `bench-${zines}`
const iris = createIris(base)
const graphs = remoteGraphs(iris)
const log = new RecordLog(graphs.records)
const [publicGraph = graphs.records] = graphs.shown

const startedAt = performance.now()
const bulk = join(directory, 'bulk')
await mkdir(bulk, { recursive: true })
const resources = await loadResources()
const mapper = createRdfMapper(iris)
const dataDir = join(directory, 'data')
await mkdir(dataDir, { recursive: true })
const store = await openKeyValueStore(dataFiles(dataDir).store)
await checkBaseUrl(store, base)
await store.write([{ key: catalogueIdKey, value: catalogue }, ...commitEntries(1)])

let batch: KeyValueWrite[] = []
let count = 0
let files = [openFile('public', publicGraph), openFile('records', graphs.records)] as const
for (const { reference, values } of buildRecords(Number(zines), resources)) {
  const key = recordKey(reference)
  const nquads = writeNQuads(mapper.toQuads(resources[reference.target], values))
  batch.push({ key: prefixes.records + key, value: nquads })
  await files[0].write(filterByGraph(nquads, [publicGraph]))
  const entry = log.entry(key, 1, filterByGraph(nquads, graphs.inEntries))
  await files[1].write(entry + log.part(key))
  count += 1
  if (batch.length === sizes.batch) {
    await store.write(batch)
    batch = []
  }
  if (count % sizes.file === 0) {
    for (const file of files) await file.end()
    files = [openFile('public', publicGraph), openFile('records', graphs.records)]
    process.stderr.write(`${count} records\n`)
  }
}
await store.write(batch)
await files[1].write(
  log.state('layout', layout) + log.state('catalogue', catalogue) + log.state('commit', '1'),
)
for (const file of files) await file.end()
await store.close()
const seconds = (performance.now() - startedAt) / 1000
process.stdout.write(`${count} records in ${seconds.toFixed(0)} s\n`)

/** A file of one graph, with the file that tells Virtuoso its name. */
function openFile(name: string, graph: NamedNode) {
  const path = join(bulk, `${name}-${String(Math.floor(count / sizes.file)).padStart(4, '0')}.nt`)
  const graphFile = writeFile(`${path}.graph`, `${graph.value}\n`)
  const stream = createWriteStream(path)
  const lineEnd = ` <${graph.value}> .\n`
  return {
    async write(nquads: string): Promise<void> {
      if (!stream.write(nquads.replaceAll(lineEnd, ' .\n'))) await once(stream, 'drain')
    },
    async end(): Promise<void> {
      stream.end()
      await once(stream, 'finish')
      await graphFile
    },
  }
}
