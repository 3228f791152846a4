// Keeps a service busy with all that it can be asked, for an hour unless told otherwise, and says
// whether it is at the end what it was at the start: in memory, in handles, in how fast it answers,
// and in what it answers. `npm run soak -- --help`.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { loadResources } from '../src/app/load-model.js'
import { base, prepareDirectory } from './fixtures.js'
import { type Service, startService } from './processes.js'
import { randomFrom } from './random.js'
import { createClient } from './soak/http-client.js'
import { identifiersAt, kindsOf } from './soak/workload.js'
import { type Row, headOf, lineOf, problemsIn, slopesIn } from './soak/report.js'
import { writerOf } from './soak/writer.js'

const usage = `usage: npm run soak -- [--minutes 60] [--clients 8] [--rate 80] [--zines 2000] [--data DIR]
  --rate   requests a second in all
  --zines  how many synthetic zines there are, with what belongs to them
  --data   a data directory to use in their place; it is written to`

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
  // As a load without one says.
  if (options.data) return soakIn(options.data, process.env.BASE_URL ?? 'http://localhost:8000')
  const filled = await prepareDirectory(Number(options.zines), await loadResources())
  try {
    return await soakIn(filled.dataDir, base)
  } finally {
    await filled.remove()
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
  const caller = createClient(service.url, service.token)
  const known = await identifiersAt(caller.call)
  const kinds = await kindsOf(caller.call, known)
  const problems: string[] = []
  /** How long each request took, by kind, in the minute that is under way. */
  let times = new Map<string, number[]>()
  let asked = 0
  let underWay = 0
  let isPaused = false
  let isOver = false

  async function client(number: number): Promise<void> {
    const random = randomFrom(number + 1)
    const pause = (clients / Number(options.rate)) * 1000
    const own = writerOf(caller.call, number, known.agents[0] ?? '')
    while (!isOver) {
      if (isPaused) {
        await sleep(50)
        continue
      }
      const began = performance.now()
      const kind = random.weigh(kinds)
      underWay += 1
      try {
        const { milliseconds, problem } = await kind.ask(random, own)
        times.set(kind.name, [...(times.get(kind.name) ?? []), milliseconds])
        if (problem) problems.push(`${kind.name}: ${problem}`)
      } catch (error) {
        problems.push(`${kind.name}: ${(error as Error).message}`)
      }
      underWay -= 1
      asked += 1
      await sleep(Math.max(0, pause - (performance.now() - began)))
    }
  }

  /** Lets everything come to rest, so that what is there then is there for good. */
  async function rest(): Promise<Row['sample']> {
    isPaused = true
    while (underWay > 0) await sleep(50)
    caller.hangUp()
    await sleep(1000)
    const sample = await service.probe()
    isPaused = false
    return sample
  }

  const working = Array.from({ length: clients }, (_, number) => client(number))
  const rows: Row[] = []
  const end = performance.now() + minutes * 60_000
  // A form of two minutes has samples enough as well.
  const span = Math.min(60_000, (minutes * 60_000) / 8)
  console.log(headOf(kinds))
  while (performance.now() < end) {
    await sleep(span)
    const before = times
    times = new Map()
    const row = {
      minute: minutes - (end - performance.now()) / 60_000,
      sample: await rest(),
      times: before,
    }
    rows.push(row)
    console.log(lineOf(kinds, row))
  }
  isOver = true
  await Promise.all(working)
  caller.hangUp()

  problems.push(...problemsIn(rows))
  console.log(`\n${asked} requests, ${problems.length} problems`)
  console.log(slopesIn(rows))
  for (const problem of problems.slice(0, 20)) console.log(problem)
  return problems.length === 0
}
