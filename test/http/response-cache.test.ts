// Tests cached responses: a repeated request gets a current answer, for its own format, host, origin
// and account. The cache is not used for a request with If-None-Match, so a request with an ETag
// that never matches gives the expected answer.

import { expect } from 'chai'
import fc from 'fast-check'

import { agent, holding, repository, zine } from '../examples.js'
import { type TestService, useService } from '../service.js'
import { listPath, recordPath, resources, unique, useCatalogue } from './catalogue.js'
import { sendRaw } from './raw-socket.js'

const bypassingCache = { 'if-none-match': '"nothing has this tag"' }

/** An answer without the headers that differ for each request. */
async function getComparable(service: TestService, path: string, headers: Record<string, string>) {
  const { status, headers: allHeaders, text } = await service.get(path, { headers })
  const perRequest = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])
  const compared = [...allHeaders].filter(([name]) => !perRequest.has(name))
  return { status, headers: Object.fromEntries(compared), text }
}

/** Expects two requests to be answered as one that bypasses the cache. */
async function expectCurrent(service: TestService, path: string, accept: string): Promise<void> {
  const expected = await getComparable(service, path, { accept, ...bypassingCache })
  for (const time of ['first', 'again', 'from the cache'])
    expect(
      await getComparable(service, path, { accept }),
      `${path} ${accept}, ${time}`,
    ).to.deep.equal(expected)
}

const ids = ['a', 'b', 'c'] as const

const anyStep = fc.record({
  method: fc.constantFrom('POST', 'POST', 'PUT', 'PATCH', 'DELETE'),
  resource: fc.constantFrom(...resources),
  id: fc.constantFrom(...ids),
  other: fc.constantFrom(...ids),
  word: fc.constantFrom('Name', 'Another', 'A third'),
  isPublic: fc.boolean(),
})

type Step = typeof anyStep extends fc.Arbitrary<infer Of> ? Of : never

const bodyOf = ({ resource, id, other, word, isPublic }: Step): object =>
  ({
    agents: agent(id, { display_name: word, legal_name: `Legal ${word}`, public: isPublic }),
    zines: zine(id, { title: word, creator: [other] }),
    repositories: repository(id, { repository_name: word }),
    holdings: holding(id, { zine_id: other, repository_id: id, notes: [word] }),
  })[resource.name]

async function send(service: TestService, step: Step): Promise<void> {
  const { method, resource, id } = step
  const path = method === 'POST' ? listPath(resource.name) : recordPath(resource.name, id)
  const body = method === 'DELETE' ? {} : { body: bodyOf(step) }
  const { status, text } = await service.ask(method, path, body)
  // A step may change or refer to a record that does not exist: 404 or 400.
  expect([200, 201, 204, 400, 404], text).to.include(status)
}

describe('a cached response', () => {
  const service = useService()

  it('equals an uncached one after any sequence of writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
        for (const step of steps) {
          await send(service(), step)
          for (const { name } of resources) {
            for (const id of ids) await expectCurrent(service(), recordPath(name, id), '*/*')
            await expectCurrent(service(), recordPath(name, 'a'), 'text/turtle')
            await expectCurrent(service(), `${listPath(name)}?search=na&page_size=2`, '*/*')
            await expectCurrent(service(), `${listPath(name)}?format=csv`, '*/*')
          }
        }
      }),
      { numRuns: 5 },
    )
  })
})

describe('a first GET of a record', () => {
  const { service, given } = useCatalogue()

  // Some look like other paths, need encoding, or have links that are too long for a header.
  const odd = ['facets', 'export', 'a.b-c_d', 'with space', 'ünï', "o'k", 'x'.repeat(120)]

  it('has the headers and the body that the endpoint gives, whatever its identifier', async () => {
    for (const id of odd) {
      await given.agent({ agent_id: id, biography: 'long '.repeat(id.length * 20) })
      for (const encoding of ['identity', 'gzip', 'br, gzip'])
        for (const accept of ['*/*', 'application/json', 'application/json;q=0.5']) {
          const headers = { accept, 'accept-encoding': encoding }
          const path = recordPath('agents', id)
          const expected = await getComparable(service(), path, { ...headers, ...bypassingCache })
          for (const time of ['first', 'second', 'third'])
            expect(
              await getComparable(service(), path, headers),
              `${id} ${encoding} ${accept}, ${time}`,
            ).to.deep.equal(expected)
        }
    }
  })

  it('of an identifier that no record has is answered 404', async () => {
    expect((await service().get(recordPath('agents', 'nobody'))).status).to.equal(404)
  })

  it('shows the new name of an agent that another record names at once', async () => {
    await given.agent({ agent_id: 'first-name', display_name: 'Before' })
    await given.zine({ zine_id: 'of-first-name', creator: ['first-name'] })
    const path = recordPath('zines', 'of-first-name')
    expect((await service().get(path)).text).to.include('Before')
    const changed = { body: { display_name: 'After' } }
    await service().ask('PATCH', recordPath('agents', 'first-name'), changed)
    expect((await service().get(path)).text)
      .to.include('After')
      .and.not.include('Before')
  })
})

