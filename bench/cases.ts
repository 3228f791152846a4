// The benchmark cases: each measures one promise of the service, most of them as a ratio to the reference
// in the same run. README.md in this directory explains them. The cases `loop`, `log` and
// `batch` have files of their own.

import type { Bench, BenchCase } from './case.js'
import { type BenchRequest, type LoadResult, runLoad } from './client.js'
import { type Figure, median } from './report.js'
import { batchCase } from './batch-case.js'
import { eventLoopCase } from './event-loop-case.js'
import { logCase } from './log-case.js'
import { type MeasuredProcess, type Service, startReference } from './processes.js'
import { createRandom } from './random.js'
import { agentId, newZine, zineId } from './synthetic.js'

export const cases: ReadonlyMap<string, BenchCase> = new Map([
  ['start', startCase],
  ['first', firstCase],
  ['search', searchCase],
  ['loop', eventLoopCase],
  ['get', getCase],
  ['list', listCase],
  ['p99', p99Case],
  ['post', postCase],
  ['log', logCase],
  ['batch', batchCase],
])

/** The number of connections. */
const connections = 16

/** Single zines: a thousand that are requested again and again, and all there are. */
async function getCase(bench: Bench): Promise<Figure[]> {
  const paths = Array.from(
    { length: 1000 },
    (_, index) => `/api/zines/${zineId((index * 7) % bench.zines)}/`,
  )
  const random = createRandom(3)
  const anyZine = (): BenchRequest => ({
    path: `/api/zines/${zineId(random.between(0, bench.zines - 1))}/`,
  })
  return [
    await compare(bench, 'get', 'a zine, of a thousand', inTurn(paths), 0.6),
    await compare(bench, 'get', 'a zine, of all there are', anyZine),
  ]
}

/** Pages of lists that were requested before. */
async function listCase(bench: Bench): Promise<Figure[]> {
  const deep = Math.floor(bench.zines / 25)
  const pages = (query: string, from: number): string[] =>
    Array.from({ length: 20 }, (_, index) => `/api/zines/?page=${from + index}${query}`)
  const lists = {
    'newest first': ['/api/zines/', ...pages('', 2)],
    'deep pages': pages('', deep - 30),
    'a filter, by title': pages('&language=en&ordering=title', 1),
    'a common word': pages('&search=about', 1),
    holdings: Array.from({ length: 20 }, (_, index) => `/api/holdings/?page=${index + 1}`),
    agents: Array.from(
      { length: 20 },
      (_, index) => `/api/agents/?ordering=display_name&page=${index + 1}`,
    ),
  }
  const figures: Figure[] = []
  for (const [what, paths] of Object.entries(lists))
    figures.push(await compare(bench, 'list', what, inTurn(paths), 0.35))
  return figures
}

/** Lists that were not requested before: the time of the first response, and how long it blocked the event loop. */
async function firstCase({ service, resources }: Bench): Promise<Figure[]> {
  const codes = (field: string): string[] =>
    (resources.zines.byName.get(field)?.vocabulary?.entries ?? []).map(({ code }) => code)
  const paths = [
    '/api/zines/',
    '/api/zines/?ordering=title',
    '/api/zines/?ordering=-title',
    '/api/zines/?ordering=updated_at',
    '/api/zines/?ordering=title,-created_at',
    '/api/zines/?language=en',
    '/api/zines/?language=en&ordering=title',
    ...codes('genre')
      .slice(0, 5)
      .map((genre) => `/api/zines/?genre=${genre}&ordering=-title`),
    ...codes('subject')
      .slice(0, 5)
      .map((subject) => `/api/zines/?subject=${subject}`),
    `/api/zines/?creator=${agentId(0)}&language=en&ordering=title`,
    '/api/agents/?ordering=display_name',
    '/api/agents/?kind=Person&ordering=-display_name',
    '/api/holdings/',
    '/api/holdings/?ordering=call_number',
    '/api/holdings/?access_status=circulating&ordering=-call_number',
    '/api/holdings/?digital_available=true',
    '/api/repositories/?country=US&ordering=repository_name',
    '/api/zines/?page=100&ordering=-updated_at',
  ]
  return firstResponses(service, 'first', paths, { responseMs: 250, blockedMs: 100 })
}

/** Searches that were not requested before, for rare, common and partial words. */
async function searchCase({ service }: Bench): Promise<Figure[]> {
  // prettier-ignore
  const words = ['xylophone', 'marmalade', 'bicycle', 'music', 'about', 'the', 'zine', 'ar', 'e', 'bicycle music', 'no-such-word', 'The About']
  const paths = words.map((word) => `/api/zines/?search=${encodeURIComponent(word)}`)
  return [
    ...(await firstResponses(service, 'search', paths, { responseMs: 30, blockedMs: 100 })),
    ...(await firstResponses(service, 'search', ['/api/agents/?search=bicycle'], {
      responseMs: 30,
      blockedMs: 100,
    })),
  ]
}

