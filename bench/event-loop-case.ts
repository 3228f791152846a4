// The benchmark case `loop`: requests every public address, twice, and measures how long each request
// blocks the event loop, and with it all other requests.

import type { Bench } from './case.js'
import type { Figure } from './report.js'
import type { Service } from './processes.js'
import { agentId, zineId } from './synthetic.js'

/** How long a response is read; exports and dumps would take longer. */
const timeoutMs = 4000

export async function eventLoopCase({ service }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const caches of ['cold', 'warm']) {
    const measured: { path: string; blocked: number }[] = []
    await service.probe()
    for (const path of allPaths()) {
      await request(service, path)
      measured.push({ path, blocked: (await service.probe()).blocked })
    }
    measured.sort((a, b) => b.blocked - a.blocked)
    figures.push({
      row: 'loop',
      what: `${measured.length} addresses, ${caches}: the event loop blocked`,
      value: measured[0]?.blocked ?? NaN,
      unit: 'ms',
      target: { at: 'most', value: 100 },
      note: measured
        .slice(0, 12)
        .map(({ path, blocked }) => `${path} ${blocked.toFixed(0)}`)
        .join('; '),
    })
  }
  return figures
}

async function request(service: Service, path: string): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const [url = '', accept = '*/*'] = path.split(' ')
  try {
    const response = await fetch(service.url + url, { signal: timeout, headers: { accept } })
    await response.body?.pipeTo(new WritableStream())
  } catch (error) {
    if (!timeout.aborted) throw error
  }
}

const formats = [
  'json',
  'jsonld',
  'turtle',
  'ntriples',
  'rdfxml',
  'csv',
  'dc',
  'marcxml',
  'bibtex',
  'xlsx',
  'marc',
  'mods',
  'ris',
  'csljson',
]

function allPaths(): string[] {
  const records = [
    `/api/zines/${zineId(5)}/`,
    `/api/agents/${agentId(0)}/`,
    '/api/repositories/repository-0/',
    '/api/holdings/holding-5/',
  ]
  const lists = ['/api/zines/', '/api/agents/', '/api/repositories/', '/api/holdings/']
  const exports = ['zines', 'agents', 'repositories', 'holdings'].map(
    (name) => `/api/${name}/export/`,
  )
  const queries = [
    'SELECT ?s WHERE { ?s a <http://id.loc.gov/ontologies/bibframe/Instance> } LIMIT 10',
    'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }',
  ]
  return [
    ...['/api/', '/api/ text/html', '/api/schema/', '/api/schema/?format=json', '/dataset', '/ns'],
    ...[...records, ...lists].flatMap((path) => [
      ...formats.map((format) => `${path}?format=${format}`),
      `${path} text/html`,
    ]),
    ...lists.flatMap((path) => [
      `${path}?page_size=100`,
      `${path}?page_size=100&page=20`,
      `${path}?page_size=100&format=turtle`,
      `${path}?page_size=100&format=jsonld`,
      `${path}?page_size=100&format=xlsx`,
      `${path}?page_size=100&format=marc&items=952`,
      `${path}?ordering=created_at`,
      `${path}?search=the`,
      `${path}?search=xylophone`,
      `${path}?search=e`,
      `${path}?search=e a o i u`.replaceAll(' ', '+'),
    ]),
    '/api/zines/?ordering=title&genre=perzine',
    '/api/zines/?genre=perzine text/html',
    '/api/zines/?language=en&ordering=-title',
    '/api/agents/?ordering=-display_name&public=false',
    '/api/holdings/?ordering=call_number',
    '/api/holdings/?repository_id=repository-0&ordering=-call_number',
    `/api/zines/?creator=${agentId(0)}`,
    ...exports.flatMap((path) =>
      ['csv', 'jsonl', 'turtle', 'jsonld'].map((format) => `${path}?format=${format}`),
    ),
    '/api/zines/export/?format=csv&search=the&ordering=title',
    ...['the', 'zine', '"the about"', 'th'].map((q) => `/api/zines/?q=${encodeURIComponent(q)}`),
    '/api/search/?q=the',
    '/api/suggest/?q=th',
    '/api/zines/facets/',
    ...[
      '/explore',
      '/explore?rows=creator&columns=subject',
      '/explore?rows=repository&columns=country',
      '/explore?format=csv&rows=creator&columns=subject',
      '/map',
      '/makers?letter=B',
      '/series',
    ].map((path) => `${path} text/html`),
    '/dumps/catalogue.nt.gz',
    '/dumps/catalogue.ttl.gz',
    ...['subjects', 'genres', 'formats', 'rights-status', 'agent-kinds'].flatMap((name) => [
      `/api/vocabularies/${name}/`,
      `/api/vocabularies/${name}/?search=a`,
      `/vocabularies/${name} text/turtle`,
    ]),
    '/api/geography/places/?search=a',
    '/api/geography/countries/',
    '/api/geography/languages/',
    ...queries.map((query) => `/sparql?query=${encodeURIComponent(query)}`),
    '/sparql',
    '/.well-known/sparql-examples',
  ]
}
