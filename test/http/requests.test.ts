// Tests paths and methods: trailing slashes, HEAD, OPTIONS, unknown paths, methods that are not
// allowed, and malformed requests.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'

import { healthPaths } from '../../src/http/response/health-status.js'
import { recordPath, resources, unique, useCatalogue } from './catalogue.js'
import { types } from './formats.js'
import { namesIn, sendRaw } from './raw-socket.js'

const VOCABULARY = '/api/vocabularies/subjects/'

describe('requests:', () => {
  const { service, given } = useCatalogue()

  describe('without a trailing slash,', () => {
    const paths = [
      '/api/zines',
      '/api/zines/zine',
      '/api/vocabularies/subjects',
      '/api/schema',
      '/api',
    ]

    for (const path of paths)
      for (const method of ['GET', 'HEAD'])
        it(`${method} ${path} answers 301 with the path with a slash`, async () => {
          const answer = await service().ask(method, path)
          expect(answer.status).to.equal(301)
          expect(redirectPath(path, answer.headers)).to.equal(`${path}/`)
        })

    for (const [method, path] of [
      ['POST', '/api/zines'],
      ['PUT', '/api/zines/zine'],
      ['PATCH', '/api/zines/zine'],
      ['DELETE', '/api/zines/zine'],
      ['POST', '/api/auth/token'],
    ] as const)
      it(`${method} ${path} answers 308 with the path with a slash`, async () => {
        const answer = await service().ask(method, path)
        expect(answer.status).to.equal(308)
        expect(redirectPath(path, answer.headers)).to.equal(`${path}/`)
      })

    for (const query of ['?page=2&search=a+b%20c', '?x=caf%C3%A9%26y&x=', '?'])
      it(`GET /api/zines answers a redirect that keeps the query ${query}`, async () => {
        const answer = await service().get(`/api/zines${query}`)
        const { searchParams } = new URL(answer.headers.get('location') ?? '', service().url)
        expect([...searchParams]).to.deep.equal([...new URLSearchParams(query)])
      })

    it('GET /api/zines/a%2Fb answers a redirect that keeps the encoded slash', async () => {
      const answer = await service().get('/api/zines/a%2Fb')
      expect(redirectPath('/', answer.headers)).to.equal('/api/zines/a%2Fb/')
    })

    it('POST /api/agents creates the record when the client follows the redirect', async () => {
      const id = unique('agent')
      const answer = await fetch(`${service().url}/api/agents`, {
        method: 'POST',
        headers: {
          authorization: `Token ${service().tokens.admin}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ agent_id: id, kind: 'Person', display_name: 'x', public: true }),
      })
      expect(answer.status).to.equal(201)
    })

    for (const path of [
      '//evil.example',
      '//evil.example/%2e%2e',
      '/\\evil.example',
      '//api/zines',
    ])
      it(`GET ${path} does not redirect to another host`, async () => {
        const { status, head } = await sendRaw(service().url, [`GET ${path} HTTP/1.1`, 'Host: x'])
        const location = /^location: *(.*)$/im.exec(head)?.[1]?.trim() ?? '/'
        expect(status).to.be.below(500)
        expect(new URL(location, 'http://x/').host).to.equal('x')
      })

    /** The path of the Location header. */
    const redirectPath = (from: string, headers: Headers) =>
      new URL(headers.get('location') ?? '', `${service().url}${from}`).pathname
  })

  describe('HEAD', () => {
    for (const path of ['/api/zines/', '/api/zines/zine/', VOCABULARY, '/api/schema/', '/api/'])
      it(`of ${path} answers as GET without the body`, async () => {
        const head = await service().ask('HEAD', path)
        const get = await service().get(path)
        expect([head.status, head.text]).to.deep.equal([200, ''])
        for (const name of ['content-type', 'etag', 'link', 'vary'])
          expect(head.headers.get(name), name).to.equal(get.headers.get(name))
      })

    it('of a record that does not exist answers 404', async () => {
      const { status, text } = await service().ask('HEAD', '/api/zines/none/')
      expect([status, text]).to.deep.equal([404, ''])
    })
  })

  describe('OPTIONS', () => {
    for (const [path, methods] of [
      ...resources.flatMap(({ name }) => [
        [`/api/${name}/`, ['get', 'post', 'head', 'options']] as const,
      ]),
      ['/api/zines/zine/', ['get', 'put', 'patch', 'delete', 'head', 'options']],
      [VOCABULARY, ['get', 'head', 'options']],
      ['/api/geography/places/', ['get', 'head', 'options']],
      ['/api/auth/token/', ['post', 'options']],
    ] as const)
      it(`of ${path} answers Allow: ${methods.join(', ')}`, async () => {
        const { status, headers } = await service().ask('OPTIONS', path)
        expect(status).to.equal(200)
        expect(namesIn(headers.get('allow'))).to.have.members(methods)
      })

    it('answers name, description, renders and parses', async () => {
      const { body } = await service().ask('OPTIONS', '/api/zines/')
      expect(body).to.include.all.keys('name', 'description', 'renders', 'parses')
      expect(body.renders).to.include.members(Object.values(types))
      expect(body.parses).to.include('application/json')
    })

    it('of an unknown path answers 404', async () => {
      expect((await service().ask('OPTIONS', '/api/nothing/')).status).to.equal(404)
    })
  })

  describe('for an unknown path,', () => {
    for (const path of [
      '/api/nothing/',
      '/api/zines/zine/holdings/',
      '/api/Zines/',
      '/API/zines/',
      '/api//zines/',
      '/api/zines//',
      '/api/vocabularies/nothing/',
      '/api/geography/nothing/',
      '/api/auth/',
      '/api/__proto__/',
      '/api/vocabularies/constructor/',
      '/nothing/',
    ])
      it(`GET ${path} answers 404`, async () => {
        const answer = await service().get(path)
        expect(answer.status).to.equal(404)
        expect(answer.headers.get('content-type')).to.match(/^application\/json/)
        expect(answer.body).to.deep.equal({ detail: 'Not found.' })
      })
  })

  describe('for a method that is not allowed,', () => {
    for (const [method, path, allowed] of [
      ['PUT', '/api/zines/', ['GET', 'POST', 'HEAD', 'OPTIONS']],
      ['PATCH', '/api/agents/', ['GET', 'POST', 'HEAD', 'OPTIONS']],
      ['DELETE', '/api/holdings/', ['GET', 'POST', 'HEAD', 'OPTIONS']],
      ['POST', '/api/zines/zine/', ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']],
      ['POST', VOCABULARY, ['GET', 'HEAD', 'OPTIONS']],
      ['DELETE', `${VOCABULARY}punk/`, ['GET', 'HEAD', 'OPTIONS']],
      ['PUT', '/api/geography/countries/', ['GET', 'HEAD', 'OPTIONS']],
      ['POST', '/api/schema/', ['GET', 'HEAD', 'OPTIONS']],
      ['POST', '/api/', ['GET', 'HEAD', 'OPTIONS']],
      ['PROPFIND', '/api/zines/', ['GET', 'POST', 'HEAD', 'OPTIONS']],
      ['GET', '/api/auth/token/', ['POST', 'OPTIONS']],
      ['PUT', '/api/auth/token/', ['POST', 'OPTIONS']],
    ] as const)
      it(`${method} ${path} answers 405 with the allowed methods`, async () => {
        const answer = await service().ask(method, path)
        expect(answer.status).to.equal(405)
        expect(answer.body).to.deep.equal({ detail: `Method "${method}" not allowed.` })
        expect(namesIn(answer.headers.get('allow'))).to.have.members(
          allowed.map((name) => name.toLowerCase()),
        )
      })
  })

  describe('malformed:', () => {
    for (const path of [
      '%',
      '%zz',
      '%E0%A4%A',
      '%FF',
      '%C0%AF',
      '%ED%A0%80',
      '%00',
      'a%00b',
      'a%0Ab',
    ])
      for (const method of ['GET', 'DELETE'])
        it(`${method} /api/zines/${path}/ answers 400 or 404`, async () => {
          const answer = await service().ask(method, `/api/zines/${path}/`)
          expect(answer.status).to.be.oneOf([400, 404])
          expect(answer.body).to.have.all.keys('detail')
        })

    it('GET with a broken escape does not find the record with that text as identifier', async () => {
      await given.zine({ zine_id: '%zz-broken' })
      expect((await service().get('/api/zines/%zz-broken/')).status).to.be.oneOf([400, 404])
      expect((await service().get(recordPath('zines', '%zz-broken'))).status).to.equal(200)
    })

    for (const query of [
      '?page=%zz',
      '?search=%E0%A4%A',
      '?%zz=1',
      '?format=%zz',
      '?&&==&',
      '?a[]=1',
    ])
      it(`GET /api/zines/${query} answers 200, 400 or 404`, async () => {
        expect((await service().get(`/api/zines/${query}`)).status).to.be.oneOf([200, 400, 404])
      })

    it('GET with two Host headers answers 400', async () => {
      const head = ['GET /api/zines/ HTTP/1.1', 'Host: a.example', 'Host: b.example']
      expect((await sendRaw(service().url, head)).status).to.equal(400)
    })

    it('GET without a Host header answers 400', async () => {
      expect((await sendRaw(service().url, ['GET /api/zines/ HTTP/1.1'])).status).to.equal(400)
    })

    for (const target of [
      '*',
      'http://x.example/api/zines/',
      '/api/zines/#fragment',
      '/api/zines/ x',
    ])
      it(`GET with the request target ${target} answers no server error`, async () => {
        const head = [`GET ${target} HTTP/1.1`, 'Host: x.example']
        expect((await sendRaw(service().url, head)).status).to.be.within(200, 499)
      })
  })

  it('every address that README.md and the pages for administrators name is there', async () => {
    const there = [
      ...healthPaths,
      ...service().endpoints.map(({ path }) => path),
      // With a file of the institution, and with workers.
      ...['/about', '/sparql'],
    ].map((path) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`))
    for (const file of [
      'README.md',
      'docs/how-to/administer.md',
      'docs/how-to/operate.md',
      'docs/reference/settings.md',
    ]) {
      const named = (await readFile(file, 'utf8')).matchAll(/`(\/(?!dev\/)[^`\s?…{]*)`/g)
      for (const [, path = ''] of named)
        expect(
          there.some((pattern) => pattern.test(path)),
          `${file}: ${path}`,
        ).to.equal(true)
    }
  })

  it('GET /healthz answers 200', async () => {
    const { status, body } = await service().get('/healthz')
    expect(status).to.equal(200)
    expect(body).to.deep.equal({ status: 'ok' })
  })

  it('GET /api/ answers links to the four lists', async () => {
    const { body } = await service().get('/api/', { headers: { accept: 'application/json' } })
    for (const { name } of resources)
      expect(new URL(body[name], service().url).pathname).to.equal(`/api/${name}/`)
  })
})
