// Everything that a stranger can ask, one after the other, each twice: whether any of it holds up
// those who ask for something else.

import { type Figure } from './report.js'
import type { Service } from './processes.js'
import type { Bench } from './cases.js'
import { agentId, zineId } from './synthetic.js'

/** The longest that an answer is listened to, in milliseconds: exports and dumps take longer. */
const patience = 4000

export async function eventLoopCase({ service }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const time of ['cold', 'warm']) {
    const held: { path: string; blocked: number }[] = []
    await service.probe()
    for (const path of everything()) {
      await ask(service, path)
      held.push({ path, blocked: (await service.probe()).blocked })
    }
    held.sort((a, b) => b.blocked - a.blocked)
    figures.push({
      row: 'loop',
      what: `${held.length} addresses, ${time}: the event loop held up`,
      value: held[0]?.blocked ?? NaN,
      unit: 'ms',
      target: { at: 'most', value: 100 },
      note: held
        .slice(0, 12)
        .map(({ path, blocked }) => `${path} ${blocked.toFixed(0)}`)
        .join('; '),
    })
  }
  return figures
}

async function ask(service: Service, path: string): Promise<void> {
  const enough = AbortSignal.timeout(patience)
  const [url = '', accept = '*/*'] = path.split(' ')
  try {
    const answer = await fetch(service.url + url, { signal: enough, headers: { accept } })
    await answer.body?.pipeTo(new WritableStream())
  } catch (error) {
    if (!enough.aborted) throw error
  }
}

const formats = ['json', 'jsonld', 'turtle', 'ntriples', 'rdfxml', 'csv', 'dc', 'marcxml', 'bibtex']

function everything(): string[] {
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
