// The soak test: sends all kinds of requests to a service for an hour, or another time, and reports wrong
// responses and what grew meanwhile: memory, handles, response times. `npm run soak -- --help`.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { loadResources } from '../src/app/load-model.js'
import { base, prepareDirectory } from './fixtures.js'
import { type Service, startService } from './processes.js'
import { createRandom } from './random.js'
import { createClient } from './soak/http-client.js'
import { readIdentifiers, createWorkload } from './soak/workload.js'
import {
  type SoakInterval,
  formatTableHead,
  formatTableRow,
  findProblems,
  formatSlopes,
} from './soak/report.js'
import { createWriter } from './soak/writer.js'

const usage = `usage: npm run soak -- [--minutes 60] [--clients 8] [--rate 80] [--zines 2000] [--data DIR]
  --rate   requests per second, of all clients together
  --zines  the number of synthetic zines; other records are in proportion
  --data   a data directory to use instead; it is written to`

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    clients: { type: 'string', default: '8' },
    rate: { type: 'string', default: '80' },
    zines: { type: 'string', default: '2000' },
    data: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const minutes = Number(options.minutes)
const clients = Number(options.clients)

if (options.help) console.log(usage)
else process.exitCode = (await soak()) ? 0 : 1

async function soak(): Promise<boolean> {
  // The same default as that of `load`.
  if (options.data) return soakIn(options.data, process.env.BASE_URL ?? 'http://localhost:8000')
  const prepared = await prepareDirectory(Number(options.zines), await loadResources())
  try {
    return await soakIn(prepared.dataDir, base)
  } finally {
    await prepared.remove()
  }
}

async function soakIn(directory: string, baseUrl: string): Promise<boolean> {
  const env = { BASE_URL: baseUrl, SPARQL_TIMEOUT: '10' }
  const service = await startService(directory, { isCollecting: true, env })
  try {
    return await Promise.race([watch(service), service.ended])
  } finally {
    await service.end()
  }
}

async function watch(service: Service): Promise<boolean> {
  const client = createClient(service.url, service.token)
  const known = await readIdentifiers(client.call)
  const kinds = await createWorkload(client.call, known)
  const problems: string[] = []
  /** The response times by kind, in the current interval. */
  let times = new Map<string, number[]>()
  let requests = 0
  let running = 0
  let isPaused = false
  let isOver = false

  async function runClient(number: number): Promise<void> {
    const random = createRandom(number + 1)
    const intervalMs = (clients / Number(options.rate)) * 1000
    const writer = createWriter(client.call, number, known.agents[0] ?? '')
    while (!isOver) {
      if (isPaused) {
        await sleep(50)
        continue
      }
      const began = performance.now()
      const kind = random.pickWeighted(kinds)
      running += 1
      try {
        const { milliseconds, problem } = await kind.run(random, writer)
        times.set(kind.name, [...(times.get(kind.name) ?? []), milliseconds])
        if (problem) problems.push(`${kind.name}: ${problem}`)
      } catch (error) {
        problems.push(`${kind.name}: ${(error as Error).message}`)
      }
      running -= 1
      requests += 1
      await sleep(Math.max(0, intervalMs - (performance.now() - began)))
    }
  }

  /** Measures while no request is running and no connection is open. */
  async function takeSample(): Promise<SoakInterval['sample']> {
    isPaused = true
    while (running > 0) await sleep(50)
    client.closeConnections()
    await sleep(1000)
    const sample = await service.probe()
    isPaused = false
    return sample
  }

  const working = Array.from({ length: clients }, (_, number) => runClient(number))
  const rows: SoakInterval[] = []
  const end = performance.now() + minutes * 60_000
  // At least eight samples, in a short run too.
  const spanMs = Math.min(60_000, (minutes * 60_000) / 8)
  console.log(formatTableHead(kinds))
  while (performance.now() < end) {
    await sleep(spanMs)
    const before = times
    times = new Map()
    const row = {
      minute: minutes - (end - performance.now()) / 60_000,
      sample: await takeSample(),
      times: before,
    }
    rows.push(row)
    console.log(formatTableRow(kinds, row))
  }
  isOver = true
  await Promise.all(working)
  client.closeConnections()

  problems.push(...findProblems(rows))
  console.log(`\n${requests} requests, ${problems.length} problems`)
  console.log(formatSlopes(rows))
  for (const problem of problems.slice(0, 20)) console.log(problem)
  return problems.length === 0
}
