// Searches for leaks of private fields: the agents that are private now have marks in these fields, and records of
// each kind in all fields for the staff. Every response of every endpoint is searched for the marks, in every format
// and for every kind of reader, by token and in a signed-in browser. The log is searched too. What tokens with the
// right to see private fields get is tested in test/features/records/private-view.test.ts and test/features/records/staff-fields.test.ts.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { pino } from 'pino'

import { csrfOf } from '../../src/accounts/sessions.js'
import { formatsOf } from '../../src/http/endpoint.js'
import { seriesOf } from '../../src/model/series.js'
import { type ResourceName, resourceNames } from '../../src/model/iris.js'
import { agent, holding, repository, zine } from '../examples.js'
import { readArchive } from '../formats/workbook-reader.js'
import { ACCEPT, type Browser, browse } from '../views/browser.js'
import { recordPath, staffFields, useCatalogue } from '../http/catalogue.js'
import { marked, newMark } from '../http/secrets.js'
import { PASSWORD, type TestService } from '../service.js'
import { openedAt } from './form-actions.js'
import { routes } from './routes.js'
import { until } from '../waiting.js'

const deliveryTiming = {
  collect: 10,
  look: 20,
  firstWait: 40,
  longestWait: 100,
  timeout: 2_000,
  giveUp: 0,
}

/** The common beginning of all marks, so that most texts are searched only once. */
const common = newMark()

/** The agents whose marks a text contains. */
const foundIn = (text: string): readonly string[] =>
  text.includes(common)
    ? [...marks].filter(([mark]) => text.includes(mark)).map(([, what]) => what)
    : text.includes(markedDay)
      ? ['a day']
      : []

/** A field that takes a day alone has this one, which nothing else has. */
const markedDay = '1407-05-09'

/** Every mark with the agent that has it. */
const marks = new Map<string, string>()

/** Private fields with a new mark. */
function secretsOf(what: string) {
  const mark = `${common}${newMark()}`
  marks.set(mark, what)
  return marked(mark)
}

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** The credentials of a reader, and the kinds of records whose private fields pages show them. */
type Reader = {
  readonly headers: Readonly<Record<string, string>>
  readonly sees?: readonly ResourceName[]
}

/** All fields for the staff of a kind, with one new mark. */
function staffSecretsOf(kind: ResourceName, what: string) {
  const mark = `${common}${newMark()}`
  marks.set(mark, what)
  return Object.fromEntries(
    staffFields(kind).map((name) => [name, name === 'last_seen' ? markedDay : `${name} ${mark}`]),
  )
}

/** The records with notes for the staff, besides the agent `noted`. */
const noted: Readonly<Partial<Record<ResourceName, string>>> = {
  zines: 'zine',
  repositories: 'library',
  holdings: 'copy',
}

type Planting = (service: TestService, id: string) => Promise<readonly number[]>

const write = async (service: TestService, method: string, id: string, body: object) => {
  const path = method === 'POST' ? '/api/agents/' : recordPath('agents', id)
  const { status } = await service.ask(method, path, { body })
  return status
}

/** The ways in which an agent gets private fields; each returns the statuses of its writes. */
const ways: Readonly<Record<string, Planting>> = {
  'born-private': async (service, id) => [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(id) })),
  ],
  'private-by-patch': async (service, id) => [
    await write(service, 'POST', id, agent(id, secretsOf(id))),
    await write(service, 'PATCH', id, { public: false }),
  ],
  'private-by-put': async (service, id) => [
    await write(service, 'POST', id, agent(id, secretsOf(`${id}, before`))),
    await write(service, 'PUT', id, agent(id, { public: false, ...secretsOf(id) })),
  ],
  renamed: async (service, id) => [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(`${id}, before`) })),
    await write(service, 'PATCH', id, secretsOf(id)),
  ],
  'kept-by-put': async (service, id) => [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(id) })),
    await write(service, 'PUT', id, agent(id, { public: false, biography: 'Known.' })),
  ],
  'private-again': async (service, id) => [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(`${id}, at first`) })),
    await write(service, 'PUT', id, agent(id, { public: true, ...secretsOf(`${id}, in public`) })),
    await write(service, 'PATCH', id, { public: false, ...secretsOf(id) }),
  ],
  noted: async (service, id) => [
    await write(service, 'POST', id, agent(id, staffSecretsOf('agents', `${id}, before`))),
    await write(service, 'PATCH', id, staffSecretsOf('agents', id)),
    await write(service, 'PUT', id, agent(id, { biography: 'Known.' })),
  ],
  'published-anew': async (service, id) => [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(id) })),
    await write(service, 'PUT', id, agent(id, { public: true })),
  ],
  deleted: async (service, id) => [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(id) })),
    await write(service, 'DELETE', id, {}),
  ],
}

