// The rows of the bench: each measures one thing that the service promises, most of them against the
// reference in the same run. README.md in this directory explains them.

import type { Resources } from '../src/model/resources.js'
import { type Asking, type Figures, load } from './client.js'
import { type Figure, median } from './report.js'
import type { PreparedDirectory } from './fixtures.js'
import { eventLoopCase } from './event-loop-case.js'
import { type Running, type Service, startReference } from './processes.js'
import { randomFrom } from './random.js'
import { agentId, newZine, zineId } from './synthetic.js'

export type Bench = {
  readonly zines: number
  readonly resources: Resources
  readonly filled: PreparedDirectory
  readonly service: Service
  /** How often reference and case alternate, and how long each is asked, in milliseconds. */
  readonly rounds: number
  readonly milliseconds: number
  /** Where CPU profiles go, if they are wanted. */
  readonly profile: string | undefined
}

type Row = (bench: Bench) => Promise<Figure[]>

export const cases: ReadonlyMap<string, Row> = new Map([
  ['start', startRow],
  ['first', firstRow],
  ['search', searchRow],
  ['loop', eventLoopCase],
  ['get', getRow],
  ['list', listRow],
  ['p99', p99Row],
  ['post', postRow],
])

const readers = 16

/** One zine after another, of those that are asked for again and again. */
async function getRow(bench: Bench): Promise<Figure[]> {
  const paths = Array.from(
    { length: 1000 },
    (_, index) => `/api/zines/${zineId((index * 7) % bench.zines)}/`,
  )
  const random = randomFrom(3)
  const any = (): Asking => ({ path: `/api/zines/${zineId(random.between(0, bench.zines - 1))}/` })
  return [
    await compare(bench, 'get', 'a zine, of a thousand', around(paths), 0.6),
    await compare(bench, 'get', 'a zine, of all there are', any),
  ]
}

