// Answers that are kept and given again: whoever asks the same a second time gets what is true then, and
// what is theirs. A request with a condition that cannot be met goes the whole way, and so is the oracle.

import { expect } from 'chai'
import fc from 'fast-check'

import { agent, holding, repository, zine } from '../examples.js'
import { type TestService, useService } from '../service.js'
import { listOf, pathOf, resources, unique, useCatalogue } from './catalogue.js'
import { sendRaw } from './raw-socket.js'

const wholeWay = { 'if-none-match': '"nothing has this tag"' }

/** All of an answer that is about what was asked. */
async function answerTo(service: TestService, path: string, headers: Record<string, string>) {
  const { status, headers: told, text } = await service.get(path, { headers })
  const passing = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])
  const kept = [...told].filter(([name]) => !passing.has(name))
  return { status, headers: Object.fromEntries(kept), text }
}

/** Asks twice, and expects each time what is answered to who goes the whole way. */
async function expectTrue(service: TestService, path: string, accept: string): Promise<void> {
  const plain = await answerTo(service, path, { accept, ...wholeWay })
  for (const time of ['first', 'again'])
    expect(await answerTo(service, path, { accept }), `${path} ${accept}, ${time}`).to.deep.equal(
      plain,
    )
}

const ids = ['a', 'b', 'c'] as const

const anyStep = fc.record({
  how: fc.constantFrom('POST', 'POST', 'PUT', 'PATCH', 'DELETE'),
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

async function take(service: TestService, step: Step): Promise<void> {
  const { how, resource, id } = step
  const path = how === 'POST' ? listOf(resource.name) : pathOf(resource.name, id)
  const body = how === 'DELETE' ? {} : { body: bodyOf(step) }
  const { status, text } = await service.ask(how, path, body)
  // What is not there cannot be changed, nor named.
  expect([200, 201, 204, 400, 404], text).to.include(status)
}

describe('an answer that is given again', () => {
  const service = useService()

  it('is what would be answered anew, after every write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
        for (const step of steps) {
          await take(service(), step)
          for (const { name } of resources) {
            for (const id of ids) await expectTrue(service(), pathOf(name, id), '*/*')
            await expectTrue(service(), pathOf(name, 'a'), 'text/turtle')
            await expectTrue(service(), `${listOf(name)}?search=na&page_size=2`, '*/*')
            await expectTrue(service(), `${listOf(name)}?format=csv`, '*/*')
          }
        }
      }),
      { numRuns: 5 },
    )
  }).timeout(120_000)
})

describe('what was asked for before', () => {
  const { service, given } = useCatalogue()

  it('is in the format that is asked for now', async () => {
    const path = pathOf('zines', 'zine')
    for (const accept of ['application/json', 'text/turtle', 'application/json', 'text/csv']) {
      const { headers } = await service().get(path, { headers: { accept } })
      expect(headers.get('content-type')).to.match(new RegExp(`^${accept}`))
    }
  })

  it('links to the host that is asked now', async () => {
    const { port } = new URL(service().url)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `127.0.0.1:${port}`]) {
      const { body } = await sendRaw(service().url, [
        'GET /api/zines/?page_size=1 HTTP/1.1',
        `Host: ${host}`,
      ])
      expect(JSON.parse(body).next).to.equal(`http://${host}/api/zines/?page_size=1&page=2`)
    }
  })

  it('is refused to who names two hosts', async () => {
    const head = ['GET /api/zines/ HTTP/1.1', 'Host: zines.example']
    expect((await sendRaw(service().url, head)).status).to.equal(200)
    expect((await sendRaw(service().url, head)).status).to.equal(200)
    expect((await sendRaw(service().url, [...head, 'Host: other.example'])).status).to.equal(400)
  })

  it('is refused to who has a token that is none', async () => {
    await service().get(listOf('zines'))
    const { status } = await service().get(listOf('zines'), { token: '0'.repeat(40) })
    expect(status).to.equal(401)
  })

  it('has an identifier of its own', async () => {
    const path = listOf('agents')
    const [first, second] = [await service().get(path), await service().get(path)]
    expect(first.headers.get('x-request-id')).to.not.equal(second.headers.get('x-request-id'))
    const named = await service().get(path, { headers: { 'x-request-id': 'my-own-name' } })
    expect(named.headers.get('x-request-id')).to.equal('my-own-name')
  })

  it('is 304 to who has it', async () => {
    const path = pathOf('zines', 'zine')
    const { headers } = await service().get(path)
    const etag = headers.get('etag') ?? ''
    expect((await service().get(path, { headers: { 'if-none-match': etag } })).status).to.equal(304)
  })

  it('has no body for HEAD', async () => {
    const path = pathOf('zines', 'zine')
    await service().get(path)
    const { status, text } = await service().ask('HEAD', path)
    expect([status, text]).to.deep.equal([200, ''])
  })

  it('shows what is private to those alone who may see it, whoever asked before', async () => {
    const legal_name = unique('Legal')
    const { agent_id } = await given.agent({ public: false, legal_name })
    const path = `${pathOf('agents', agent_id)}?private=true`
    const { admin, editor, viewer, zinesEditor } = service().tokens
    for (const token of [null, editor, null, viewer, admin, zinesEditor, editor, null]) {
      const { text } = await service().get(path, { token })
      expect(text.includes(legal_name)).to.equal(token === editor || token === admin)
    }
  })
})

describe('an answer that is given again to somebody counted', () => {
  const service = useService({ THROTTLE_ANON: '3/hour' })

  it('is counted too', async () => {
    const statuses = []
    for (let time = 0; time < 5; time += 1)
      statuses.push((await service().get(listOf('zines'))).status)
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429])
  })
})

describe('an answer that is given again across origins', () => {
  const service = useService({ CORS_ORIGINS: 'https://one.example,https://two.example' })

  it('is for the origin that asks now', async () => {
    for (const origin of ['https://one.example', 'https://two.example', 'https://one.example']) {
      const { headers } = await service().get(listOf('zines'), { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).to.equal(origin)
    }
    const { headers } = await service().get(listOf('zines'), {
      headers: { origin: 'https://three.example' },
    })
    expect(headers.get('access-control-allow-origin')).to.equal(null)
  })
})

describe('an answer that is given again behind proxies', () => {
  const service = useService({ TRUST_PROXY: 'true' })

  it('links to the host and scheme that they tell of now', async () => {
    const { body } = await service().post(listOf('agents'), agent('maker'))
    for (const id of ['a', 'b'])
      await service().post(listOf('zines'), zine(id, { creator: [body.agent_id] }))
    for (const [proto, host] of [
      ['https', 'one.example'],
      ['http', 'one.example'],
      ['https', 'two.example'],
      ['https', 'one.example'],
    ] as const) {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-host': host }
      const page = await service().get(`${listOf('zines')}?page_size=1`, { headers })
      expect(page.body.next).to.equal(`${proto}://${host}/api/zines/?page_size=1&page=2`)
      const record = await service().get(pathOf('zines', 'a'), { headers })
      expect(record.headers.get('content-location')).to.match(new RegExp(`^${proto}://${host}/`))
    }
  })
})