const refused: Planting = async (service, id) => {
  const long = (name: string) => ({ [name]: Object.values(secretsOf(id)).join(' ').repeat(20) })
  return [
    await write(service, 'POST', id, agent(id, { public: false, ...secretsOf(id), kind: 'x' })),
    await write(service, 'POST', id, agent(id, { public: false, ...long('legal_name') })),
    await write(service, 'POST', id, agent(id, { public: false, ...long('email') })),
    await write(service, 'POST', id, agent(id, { public: false, ...long('phone') })),
    await write(service, 'PATCH', 'born-private', long('email')),
    await write(service, 'PATCH', 'born-private', { ...secretsOf(id), agent_id: 'another' }),
    await write(service, 'PUT', 'born-private', secretsOf(id)),
    await write(service, 'PUT', 'nobody', agent('nobody', secretsOf(id))),
  ]
}

/** The agents that still exist. */
const agents = Object.keys(ways).filter((id) => id !== 'deleted')

const agentPath = (id: string): string => recordPath('agents', id)

/** The agents that are private. */
const hiding = agents.filter((id) => id !== 'published-anew')

/** The marks that the page of an agent shows to accounts that may edit agents. */
const shownOn = (id: string): readonly string[] => (hiding.includes(id) ? [id] : [])

/** The formats that have fields for the staff where these are asked for. */
const forStaff = (format: string): boolean => ['json', 'csv', 'marc', 'marcxml'].includes(format)

