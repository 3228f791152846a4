// Everything that is asked for: each address of the table of rights as each role, in each format and language, with
// wrong requests; what pages link to; each parameter; then every write and every form.

import { type Method, type Role, type Route, methods, roles, routes } from '../security/routes.js'
import type { Ask as Sent } from '../service.js'
import { fieldsOf, read } from '../views/browser.js'
import type { Ask, Client, Request } from './client.js'
import { type Collection, formType, jsonLines, sendForm, visitor } from './collection.js'
import type { Answer } from './recording.js'

export async function requestAll(ask: Ask, collection: Collection): Promise<void> {
  const context = { ask, ...collection, ...peopleOf(collection) }
  const addresses = addressesOf(collection)
  const links = await readAll(context, addresses)
  await readWrongly(context, addresses)
  await readParameters(context)
  for (const address of links) await ask(context.nobody, address)
  await writeWrongly(context)
  for (const method of ['POST', 'PUT', 'PATCH'] as const) await writeAsTold(context, method)
  await sendForms(context, (path) => !takesAway(path))
  await writeAsTold(context, 'DELETE')
  await sendForms(context, takesAway)
}

type Context = Collection &
  Readonly<Record<'nobody' | 'admin' | 'visitor' | 'signedIn', Client>> & { readonly ask: Ask }

function peopleOf({ programs, browsers }: Collection) {
  const [nobody, admin] = [programs.get('nobody'), programs.get('admin')]
  const [anybody, signedIn] = [browsers.get('nobody'), browsers.get('admin')]
  if (!nobody || !admin || !anybody || !signedIn) throw new Error('roles are missing')
  return { nobody, admin, visitor: anybody, signedIn }
}

/** Addresses that are not in the table of rights. */
const furtherAddresses = [
  '/about',
  '/health',
  '/nowhere',
  '/api/nowhere/',
  '/api/zines',
  '/api/zines/%E0%A4%A/',
  '/api/agents/private-maker/',
  '/api/zines/private-zine/',
  '/api/agents/double/',
  '/api/zines/renamed/',
  '/api/zines/new-name/',
  '/api/zines/deleted/',
  '/api/zines/deleted/history/',
  '/api/zines/zine/history/2/?compare=1',
  ...['agents', 'zines', 'repositories', 'holdings'].map((name) => `/api/${name}/full-${name}/`),
  '/manage/agents/unmerge/double',
  '/manage/deleted?kind=zines',
  ...[
    'ListSets',
    'ListMetadataFormats',
    'ListIdentifiers',
    'ListRecords',
    'GetRecord',
    'None',
  ].flatMap((verb) =>
    ['oai_dc', 'marc21', 'mods', 'none'].map(
      (prefix) => `/oai?verb=${verb}&metadataPrefix=${prefix}`,
    ),
  ),
  ...[
    'SELECT * { ?s a ?o } ORDER BY ?s ?o LIMIT 5',
    'ASK {}',
    'DESCRIBE <https://zines.example/id/zines/zine>',
    'SELECT',
  ].map((query) => `/sparql?query=${encodeURIComponent(query)}`),
  `/reconcile?queries=${encodeURIComponent('{"q0":{"query":"Maker helper","type":"agents"}}')}`,
  `/reconcile?extend=${encodeURIComponent('{"ids":["agents/maker"],"properties":[{"id":"display_name"}]}')}`,
]

/** Each address of the table, and where it names something that is not there, also one of what is. */
const addressesOf = (collection: Collection): readonly string[] => [
  ...new Set([...routes.flatMap(({ at }) => [at, present(at, collection)]), ...furtherAddresses]),
]

const present = (at: string, { ids }: Pick<Collection, 'ids'>): string =>
  at
    .replace(/([\w-]+)\/none\b/, (_, part: string) => `${part}/${ids[part] ?? 'none'}`)
    .replace('/history/99/', '/history/1/')