async function firstResponses(
  service: Service,
  row: string,
  paths: readonly string[],
  targets: { readonly responseMs: number; readonly blockedMs: number },
): Promise<Figure[]> {
  const measured: { path: string; ms: number; blocked: number }[] = []
  await service.probe()
  for (const path of paths) {
    const start = performance.now()
    const response = await fetch(service.url + path)
    await response.arrayBuffer()
    const ms = performance.now() - start
    measured.push({ path, ms, blocked: (await service.probe()).blocked })
  }
  const slowest = measured.toSorted((a, b) => b.ms - a.ms)[0]
  const mostBlocked = measured.toSorted((a, b) => b.blocked - a.blocked)[0]
  const what =
    paths.length === 1 ? (paths[0] ?? '') : `${paths.length} requested for the first time`
  return [
    {
      row,
      what: `${what}: the slowest`,
      value: slowest?.ms ?? NaN,
      unit: 'ms',
      target: { at: 'most', value: targets.responseMs },
      note: `${slowest?.path}; median ${median(measured.map(({ ms }) => ms)).toFixed(1)} ms`,
    },
    {
      row,
      what: `${what}: the event loop blocked`,
      value: mostBlocked?.blocked ?? NaN,
      unit: 'ms',
      target: { at: 'most', value: targets.blockedMs },
      note: mostBlocked?.path ?? '',
    },
  ]
}

/** Creates zines over sixteen connections; the reference parses the same bodies and commits them. */
async function postCase(bench: Bench): Promise<Figure[]> {
  const { service, resources, zines } = bench
  const random = createRandom(Date.now())
  const run = Date.now().toString(36)
  let number = 0
  const post = (): BenchRequest => ({
    method: 'POST',
    path: '/api/zines/',
    headers: { authorization: `Token ${service.token}` },
    body: JSON.stringify(newZine(random, `new-${run}-${(number += 1)}`, resources, zines)),
  })
  const { ratio, rounds } = await alternate(bench, post)
  const { perSecond, p99, statuses } = medianRound(rounds)
  const note = `p99 ${p99.toFixed(1)} ms; ${JSON.stringify(statuses)}`
  return [
    {
      ...ratio,
      row: 'post',
      what: 'a zine, over 16 connections',
      target: { at: 'least', value: 0.4 },
    },
    {
      row: 'post',
      what: 'a zine, over 16 connections',
      value: perSecond,
      unit: '/s',
      target: { at: 'least', value: 500 },
      note,
    },
  ]
}

/** Reads at a rate that leaves the service idle for most of the time, without and with writes. */
async function p99Case(bench: Bench): Promise<Figure[]> {
  const { service, resources, zines, rounds, milliseconds } = bench
  const random = createRandom(11)
  const get = (): BenchRequest => ({ path: `/api/zines/${zineId(random.between(0, zines - 1))}/` })
  const headers = { authorization: `Token ${service.token}` }
  const run = Date.now().toString(36)
  let number = 0
  const write = (): BenchRequest => {
    number += 1
    if (number % 5 < 2)
      return {
        method: 'POST',
        path: '/api/zines/',
        headers,
        body: JSON.stringify(newZine(random, `p99-${run}-${number}`, resources, zines)),
      }
    const path =
      number % 5 < 4
        ? `/api/zines/${zineId(random.between(0, zines - 1))}/`
        : `/api/agents/${agentId(random.rank(zines / 5))}/`
    const change =
      number % 5 < 4 ? { abstract: random.words(20) } : { display_name: random.words(2) }
    return { method: 'PATCH', path, headers, body: JSON.stringify(change) }
  }
  const reading = { clients: connections, milliseconds, perSecond: 1000 }
  await runLoad(service.url, get, reading)
  const [idle, busy]: [LoadResult[], LoadResult[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await runLoad(service.url, get, reading))
    const [read] = await Promise.all([
      runLoad(service.url, get, reading),
      runLoad(service.url, write, { clients: 8, milliseconds, perSecond: 50 }),
    ])
    busy.push(read)
  }
  const [before, during] = [idle, busy].map((figures) => median(figures.map(({ p99 }) => p99)))
  return [
    {
      row: 'p99',
      what: '1,000 GETs/s while 50 writes/s arrive, to the same alone',
      value: (during ?? NaN) / (before ?? NaN),
      unit: '×',
      target: { at: 'most', value: 3 },
      note: `p99 ${during?.toFixed(2)} ms to ${before?.toFixed(2)} ms`,
    },
  ]
}

/** The targets for the quads of a typical record. */
const maxQuads = { zines: 25, holdings: 12 }

