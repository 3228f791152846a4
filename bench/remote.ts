// Measures running services turn by turn, such as one over the embedded store beside a writer and readers over an
// engine: `node build/bench/remote.js --zines 200000 writer=http://127.0.0.1:8000#4711 reader=http://…#4712`. The number
// after # is the process, whose processor time is read from /proc. The first is the one that the others are compared
// with, and takes the writes. README.md, "Over an engine", has the steps.

import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

import { loadResources } from '../src/app/load-model.js'
import { type BenchRequest, type LoadResult, runLoad } from './client.js'
import { admin } from './processes.js'
import { createRandom } from './random.js'
import { median } from './report.js'
import { agentId, newZine, zineId } from './synthetic.js'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    zines: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'record,list,first,search' },
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '4' },
    /** How many writes a second arrive meanwhile at the first service, through which they go to the writer. */
    writes: { type: 'string', default: '0' },
    /** How many clients write them. */
    writers: { type: 'string', default: '16' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
})

const zines = Number(options.zines)
const random = createRandom(Number(options.seed))
const resources = await loadResources()
const services = positionals.map((text) => {
  const [, name = '', url = '', pid] = /^([^=]*)=([^#]*)(?:#(\d+))?$/.exec(text) ?? []
  return { name, url, pid }
})
const [first] = services
if (!first) throw new Error('name the services, such as writer=http://127.0.0.1:8000#4711')

const codes = (field: string): readonly string[] =>
  (resources.zines.byName.get(field)?.vocabulary?.entries ?? []).map(({ code }) => code)
const [subjects, genres] = [codes('subject'), codes('genre')]
const orders = ['title', '-title', 'created_at', '-updated_at', 'title,-created_at']

/** What is asked for; each makes the next request, which nobody asked for before. */
const cases: Readonly<Record<string, () => string>> = {
  record: () => `/api/zines/${zineId(random.between(0, zines - 1))}/`,
  list: () => `/api/zines/?page=${random.between(1, 40)}`,
  first: () => {
    const filter = random.chance(0.5)
      ? `subject=${random.pick(subjects)}`
      : `genre=${random.pick(genres)}&creator=${agentId(random.rank(zines / 5))}`
    return `/api/zines/?${filter}&ordering=${random.pick(orders)}&year__gte=${random.between(1900, 1990)}`
  },
  search: () => `/api/zines/?q=${encodeURIComponent(random.words(random.between(1, 2)))}`,
}

const load = { clients: Number(options.clients), milliseconds: Number(options.milliseconds) }
const writing = startWrites(first.url, Number(options.writes))
console.log('| case | process | requests/s | p50 ms | p95 ms | processor ms | × the first |')
console.log('|---|---|---|---|---|---|---|')
for (const name of options.only.split(',').filter(Boolean)) {
  const next = cases[name]
  if (!next) throw new Error(`unknown case ${name}`)
  const rounds: Measured[][] = services.map(() => [])
  for (let round = 0; round <= Number(options.rounds); round += 1)
    for (const [index, service] of services.entries()) {
      const measured = await measure(service, () => ({ path: next() }))
      // The first round warms up.
      if (round > 0) rounds[index]?.push(measured)
    }
  for (const [index, { name: process }] of services.entries()) {
    const own = rounds[index] ?? []
    const of = (value: (one: Measured) => number): number => median(own.map(value))
    const ratio = median(
      own.map((one, round) => one.perSecond / (rounds[0]?.[round]?.perSecond ?? NaN)),
    )
    const bad = own.flatMap(({ statuses }) => Object.keys(statuses)).filter((one) => one >= '300')
    console.log(
      `| ${name} | ${process} | ${of((one) => one.perSecond).toFixed(0)} | ${of((one) => one.p50).toFixed(1)} | ${of((one) => one.p95).toFixed(1)} | ${of((one) => one.cpu).toFixed(2)} | ${ratio.toFixed(2)} |${bad.join()}`,
    )
  }
}
const written = await writing.end()
if (written)
  console.log(
    `writes: ${written.perSecond.toFixed(0)}/s, p50 ${written.p50.toFixed(0)} ms, p95 ${written.p95.toFixed(0)} ms, ${JSON.stringify(written.statuses)}`,
  )
for (const { name, pid } of services)
  if (pid !== undefined)
    console.log(
      `${name}: ${(Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 2 ** 20).toFixed(2)} GiB`,
    )

type Measured = LoadResult & { readonly cpu: number }

async function measure(
  { url, pid }: { readonly url: string; readonly pid: string | undefined },
  next: () => BenchRequest,
): Promise<Measured> {
  const before = await processorMs(pid)
  const result = await runLoad(url, next, load)
  return { ...result, cpu: ((await processorMs(pid)) - before) / result.count }
}

/** The processor time of a process so far, in milliseconds. */
async function processorMs(pid: string | undefined): Promise<number> {
  if (pid === undefined) return NaN
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Creates and changes zines at a rate until it is ended. */
function startWrites(url: string, perSecond: number) {
  const ended = perSecond > 0 ? run() : Promise.resolve(undefined)
  let isEnded = false
  async function run(): Promise<LoadResult | undefined> {
    const response = await fetch(`${url}/api/auth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    const { token } = (await response.json()) as { readonly token: string }
    const headers = { authorization: `Token ${token}` }
    const own = createRandom(Date.now())
    const clients = Number(options.writers)
    let count = 0
    const write = (): BenchRequest => {
      count += 1
      const id = `remote-${options.seed}-${count}`
      return count % 2 === 0
        ? {
            method: 'POST',
            path: '/api/zines/',
            headers,
            body: JSON.stringify(newZine(own, id, resources, zines)),
          }
        : {
            method: 'PATCH',
            path: `/api/zines/${zineId(own.between(0, zines - 1))}/`,
            headers,
            body: JSON.stringify({ abstract: own.words(20) }),
          }
    }
    const results: LoadResult[] = []
    do results.push(await runLoad(url, write, { clients, milliseconds: 5000, perSecond }))
    while (!isEnded)
    return results[Math.floor(results.length / 2)]
  }
  return {
    end(): Promise<LoadResult | undefined> {
      isEnded = true
      return ended
    },
  }
}
