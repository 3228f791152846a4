// What a service is asked in a day, in a table: reads, lists, searches, writes, exports, SPARQL, pages,
// and what goes wrong.

import { admin } from '../processes.js'
import type { Random } from '../random.js'
import type { Ask, Call } from './http-client.js'
import type { Outcome, Writer } from './writer.js'

export type RequestKind = {
  readonly name: string
  readonly weight: number
  readonly ask: (random: Random, own: Writer) => Promise<Outcome>
}

/** What is asked, how often, and which answers are right. */
export async function kindsOf(
  call: Call,
  known: KnownIdentifiers,
): Promise<readonly RequestKind[]> {
  const read =
    (
      expected: readonly number[],
      path: (random: Random) => string,
      ask: Ask = {},
    ): RequestKind['ask'] =>
    async (random) => {
      const address = path(random)
      const { status, text, milliseconds } = await call(address, ask)
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
    { name: 'record', weight: 30, ask: read([200], record) },
    { name: 'list', weight: 15, ask: read([200, 404], list) },
    { name: 'search', weight: 8, ask: read([200], search) },
    { name: 'write', weight: 15, ask: (random, own) => own(random) },
    { name: 'page', weight: hasPages ? 8 : 0, ask: read([200], record, html) },
    { name: 'export', weight: 1, ask: read([200], exported) },
    { name: 'dump', weight: 0.1, ask: read([200], () => '/dumps/catalogue.nt.gz') },
    { name: 'SPARQL', weight: 8, ask: read([200, 429, 503], asked) },
    { name: 'bomb', weight: 0.02, ask: read([400, 429, 503], () => sparql(bomb), { anonymous: true }) },
    { name: 'refused', weight: 4, ask: read([400], () => '/api/zines/', wrong) },
    { name: 'unknown', weight: 2, ask: read([404], (random) => `/api/zines/${random.number()}/`) },
    { name: 'login', weight: 0.05, ask: read([200, 503], () => '/api/auth/token/', login) },
    { name: 'left', weight: 1, ask: read([200], exported, { leave: true }) },
    { name: 'other', weight: 2, ask: read([200], other) },
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

/** Some identifiers of what there is. */
export async function identifiersAt(call: Call): Promise<KnownIdentifiers> {
  const known: KnownIdentifiers = { zines: [], agents: [], repositories: [], holdings: [] }
  for (const name of names)
    for (let page = 1; page <= 20; page += 1) {
      const { status, text } = await call(
        `/api/${name}/?page_size=100&page=${page}&ordering=${keys[name]}`,
      )
      if (status !== 200) break
      const { results } = JSON.parse(text) as { results: Record<string, string>[] }
      // Those of an earlier run come and go.
      const all = results.map((record) => record[keys[name]] ?? '')
      known[name].push(...all.filter((id) => !id.startsWith('soak-')))
    }
  return known
}

const words = ['punk', 'the', 'zine', 'music about', 'a', 'nothing-like-it']
const orders = ['title', '-created_at', 'updated_at', '-zine_id']
const formats = ['json', 'csv', 'turtle', 'jsonld', 'dc', 'bibtex', 'marcxml']
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
/** A cross product that no time limit is long enough for: its worker is ended. */
const bomb = 'SELECT (COUNT(*) AS ?c) { ?a ?b ?c0 . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }'

const list = (random: Random): string =>
  `/api/zines/?page=${random.between(1, 5)}&page_size=10&ordering=${random.pick(orders)}`
const search = (random: Random): string =>
  `/api/zines/?search=${encodeURIComponent(random.pick(words))}`
const exported = (random: Random): string =>
  `/api/export/zines/?format=${random.pick(formats)}&search=${random.pick(words)}`
const other = (random: Random): string => random.pick(others)
const sparql = (query: string): string => `/sparql?query=${encodeURIComponent(query)}`
const asked = (random: Random): string => sparql(random.pick(queries))

const html: Ask = { accept: 'text/html' }
const wrong: Ask = { method: 'POST', body: '{"title":1}' }
const login: Ask = { method: 'POST', body: JSON.stringify(admin), anonymous: true }