describe('a first GET of a page of a list', () => {
  const { service, given } = useCatalogue()
  const word = unique('listed')

  before(async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await given.zine({ zine_id: `${word}-${id}`, title: `${word} ${id}`, genre: ['perzine'] })
  })

  const queries = [
    '',
    '?',
    `?search=${word}`,
    `?search=${word}&page_size=2`,
    `?page_size=2&search=${word}&page=2`,
    `?search=${word}&page=9`,
    `?search=${word}&page=x`,
    `?search=${word}&page=1&page=2&page_size=2`,
    `?search=${word}&ordering=-title,zine_id`,
    `?search=${word}&genre=perzine&language=`,
    `?genre__in=perzine,comic&search=${word}`,
    '?year__gte=abc',
    `?q=${word}`,
    '?q=title:%22a%20b%22+-c',
    `?search=${word}&unknown=1`,
    `?search=${word}&strict=true&unknown=1`,
    `?search=${word}&format=csv`,
    `?search=${word}&fields=title`,
    `?search=${word}&cursor=`,
    '?search=%C3%BC&page_size=1',
    '?search=%ff%',
    '?search=ü',
    "?search='a'&page_size=1",
    '?updated_since=2020-01-01',
    '??search=a',
  ]

  for (const name of ['zines', 'agents', 'holdings'] as const)
    it(`has the headers and the body that the endpoint gives, for ${name}`, async () => {
      for (const query of queries)
        for (const encoding of ['identity', 'gzip']) {
          const headers = { accept: '*/*', 'accept-encoding': encoding }
          const path = listPath(name) + query
          const expected = await getComparable(service(), path, { ...headers, ...bypassingCache })
          for (const time of ['first', 'second', 'third'])
            expect(
              await getComparable(service(), path, headers),
              `${path} ${encoding}, ${time}`,
            ).to.deep.equal(expected)
        }
    })
})

describe('a repeated GET', () => {
  const { service, given } = useCatalogue()

  it('answers in the format of its own Accept header', async () => {
    const path = recordPath('zines', 'zine')
    for (const accept of ['application/json', 'text/turtle', 'application/json', 'text/csv']) {
      const { headers } = await service().get(path, { headers: { accept } })
      expect(headers.get('content-type')).to.match(new RegExp(`^${accept}`))
    }
  })

  it('answers with links to its own host', async () => {
    const { port } = new URL(service().url)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `127.0.0.1:${port}`]) {
      const { body } = await sendRaw(service().url, [
        'GET /api/zines/?page_size=1 HTTP/1.1',
        `Host: ${host}`,
      ])
      expect(JSON.parse(body).next).to.equal(`http://${host}/api/zines/?page_size=1&page=2`)
    }
  })

  it('with two Host headers answers 400', async () => {
    const head = ['GET /api/zines/ HTTP/1.1', 'Host: zines.example']
    expect((await sendRaw(service().url, head)).status).to.equal(200)
    expect((await sendRaw(service().url, head)).status).to.equal(200)
    expect((await sendRaw(service().url, [...head, 'Host: other.example'])).status).to.equal(400)
  })

  it('with an unknown token answers 401', async () => {
    await service().get(listPath('zines'))
    const { status } = await service().get(listPath('zines'), { token: '0'.repeat(40) })
    expect(status).to.equal(401)
  })

  it('answers with its own x-request-id', async () => {
    const path = listPath('agents')
    const [first, second] = [await service().get(path), await service().get(path)]
    expect(first.headers.get('x-request-id')).to.not.equal(second.headers.get('x-request-id'))
    const named = await service().get(path, { headers: { 'x-request-id': 'my-own-name' } })
    expect(named.headers.get('x-request-id')).to.equal('my-own-name')
  })

  it('with the ETag in If-None-Match answers 304', async () => {
    const path = recordPath('zines', 'zine')
    const { headers } = await service().get(path)
    const etag = headers.get('etag') ?? ''
    expect((await service().get(path, { headers: { 'if-none-match': etag } })).status).to.equal(304)
  })

  it('sent as HEAD answers without a body', async () => {
    const path = recordPath('zines', 'zine')
    await service().get(path)
    const { status, text } = await service().ask('HEAD', path)
    expect([status, text]).to.deep.equal([200, ''])
  })

  it('with ?private=true shows private fields only to editors, whoever sent it before', async () => {
    const legal_name = unique('Legal')
    const { agent_id } = await given.agent({ public: false, legal_name })
    const path = `${recordPath('agents', agent_id)}?private=true`
    const { admin, editor, viewer, zinesEditor } = service().tokens
    for (const token of [null, editor, null, viewer, admin, zinesEditor, editor, null]) {
      const { text } = await service().get(path, { token })
      expect(text.includes(legal_name)).to.equal(token === editor || token === admin)
    }
  })
})

