// The requests that the benchmarks send, as streams that are the same in every run. That they are sent and
// measured is left to rounds.ts.

import type { ResourceName } from '../src/model/iris.js'
import type { Resources } from '../src/model/resources.js'
import type { BenchRequest } from './client.js'
import { type Random, createRandom } from './random.js'
import { agentId, countsOf, newZine, zineId } from './synthetic.js'

export type RequestStream = {
  readonly next: () => BenchRequest
  /** For requests that are measured once only. */
  readonly once?: {
    /** After how many requests they repeat. */
    readonly count: number
    /** Other requests, which have the code compiled that these need. */
    readonly warmUp: () => BenchRequest
  }
}

export type StreamOptions = {
  readonly zines: number
  readonly resources: Resources
  /** The token of an account that may write. */
  readonly token: string
  /** A part of the identifiers of new records, which no earlier run used on the same data. */
  readonly run: string
}

/** These requests in turn, again and again. */
export const inTurn = (paths: readonly string[]): RequestStream => {
  let index = 0
  return { next: () => ({ path: paths[(index += 1) % paths.length] ?? '/' }) }
}

/** A thousand zines, again and again. */
export const repeatedZines = ({ zines }: StreamOptions): RequestStream =>
  inTurn(Array.from({ length: 1000 }, (_, index) => `/api/zines/${zineId((index * 7) % zines)}/`))

/** Any zine, most of them again after a while. */
export function anyZine({ zines }: StreamOptions): RequestStream {
  const random = createRandom(3)
  return { next: () => ({ path: `/api/zines/${zineId(random.between(0, zines - 1))}/` }) }
}

/** Every zine once, in no order. */
export function newlyReadZines({ zines }: StreamOptions): RequestStream {
  const random = createRandom(17)
  const indexes = Array.from({ length: zines }, (_, index) => index)
  for (let last = zines - 1; last > 0; last -= 1) {
    const other = random.between(0, last)
    ;[indexes[last], indexes[other]] = [indexes[other] ?? 0, indexes[last] ?? 0]
  }
  const paths = indexes.map((index) => `/api/zines/${zineId(index)}/`)
  return { ...inTurn(paths), once: { count: zines, warmUp: otherRecords(zines) } }
}

/** Any holding and agent. */
function otherRecords(zines: number): () => BenchRequest {
  const random = createRandom(43)
  return () => ({
    path: pathOfRecord(random, random.pick(['holdings', 'agents'] as const), zines),
  })
}

/** Pages of lists of zines, none of them twice. */
export function newLists(options: StreamOptions): RequestStream {
  const list = createListPaths(createRandom(23), options)
  const seen = new Set<string>()
  return {
    next() {
      let path = list()
      while (seen.has(path)) path = list()
      seen.add(path)
      return { path }
    },
    once: {
      // Of the orderings without a filter alone there are six times as many pages as of one.
      count: Math.floor((options.zines / 25) * 6),
      warmUp: otherLists(options.zines),
    },
  }
}

/** Pages of lists of holdings with any order, half of them with a filter. */
function otherLists(zines: number): () => BenchRequest {
  const random = createRandom(47)
  const pages = Math.floor(countsOf(zines).holdings / 25)
  return () => {
    const ordering = random.pick(['call_number', '-call_number', 'created_at', '-updated_at'])
    const params = random.chance(0.5)
      ? { digital_available: 'false', page: String(random.between(1, Math.floor(pages / 2))) }
      : { page: String(random.between(1, pages)) }
    return { path: `/api/holdings/?${new URLSearchParams({ ...params, ordering }).toString()}` }
  }
}

/** Pages for browsers: of records, and of lists. */
export function htmlPages(options: StreamOptions): RequestStream {
  const random = createRandom(29)
  const list = createListPaths(random, options)
  return {
    next: () => asPage(random.chance(0.6) ? recordPath(random, options) : list()),
  }
}

/** New zines. */
export function newZines({ zines, resources, token, run }: StreamOptions): RequestStream {
  const random = createRandom(31)
  const headers = { authorization: `Token ${token}` }
  let number = 0
  return {
    next: () => ({
      method: 'POST',
      path: '/api/zines/',
      headers,
      body: JSON.stringify(newZine(random, `new-${run}-${(number += 1)}`, resources, zines)),
    }),
  }
}

/** New abstracts of any zine. */
export function changedZines({ zines, token }: StreamOptions): RequestStream {
  const random = createRandom(37)
  const headers = { authorization: `Token ${token}` }
  return {
    next: () => ({
      method: 'PATCH',
      path: `/api/zines/${zineId(random.between(0, zines - 1))}/`,
      headers,
      body: JSON.stringify({ abstract: random.words(20) }),
    }),
  }
}

