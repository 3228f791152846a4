// How much memory the record index and the index of names take for a synthetic catalogue of any size, without a store or a
// service: `node --expose-gc build/bench/index-memory.js ZINES`. Then how long lists and searches take that were not asked
// for before, by processor time, and two hundred searches for any one or two words. README.md, "The index alone".

import { loadResources } from '../src/app/load-model.js'
import { MemoryRecordIndex } from '../src/catalogue/index/memory-record-index.js'
import { createRecordNames } from '../src/catalogue/index/record-names.js'
import { buildListSpec } from '../src/catalogue/lists.js'
import { recordKey } from '../src/catalogue/records/record-cache.js'
import { type ResourceName, createIris } from '../src/model/iris.js'
import { createRdfMapper } from '../src/model/record/rdf-mapper.js'
import { writeNQuads } from '../src/rdf/terms.js'
import { base } from './fixtures.js'
import { createRandom } from './random.js'
import { quantile } from './report.js'
import { buildRecords } from './synthetic.js'

type AskedList = {
  readonly name: ResourceName
  readonly filter?: readonly [name: string, value: string]
  readonly search?: string
  readonly q?: string
  readonly ordering?: readonly string[]
}

const lists: readonly AskedList[] = [
  { name: 'zines' },
  { name: 'zines', ordering: ['title'] },
  { name: 'zines', filter: ['language', 'en'], ordering: ['-title'] },
  { name: 'zines', filter: ['creator', 'agent-3'], ordering: ['title'] },
  { name: 'holdings', filter: ['repository_id', 'repository-1'], ordering: ['call_number'] },
]
const searches: readonly AskedList[] = [
  { name: 'zines', search: 'marmalade' },
  { name: 'zines', search: 'bicycle' },
  { name: 'zines', search: 'e' },
  { name: 'zines', q: 'marmalade' },
  { name: 'zines', q: 'bicycle music' },
  { name: 'zines', q: 'the zine' },
  { name: 'zines', q: 'marmelade' },
  { name: 'agents', q: 'music' },
]

const zines = Number(process.argv[2])
const resources = await loadResources()
const iris = createIris(base)
const mapper = createRdfMapper(iris)
const model = { iris, resources, mapper }
const index = new MemoryRecordIndex(model)
const names = createRecordNames(model)

print('without records')
const startedAt = process.cpuUsage()
let count = 0
for (const { reference, values } of buildRecords(zines, resources)) {
  const nquads = writeNQuads(mapper.toQuads(resources[reference.target], values))
  const key = recordKey(reference)
  index.add(key, nquads)
  names.add(key, nquads)
  count += 1
  if (count % 500_000 === 0) print(`${count} records added`)
}
print(`${count} records added`)
await index.build()
await names.build()
print(
  `both built, after ${secondsSince(startedAt).toFixed(0)} s of processor time with making the records`,
)
for (const asked of [...lists, ...searches]) await ask(asked)
await askForAnyWords()
print('after lists and searches')

async function ask(asked: AskedList): Promise<void> {
  const { name, filter, search = '', q, ordering = [] } = asked
  const before = process.cpuUsage()
  const { found, milliseconds } = await find(asked)
  const what = [name, filter?.join('='), search && `search=${search}`, q && `q=${q}`, ...ordering]
  process.stdout.write(
    `${what.filter(Boolean).join(' ')}: ${found.count} found, ${(1000 * secondsSince(before)).toFixed(1)} ms of processor time, ${milliseconds.toFixed(1)} ms\n`,
  )
}

async function find({ name, filter, search = '', q, ordering = [] }: AskedList) {
  const query = {
    filters: new Map(filter ? [filter] : []),
    search,
    ordering,
    ...(q === undefined ? {} : { q }),
  }
  const listSpec = buildListSpec(resources[name], query, model)
  const startedAt = performance.now()
  const found = await index.page(listSpec, { limit: 25, offset: 0 })
  return { found, milliseconds: performance.now() - startedAt }
}

async function askForAnyWords(): Promise<void> {
  const random = createRandom(5)
  const times: number[] = []
  while (times.length < 200) {
    const q = random.words(random.between(1, 2))
    times.push((await find({ name: 'zines', q })).milliseconds)
  }
  times.sort((a, b) => a - b)
  const [median, late] = [0.5, 0.95].map((part) => quantile(times, part).toFixed(1))
  process.stdout.write(`q of any one or two words: p50 ${median}, p95 ${late} ms\n`)
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function print(what: string): void {
  for (let round = 0; round < 2; round += 1) globalThis.gc?.()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  const [heap, buffers, resident] = [heapUsed, arrayBuffers, rss].map((bytes) =>
    Math.round(bytes / 2 ** 20),
  )
  process.stdout.write(`${what}: heap ${heap}, buffers ${buffers}, resident ${resident} MiB\n`)
}
