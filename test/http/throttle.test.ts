// Tests throttling: off by default; with THROTTLE_ANON by IP address, with THROTTLE_USER by account.

import { expect } from 'chai'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startService, useService } from '../service.js'
import type { Answer, TestService } from '../service.js'

const DETAIL = /^Request was throttled\. Expected available in (\d+) seconds\.$/

const expectThrottled = ({ status, headers, body }: Answer) => {
  expect(status).to.equal(429)
  expect(body).to.have.all.keys('detail')
  const [, seconds] = DETAIL.exec(body.detail) ?? []
  expect(headers.get('retry-after'), body.detail).to.equal(seconds)
}

/** A data directory for services that fail to start before they create it. */
const UNUSED_DATA_DIR = join(tmpdir(), 'zine-catalogue-nowhere')

/** Requests a list this many times and gives the statuses of the answers. */
async function getStatuses(service: TestService, times: number, token: string | null = null) {
  const answers = []
  for (let time = 0; time < times; time++) answers.push(await service.get('/api/zines/', { token }))
  return answers.map((answer) => answer.status)
}

describe('throttling of anonymous requests', () => {
  const service = useService({ THROTTLE_ANON: '3/hour' })
  before(async () => {
    expect(await getStatuses(service(), 4)).to.deep.equal([200, 200, 200, 429])
  })

  it('answers 429 with Retry-After', async () => {
    expectThrottled(await service().get('/api/zines/'))
  })

  it('gives a Retry-After within the period', async () => {
    const { headers } = await service().get('/api/zines/')
    expect(Number(headers.get('retry-after'))).to.be.within(1, 3600)
  })

  for (const path of ['/api/agents/', '/api/vocabularies/subjects/', '/api/zines/none/'])
    it(`counts all paths together: GET ${path} answers 429`, async () => {
      expectThrottled(await service().get(path))
    })

  it('counts requests for a token', async () => {
    const body = { username: 'viewer', password: 'wrong' }
    expectThrottled(await service().post('/api/auth/token/', body, { token: null }))
  })

  it('does not apply to requests with a token', async () => {
    expect(await getStatuses(service(), 5, service().tokens.viewer)).to.deep.equal([
      200, 200, 200, 200, 200,
    ])
  })

  it('does not apply to /healthz', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => service().get('/healthz')))
    expect(answers.map((answer) => answer.status)).to.deep.equal([200, 200, 200, 200, 200])
  })

  it('comes after the path: an unknown path answers 404', async () => {
    expect((await service().get('/api/nothing/')).status).to.equal(404)
  })

  it('comes after the format: an unacceptable format answers 406', async () => {
    const headers = { accept: 'image/png' }
    expect((await service().get('/api/zines/', { headers })).status).to.equal(406)
  })

  it('comes after credentials: a POST without a token answers 401', async () => {
    expect((await service().post('/api/zines/', {}, { token: null })).status).to.equal(401)
  })

  it('comes before the method: a method that is not allowed answers 429', async () => {
    expectThrottled(await service().get('/api/auth/token/'))
  })

  it('ignores X-Forwarded-For without TRUST_PROXY', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expectThrottled(await service().get('/api/zines/', { headers }))
  })
})

describe('throttling of anonymous IPv6 requests', () => {
  const service = useService({ THROTTLE_ANON: '3/hour', TRUST_PROXY: 'true' })
  const statusFrom = async (address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': address }
    return (await service().get('/api/zines/', { token: null, headers })).status
  }

  it('counts all addresses of a /64 network together', async () => {
    const statuses = []
    for (const host of [':1', ':2', 'a:b:c:d', 'ffff::'])
      statuses.push(await statusFrom(`2001:db8:1:2:${host}`))
    expect(statuses).to.deep.equal([200, 200, 200, 429])
  })

  it('counts each /64 network separately', async () => {
    expect(await statusFrom('2001:db8:1:3::1')).to.equal(200)
  })
})

describe('throttling of accounts', () => {
  const service = useService({ THROTTLE_USER: '2/minute' })
  before(async () => {
    expect(await getStatuses(service(), 3, service().tokens.viewer)).to.deep.equal([200, 200, 429])
    expect(await getStatuses(service(), 3, service().tokens.editor)).to.deep.equal([200, 200, 429])
  })

  it('answers 429 with a Retry-After within the period', async () => {
    const answer = await service().get('/api/zines/', { token: service().tokens.viewer })
    expectThrottled(answer)
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 60)
  })

  it('counts each account separately', async () => {
    expect(await getStatuses(service(), 2, service().tokens.zinesEditor)).to.deep.equal([200, 200])
  })

  it('does not apply to anonymous requests', async () => {
    expect(await getStatuses(service(), 4)).to.deep.equal([200, 200, 200, 200])
  })

  it('comes after permission: a POST by a viewer answers 403', async () => {
    const answer = await service().post('/api/zines/', {}, { token: service().tokens.viewer })
    expect(answer.status).to.equal(403)
  })

  it('comes before the method and the record: both answer 429', async () => {
    const token = service().tokens.editor
    expectThrottled(await service().delete('/api/zines/', { token }))
    expectThrottled(await service().delete('/api/zines/none/', { token }))
  })

  it('comes before the body: a malformed body answers 429', async () => {
    const token = service().tokens.editor
    expectThrottled(await service().ask('POST', '/api/zines/', { token, raw: '{' }))
  })
})

describe('throttling', () => {
  const service = useService()

  it('is off by default: 300 requests answer 200', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => service().get('/api/vocabularies/agent-kinds/')),
    )
    expect(new Set(answers.map((answer) => answer.status))).to.deep.equal(new Set([200]))
  })

  for (const name of ['THROTTLE_ANON', 'THROTTLE_USER'])
    for (const value of ['often', '3', '3/fortnight', '-1/hour', 'x/hour'])
      it(`with ${name}=${value} stops the service from starting, with an error that names ${name}`, async () => {
        const failure = await startService({ [name]: value, DATA_DIR: UNUSED_DATA_DIR }).then(
          async (started) => started.stop(),
          (error: unknown) => error,
        )
        expect(failure).to.be.instanceOf(Error).with.property('message').that.includes(name)
      })
})
