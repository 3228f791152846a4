// The requests of the soak test with their weights: reads, lists, searches, writes, exports, SPARQL, pages,
// and wrong requests. The writes: writer.ts.

import { admin } from '../processes.js'
import type { Random } from '../random.js'
import type { Call, RequestOptions } from './http-client.js'
import type { Outcome, Writer } from './writer.js'

export type RequestKind = {
  readonly name: string
  readonly weight: number
  readonly run: (random: Random, writer: Writer) => Promise<Outcome>
}

/** The kinds of requests, with the statuses that are right for each. */
export async function createWorkload(
  call: Call,
  known: KnownIdentifiers,
): Promise<readonly RequestKind[]> {
  const read =
    (
      expected: readonly number[],
      path: (random: Random) => string,
      options: RequestOptions = {},
    ): RequestKind['run'] =>
    async (random) => {
      const address = path(random)
      const { status, text, milliseconds } = await call(address, options)
      const problem = `${address}: ${status} ${text.slice(0, 200)}`
      return { milliseconds, problem: expected.includes(status) ? undefined : problem }
    }
  const record = (random: Random): string => {
    const name = random.pick(names)
    return `/api/${name}/${encodeURIComponent(random.pick(known[name]))}/`
  }
  const hasPages = (await call('/api/zines/', html)).status === 200

  // prettier-ignore
  return [
    { name: 'record', weight: 30, run: read([200], record) },
    { name: 'list', weight: 15, run: read([200, 404], list) },
    { name: 'search', weight: 8, run: read([200], search) },
    { name: 'write', weight: 15, run: (random, writer) => writer(random) },
    { name: 'page', weight: hasPages ? 8 : 0, run: read([200], record, html) },
    { name: 'export', weight: 1, run: read([200], exported) },
    { name: 'dump', weight: 0.1, run: read([200], () => '/dumps/catalogue.nt.gz') },
    { name: 'SPARQL', weight: 8, run: read([200, 429, 503], publicQuery) },
    { name: 'bomb', weight: 0.02, run: read([400, 429, 503], () => sparql(bomb), { anonymous: true }) },
    { name: 'refused', weight: 4, run: read([400], () => '/api/zines/', wrong) },
    { name: 'unknown', weight: 2, run: read([404], (random) => `/api/zines/${random.number()}/`) },
    { name: 'login', weight: 0.05, run: read([200, 503], () => '/api/auth/token/', login) },
    { name: 'left', weight: 1, run: read([200], exported, { disconnect: true }) },
    { name: 'other', weight: 2, run: read([200], other) },
  ]
}

const keys = {
  zines: 'zine_id',
  agents: 'agent_id',
  repositories: 'repo_id',
  holdings: 'holding_id',
} as const

type Name = keyof typeof keys

// The cast: keys says what keys it has.
const names = Object.keys(keys) as Name[]

export type KnownIdentifiers = Readonly<Record<Name, string[]>>

/** The identifiers of up to 2,000 records of each resource. */
export async function readIdentifiers(call: Call): Promise<KnownIdentifiers> {
  const known: KnownIdentifiers = { zines: [], agents: [], repositories: [], holdings: [] }
  for (const name of names)
    for (let page = 1; page <= 20; page += 1) {
      const { status, text } = await call(
        `/api/${name}/?page_size=100&page=${page}&ordering=${keys[name]}`,
      )
      if (status !== 200) break
      const { results } = JSON.parse(text) as { results: Record<string, string>[] }
      // Records of earlier soak tests are left out, since writers delete such records.
      const all = results.map((record) => record[keys[name]] ?? '')
      known[name].push(...all.filter((id) => !id.startsWith('soak-')))
    }
  return known
}

const words = ['punk', 'the', 'zine', 'music about', 'a', 'nothing-like-it']
const orders = ['title', '-created_at', 'updated_at', '-zine_id']
const formats = [
  'json',
  'csv',
  'turtle',
  'jsonld',
  'dc',
  'bibtex',
  'marcxml',
  'xlsx',
  'marc',
  'mods',
  'ris',
  'csljson',
]
const others = [
  '/healthz',
  '/api/',
  '/api/schema/',
  '/vocabularies/subjects',
  '/api/vocabularies/subjects/',
]
const queries = [
  'SELECT ?type (COUNT(*) AS ?c) { ?s a ?type } GROUP BY ?type',
  'SELECT * { ?s <http://purl.org/dc/terms/title> ?t } LIMIT 100',
  'CONSTRUCT { ?s ?p ?o } WHERE { ?s a <http://xmlns.com/foaf/0.1/Person> ; ?p ?o } LIMIT 200',
  'ASK { ?s ?p "nothing" }',
]
/** A cross product that takes longer than any time limit, so its worker is terminated. */
const bomb = 'SELECT (COUNT(*) AS ?c) { ?a ?b ?c0 . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }'

const list = (random: Random): string =>
  `/api/zines/?page=${random.between(1, 5)}&page_size=10&ordering=${random.pick(orders)}`
const search = (random: Random): string =>
  `/api/zines/?search=${encodeURIComponent(random.pick(words))}`
const exported = (random: Random): string =>
  `/api/export/zines/?format=${random.pick(formats)}&search=${random.pick(words)}`
const other = (random: Random): string => random.pick(others)
const sparql = (query: string): string => `/sparql?query=${encodeURIComponent(query)}`
const publicQuery = (random: Random): string => sparql(random.pick(queries))

const html: RequestOptions = { accept: 'text/html' }
const wrong: RequestOptions = { method: 'POST', body: '{"title":1}' }
const login: RequestOptions = { method: 'POST', body: JSON.stringify(admin), anonymous: true }