/** @returns the addresses that the pages link to, without the addresses themselves */
async function readAll(context: Context, addresses: readonly string[]): Promise<readonly string[]> {
  const { ask, programs, browsers, nobody, admin, visitor: anybody, signedIn } = context
  const links = new Set<string>()
  const languages = ['es', 'fr'].flatMap((language) => [
    visitor(`nobody, in a browser in ${language}`, language),
    {
      ...signedIn,
      name: `admin, in a browser in ${language}`,
      headers: { ...signedIn.headers, 'accept-language': language },
    },
  ])
  for (const address of addresses) {
    for (const program of programs.values()) await ask(program, address)
    for (const browser of browsers.values()) {
      const answer = await ask(browser, address)
      if (browser === anybody || browser === signedIn)
        for (const link of linksOn(answer, address)) links.add(link)
    }
    for (const browser of languages) await ask(browser, address)
    const options = await ask(nobody, address, { method: 'OPTIONS' })
    await ask(nobody, address, { method: 'HEAD' })
    for (const accept of formatsIn(options))
      for (const client of [nobody, admin]) await ask(client, address, { headers: { accept } })
  }
  return [...links].filter((link) => !addresses.includes(link)).sort()
}

// The cast: OPTIONS answers so.
const formatsIn = ({ status, body }: Answer): readonly string[] =>
  status === 200 ? (JSON.parse(body.toString()) as { renders: readonly string[] }).renders : []

function linksOn({ headers, body }: Answer, address: string): readonly string[] {
  if (!headers['content-type']?.[0]?.startsWith('text/html')) return []
  const base = new URL(address, 'http://page.example')
  return [...body.toString().matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, link = '']) => new URL(link.replaceAll('&amp;', '&'), base))
    .filter(({ origin }) => origin === base.origin)
    .map(({ pathname, search }) => pathname + search)
}

/** Requests that are refused, or answered in another way, whatever the address. */
async function readWrongly(
  { ask, nobody, admin }: Context,
  addresses: readonly string[],
): Promise<void> {
  for (const address of addresses) {
    const { headers } = await ask(nobody, address, { headers: { 'accept-encoding': 'gzip' } })
    for (const [known, name] of [
      ['etag', 'if-none-match'],
      ['last-modified', 'if-modified-since'],
    ] as const)
      if (headers[known]?.[0])
        await ask(nobody, address, { headers: { [name]: headers[known][0] } })
    await ask(nobody, address, { headers: { accept: 'application/none' } })
    const sign = address.includes('?') ? '&' : '?'
    for (const query of ['format=none', 'page=0', 'page_size=x', 'none=1', 'page=2&page_size=1'])
      await ask(nobody, `${address}${sign}${query}`)
    const { uses = {} } = routes.find(({ at }) => at === address) ?? {}
    for (const method of [...methods, 'PROPFIND'])
      if (!['GET', 'HEAD', 'OPTIONS'].includes(method) && !(method in uses))
        for (const client of [nobody, admin]) await ask(client, address, { method })
  }
}

/** Each parameter of each address of the API's description, with values that it takes and with one that it does not. */
async function readParameters({ ask, nobody, ids }: Context): Promise<void> {
  const { body } = await ask(nobody, '/api/schema/?format=json')
  // The cast: as OpenAPI has it.
  const { paths, components } = JSON.parse(body.toString()) as ApiDescription
  for (const [path, { get }] of Object.entries(paths)) {
    const address = path.replace(
      /([\w-]+)\/\{\w+\}/g,
      (_, part: string) => `${part}/${ids[part] ?? knownIn[part] ?? '1'}`,
    )
    for (const parameter of get?.parameters ?? []) {
      const {
        name,
        in: place,
        schema,
      } = '$ref' in parameter
        ? (components.parameters[parameter.$ref.split('/').pop() ?? ''] ?? noParameter)
        : parameter
      // Waiting takes its time.
      if (place !== 'query' || name === 'wait') continue
      for (const value of [...(schema?.enum ?? [valueOf[name] ?? 'zine']), '"none'])
        await ask(nobody, `${address}?${new URLSearchParams({ [name]: value }).toString()}`)
    }
  }
}

type Parameter = {
  readonly name: string
  readonly in: string
  readonly schema?: { readonly enum?: readonly string[] }
}

type ApiDescription = {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get?: { readonly parameters?: readonly (Parameter | { readonly $ref: string })[] }
      }
    >
  >
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

const noParameter: Parameter = { name: '', in: '' }

/** A record of each resource. */
const knownIn: Readonly<Record<string, string>> = {
  zines: 'zine',
  agents: 'maker',
  repositories: 'library',
  holdings: 'copy',
}

