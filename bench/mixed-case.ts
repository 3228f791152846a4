// The benchmark case `mixed`: what readers and crawlers ask for, hardly anything twice, alone and while records
// are written. The requests: request-streams.ts.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Bench } from './case.js'
import { type BenchRequest, runLoad } from './client.js'
import type { MeasuredProcess } from './processes.js'
import { type Figure, median } from './report.js'
import { mixedReads, mixedWrites } from './request-streams.js'
import { checkStatuses, startSameSizes, streamOptions } from './rounds.js'

const readers = 8
const writers = 4

/** So that pages, which few ask for, are compiled too: a service runs for months. */
const warmUpReads = 20_000
/** The same for what writes need, before the first rate with writes. */
const warmUpWrites = 1000
const warmUpWritesPerSecond = 50

/** How many writes arrive in a second, after nothing was written. */
const writeRates = [10, 50]

/** The processor time of a request, in milliseconds. */
type Round = { readonly service: number; readonly reference: number }

/** The processor time of a request beside that of a bare Koa which answers bodies of the same sizes. */
export async function mixedCase(bench: Bench): Promise<Figure[]> {
  const { service } = bench
  const reads = mixedReads(streamOptions(bench))
  const writes = mixedWrites(streamOptions(bench))
  const warmUp = { clients: readers, milliseconds: 0, minRequests: warmUpReads }
  checkStatuses(await runLoad(service.url, reads.next, warmUp), reads)
  const reference = await startSameSizes(bench, reads)
  const requests = { read: reads.next, write: writes.next }
  const constant = {
    read: (): BenchRequest => ({ path: '/api/zines/x/' }),
    write: (): BenchRequest => ({
      ...writes.next(),
      method: 'POST',
      path: '/api/zines/',
      headers: {},
    }),
  }
  async function measureRate(perSecond: number): Promise<Figure> {
    const rounds: Round[] = []
    for (let round = 0; round < bench.rounds; round += 1)
      rounds.push({
        reference: await measure(bench, reference, constant, perSecond),
        service: await measure(bench, service, requests, perSecond),
      })
    return toFigure(perSecond, rounds)
  }

  try {
    await runLoad(reference.url, constant.read, warmUp)
    const figures = [await measureRate(0)]
    await warmUpForWrites(reference, constant)
    await warmUpForWrites(service, requests)
    for (const perSecond of writeRates) figures.push(await measureRate(perSecond))
    return figures
  } finally {
    await reference.end()
  }
}

type Requests = { readonly read: () => BenchRequest; readonly write: () => BenchRequest }

async function warmUpForWrites({ url }: MeasuredProcess, { read, write }: Requests): Promise<void> {
  const milliseconds = (1000 * warmUpWrites) / warmUpWritesPerSecond
  await Promise.all([
    runLoad(url, read, { clients: readers, milliseconds }),
    runLoad(url, write, { clients: writers, milliseconds, perSecond: warmUpWritesPerSecond }),
  ])
}

/** The processor time of a request, reads and writes alike. */
async function measure(
  { milliseconds }: Bench,
  process: MeasuredProcess,
  { read, write }: Requests,
  perSecond: number,
): Promise<number> {
  const before = await process.probe()
  const [readFigures, writeFigures] = await Promise.all([
    runLoad(process.url, read, { clients: readers, milliseconds }),
    perSecond === 0
      ? { count: 0 }
      : runLoad(process.url, write, { clients: writers, milliseconds, perSecond }),
  ])
  // What a write leaves to be done soon is counted too.
  await sleep(100)
  const after = await process.probe()
  return (after.cpu - before.cpu) / (readFigures.count + writeFigures.count)
}

function toFigure(perSecond: number, rounds: readonly Round[]): Figure {
  const [own, bare] = [
    median(rounds.map(({ service }) => service)),
    median(rounds.map(({ reference }) => reference)),
  ]
  return {
    row: 'mixed',
    what: `processor time of a request, with ${perSecond} writes a second`,
    value: median(rounds.map(({ service, reference }) => service / reference)),
    unit: '×',
    target: { at: 'most', value: 8 },
    note: `${own.toFixed(3)} to ${bare.toFixed(3)} ms`,
  }
}
