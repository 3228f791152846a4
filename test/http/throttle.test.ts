// Tests throttling: off by default; with THROTTLE_ANON by IP address, with THROTTLE_USER by account.

import { expect } from 'chai'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PASSWORD, startService, useService } from '../service.js'
import type { Answer, TestService } from '../service.js'
import { browse } from '../views/browser.js'
import { namesIn } from './raw-socket.js'

const DETAIL = /^Request was throttled\. Expected available in (\d+) seconds\.$/

const expectThrottled = ({ status, headers, body }: Answer) => {
  expect(status).to.equal(429)
  expect(body).to.have.all.keys('detail')
  const [, seconds] = DETAIL.exec(body.detail) ?? []
  expect(headers.get('retry-after'), body.detail).to.equal(seconds)
}

/** Sends what a browser asks before it sends a PUT of a page of another origin. */
const preflight = (service: TestService, path: string): Promise<Answer> =>
  service.ask('OPTIONS', path, {
    headers: { origin: 'https://page.example', 'access-control-request-method': 'PUT' },
  })

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

  it('does not hold up requests for a token', async () => {
    const body = { username: 'viewer', password: PASSWORD }
    const answers = []
    for (let time = 0; time < 5; time++)
      answers.push(await service().post('/api/auth/token/', body, { token: null }))
    expect(answers.map((answer) => answer.status)).to.deep.equal([200, 200, 200, 200, 200])
  })

  it('does not hold up who signs in by the page', async () => {
    const browser = browse(service().url)
    const { status, headers } = await browser.signIn('viewer')
    expect(status).to.equal(303)
    expect(headers.get('location')).to.equal('/api/zines/')
  })

  it('does not hold up CORS preflights', async () => {
    for (const path of ['/api/zines/', '/api/auth/token/', '/sparql'])
      expect((await preflight(service(), path)).status, path).to.be.oneOf([200, 204, 404])
  })

  it('applies to an OPTIONS request that is no preflight', async () => {
    expectThrottled(await service().ask('OPTIONS', '/api/zines/'))
    const headers = { origin: 'https://page.example' }
    expectThrottled(await service().ask('OPTIONS', '/api/zines/', { headers }))
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

describe('the budget of anonymous requests', () => {
  const service = useService({ THROTTLE_ANON: '3/hour' })

  it('is not used by CORS preflights and requests for a token', async () => {
    const credentials = { username: 'viewer', password: 'wrong' }
    for (let time = 0; time < 5; time++) {
      expect((await preflight(service(), '/api/zines/')).status).to.be.oneOf([200, 204])
      const answer = await service().post('/api/auth/token/', credentials, { token: null })
      expect(answer.status).to.equal(400)
    }
    expect(await getStatuses(service(), 4)).to.deep.equal([200, 200, 200, 429])
  })
})

describe('the headers of a limit', () => {
  const service = useService({ THROTTLE_ANON: '3/hour', THROTTLE_USER: '2/minute' })

  /** The limit, what is left of it, and the seconds until there is more. */
  const readLimit = ({ headers }: Answer) => {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`) ?? NaN),
    )
    return { limit, remaining, seconds: (reset ?? NaN) - Date.now() / 1000 }
  }

  for (const [who, limit, period] of [
    ['anonymous requests', 3, 3600],
    ['an account', 2, 60],
  ] as const)
    it(`say how many requests of ${who} are left, and from when there are more`, async () => {
      const token = who === 'an account' ? service().tokens.viewer : null
      // The second answer comes from the cache.
      for (let sent = 1; sent <= limit + 1; sent++) {
        const answer = await service().get('/api/zines/', { token })
        const { seconds, ...counts } = readLimit(answer)
        expect(counts).to.deep.equal({ limit, remaining: Math.max(0, limit - sent) })
        expect(seconds).to.be.within(period - 30, period + 1)
        if (sent <= limit) expect(answer.status).to.equal(200)
        else expectThrottled(answer)
      }
    })

  it('are those of the IETF too, with the policy by its name', async () => {
    const headersFor = async (token: string | null) =>
      (await service().get('/api/zines/', { token })).headers
    const [anonymous, account] = [await headersFor(null), await headersFor(service().tokens.editor)]
    expect(anonymous.get('ratelimit-policy')).to.equal('"anonymous";q=3;w=3600')
    expect(anonymous.get('ratelimit')).to.match(/^"anonymous";r=0;t=3[56]\d\d$/)
    expect(account.get('ratelimit-policy')).to.equal('"account";q=2;w=60')
    expect(account.get('ratelimit')).to.match(/^"account";r=1;t=[56]\d$/)
  })

  it('come with links to what has everything in one request, once there are too many', async () => {
    const { status, headers } = await service().get('/api/zines/', { token: null })
    expect(status).to.equal(429)
    const link = headers.get('link') ?? ''
    expect(link).to.include(`<${service().url}/dumps/catalogue.nt.gz>; rel="alternate"`)
    expect(link).to.include(`<${service().url}/api/zines/export/>; rel="alternate"`)
  })

  it('come with problem details that name the policy, where these are asked for', async () => {
    const accept = 'application/json, application/problem+json'
    const { headers, body } = await service().get('/api/zines/', {
      token: null,
      headers: { accept },
    })
    expect(headers.get('content-type')).to.equal('application/problem+json')
    expect(body).to.deep.include({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Too Many Requests',
      status: 429,
      'violated-policies': ['anonymous'],
    })
    expect(body.detail).to.match(DETAIL)
  })

  it('may be read by pages of other origins', async () => {
    const { headers } = await service().get('/api/zines/')
    expect(namesIn(headers.get('access-control-expose-headers'))).to.include.members([
      'retry-after',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'ratelimit',
      'ratelimit-policy',
    ])
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

  it('that is off sends no headers of a limit', async () => {
    const { headers } = await service().get('/api/zines/')
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).to.deep.equal([])
  })

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