/** Pages that were asked for before. */
async function listRow(bench: Bench): Promise<Figure[]> {
  const deep = Math.floor(bench.zines / 25)
  const pages = (query: string, from: number): string[] =>
    Array.from({ length: 20 }, (_, index) => `/api/zines/?page=${from + index}${query}`)
  const cases = {
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
  for (const [what, paths] of Object.entries(cases))
    figures.push(await compare(bench, 'list', what, around(paths), 0.35))
  return figures
}

/** Lists that nobody asked for before: their first answer, and how long it held everybody up. */
async function firstRow({ service, resources }: Bench): Promise<Figure[]> {
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
  return firstAnswers(service, 'first', paths, { answer: 250, blocked: 100 })
}

/** Searches that nobody asked for before, for words of all sorts. */
async function searchRow({ service }: Bench): Promise<Figure[]> {
  // prettier-ignore
  const words = ['xylophone', 'marmalade', 'bicycle', 'music', 'about', 'the', 'zine', 'ar', 'e', 'bicycle music', 'no-such-word', 'The About']
  const paths = words.map((word) => `/api/zines/?search=${encodeURIComponent(word)}`)
  return [
    ...(await firstAnswers(service, 'search', paths, { answer: 30, blocked: 100 })),
    ...(await firstAnswers(service, 'search', ['/api/agents/?search=bicycle'], {
      answer: 30,
      blocked: 100,
    })),
  ]
}

async function firstAnswers(
  service: Service,
  row: string,
  paths: readonly string[],
  must: { readonly answer: number; readonly blocked: number },
): Promise<Figure[]> {
  const took: { path: string; ms: number; blocked: number }[] = []
  await service.probe()
  for (const path of paths) {
    const start = performance.now()
    const answer = await fetch(service.url + path)
    await answer.arrayBuffer()
    const ms = performance.now() - start
    took.push({ path, ms, blocked: (await service.probe()).blocked })
  }
  const slowest = took.toSorted((a, b) => b.ms - a.ms)[0]
  const longest = took.toSorted((a, b) => b.blocked - a.blocked)[0]
  const what = paths.length === 1 ? (paths[0] ?? '') : `${paths.length} asked for the first time`
  return [
    {
      row,
      what: `${what}: the slowest`,
      value: slowest?.ms ?? NaN,
      unit: 'ms',
      target: { at: 'most', value: must.answer },
      note: `${slowest?.path}; half of them within ${median(took.map(({ ms }) => ms)).toFixed(1)} ms`,
    },
    {
      row,
      what: `${what}: the event loop held up`,
      value: longest?.blocked ?? NaN,
      unit: 'ms',
      target: { at: 'most', value: must.blocked },
      note: longest?.path ?? '',
    },
  ]
}

/** Creates zines from sixteen clients at once; the reference parses the same and commits it. */
async function postRow(bench: Bench): Promise<Figure[]> {
  const { service, resources, zines } = bench
  const random = randomFrom(Date.now())
  const run = Date.now().toString(36)
  let number = 0
  const post = (): Asking => ({
    method: 'POST',
    path: '/api/zines/',
    headers: { authorization: `Token ${service.token}` },
    body: JSON.stringify(newZine(random, `new-${run}-${(number += 1)}`, resources, zines)),
  })
  const { ratio, rounds } = await alternate(bench, post)
  const { perSecond, p99, statuses } = middle(rounds)
  const note = `p99 ${p99.toFixed(1)} ms; ${JSON.stringify(statuses)}`
  return [
    { ...ratio, row: 'post', what: 'a zine, from 16 clients', target: { at: 'least', value: 0.4 } },
    {
      row: 'post',
      what: 'a zine, from 16 clients',
      value: perSecond,
      unit: '/s',
      target: { at: 'least', value: 500 },
      note,
    },
  ]
}

/** Reads at a pace that leaves the service idle for most of the time, without and with writes. */
async function p99Row(bench: Bench): Promise<Figure[]> {
  const { service, resources, zines, rounds, milliseconds } = bench
  const random = randomFrom(11)
  const get = (): Asking => ({ path: `/api/zines/${zineId(random.between(0, zines - 1))}/` })
  const headers = { authorization: `Token ${service.token}` }
  const run = Date.now().toString(36)
  let number = 0
  const write = (): Asking => {
    number += 1
    if (number % 5 < 2)
      return {
        method: 'POST',
        path: '/api/zines/',
        headers,
        body: JSON.stringify(newZine(random, `paced-${run}-${number}`, resources, zines)),
      }
    const path =
      number % 5 < 4
        ? `/api/zines/${zineId(random.between(0, zines - 1))}/`
        : `/api/agents/${agentId(random.rank(zines / 5))}/`
    const change =
      number % 5 < 4 ? { abstract: random.words(20) } : { display_name: random.words(2) }
    return { method: 'PATCH', path, headers, body: JSON.stringify(change) }
  }
  const reading = { clients: readers, milliseconds, pace: 1000 }
  await load(service.url, get, reading)
  const [idle, busy]: [Figures[], Figures[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await load(service.url, get, reading))
    const [read] = await Promise.all([
      load(service.url, get, reading),
      load(service.url, write, { clients: 8, milliseconds, pace: 50 }),
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

/** How many quads a typical record may have. */
const most = { zines: 25, holdings: 12 }

/** How long the start took, and what is in memory once the SPARQL replica is whole. */
async function startRow({ service, filled, zines }: Bench): Promise<Figure[]> {
  const { rss, heap } = await service.probe()
  const { quads, bytes } = filled
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
      `${(heap / 2 ** 20).toFixed(0)} MiB of it JavaScript's`,
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
        `quads of one of the ${name}`,
        quads[name].typical,
        'quads',
        name === 'agents' ? undefined : most[name],
        `half have no more; the mean is ${quads[name].mean.toFixed(1)}`,
      ),
    ),
  ]
}

const around = (paths: readonly string[]): (() => Asking) => {
  let turn = 0
  return () => ({ path: paths[(turn += 1) % paths.length] ?? '/' })
}

async function compare(
  bench: Bench,
  row: string,
  what: string,
  next: () => Asking,
  least?: number,
): Promise<Figure> {
  const { ratio } = await alternate(bench, next)
  return {
    ...ratio,
    row,
    what,
    ...(least === undefined ? {} : { target: { at: 'least', value: least } }),
  }
}

type Compared = {
  readonly ratio: Pick<Figure, 'value' | 'unit' | 'note'>
  readonly rounds: readonly Figures[]
}

/**
 * Asks the service and a reference that answers a constant string of the same size, turn by turn, so
 * that whatever else the machine does holds up both.
 */
async function alternate(bench: Bench, next: () => Asking): Promise<Compared> {
  const { service, filled, rounds, milliseconds, profile } = bench
  const how = { clients: readers, milliseconds }
  // As long as it takes until what is kept is kept and what is compiled is compiled, on a busy machine too.
  const warm = await load(service.url, next, { ...how, least: 2000 })
  const refused = Object.keys(warm.statuses).filter((status) => !status.startsWith('2'))
  if (refused.length > 0) throw new Error(`${next().path} is answered with ${refused.join(', ')}`)
  const reference = await startReference(
    filled.dataDir,
    'x'.repeat(await sizeOf(service, next)),
    profile,
  )
  const { method } = next()
  const constant = (): Asking =>
    method === undefined ? { path: '/api/zines/x/' } : { ...next(), headers: {} }
  await load(reference.url, constant, { ...how, least: 2000 })
  const pairs: [Timed, Timed][] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push([
      await timed(reference, () => load(reference.url, constant, how)),
      await timed(service, () => load(service.url, next, how)),
    ])
  await reference.end()
  const [bare, own] = [middle(pairs.map(([of]) => of)), middle(pairs.map(([, of]) => of))]
  return {
    ratio: {
      value: median(pairs.map(([of, to]) => to.perSecond / of.perSecond)),
      unit: '×',
      note: [
        `${own.perSecond.toFixed(0)}/s (p99 ${own.p99.toFixed(1)} ms) to ${bare.perSecond.toFixed(0)}/s`,
        // What other programs do to the machine shows in the times, but hardly in this.
        `processor time ${own.cpu.toFixed(2)} to ${bare.cpu.toFixed(2)} ms, ${(bare.cpu / own.cpu).toFixed(2)} ×`,
        `${(warm.bytes / 1024).toFixed(1)} KiB`,
      ].join('; '),
    },
    rounds: pairs.map(([, of]) => of),
  }
}

type Timed = Figures & {
  /** The processor time of a request in the process that answered it, in milliseconds. */
  readonly cpu: number
}

async function timed(process: Running, work: () => Promise<Figures>): Promise<Timed> {
  const before = await process.probe()
  const figures = await work()
  const after = await process.probe()
  return { ...figures, cpu: (after.cpu - before.cpu) / figures.count }
}

/** The mean size of a body. */
async function sizeOf(service: Service, next: () => Asking): Promise<number> {
  let bytes = 0
  for (let asked = 0; asked < 20; asked += 1) {
    const { method = 'GET', path, headers = {}, body } = next()
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    bytes += (await answer.arrayBuffer()).byteLength
  }
  return Math.round(bytes / 20)
}

const middle = <Of extends Figures>(figures: readonly Of[]): Of => {
  const sorted = [...figures].sort((a, b) => a.perSecond - b.perSecond)
  const one = sorted[Math.floor(sorted.length / 2)]
  if (!one) throw new Error('there were no rounds')
  return one
}
