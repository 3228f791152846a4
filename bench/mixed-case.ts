// The benchmark case `mixed`: what readers and crawlers ask for, hardly anything twice, alone and while records
// are written. The requests: request-streams.ts.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Bench } from './case.js'
import { type BenchRequest, type LoadResult, runLoad } from './client.js'
import type { MeasuredProcess } from './processes.js'
import { type Figure, median } from './report.js'
import { mixedReads, mixedWrites } from './request-streams.js'
import { checkStatuses, startSameSizes, streamOptions } from './rounds.js'

const readers = 8
const writers = 4

/** So that pages, which few ask for, and what a write makes anew are compiled too: a service runs for months. */
const warmUpReads = 20_000
const warmUpWrites = 1000
const warmUpWritesPerSecond = 50

/** How many writes arrive in a second. */
const writeRates = [0, 10, 50]

/** The processor time of a request, in milliseconds. */
type Round = { readonly service: number; readonly reference: number }

/** The processor time of a request beside that of a bare Koa which answers bodies of the same sizes. */
export async function mixedCase(bench: Bench): Promise<Figure[]> {
  const { service } = bench
  const reads = mixedReads(streamOptions(bench))
  const writes = mixedWrites(streamOptions(bench))
  checkStatuses(await warmUp(service, { read: reads.next, write: writes.next }), reads)
  const reference = await startSameSizes(bench, reads)
  const figures: Figure[] = []
  try {
    const constant = {
      read: (): BenchRequest => ({ path: '/api/zines/x/' }),
      write: (): BenchRequest => ({
        ...writes.next(),
        method: 'POST',
        path: '/api/zines/',
        headers: {},
      }),
    }
    await warmUp(reference, constant)
    for (const perSecond of writeRates) {
      const rounds: Round[] = []
      for (let round = 0; round < bench.rounds; round += 1)
        rounds.push({
          reference: await measure(bench, reference, constant, perSecond),
          service: await measure(
            bench,
            service,
            { read: reads.next, write: writes.next },
            perSecond,
          ),
        })
      figures.push(toFigure(perSecond, rounds))
    }
  } finally {
    await reference.end()
  }
  return figures
}

type Requests = { readonly read: () => BenchRequest; readonly write: () => BenchRequest }

/** @returns what the reads were answered with */
async function warmUp({ url }: MeasuredProcess, { read, write }: Requests): Promise<LoadResult> {
  const [ofReads] = await Promise.all([
    runLoad(url, read, { clients: readers, milliseconds: 0, minRequests: warmUpReads }),
    runLoad(url, write, {
      clients: writers,
      milliseconds: 0,
      minRequests: warmUpWrites,
      perSecond: warmUpWritesPerSecond,
    }),
  ])
  return ofReads
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