/** What editors write: new zines, new abstracts, and names of agents that many zines show. */
export function mixedWrites(options: StreamOptions): RequestStream {
  const random = createRandom(11)
  const headers = { authorization: `Token ${options.token}` }
  const created = newZines(options)
  const changed = changedZines(options)
  let number = 0
  return {
    next() {
      number += 1
      if (number % 5 < 2) return created.next()
      if (number % 5 < 4) return changed.next()
      return {
        method: 'PATCH',
        path: `/api/agents/${agentId(random.rank(options.zines / 5))}/`,
        headers,
        body: JSON.stringify({ display_name: random.words(2) }),
      }
    },
  }
}

/** The parts of the mixture, in percent. */
const mixture = [
  { kind: 'record', weight: 60 },
  { kind: 'list', weight: 24 },
  { kind: 'recordPage', weight: 4 },
  { kind: 'listPage', weight: 2 },
  { kind: 'search', weight: 5 },
  { kind: 'text', weight: 5 },
] as const

type MixedKind = (typeof mixture)[number]['kind']

/** What the readers and crawlers of a catalogue ask for; never the same request twice in a row. */
export function mixedReads(options: StreamOptions): RequestStream {
  const random = createRandom(41)
  const list = createListPaths(random, options)
  const makers: Readonly<Record<MixedKind, () => BenchRequest>> = {
    record: () => ({ path: recordPath(random, options) }),
    list: () => ({ path: list() }),
    recordPage: () => asPage(recordPath(random, options)),
    listPage: () => asPage(list()),
    search: () => ({ path: `/api/zines/?search=${encodeURIComponent(random.words(1))}` }),
    text: () => ({ path: `/api/zines/?q=${encodeURIComponent(random.words(2))}` }),
  }
  let last = ''
  return {
    next() {
      for (;;) {
        const request = makers[random.pickWeighted(mixture).kind]()
        const key = JSON.stringify(request)
        if (key === last) continue
        last = key
        return request
      }
    },
  }
}

/** The same, with a write after so many reads, as where ten writes arrive in a second. */
export function mixedReadsAndWrites(options: StreamOptions): RequestStream {
  const [reads, writes] = [mixedReads(options), mixedWrites(options)]
  let number = 0
  return { next: () => ((number += 1) % readsForAWrite === 0 ? writes : reads).next() }
}

const readsForAWrite = 80

const asPage = (path: string): BenchRequest => ({ path, headers: { accept: 'text/html' } })

/** Records that are read, in percent. */
const readRecords = [
  { name: 'zines', weight: 60 },
  { name: 'holdings', weight: 20 },
  { name: 'agents', weight: 17 },
  { name: 'repositories', weight: 3 },
] as const

function recordPath(random: Random, { zines }: StreamOptions): string {
  return pathOfRecord(random, random.pickWeighted(readRecords).name, zines)
}

function pathOfRecord(random: Random, name: ResourceName, zines: number): string {
  const index = random.between(0, countsOf(zines)[name] - 1)
  const singular = name === 'repositories' ? 'repository' : name.slice(0, -1)
  return `/api/${name}/${singular}-${index}/`
}

const orderings = ['', 'title', '-title', '-created_at', 'created_at', 'updated_at', '-updated_at']

/** Pages of lists of zines with any order, and with filters. No page is beyond the end of its list. */
function createListPaths(random: Random, { zines, resources }: StreamOptions): () => string {
  const codes = (field: string): string[] =>
    (resources.zines.byName.get(field)?.vocabulary?.entries ?? []).map(({ code }) => code)
  const [genres, subjects] = [codes('genre'), codes('subject')]
  const filters: readonly (() => Readonly<Record<string, string>>)[] = [
    () => ({ page: String(random.between(1, Math.floor(zines / 25))) }),
    () => ({ language: 'en', page: String(random.between(1, Math.floor(zines / 250))) }),
    () => ({ genre: random.pick(genres) }),
    () => ({ subject: random.pick(subjects), language: random.pick(['en', 'es', 'fr']) }),
    () => ({ creator: agentId(random.between(0, Math.ceil(zines / 5) - 1)) }),
  ]
  return () => {
    const ordering = random.pick(orderings)
    const params = { ...random.pick(filters)(), ...(ordering === '' ? {} : { ordering }) }
    return `/api/zines/?${new URLSearchParams(params).toString()}`
  }
}
