// The memory of the service after a stop and a start: once SPARQL answers, after the example queries, and after a query
// about every triple, for which a worker needs all of them. And how long these queries take. Each memory is measured at
// once and a minute later, since V8 collects garbage when there was no work for a while.

import { setTimeout as sleep } from 'node:timers/promises'

import { parseTurtle } from '../src/rdf/turtle-reader.js'
import { examplesOf, questionOf } from '../src/features/sparql/named-query.js'
import type { Bench } from './case.js'
import { runLoad } from './client.js'
import { base, prepareDirectory } from './fixtures.js'
import { type Service, startService } from './processes.js'
import { type Figure, median } from './report.js'
import { mixedReads, mixedWrites } from './request-streams.js'
import { checkStatuses, streamOptions } from './rounds.js'

export const everything: Example = {
  question: 'How many triples are there?',
  query: 'SELECT (COUNT(*) AS ?triples) { ?s ?p ?o }',
}

export async function memoryCase({ zines, resources }: Bench): Promise<Figure[]> {
  const most = zines > 20_000 ? 1.6 : 0.5
  return startAgain(zines, resources, async (service) => [
    ...(await memory(service, 'once SPARQL answers', most)),
    ...(await askAll(service, 'the example queries', await readExamples(service))),
    ...(await memory(service, 'after the example queries', most)),
    ...(await askAll(service, 'a query about every triple', [everything])),
    ...(await memory(service, 'after a query about every triple')),
  ])
}

/** The memory after a minute of reads and writes, and when nothing was asked for so long that caches are empty. */
export async function idleCase(bench: Bench): Promise<Figure[]> {
  const { zines, resources } = bench
  return startAgain(zines, resources, async (service) => {
    const options = streamOptions({ ...bench, service })
    const [reads, writes] = [mixedReads(options), mixedWrites(options)]
    const [read] = await Promise.all([
      runLoad(service.url, reads.next, { clients: 8, milliseconds: 60_000 }),
      runLoad(service.url, writes.next, { clients: 4, milliseconds: 60_000, perSecond: 50 }),
    ])
    checkStatuses(read, reads)
    const busy = await memoryNow(service, 'after a minute of `mixed`')
    await sleep(idleMs)
    const most = zines > 20_000 ? undefined : 0.5
    const idle = await memoryNow(service, 'after a minute of `mixed`, eleven minutes later', most)
    return [busy, idle].map((figure) => ({ ...figure, row: 'idle' }))
  })
}

/** A cache drops an item after ten minutes at most (src/lib/cache.ts). */
const idleMs = 11 * 60_000

/** Starts a service, stops it, and starts it again, when it reads the file of indexes. */
export async function startAgain<Result>(
  zines: number,
  resources: Bench['resources'],
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const directory = await prepareDirectory(zines, resources)
  const start = () =>
    startService(directory.dataDir, { env: { BASE_URL: base, LOG_LEVEL: 'warn' } })
  try {
    await (await start()).end()
    const service = await start()
    try {
      return await use(service)
    } finally {
      await service.end()
    }
  } finally {
    await directory.remove()
  }
}

async function memory(service: Service, what: string, most?: number): Promise<Figure[]> {
  const atOnce = await memoryNow(service, what, most)
  await sleep(restMs)
  return [atOnce, await memoryNow(service, `${what}, a minute later`, most)]
}

const restMs = 60_000

async function memoryNow(service: Service, what: string, most?: number): Promise<Figure> {
  const { rss, heap } = await service.probe()
  return {
    row: 'memory',
    what: `with one SPARQL worker, ${what}`,
    value: rss / 2 ** 30,
    unit: 'GiB',
    ...(most === undefined ? {} : { target: { at: 'most', value: most } }),
    note: `${(heap / 2 ** 20).toFixed(0)} MiB of it the JavaScript heap`,
  }
}

export type Example = { readonly question: string; readonly query: string }

export async function readExamples({ url }: Service): Promise<readonly Example[]> {
  const response = await fetch(`${url}/.well-known/sparql-examples`, {
    headers: { accept: 'application/n-triples' },
  })
  return examplesOf(parseTurtle(await response.text(), base)).map((example) => ({
    question: questionOf(example, 'en').text,
    query: example.query,
  }))
}

/** Runs each query when its quads may have to be loaded, and again when they are there. */
export async function askAll(
  service: Service,
  what: string,
  queries: readonly Example[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const time of ['the first time', 'again']) {
    const took: number[] = []
    for (const { query } of queries) took.push(await ask(service, query))
    figures.push({
      row: 'memory',
      what: `${what}, ${time}`,
      value: Math.max(...took),
      unit: 'ms',
      note: `the slowest of ${took.length}; the median ${median(took).toFixed(0)} ms`,
    })
  }
  return figures
}

/** @returns how long the answer took, in milliseconds */
export async function ask(service: Service, query: string): Promise<number> {
  const { url, token } = service
  const before = performance.now()
  const response = await fetch(`${url}/sparql`, {
    method: 'POST',
    headers: { authorization: `Token ${token}` },
    body: new URLSearchParams({ query }),
  })
  const text = await response.text()
  const took = performance.now() - before
  // The queries took all the time that a client has.
  if (response.status === 429) {
    await sleep(1000 * Number(response.headers.get('Retry-After')))
    return ask(service, query)
  }
  // That it is too much is an answer too.
  if (!response.ok && !/LIMIT|ask for less|takes longer/.test(text))
    throw new Error(`${response.status} ${text}: ${query}`)
  return took
}