describe('private fields', () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { service } = useCatalogue(
    { SPARQL_WORKERS: '1', WEBHOOKS: 'on', WEBHOOK_HOSTS: '127.0.0.1' },
    { log, deliveryTiming },
  )

  before(async () => {
    await service().get('/healthz')
    for (const [id, plant] of Object.entries(ways)) {
      const statuses = await plant(service(), id)
      expect(Math.max(...statuses), id).to.be.below(300)
      // A search in between fills the caches.
      await service().get('/api/agents/?search=legal')
    }
    expect(await refused(service(), 'refused')).to.deep.equal([
      400, 400, 400, 400, 400, 400, 400, 404,
    ])
    const references = { creator: agents, contributor: agents, publisher: agents }
    await service().put('/api/zines/zine/', zine('zine', references))
    await service().post('/api/holdings/', holding('copy'))
    for (const [kind, id] of Object.entries(noted) as [ResourceName, string][])
      for (const what of [`${kind}/${id}, before`, `${kind}/${id}`]) {
        const { status } = await service().patch(recordPath(kind, id), staffSecretsOf(kind, what))
        expect(status, what).to.equal(200)
      }
    await service().put('/api/zines/zine/', zine('zine', references))
    await service().post('/api/repositories/', repository('other'))
  })

  const browsers = new Map<string, Browser>()

  before(async () => {
    const account = { name: 'agents-editor', password: PASSWORD, role: 'editor' } as const
    await service().accounts.add({ ...account, restrictedTo: ['agents'] })
    for (const repository of ['library', 'other'])
      await service().accounts.add({
        ...account,
        name: `editor-of-${repository}`,
        restrictedTo: ['holdings'],
        repository,
      })
    for (const name of [
      ...['viewer', 'zines-editor', 'agents-editor', 'editor', 'admin'],
      ...['editor-of-library', 'editor-of-other'],
    ]) {
      const browser = browse(service().url)
      expect((await browser.signIn(name)).status).to.equal(303)
      browsers.set(name, browser)
    }
  })

  const browserOf = (name: string): Browser => {
    const browser = browsers.get(name)
    if (!browser) throw new Error(`${name} has no browser`)
    return browser
  }

  function readers(): Readonly<Record<string, Reader>> {
    const { viewer, zinesEditor, admin } = service().tokens
    const byToken = (token: string): Reader => ({ headers: { authorization: `Token ${token}` } })
    const signedIn = (name: string): Reader => ({ headers: { cookie: browserOf(name).cookie() } })
    return {
      nobody: { headers: {} },
      viewer: byToken(viewer),
      'an editor of zines': byToken(zinesEditor),
      admin: byToken(admin),
      'a viewer in a browser': signedIn('viewer'),
      'an editor of zines in a browser': { ...signedIn('zines-editor'), sees: ['zines'] },
      'an editor of agents in a browser': { ...signedIn('agents-editor'), sees: ['agents'] },
      'an editor of the library in a browser': {
        ...signedIn('editor-of-library'),
        sees: ['holdings'],
      },
      'an editor of another library in a browser': signedIn('editor-of-other'),
      'an admin in a browser': { ...signedIn('admin'), sees: resourceNames },
    }
  }

  /** The headers and the decompressed body of a response. */
  async function everything(method: string, path: string, init: Sent = {}): Promise<string> {
    const answer = await fetch(service().url + path, { method, redirect: 'manual', ...init })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const text = unpacked(bytes).toString('latin1')
    expect(answer.status, `${method} ${path}: ${answer.status} ${text}`).to.be.below(500)
    return `${JSON.stringify([...answer.headers])}\n${text}`
  }

  /** The content of a compressed file, or of all files of a workbook. */
  function unpacked(bytes: Buffer): Buffer {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes)
    const isWorkbook = bytes.toString('latin1', 0, 2) === 'PK'
    return isWorkbook ? Buffer.concat([...readArchive(bytes).values()]) : bytes
  }

  /** The parameters that change what a format writes. */
  const parametersOf: Readonly<Record<string, readonly string[]>> = {
    json: ['&shape=write', '&fields=agent_id,email', '&fields=agent_id,display_name'],
    csv: ['&safe=1', '&fields=agent_id,email,creator_names'],
    jsonld: ['&vocabulary=bibframe', '&vocabulary=schema'],
    turtle: ['&vocabulary=bibframe', '&vocabulary=schema'],
    rdfxml: ['&vocabulary=schema'],
    marc: ['&items=852', '&items=952'],
    marcxml: ['&items=852', '&items=952'],
  }

  it('are looked for in a workbook too', async () => {
    const text = await everything('GET', '/api/agents/?format=xlsx&search=published-anew')
    expect(text).to.include('<t xml:space="preserve">published-anew</t>')
  })

  async function expectUnmarked(method: string, path: string, init: Sent = {}) {
    const shown = shownAt(method, path, init)
    const ofHistory = historyPattern.exec(path)?.slice(1) ?? []
    for (const [reader, { headers: credentials, sees = [] }] of Object.entries(
      readersOf(path, init),
    )) {
      // Who may edit a record sees what it was.
      const edits = editsByToken[reader] ?? sees
      if (edits.some((kind) => ofHistory.includes(kind))) continue
      const headers = { ...init.headers, ...credentials }
      const text = (await everything(method, path, { ...init, headers })).toLowerCase()
      const expected = shown.kind && sees.includes(shown.kind) ? shown.marks : []
      expect(foundIn(text), `${method} ${path} by ${reader}`).to.deep.equal(expected)
      // Nothing outside the list of fields or the form, such as headers or JSON.
      expect(foundIn(withoutFields(text)), `${method} ${path} by ${reader}`).to.be.empty
    }
  }

  const historyPattern = /^\/(?:api\/(\w+)\/[^/]+|manage\/(\w+))\/history\//

  /** What readers may edit who come with a token. */
  const editsByToken: Readonly<Record<string, readonly ResourceName[]>> = {
    'an editor of zines': ['zines'],
    admin: resourceNames,
  }

  /** All readers for a page; elsewhere sessions do not count, so one browser is enough. */
  function readersOf(path: string, init: Sent): Readonly<Record<string, Reader>> {
    const { 'an admin in a browser': browser, nobody, admin, ...others } = readers()
    if (mayBePage(path, init)) return readers()
    const byToken = Object.entries(others).filter(([, { headers }]) => 'authorization' in headers)
    return { nobody, admin, browser, ...Object.fromEntries(byToken) } as Record<string, Reader>
  }

  const mayBePage = (path: string, { headers }: Sent): boolean => {
    const format = new URLSearchParams(path.split('?')[1]).get('format')
    if (format !== null) return format === 'html'
    const accept = headers?.accept ?? '*/*'
    return accept.includes('text/html') || (path.startsWith('/manage/') && accept === '*/*')
  }

  /** The marks that accounts with the right may find: on the record's page and in its form. */
  function shownAt(method: string, path: string, init: Sent) {
    const kinds = resourceNames.join('|')
    const pattern = `^/(?:api/(${kinds})/([\\w-]+)/|manage/(${kinds})/edit/([\\w-]+))(?:\\?|$)`
    const [, kindRead, idRead, kindEdited, idEdited] = new RegExp(pattern).exec(path) ?? []
    // The cast: the pattern has these names.
    const kind = (kindRead ?? kindEdited) as ResourceName | undefined
    const id = idRead ?? idEdited ?? ''
    const none = { kind: undefined, marks: [] } as const
    if (method !== 'GET' || !mayBePage(path, init)) return none
    // The inventory has the fields for the staff of all copies, unless it is searched.
    if (/^\/manage\/inventory(?:\?(?!q=)|$)/.test(path))
      return { kind: 'holdings', marks: [`holdings/${noted.holdings}`] } as const
    if (!kind) return none
    if (kind === 'agents') return { kind, marks: shownOn(id) }
    return { kind, marks: noted[kind] === id ? [`${kind}/${id}`] : [] }
  }

  /** A page without the list of the record's fields and without its form. */
  const withoutFields = (page: string): string =>
    page
      .replace(/<dl class="fields">.*?<\/dl>/gs, '')
      .replace(/<form [^>]*class="record-form".*?<\/form>/s, '')
      .replace(/<td class="for-staff">.*?<\/td>/gs, '')
      .replace(/ data-codes="[^"]*"/g, '')

  it('are found by this test where they may be seen', async () => {
    for (const id of hiding) {
      const path = `${recordPath('agents', id)}?private=true`
      const { text } = await service().get(path, { token: service().tokens.editor })
      expect(foundIn(text)).to.deep.equal([id])
    }
  })

  it('for the staff are found where they may be seen', async () => {
    for (const [kind, id] of Object.entries({ ...noted, agents: 'noted' }) as [
      ResourceName,
      string,
    ][]) {
      const path = `${recordPath(kind, id)}?private=true`
      const { body, text } = await service().get(path, { token: service().tokens.editor })
      expect(body, path).to.include.all.keys(staffFields(kind))
      expect(foundIn(text)).to.deep.equal([kind === 'agents' ? id : `${kind}/${id}`])
    }
  })

  const formatsAt = (path: string): readonly string[] => {
    const endpoint = service().endpoints.find((one) => one.path === path)
    return [...new Set((endpoint ? formatsOf(endpoint) : []).map(({ name }) => name))]
  }

  for (const { path, at, uses } of routes.filter(({ uses }) => 'GET' in uses)) {
    const iris = /\/agents\/.*:id/.test(path) ? agents.map((id) => path.replace(':id', id)) : [at]

    it(`are not in any format of ${path}`, async () => {
      for (const address of iris)
        for (const format of formatsAt(path))
          for (const more of ['', ...(parametersOf[format] ?? [])])
            await expectUnmarked('GET', `${address}?format=${format}${more}`)
    })

    it(`are not in any error or other response of ${path}`, async () => {
      for (const address of iris) {
        const page = { headers: { accept: ACCEPT } }
        await expectUnmarked('GET', address, page)
        await expectUnmarked('GET', `${address}nothing`, page)
        await expectUnmarked('GET', address, { headers: { accept: 'image/png' } })
        await expectUnmarked('GET', address.replace(/\/$/, ''))
        await expectUnmarked('GET', `${address}?format=nothing&page=9&ordering=-legal_name`)
        await expectUnmarked('GET', `${address}?page=9&ordering=-legal_name`, page)
        for (const method of ['HEAD', 'OPTIONS', 'POST', 'PROPFIND'])
          await expectUnmarked(method, address)
        const headers = { 'content-type': 'application/json' }
        for (const body of ['{}', '[]', '{', '{"public": 3, "email": "x", "agent_id": "other"}'])
          for (const method of ['POST', ...('PUT' in uses ? ['PUT', 'PATCH'] : [])])
            if (!path.startsWith('/sparql') && (method !== 'PATCH' || body !== '{}'))
              await expectUnmarked(method, address, { headers, body })
      }
    })
  }

  it('are not in the response to an accepted write', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const id of hiding)
      for (const body of ['{}', '{"biography": "Known."}'])
        await expectUnmarked('PATCH', recordPath('agents', id), { headers, body })
  })

  // What is asked for in words here would show an agent that matches; a name that is not public has none.
  const askingForMakers: readonly string[] = [
    ...['json', 'csv', 'svg', 'html'].flatMap((format) => [
      `/explore?rows=creator&columns=subject&format=${format}`,
      `/explore?rows=decade&columns=creator&creator=born-private&format=${format}`,
    ]),
    ...['json', 'html'].flatMap((format) => [
      ...['A', 'B', 'L', 'P', '%23'].map((letter) => `/makers?letter=${letter}&format=${format}`),
      `/map?creator=born-private&format=${format}`,
      `/series?search=paper&ordering=-issues&format=${format}`,
      `/api/search/?q=private&format=${format}`,
      `/api/zines/?q=creator:born&creator=born-private&format=${format}`,
      `/api/zines/?unknown_maker=false&broken_reference=true&format=${format}`,
      `/api/agents/?q=private&ordering=relevance&format=${format}`,
    ]),
    ...agents.map((id) => `/series/${seriesOf(zine('zine', { creator: [id] }))[0]?.slug}`),
    '/api/suggest/?q=born&kind=agents',
    '/api/suggest/?q=legal&format=opensearch',
    '/api/zines/facets/?facet=subject,genre,language,decade,repository,country,format,access&creator=born-private',
    '/api/auth/me/',
    '/api/auth/feeds/',
    ...['ris', 'bibtex', 'html', 'json'].map(
      (format) => `/api/zines/zine/citations/?format=${format}`,
    ),
    ...['bibframe', 'schema'].flatMap((vocabulary) => [
      `/api/zines/zine/?format=turtle&vocabulary=${vocabulary}`,
      `/api/zines/?format=turtle&vocabulary=${vocabulary}`,
      `/api/holdings/copy/?format=jsonld&vocabulary=${vocabulary}`,
    ]),
    ...[
      'legal_name',
      'email,phone',
      'agent_id,legal_name',
      'creator',
      'agent_id,display_name',
    ].flatMap((fields) =>
      ['json', 'csv'].flatMap((format) => [
        `/api/agents/?fields=${fields}&format=${format}`,
        `/api/agents/born-private/?fields=${fields}&format=${format}`,
        `/api/zines/?fields=${fields}&format=${format}`,
      ]),
    ),
    ...['/sitemaps/agents-1.xml', '/sitemaps/pages.xml', '/shapes', '/api/schema/', '/ns'],
    ...['zines', 'agents'].map((kind) => `/manage/duplicates?kind=${kind}`),
    '/manage/worklists',
    '/manage/account',
    '/manage/inventory?q=paper',
  ]

  for (const address of askingForMakers)
    it(`are not in ${address}`, async () => {
      await expectUnmarked('GET', address, { headers: { accept: ACCEPT } })
      await expectUnmarked('GET', address)
    })

  it('are not asked for where no agent that is not public may be named', async () => {
    for (const path of [
      '/sitemap.xml',
      '/sitemaps/agents-1.xml',
      '/sitemaps/pages.xml',
      '/dataset',
    ]) {
      const { text } = await service().get(path)
      for (const id of hiding.filter((one) => one !== 'noted'))
        expect(text, path).not.to.include(id)
    }
    for (const id of agents) {
      const [series] = seriesOf(zine('zine', { creator: [id] }))
      expect(series?.slug).not.to.include(id)
    }
  })

  it('are not in a graph that a frame forms', async () => {
    const text = 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . FILTER(CONTAINS(STR(?s), "/agents/")) }'
    const credentials = [{}, { authorization: `Token ${service().tokens.admin}` }]
    for (const frame of ['{}', '{"http://schema.org/email":{}}', '{'])
      for (const who of credentials) {
        const path = `/sparql?query=${encodeURIComponent(text)}&frame=${encodeURIComponent(frame)}`
        const headers = { accept: 'application/ld+json', ...who }
        expect(foundIn((await everything('GET', path, { headers })).toLowerCase())).to.be.empty
      }
  })

  it('are not in what webhooks send, nor where these are shown', async () => {
    const received: string[] = []
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push(JSON.stringify(request.headers) + Buffer.concat(chunks).toString())
        response.writeHead(204).end()
      })
    }).listen(0, '127.0.0.1')
    await new Promise((done) => receiver.once('listening', done))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const { status, body } = await service().post('/api/webhooks/', { url })
    expect(status).to.equal(201)
    for (const id of hiding)
      await service().patch(recordPath('agents', id), { biography: `Told of ${id}.` })
    const last = hiding.at(-1) ?? ''
    await until(() => received.some((one) => one.includes(last)))
    expect(foundIn(received.join('\n').toLowerCase())).to.be.empty
    for (const path of ['/api/webhooks/', `/api/webhooks/${body.id}/`, '/manage/account'])
      await expectUnmarked('GET', path)
    await service().delete(`/api/webhooks/${body.id}/`)
    receiver.closeAllConnections()
    receiver.close()
  })

  it('are not in any form of JSON-LD', async () => {
    for (const form of ['expanded', 'compacted', 'flattened', 'framed']) {
      const accept = `application/ld+json;profile="http://www.w3.org/ns/json-ld#${form}"`
      for (const path of ['/api/agents/', '/api/zines/zine/', ...hiding.map(agentPath)])
        await expectUnmarked('GET', path, { headers: { accept } })
    }
  })

  it('are not in the response to a write in RDF, accepted or not', async () => {
    const headers = { 'content-type': 'text/turtle' }
    for (const id of hiding) {
      const path = recordPath('agents', id)
      const turtle = (await service().get(`${path}?format=turtle`)).text
      for (const more of [
        '',
        '<> <http://schema.org/email> "x@example.org" .',
        '<> <http://xmlns.com/foaf/0.1/name> "Second" .',
        '<',
      ])
        await expectUnmarked('PUT', path, { headers, body: turtle + more })
    }
  })

  it('are shown with private=true only on the record itself, names only in JSON', async () => {
    const isRecord = new RegExp(`^/api/(?:${resourceNames.join('|')})/:id/`)
    for (const { at, path } of routes.filter(({ uses }) => 'GET' in uses))
      if (!isRecord.test(path)) await expectUnmarked('GET', `${at}?private=true`)
    for (const [kind, id] of Object.entries(noted) as [ResourceName, string][])
      for (const format of formatsAt(`/api/${kind}/:id/`).filter((name) => !forStaff(name)))
        await expectUnmarked('GET', `${recordPath(kind, id)}?private=true&format=${format}`)
    for (const id of agents)
      for (const format of formatsAt('/api/agents/:id/').filter((name) => !forStaff(name)))
        await expectUnmarked('GET', `${recordPath('agents', id)}?private=true&format=${format}`)
    // Of agents without a note for the staff, CSV and MARC have nothing more.
    for (const id of agents.filter((agent) => agent !== 'noted'))
      for (const format of ['csv', 'marc', 'marcxml'])
        await expectUnmarked('GET', `${recordPath('agents', id)}?private=true&format=${format}`)
  })

  it('are not found by search', async () => {
    for (const mark of marks.keys())
      for (const query of [mark.slice(0, 30), mark.slice(3), `legal ${mark.slice(0, 9)}`])
        for (const { headers } of Object.values(readers())) {
          const search = `search=${encodeURIComponent(query)}&private=true`
          const { body } = await service().get(`/api/agents/?${search}`, { headers })
          expect(body.count, query).to.equal(0)
          const page = await service().get(`/api/agents/?${search}&format=html`, { headers })
          for (const id of hiding) expect(page.text).not.to.include(`/api/agents/${id}/`)
        }
  })

  it('are not found by words, nor shown or suggested where words are found', async () => {
    const isHidden = ([, id]: [string, string]): boolean => hiding.includes(id)
    for (const [mark] of [...marks].filter(isHidden)) {
      // The beginning of a mark, since pages say again what was searched for.
      const beginning = mark.slice(0, -1)
      for (const query of [beginning, `legal ${beginning}`])
        for (const { headers } of Object.values(readers()))
          for (const path of ['search', 'agents', 'zines', 'suggest']) {
            const format = path === 'suggest' ? '' : '&format=html'
            const address = `/api/${path}/?q=${encodeURIComponent(query)}${format}`
            const text = await everything('GET', address, { headers })
            expect(foundIn(text), address).to.be.empty
            for (const id of hiding) expect(text, address).not.to.include(`/api/agents/${id}/`)
          }
    }
  })

  it('are not found by reconciliation, nor among its suggestions and extensions', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const mark of marks.keys())
      for (const name of [`Legal ${mark} Name`, `${mark}@mark.example`, mark]) {
        const queries = JSON.stringify({
          name: { query: name, type: 'agents' },
          identifier: { query: 'born-private', properties: [{ pid: 'id', v: name }] },
          field: { query: 'x', type: 'agents', properties: [{ pid: 'legal_name', v: name }] },
        })
        const body = new URLSearchParams({ queries }).toString()
        for (const reader of Object.values(readers())) {
          const sent = { body, headers: { ...headers, ...reader.headers } }
          expect(foundIn(await everything('POST', '/reconcile', sent))).to.be.empty
        }
        const { body: found } = await service().ask('POST', '/reconcile', { raw: body, headers })
        expect(found.name.result, name).to.deep.equal([])
        const path = `/reconcile/suggest/entity?type=agents&prefix=${encodeURIComponent(name)}`
        expect((await service().get(path)).body.result, name).to.deep.equal([])
      }
    const properties = ['legal_name', 'email', 'phone', 'display_name'].map((id) => ({ id }))
    const extension = { ids: agents.map((id) => `agents/${id}`), properties }
    const body = new URLSearchParams({ extend: JSON.stringify(extension) }).toString()
    for (const reader of Object.values(readers())) {
      const sent = { body, headers: { ...headers, ...reader.headers } }
      expect(foundIn(await everything('POST', '/reconcile', sent))).to.be.empty
      for (const id of agents)
        expect(
          foundIn(
            await everything('GET', `/reconcile/preview?id=agents/${id}`, {
              headers: reader.headers,
            }),
          ),
        ).to.be.empty
    }
  })

  describe('on the pages for editing', () => {
    const stale = { '.version': '2001-01-01T00:00:00.000000Z' }

    it('are in the form after an edit conflict for accounts that may edit agents', async () => {
      for (const name of ['agents-editor', 'admin']) {
        const form = { ...stale, kind: 'Person', display_name: 'Mine' }
        const { status, text } = await browserOf(name).send(
          '/manage/agents/edit/born-private',
          form,
        )
        expect(status).to.equal(409)
        expect(foundIn(text)).to.deep.equal(['born-private'])
      }
    })

    for (const name of ['viewer', 'zines-editor', 'agents-editor', 'admin'])
      it(`are not shown to ${name} by a form that is rejected, outdated or a possible duplicate`, async () => {
        const browser = browserOf(name)
        const csrf = { csrf_token: 'x' }
        const mine = { kind: 'Person', display_name: 'Maker born-private', public: 'true' }
        const at = '/manage/agents/edit/born-private'
        const opened = { '.opened': await openedAt(service().url, at) }
        // Accounts that may not edit agents get 403 for all of these.
        const isAllowed = ['agents-editor', 'admin'].includes(name)
        // prettier-ignore
        const cases = [
          ['/manage/agents/edit/born-private',   { ...stale, ...mine, ...csrf },                        403],
          ['/manage/agents/edit/deleted',        { ...stale, ...mine },                                 404],
          ['/manage/agents/remove/born-private', { ...stale },                                          200],
          ['/manage/agents/remove/deleted',      { ...stale },                                          404],
          ['/manage/agents/edit/born-private',   { ...opened, ...mine, kind: 'x', email: 'x' },        400],
          ['/manage/agents/edit/born-private',   { ...stale, ...mine, '.more': 'location' },            200],
          // A record of the same name, and one of the same identifier.
          ['/manage/agents/new',                 { ...mine, agent_id: 'another' },                      200],
          ['/manage/agents/new',                 { ...mine, agent_id: 'born-private', '.confirm': 'yes' }, 400],
          // Duplicates are not found by the legal name.
          ['/manage/agents/new',                 { ...mine, agent_id: 'another', display_name: 'Legal', kind: 'x' }, 400],
        ] as const
        for (const [path, form, expected] of cases) {
          const { status, text } = await browser.ask('POST', path, {
            csrf_token: csrfOf(browser.cookies.get('__Host-zine_session') ?? ''),
            ...form,
          })
          expect(status, path).to.equal(isAllowed ? expected : 403)
          expect(foundIn(text.toLowerCase()), path).to.be.empty
        }
      })

    it('are not in the form of a request for a change, nor on its pages for editors', async () => {
      const path = '/requests/new?kind=agents&id=born-private'
      const sent = await browserOf('viewer').send(path, { topic: 'hide', text: 'Hide my name.' })
      expect(sent.status).to.equal(303)
      const shown = sent.headers.get('location') ?? ''
      for (const name of ['viewer', 'agents-editor', 'admin'])
        for (const one of [path, shown, '/manage/requests', '/manage/requests/1']) {
          const { text } = await browserOf(name).get(one)
          expect(foundIn(text.toLowerCase()), `${one} by ${name}`).to.be.empty
        }
      expect((await browserOf('admin').get('/manage/requests/1')).text).to.include('Hide my name.')
    })

    it('are not in the form of a record that refers to their agents', async () => {
      for (const name of ['agents-editor', 'editor', 'admin'])
        for (const path of [
          '/manage/zines/edit/zine',
          '/manage/zines/remove/zine',
          `/manage/zines/new?${agents.map((id) => `creator=${id}`).join('&')}`,
          `/manage/agents/new?agent_id=born-private&display_name=Maker%20born-private`,
        ]) {
          const { text } = await browserOf(name).get(path)
          // An editor of zines sees the note of the zine itself.
          const found = foundIn(text.toLowerCase()).filter((what) => what !== 'zines/zine')
          expect(found, `${path} by ${name}`).to.be.empty
        }
    })
  })

  describe('at one URL requested by several clients', () => {
    const path = `${recordPath('agents', 'born-private')}?private=true`

    type Client = { readonly init: Sent; readonly finds: readonly string[] }

    /** The clients with the marks that each may find in the response. */
    const clients = (): Readonly<Record<string, Client>> => {
      const { editor, viewer } = service().tokens
      const token = (token: string): Sent => ({ headers: { authorization: `Token ${token}` } })
      const cookie = browserOf('editor').cookie()
      return {
        'an editor': { init: token(editor), finds: ['born-private'] },
        nobody: { init: {}, finds: [] },
        'a viewer': { init: token(viewer), finds: [] },
        'an editor in a browser': {
          init: { headers: { cookie, accept: ACCEPT } },
          finds: ['born-private'],
        },
        'nobody in a browser': { init: { headers: { accept: ACCEPT } }, finds: [] },
        'an editor’s script in a browser': { init: { headers: { cookie } }, finds: [] },
      }
    }

    const find = async (address: string, { init }: Client): Promise<readonly string[]> =>
      foundIn((await everything('GET', address, init)).toLowerCase())

    it('are shown to each client by its own rights, whoever sent the request before', async () => {
      const all = Object.entries(clients())
      // Every pair of clients one after the other, and the first again.
      for (const address of [path, `${path}&format=json`, recordPath('agents', 'born-private')])
        for (const [first, one] of all)
          for (const [second, other] of all)
            for (const [who, client] of [
              [first, one],
              [second, other],
              [first, one],
            ] as const) {
              const isPage = JSON.stringify(client.init).includes('text/html')
              const isAsked = isPage ? !address.includes('format=') : address.includes('private=')
              const expected = isAsked ? client.finds : []
              expect(await find(address, client), `${who} of ${first}, ${second}: ${address}`)
                .to //
                .deep.equal(expected)
            }
    })

    it('are shown to each client by its own rights just after a write', async () => {
      for (let time = 0; time < 5; time += 1)
        for (const [who, client] of Object.entries(clients())) {
          await service().patch(recordPath('agents', 'born-private'), {
            biography: `${who} ${time}`,
          })
          for (const [next, other] of Object.entries({ [who]: client, ...clients() }))
            expect(await find(path, other), `${next} after ${who}`).to.deep.equal(other.finds)
        }
    })

    it('do not match the ETag of another client’s response', async () => {
      const tagOf = async ({ init }: Client): Promise<string> =>
        (await fetch(service().url + path, init)).headers.get('etag') ?? ''
      for (const [who, one] of Object.entries(clients()))
        for (const [whose, other] of Object.entries(clients())) {
          if (one.finds.length === other.finds.length) continue
          const headers = { ...one.init.headers, 'if-none-match': await tagOf(other) }
          const { status } = await fetch(service().url + path, { headers })
          expect(status, `${who} with the tag of ${whose}`).to.equal(200)
        }
    })

    it('are not stored by shared caches', async () => {
      for (const [who, { init, finds }] of Object.entries(clients())) {
        const { headers } = await fetch(service().url + path, init)
        if (finds.length > 0) expect(headers.get('cache-control'), who).to.match(/\bprivate\b/)
        expect(headers.get('vary'), who).to.match(/accept/i)
      }
    })
  })

  for (const [type, query] of [
    ...[
      'application/sparql-results+json',
      'application/sparql-results+xml',
      'text/csv',
      'text/tab-separated-values',
    ].map((type) => [type, 'SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }'] as const),
    ...[
      'text/turtle',
      'application/n-triples',
      'application/rdf+xml',
      'application/ld+json',
    ].flatMap((type) => [
      [type, 'CONSTRUCT WHERE { ?s ?p ?o }'] as const,
      [
        type,
        `DESCRIBE ${agents.map((id) => `<https://zines.example/id/agents/${id}>`).join(' ')}`,
      ] as const,
    ]),
  ])
    it(`are not in the result of ${query.split(' ')[0] ?? ''} as ${type}`, async () => {
      const headers = { 'content-type': 'application/sparql-query', accept: type }
      const text = await everything('POST', '/sparql', { headers, body: query })
      expect(text).to.include('born-private')
      await expectUnmarked('POST', '/sparql', { headers, body: query })
    })

  it('are not in the log at the level trace', () => {
    log.trace('The log is kept.')
    const found = lines.filter((line) => foundIn(line).length > 0)
    expect(lines).not.to.be.empty
    expect(found).to.deep.equal([])
  })
})