describe('a cached response with THROTTLE_ANON', () => {
  const service = useService({ THROTTLE_ANON: '3/hour' })

  it('is counted by the throttle too', async () => {
    const statuses = []
    for (let time = 0; time < 5; time += 1)
      statuses.push((await service().get(listPath('zines'))).status)
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429])
  })
})

describe('a cached response with CORS_ORIGINS', () => {
  const service = useService({ CORS_ORIGINS: 'https://one.example,https://two.example' })

  it('allows the origin of the current request', async () => {
    for (const origin of ['https://one.example', 'https://two.example', 'https://one.example']) {
      const { headers } = await service().get(listPath('zines'), { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).to.equal(origin)
    }
    const { headers } = await service().get(listPath('zines'), {
      headers: { origin: 'https://three.example' },
    })
    expect(headers.get('access-control-allow-origin')).to.equal(null)
  })

  // The parts of the cache's key were joined with spaces, which a header may have too.
  it('is not given to a request whose headers have the same words elsewhere', async () => {
    const word = fc.constantFrom('application/json', 'text/html,', '*/*', 'https://one.example')
    const words = fc.array(word, { minLength: 1, maxLength: 4 })
    const places = fc.tuple(fc.nat(5), fc.nat(5))
    let count = 0
    await fc.assert(
      fc.asyncProperty(words, places, async (before, [one, other]) => {
        const all = [...before, 'https://two.example']
        // No earlier answer is in the cache.
        const path = `${listPath('zines')}?search=${(count += 1)}`
        const headersCutAt = (place: number) => ({
          accept: all.slice(0, place).join(' '),
          origin: all.slice(place).join(' '),
        })
        await service().get(path, { headers: headersCutAt(other) })
        const headers = headersCutAt(one)
        const expected = await getComparable(service(), path, { ...headers, ...bypassingCache })
        expect(await getComparable(service(), path, headers)).to.deep.equal(expected)
      }),
      {
        numRuns: 200,
        examples: [
          [
            ['application/json,', '*/*'],
            [2, 1],
          ],
        ],
      },
    )
  })
})

describe('a cached response with TRUST_PROXY', () => {
  const service = useService({ TRUST_PROXY: 'true' })

  it('links to the host and scheme of the current X-Forwarded headers', async () => {
    const { body } = await service().post(listPath('agents'), agent('maker'))
    for (const id of ['a', 'b'])
      await service().post(listPath('zines'), zine(id, { creator: [body.agent_id] }))
    for (const [proto, host] of [
      ['https', 'one.example'],
      ['http', 'one.example'],
      ['https', 'two.example'],
      ['https', 'one.example'],
    ] as const) {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-host': host }
      const page = await service().get(`${listPath('zines')}?page_size=1`, { headers })
      expect(page.body.next).to.equal(`${proto}://${host}/api/zines/?page_size=1&page=2`)
      const record = await service().get(recordPath('zines', 'a'), { headers })
      expect(record.headers.get('content-location')).to.match(new RegExp(`^${proto}://${host}/`))
    }
  })
})
