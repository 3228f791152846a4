// The benchmark case `log`: what the log of changes costs. The same writes go to the service and to one
// that commits without the log (without-log.ts), in turn, and the entries of the log are counted.

import { setTimeout as sleep } from 'node:timers/promises'

import { dataFiles } from '../src/config.js'
import { parseChange } from '../src/store/key-value/change-log.js'
import { openKeyValueStore } from '../src/lib/key-value/key-value-store.js'
import { prefixes } from '../src/store/key-value/keys.js'
import type { Bench } from './case.js'
import { type BenchRequest, runLoad } from './client.js'
import { base, prepareDirectory } from './fixtures.js'
import { type Service, startService } from './processes.js'
import { createRandom } from './random.js'
import { type Figure, median } from './report.js'
import { newZine, zineId } from './synthetic.js'

const connections = 16

export async function logCase(bench: Bench): Promise<Figure[]> {
  const directories = [await prepare(bench), await prepare(bench)] as const
  const [own, other] = directories.map(({ dataDir }) => dataDir)
  const env = { BASE_URL: base, LOG_LEVEL: 'warn' }
  const withLog = await startService(own ?? '', { env })
  const without = await startService(other ?? '', { env, preload: 'without-log.js' })
  try {
    const writes = requestsOf(bench)
    const figures = [
      await compare(bench, 'POST of a zine', { withLog, without }, writes.post),
      await compare(bench, 'PATCH of a zine', { withLog, without }, writes.patch),
    ]
    await Promise.all([withLog.end(), without.end()])
    return [...figures, ...(await entrySizes(own ?? ''))]
  } finally {
    await Promise.all([withLog.end(), without.end()])
    for (const directory of directories) await directory.remove()
  }
}

const prepare = ({ zines, resources }: Bench) => prepareDirectory(zines, resources)

type Request = (service: Service) => BenchRequest

function requestsOf({ resources, zines }: Bench): {
  readonly post: Request
  readonly patch: Request
} {
  const random = createRandom(Date.now())
  const run = Date.now().toString(36)
  let number = 0
  const headersOf = ({ token }: Service) => ({ authorization: `Token ${token}` })
  return {
    post: (service) => ({
      method: 'POST',
      path: '/api/zines/',
      headers: headersOf(service),
      body: JSON.stringify(newZine(random, `log-${run}-${(number += 1)}`, resources, zines)),
    }),
    patch: (service) => ({
      method: 'PATCH',
      path: `/api/zines/${zineId(random.between(0, zines - 1))}/`,
      headers: headersOf(service),
      body: JSON.stringify({ abstract: random.words(20) }),
    }),
  }
}

/** The rate with the log as a ratio to that without it. */
async function compare(
  { rounds, milliseconds }: Bench,
  what: string,
  { withLog, without }: Readonly<Record<'withLog' | 'without', Service>>,
  requestTo: Request,
): Promise<Figure> {
  const options = { clients: connections, milliseconds }
  const measure = async (service: Service): Promise<Measured> => {
    const before = await service.probe()
    const { perSecond, count } = await runLoad(service.url, () => requestTo(service), options)
    const after = await service.probe()
    await sleep(200)
    return { perSecond, cpu: (after.cpu - before.cpu) / count }
  }
  for (const service of [without, withLog])
    await runLoad(service.url, () => requestTo(service), { ...options, minRequests: 2000 })
  const pairs: (readonly [Measured, Measured])[] = []
  for (let round = 0; round < rounds; round += 1) {
    // In turn the first, so that what the round before left behind slows down both.
    const first = await measure(round % 2 === 0 ? without : withLog)
    const second = await measure(round % 2 === 0 ? withLog : without)
    pairs.push(round % 2 === 0 ? [first, second] : [second, first])
  }
  const middle = (pick: (pair: readonly [Measured, Measured]) => number): number =>
    median(pairs.map(pick))
  return {
    row: 'log',
    what: `${what}, to the same without the log`,
    value: middle(([bare, logged]) => logged.perSecond / bare.perSecond),
    unit: '×',
    target: { at: 'least', value: 0.9 },
    note:
      `${middle(([, { perSecond }]) => perSecond).toFixed(0)}/s to ${middle(([{ perSecond }]) => perSecond).toFixed(0)}/s; ` +
      `processor time ${middle(([, { cpu }]) => cpu).toFixed(2)} to ${middle(([{ cpu }]) => cpu).toFixed(2)} ms`,
  }
}

type Measured = {
  readonly perSecond: number
  /** The processor time of a request, in milliseconds. */
  readonly cpu: number
}

/** How many bytes the log has for each change, before compression. */
async function entrySizes(dataDir: string): Promise<Figure[]> {
  const store = await openKeyValueStore(dataFiles(dataDir).store)
  const sums = new Map<string, { count: number; bytes: number }>()
  try {
    for await (const [key, value] of store.entries(prefixes.changes)) {
      const { change, record } = parseChange(key, value)
      const sum = sums.get(change) ?? { count: 0, bytes: 0 }
      // The entry, and the one that leads to it from its record.
      const bytes =
        key.length + Buffer.byteLength(value) + prefixes.history.length + record.length + 13
      sums.set(change, { count: sum.count + 1, bytes: sum.bytes + bytes })
    }
  } finally {
    await store.close()
  }
  return [...sums].map(([change, { count, bytes }]) => ({
    row: 'log',
    what: `disk for a record that was ${change}`,
    value: bytes / count,
    unit: 'bytes',
    note: `the mean of ${count}, before compression`,
  }))
}