const valueOf: Readonly<Record<string, string>> = {
  page: '2',
  page_size: '5',
  limit: '2',
  year: '1994',
  year__gte: '1990',
  year__lte: '2000',
  decade: '1990',
  country: 'US',
  updated_since: '2026-01-15T12:01:00Z',
  updated_before: '2026-01-15T12:01:00Z',
  creator: 'maker',
  publisher: 'press',
  subject: 'punk',
  subject__in: 'punk,feminism',
  content_advice: 'nudity',
  content_advice__not_in: 'nudity,violence',
  genre: 'perzine',
  genre__in: 'perzine,fanzine',
  language: 'en',
  language__in: 'en,es',
  repository: 'library',
  repository_id: 'library',
  only_in: 'library',
  zine_id__in: 'zine,other',
  list: 'list',
  fields: 'title,creator',
  ordering: '-year,-updated_at',
  queries: '{"q0":{"query":"maker"}}',
  query: 'ASK {}',
  prefix: 'm',
  id: 'agents/maker',
  has_holding: 'true',
  digital: 'true',
  undated: 'true',
  public: 'true',
  letter: 'M',
  cursor: '*',
  since: '1',
}

/** Bodies that are refused nearly everywhere, as the administrator. */
async function writeWrongly({ ask, admin, ids }: Context): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const requests: readonly Request[] = [
    { headers: json },
    ...[
      '{',
      '[]',
      '{"unknown":1}',
      '{"title":[1],"display_name":{},"zine_id":null,"public":"x"}',
    ].map((body) => ({ headers: json, body })),
    { headers: { 'content-type': 'text/plain' }, body: 'x' },
    { headers: jsonLines, body: '{"op":"none"}\n[]\n' },
    { headers: { ...json, 'if-match': '"none"' }, body: '{}' },
  ]
  for (const { at, uses } of routes)
    for (const method of ['POST', 'PUT', 'PATCH'])
      if (method in uses)
        for (const address of new Set([at, present(at, { ids })]))
          for (const request of requests) await ask(admin, address, { ...request, method })
}

/** A method of the table as every role, with what the table sends. */
async function writeAsTold(
  { ask, programs, ids }: Context,
  method: Exclude<Method, 'GET'>,
): Promise<void> {
  for (const route of routes)
    if (method in route.uses)
      for (const address of new Set([route.at, present(route.at, { ids })]))
        for (const role of roles) {
          const client = programs.get(role)
          if (client) await ask(client, address, { ...requestOf(route, method, role), method })
        }
}

/** Each role creates a record of its own, and replaces the one that is there. */
function requestOf(
  { path, uses, writes }: Route,
  method: Exclude<Method, 'GET'>,
  role: Role,
): Request {
  const isRecord = writes && /^\/api\/\w+\/(?::id\/)?$/.test(path) && method !== 'DELETE'
  const { body, raw, headers }: Sent = isRecord
    ? { body: writes.minimal(method === 'POST' ? `of ${role}` : (knownIn[writes.name] ?? '')) }
    : (uses[method]?.send ?? {})
  if (raw === undefined && body === undefined) return {}
  return {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof raw === 'string' ? raw : JSON.stringify(body),
  }
}

/** The forms of some pages: nearly empty as every role, and as they stand on the page, with each of their buttons. */
async function sendForms(
  { ask, browsers, signedIn, ids }: Context,
  isWanted: (path: string) => boolean,
): Promise<void> {
  const pages = routes.filter(
    ({ path, uses }) => isPageWithForms(path) && 'POST' in uses && isWanted(path),
  )
  for (const address of new Set(pages.flatMap(({ at }) => [at, present(at, { ids })]))) {
    for (const browser of browsers.values()) await sendForm(ask, browser, address, { title: 'x' })
    const page = read((await ask(signedIn, address)).body.toString())
    for (const form of page.all('form')) {
      const { action = address, method } = form.attributes
      // Every page has the form that ends the session.
      if (method !== 'post' || action === '/manage/logout') continue
      for (const { attributes } of form.all('button')) {
        const { name = '', value = '' } = attributes
        const fields = Object.entries({ ...fieldsOf(form), [name]: value }).flatMap(
          ([field, values]) => [values].flat().map((one) => [field, one]),
        )
        const body = new URLSearchParams(fields).toString()
        await ask(signedIn, action, { method: 'POST', headers: formType, body })
      }
    }
  }
}

const isPageWithForms = (path: string): boolean => /^\/(?:manage|requests)\//.test(path)

/** What takes away an account, a session or a record, which others need. */
const takesAway = (path: string): boolean => /\/(?:log\w+|account|accounts|remove)\b/.test(path)