/** The time of the start, and the memory once the SPARQL replica is loaded. */
async function startCase({ service, directory, zines }: Bench): Promise<Figure[]> {
  const { rss, heap } = await service.probe()
  const { quads, bytes } = directory
  const figure = (
    what: string,
    value: number,
    unit: Figure['unit'],
    bound?: number,
    note = '',
  ): Figure => ({
    row: 'start',
    what,
    value,
    unit,
    ...(bound === undefined ? {} : { target: { at: 'most', value: bound } }),
    note,
  })
  return [
    figure(
      'until it answers',
      service.started,
      's',
      60,
      `${((service.started * 100_000) / zines).toFixed(1)} s for 100,000`,
    ),
    figure(
      'memory with one SPARQL replica',
      rss / 2 ** 30,
      'GiB',
      5,
      `${(heap / 2 ** 20).toFixed(0)} MiB of it the JavaScript heap`,
    ),
    figure('memory for a zine and what belongs to it', rss / 1024 / zines, 'KiB'),
    figure(
      'disk for a zine and what belongs to it',
      bytes / 1024 / zines,
      'KiB',
      undefined,
      'as N-Quads, before compression',
    ),
    ...(['zines', 'holdings', 'agents'] as const).map((name) =>
      figure(
        `quads of a record of ${name}`,
        quads[name].typical,
        'quads',
        name === 'agents' ? undefined : maxQuads[name],
        `the median; the mean is ${quads[name].mean.toFixed(1)}`,
      ),
    ),
  ]
}

const inTurn = (paths: readonly string[]): (() => BenchRequest) => {
  let index = 0
  return () => ({ path: paths[(index += 1) % paths.length] ?? '/' })
}

async function compare(
  bench: Bench,
  row: string,
  what: string,
  next: () => BenchRequest,
  minRatio?: number,
): Promise<Figure> {
  const { ratio } = await alternate(bench, next)
  return {
    ...ratio,
    row,
    what,
    ...(minRatio === undefined ? {} : { target: { at: 'least', value: minRatio } }),
  }
}

type Comparison = {
  readonly ratio: Pick<Figure, 'value' | 'unit' | 'note'>
  readonly rounds: readonly LoadResult[]
}

/**
 * Measures the service and a reference that answers with a constant string of the same size, in turn, so
 * that other load on the machine slows down both.
 */
async function alternate(bench: Bench, next: () => BenchRequest): Promise<Comparison> {
  const { service, directory, rounds, milliseconds, profile } = bench
  const options = { clients: connections, milliseconds }
  // Enough requests to fill the caches and to have the code compiled, on a busy machine too.
  const warmUp = await runLoad(service.url, next, { ...options, minRequests: 2000 })
  const failures = Object.keys(warmUp.statuses).filter((status) => !status.startsWith('2'))
  if (failures.length > 0) throw new Error(`${next().path} is answered with ${failures.join(', ')}`)
  const reference = await startReference(
    directory.dataDir,
    'x'.repeat(await measureBodySize(service, next)),
    profile,
  )
  const { method } = next()
  const constant = (): BenchRequest =>
    method === undefined ? { path: '/api/zines/x/' } : { ...next(), headers: {} }
  await runLoad(reference.url, constant, { ...options, minRequests: 2000 })
  const pairs: [TimedResult, TimedResult][] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push([
      await withProcessorTime(reference, () => runLoad(reference.url, constant, options)),
      await withProcessorTime(service, () => runLoad(service.url, next, options)),
    ])
  await reference.end()
  const [bare, full] = [
    medianRound(pairs.map(([of]) => of)),
    medianRound(pairs.map(([, of]) => of)),
  ]
  return {
    ratio: {
      value: median(pairs.map(([of, to]) => to.perSecond / of.perSecond)),
      unit: '×',
      note: [
        `${full.perSecond.toFixed(0)}/s (p99 ${full.p99.toFixed(1)} ms) to ${bare.perSecond.toFixed(0)}/s`,
        // Other load on the machine changes the times above, but hardly this one.
        `processor time ${full.cpu.toFixed(2)} to ${bare.cpu.toFixed(2)} ms, ${(bare.cpu / full.cpu).toFixed(2)} ×`,
        `${(warmUp.bytes / 1024).toFixed(1)} KiB`,
      ].join('; '),
    },
    rounds: pairs.map(([, of]) => of),
  }
}

type TimedResult = LoadResult & {
  /** The processor time of the answering process for each request, in milliseconds. */
  readonly cpu: number
}

async function withProcessorTime(
  process: MeasuredProcess,
  work: () => Promise<LoadResult>,
): Promise<TimedResult> {
  const before = await process.probe()
  const figures = await work()
  const after = await process.probe()
  return { ...figures, cpu: (after.cpu - before.cpu) / figures.count }
}

/** The mean size of a response body, in bytes. */
async function measureBodySize(service: Service, next: () => BenchRequest): Promise<number> {
  let bytes = 0
  for (let request = 0; request < 20; request += 1) {
    const { method = 'GET', path, headers = {}, body } = next()
    const response = await fetch(service.url + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    bytes += (await response.arrayBuffer()).byteLength
  }
  return Math.round(bytes / 20)
}

/** The round with the median rate. */
const medianRound = <Round extends LoadResult>(rounds: readonly Round[]): Round => {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond)
  const round = sorted[Math.floor(sorted.length / 2)]
  if (!round) throw new Error('there were no rounds')
  return round
}
