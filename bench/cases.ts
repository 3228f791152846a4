// The benchmark cases: each measures one promise of the service, most of them as a ratio to the reference
// in the same run. README.md in this directory explains them. The cases `sparql`, `mixed`, `loop`, `log`,
// `batch`, `import`, `rebase`, `browser` and `small` have files of their own.

import type { Bench, BenchCase } from './case.js'
import { type LoadResult, runLoad } from './client.js'
import { type Figure, median } from './report.js'
import { batchCase } from './batch-case.js'
import { browserCase } from './browser-case.js'
import { eventLoopCase } from './event-loop-case.js'
import { importCase } from './import-case.js'
import { logCase } from './log-case.js'
import { idleCase, memoryCase, startAgain } from './memory-case.js'
import { mixedCase } from './mixed-case.js'
import { rebaseCase } from './rebase-case.js'
import type { Service } from './processes.js'
import {
  type RequestStream,
  anyZine,
  changedZines,
  htmlPages,
  inTurn,
  mixedWrites,
  newLists,
  newZines,
  newlyReadZines,
  repeatedZines,
} from './request-streams.js'
import { compareToReference, connections, medianRound, streamOptions } from './rounds.js'
import { smallCase } from './small-case.js'
import { sparqlCase } from './sparql-case.js'
import { agentId } from './synthetic.js'

export const cases: ReadonlyMap<string, BenchCase> = new Map([
  ['start', startCase],
  ['sparql', sparqlCase],
  ['memory', memoryCase],
  ['idle', idleCase],
  ['first', firstCase],
  ['search', searchCase],
  ['loop', eventLoopCase],
  ['get', getCase],
  ['list', listCase],
  ['page', pageCase],
  ['mixed', mixedCase],
  ['p99', p99Case],
  ['post', postCase],
  ['log', logCase],
  ['batch', batchCase],
  ['import', importCase],
  ['rebase', rebaseCase],
  ['browser', browserCase],
  ['small', smallCase],
])

/** Single zines: a thousand that are requested again and again, all there are, and each for the first time. */
async function getCase(bench: Bench): Promise<Figure[]> {
  const options = streamOptions(bench)
  return compareAll(bench, [
    [
      { ...row('get', 'a zine, each for the first time', 0.35), by: 'processor time' },
      newlyReadZines(options),
    ],
    [{ ...row('get', 'a zine, of a thousand', 0.6), by: 'rate' }, repeatedZines(options)],
    [{ ...row('get', 'a zine, of all there are'), by: 'rate' }, anyZine(options)],
  ])
}

/** Pages of lists that were requested before, and pages that were not. */
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
  return compareAll(bench, [
    [
      { ...row('list', 'pages that nobody asked for before', 0.2), by: 'processor time' },
      newLists(streamOptions(bench)),
    ],
    ...Object.entries(lists).map(
      ([what, paths]) => [{ ...row('list', what, 0.35), by: 'rate' }, inTurn(paths)] as const,
    ),
  ])
}

/** HTML pages of records and lists. */
async function pageCase(bench: Bench): Promise<Figure[]> {
  const stream = htmlPages(streamOptions(bench))
  return compareAll(bench, [
    [{ ...row('page', 'of records and lists'), by: 'processor time' }, stream],
  ])
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
    '/api/zines/?ordering=-year',
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

/** Creates and changes zines over sixteen connections; the reference parses the same bodies and commits them. */
async function postCase(bench: Bench): Promise<Figure[]> {
  const options = streamOptions(bench)
  const what = 'a zine, over 16 connections'
  const created = await compareToReference(
    bench,
    { ...row('post', what, 0.3), by: 'processor time' },
    newZines(options),
  )
  const { perSecond, p99, statuses } = medianRound(created.rounds)
  const changed = await compareToReference(
    bench,
    { ...row('post', 'PATCH of an abstract', 0.3), by: 'processor time' },
    changedZines(options),
  )
  return [
    created.figure,
    {
      row: 'post',
      what,
      value: perSecond,
      unit: '/s',
      target: { at: 'least', value: 500 },
      note: `p99 ${p99.toFixed(1)} ms; ${JSON.stringify(statuses)}`,
    },
    changed.figure,
  ]
}

/** Reads at a rate that leaves the service idle for most of the time, without and with writes. */
async function p99Case(bench: Bench): Promise<Figure[]> {
  const { service, rounds, milliseconds } = bench
  const { next: get } = anyZine(streamOptions(bench))
  const { next: write } = mixedWrites(streamOptions(bench))
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

/** The time of the start, and the memory once SPARQL answers. */
async function startCase({ service, directory, zines, resources }: Bench): Promise<Figure[]> {
  const { rss, heap } = await service.probe()
  const started = await startAgain(zines, resources, async (again) =>
    Promise.resolve(again.started),
  )
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
    figure('until it answers, after a stop', started, 's', 10),
    figure(
      'memory with one SPARQL worker',
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

const row = (
  name: string,
  what: string,
  minRatio?: number,
): Pick<Figure, 'row' | 'what' | 'target'> => ({
  row: name,
  what,
  ...(minRatio === undefined ? {} : { target: { at: 'least', value: minRatio } }),
})

async function compareAll(
  bench: Bench,
  streams: readonly (readonly [Parameters<typeof compareToReference>[1], RequestStream])[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [of, stream] of streams)
    figures.push((await compareToReference(bench, of, stream)).figure)
  return figures
}
