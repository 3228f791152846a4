// Privacy, by looking for it: marks are planted in the private fields of agents that are private now,
// however they came to be, and every byte of every answer of every address is searched for them, in every
// format and by every kind of reader; the log too. What the fields' owners see is in test/http/private.test.ts.

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { pino } from 'pino'

import { formatsOf } from '../../src/http/endpoint.js'
import { agent, holding, zine } from '../examples.js'
import { pathOf, useCatalogue } from '../http/catalogue.js'
import { marked, newMark } from '../http/secrets.js'
import type { TestService } from '../service.js'
import { routes } from './routes.js'

/** What all marks begin with, so that most texts are searched once. */
const common = newMark()

/** What was planted that a text holds. */
const foundIn = (text: string): readonly string[] =>
  text.includes(common)
    ? [...marks].filter(([mark]) => text.includes(mark)).map(([, what]) => what)
    : []

/** Every mark that was ever planted, and what it was planted in. */
const marks = new Map<string, string>()

/** Private fields under a mark of their own. */
function secretsOf(what: string) {
  const mark = `${common}${newMark()}`
  marks.set(mark, what)
  return marked(mark)
}

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

type Planting = (service: TestService, id: string) => Promise<readonly number[]>

const write = async (service: TestService, method: string, id: string, body: object) => {
  const path = method === 'POST' ? '/api/agents/' : pathOf('agents', id)
  const { status } = await service.ask(method, path, { body })
  return status
}

/** The ways in which an agent comes to have something to hide; each of them with the statuses of its writes. */
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

/** Those that can still be read. */
const agents = Object.keys(ways).filter((id) => id !== 'deleted')

describe('Marked secrets', function () {
  this.timeout(60_000)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' }, { log })

  before(async () => {
    await service().get('/healthz')
    for (const [id, plant] of Object.entries(ways)) {
      const statuses = await plant(service(), id)
      expect(Math.max(...statuses), id).to.be.below(300)
      // Read, listed and asked for in between, so that whatever is kept for the next time is kept.
      await service().get('/api/agents/?search=legal')
    }
    expect(await refused(service(), 'refused')).to.deep.equal([
      400, 400, 400, 400, 400, 400, 400, 404,
    ])
    const references = { creator: agents, contributor: agents, publisher: agents }
    await service().put('/api/zines/zine/', zine('zine', references))
    await service().post('/api/holdings/', holding('copy'))
  })

  const readers = () => {
    const { viewer, zinesEditor, admin } = service().tokens
    return { nobody: null, viewer, 'an editor of zines': zinesEditor, admin }
  }

  /** All that an answer is made of: status line aside, its headers and its bytes, unpacked. */
  async function everything(method: string, path: string, init: Sent = {}): Promise<string> {
    const answer = await fetch(service().url + path, { method, redirect: 'manual', ...init })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    const text = (isPacked ? gunzipSync(bytes) : bytes).toString('latin1')
    expect(answer.status, `${method} ${path}: ${text}`).to.be.below(500)
    return `${JSON.stringify([...answer.headers])}\n${text}`
  }

  async function expectUnmarked(method: string, path: string, init: Sent = {}) {
    for (const [reader, token] of Object.entries(readers())) {
      const headers = { ...init.headers, ...(token ? { authorization: `Token ${token}` } : {}) }
      const text = (await everything(method, path, { ...init, headers })).toLowerCase()
      expect(foundIn(text), `${method} ${path} by ${reader}`).to.deep.equal([])
    }
  }

  it('are found by those who may see them, which is how they would be found', async () => {
    for (const id of agents.filter((id) => id !== 'published-anew')) {
      const path = `${pathOf('agents', id)}?private=true`
      const { text } = await service().get(path, { token: service().tokens.editor })
      expect(foundIn(text)).to.deep.equal([id])
    }
  })

  const formatsAt = (path: string): readonly string[] => {
    const endpoint = service().endpoints.find((one) => one.path === path)
    return [...new Set((endpoint ? formatsOf(endpoint) : []).map(({ name }) => name))]
  }

  for (const { path, at, uses } of routes.filter(({ uses }) => 'GET' in uses)) {
    const addresses = path.includes('/agents/:id')
      ? agents.map((id) => path.replace(':id', id))
      : [at]

    it(`are in no format of ${path}`, async () => {
      for (const address of addresses)
        for (const format of formatsAt(path))
          for (const more of ['', ...(format === 'csv' ? ['&safe=1'] : [])])
            await expectUnmarked('GET', `${address}?format=${format}${more}`)
    })

    it(`are in no other answer of ${path}`, async () => {
      for (const address of addresses) {
        await expectUnmarked('GET', address, { headers: { accept: 'text/html,*/*;q=0.1' } })
        await expectUnmarked('GET', address, { headers: { accept: 'image/png' } })
        await expectUnmarked('GET', address.replace(/\/$/, ''))
        await expectUnmarked('GET', `${address}?format=nothing&page=9&ordering=-legal_name`)
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

  it('are in no answer to a write that is accepted', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const id of agents.filter((id) => id !== 'published-anew'))
      for (const body of ['{}', '{"biography": "Known."}'])
        await expectUnmarked('PATCH', pathOf('agents', id), { headers, body })
  })

  it('are not to be had by `private=true` but on the agent’s own page', async () => {
    for (const { at, path } of routes.filter(({ uses }) => 'GET' in uses))
      if (!path.includes('/agents/:id')) await expectUnmarked('GET', `${at}?private=true`)
    for (const id of agents)
      for (const format of formatsAt('/api/agents/:id/').filter((name) => name !== 'json'))
        await expectUnmarked('GET', `${pathOf('agents', id)}?private=true&format=${format}`)
  })

  it('are not told by the number of records that a search or a filter finds', async () => {
    for (const mark of marks.keys())
      for (const query of [mark.slice(0, 30), mark.slice(3), `legal ${mark.slice(0, 9)}`])
        for (const token of Object.values(readers())) {
          const search = `search=${encodeURIComponent(query)}&private=true`
          const { body } = await service().get(`/api/agents/?${search}`, { token })
          expect(body.count, query).to.equal(0)
        }
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
    it(`are in no answer to ${query.split(' ')[0] ?? ''} as ${type}`, async () => {
      const headers = { 'content-type': 'application/sparql-query', accept: type }
      const text = await everything('POST', '/sparql', { headers, body: query })
      expect(text).to.include('born-private')
      await expectUnmarked('POST', '/sparql', { headers, body: query })
    })

  it('are in no line of the log, down to the finest', () => {
    log.trace('The log is kept.')
    const found = lines.filter((line) => foundIn(line).length > 0)
    expect(lines).not.to.be.empty
    expect(found).to.deep.equal([])
  })
})
