// Tests cross-origin requests: which origins may read, and what a preflight answers.

import { expect } from 'chai'

import { useCatalogue } from './catalogue.js'
import { type Answer, useService } from '../service.js'
import { namesIn } from './raw-socket.js'

const origin = 'https://page.example'
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options']

describe('cross-origin requests:', () => {
  const { service } = useCatalogue()

  for (const path of [
    '/api/zines/',
    '/api/zines/zine/',
    '/api/vocabularies/subjects/',
    '/api/schema/',
    '/reconcile',
    '/reconcile/suggest/entity?prefix=m',
  ])
    it(`any origin may read ${path}`, async () => {
      const { headers } = await service().get(path, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).to.be.oneOf(['*', origin])
    })

  for (const [status, method, path] of [
    [404, 'GET', '/api/zines/none/'],
    [404, 'GET', '/api/nothing/'],
    [400, 'POST', '/api/zines/'],
    [405, 'PUT', '/api/zines/'],
  ] as const)
    it(`any origin may read the ${status} that ${method} ${path} answers`, async () => {
      const body = method === 'GET' ? undefined : {}
      const answer = await service().ask(method, path, { body, headers: { origin } })
      expect(answer.status).to.equal(status)
      expect(answer.headers.get('access-control-allow-origin')).to.be.oneOf(['*', origin])
    })

  for (const [method, path] of [
    ['POST', '/api/zines/'],
    ['PUT', '/api/zines/zine/'],
    ['PATCH', '/api/zines/zine/'],
    ['DELETE', '/api/zines/zine/'],
    ['POST', '/api/auth/token/'],
  ] as const)
    it(`a preflight for ${method} ${path} is allowed`, async () => {
      const { status, headers } = await service().ask('OPTIONS', path, {
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect(status).to.be.oneOf([200, 204])
      expect(headers.get('access-control-allow-origin')).to.be.oneOf(['*', origin])
      expect(namesIn(headers.get('access-control-allow-methods'))).to.include.members(METHODS)
      expect(namesIn(headers.get('access-control-allow-headers'))).to.include.members([
        'authorization',
        'content-type',
        'accept',
      ])
    })
})

describe('with CORS_ORIGINS set to one origin,', () => {
  const service = useService({ CORS_ORIGINS: origin })

  it('that origin may read answers', async () => {
    const { headers } = await service().get('/api/zines/', { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).to.equal(origin)
  })

  it('another origin may not read answers', async () => {
    const headers = { origin: 'https://other.example' }
    const answer = await service().get('/api/zines/', { headers })
    expect(answer.headers.get('access-control-allow-origin')).to.be.oneOf([null, origin])
  })
})

describe('with CORS_ORIGINS and limits for requests,', () => {
  const service = useService({
    CORS_ORIGINS: origin,
    THROTTLE_ANON: '3/hour',
    THROTTLE_USER: '1/hour',
  })
  const path = '/api/zines/'

  const expectReadable = (status: number, { status: answered, headers }: Answer) => {
    expect(answered).to.equal(status)
    expect(headers.get('access-control-allow-origin')).to.equal(origin)
    expect(namesIn(headers.get('access-control-expose-headers'))).to.include('retry-after')
    expect(namesIn(headers.get('vary'))).to.include.members(['origin', 'accept'])
  }

  // The answer to the first request is cached, so the others are answered from the cache.
  before(async () => {
    for (const time of ['first', 'again'])
      expect((await service().get(path, { headers: { origin } })).status, time).to.equal(200)
  })

  it('an allowed origin may read the 401 for an address whose answer is cached', async () => {
    const token = '0'.repeat(40)
    expectReadable(401, await service().get(path, { headers: { origin }, token }))
  })

  it('an allowed origin may read the 429 for an address whose answer is cached', async () => {
    await service().get(path, { headers: { origin } })
    expectReadable(429, await service().get(path, { headers: { origin } }))
  })

  it('an allowed origin may read the 429 of an account for such an address', async () => {
    const token = service().tokens.viewer
    await service().get(path, { headers: { origin }, token })
    expectReadable(429, await service().get(path, { headers: { origin }, token }))
  })
})
