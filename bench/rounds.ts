// Measures the service and the reference in turn, in short rounds, so that other load on the machine slows
// down both. The requests: request-streams.ts.

import type { Bench } from './case.js'
import { type BenchRequest, type LoadOptions, type LoadResult, runLoad } from './client.js'
import { type MeasuredProcess, startReference } from './processes.js'
import { type Figure, median } from './report.js'
import type { RequestStream, StreamOptions } from './request-streams.js'

/** The number of connections, unless a case says otherwise. */
export const connections = 16

/** How many requests fill the caches and have the code compiled, on a busy machine too. */
const warmUpRequests = 2000
/** How many other requests do it for those that are measured once only: by then no code is slower than later. */
const otherWarmUpRequests = 10_000

/** How many responses are measured, so that the reference sends the same sizes. */
const sampledResponses = 50

/** What streams of requests need; identifiers of new records have the time in them. */
export const streamOptions = ({ zines, resources, service }: Bench): StreamOptions => ({
  zines,
  resources,
  token: service.token,
  run: Date.now().toString(36),
})

type Row = Pick<Figure, 'row' | 'what' | 'target'> & {
  /** Whether the ratio is that of rates, or that of the processor time of a request. */
  readonly by: 'rate' | 'processor time'
}

/** Measures one stream of requests as a ratio to the reference. */
export async function compareToReference(
  bench: Bench,
  { by, ...row }: Row,
  stream: RequestStream,
): Promise<{ readonly figure: Figure; readonly rounds: readonly LoadResult[] }> {
  const { service, rounds, milliseconds } = bench
  const options = { clients: connections, milliseconds }
  const loads = loadsOf(stream, rounds)
  checkStatuses(
    await runLoad(service.url, loads.warmUp, { ...options, ...loads.warmUpLimits }),
    stream,
  )
  const reference = await startSameSizes(bench, stream)
  const constant = toReference(stream)
  await runLoad(reference.url, constant, { ...options, ...loads.warmUpLimits })
  const pairs: [TimedResult, TimedResult][] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push([
      await withProcessorTime(reference, () => runLoad(reference.url, constant, options)),
      await withProcessorTime(service, () =>
        runLoad(service.url, stream.next, { ...options, ...loads.roundLimits }),
      ),
    ])
  await reference.end()
  const [bare, full] = [
    medianRound(pairs.map(([of]) => of)),
    medianRound(pairs.map(([, of]) => of)),
  ]
  const ofRates = median(pairs.map(([of, to]) => to.perSecond / of.perSecond))
  const ofTimes = median(pairs.map(([of, to]) => of.cpu / to.cpu))
  const figure: Figure = {
    ...row,
    value: by === 'rate' ? ofRates : ofTimes,
    unit: '×',
    note: [
      `${full.perSecond.toFixed(0)}/s (p99 ${full.p99.toFixed(1)} ms) to ${bare.perSecond.toFixed(0)}/s, ${ofRates.toFixed(2)} ×`,
      // Other load on the machine changes the times above, but hardly this one.
      `processor time ${full.cpu.toFixed(3)} to ${bare.cpu.toFixed(3)} ms, ${ofTimes.toFixed(2)} ×`,
      `${(full.bytes / 1024).toFixed(1)} KiB`,
    ].join('; '),
  }
  return { figure, rounds: pairs.map(([, of]) => of) }
}

type Limits = Partial<Pick<LoadOptions, 'minRequests' | 'maxRequests'>>

/** The requests of the warm-up, and how many of them and of the measured ones are sent. */
export function loadsOf(
  { next, once }: RequestStream,
  rounds: number,
): {
  readonly warmUp: () => BenchRequest
  readonly warmUpLimits: Limits
  readonly roundLimits: Limits
} {
  if (!once) return { warmUp: next, warmUpLimits: { minRequests: warmUpRequests }, roundLimits: {} }
  // Some more are sent where their sizes are measured.
  const inRound = Math.floor((once.count - sampledResponses - 1) / rounds)
  return {
    warmUp: once.warmUp,
    warmUpLimits: { minRequests: otherWarmUpRequests },
    roundLimits: { minRequests: inRound, maxRequests: inRound },
  }
}

/** @throws Error when a request was not answered */
export function checkStatuses({ statuses }: LoadResult, { next }: RequestStream): void {
  const failures = Object.keys(statuses).filter((status) => !status.startsWith('2'))
  if (failures.length > 0) throw new Error(`${next().path} is answered with ${failures.join(', ')}`)
}

/** The reference, which answers with constant strings of the sizes that the service answers with. */
export async function startSameSizes(
  { service, directory, profile }: Bench,
  stream: RequestStream,
): Promise<MeasuredProcess> {
  const sizes = await measureBodySizes(service.url, stream.next)
  return startReference(directory.dataDir, sizes, profile)
}

/** The requests to the reference that are like those to the service: one for all reads, and writes with the same bodies. */
function toReference({ next }: RequestStream): () => BenchRequest {
  if (next().method === undefined) return () => ({ path: '/api/zines/x/' })
  return () => ({ ...next(), method: 'POST', path: '/api/zines/', headers: {} })
}

export type TimedResult = LoadResult & {
  /** The processor time of the answering process for each request, in milliseconds. */
  readonly cpu: number
}

export async function withProcessorTime(
  process: MeasuredProcess,
  work: () => Promise<LoadResult>,
): Promise<TimedResult> {
  const before = await process.probe()
  const figures = await work()
  const after = await process.probe()
  return { ...figures, cpu: (after.cpu - before.cpu) / figures.count }
}

/** The sizes of some response bodies, in bytes. */
async function measureBodySizes(url: string, next: () => BenchRequest): Promise<number[]> {
  const sizes: number[] = []
  for (let request = 0; request < sampledResponses; request += 1) {
    const { method = 'GET', path, headers = {}, body } = next()
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    sizes.push((await response.arrayBuffer()).byteLength)
  }
  return sizes
}

/** The round with the median rate. */
export const medianRound = <Round extends LoadResult>(rounds: readonly Round[]): Round => {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond)
  const round = sorted[Math.floor(sorted.length / 2)]
  if (!round) throw new Error('there were no rounds')
  return round
}
