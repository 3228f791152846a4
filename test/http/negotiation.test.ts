// Tests which format an answer has, by ?format=, by Accept and by default. The contents of the
// formats are tested in test/formats.

import { expect } from 'chai'

import { useCatalogue } from './catalogue.js'
import { types } from './formats.js'
import { namesIn, sendRaw } from './raw-socket.js'
import { routes } from '../security/routes.js'
import { WITH_INDEX } from '../service.js'

const NOT_ACCEPTABLE = { detail: 'Could not satisfy the request Accept header.' }

const PATHS: Readonly<Record<string, readonly [list: string, record: string]>> = {
  zines: ['/api/zines/', '/api/zines/zine/'],
  agents: ['/api/agents/', '/api/agents/maker/'],
  repositories: ['/api/repositories/', '/api/repositories/library/'],
  holdings: ['/api/holdings/', '/api/holdings/copy/'],
}

/** The formats that a resource does not have. */
const MISSING_FORMATS: Readonly<Record<string, readonly string[]>> = {
  zines: [],
  agents: ['bibtex', 'ris', 'csljson', 'mods'],
  repositories: ['bibtex', 'ris', 'csljson', 'marcxml', 'marc', 'mods'],
  holdings: ['mods'],
}

// prettier-ignore
const ACCEPT_CASES: readonly (readonly [accept: string, type: string])[] = [
  ['*/*',                                             'application/json'],
  [',,,',                                             'application/json'],
  [', ,text/csv,',                                    'text/csv'],
  ['application/json',                                'application/json'],
  ['Application/JSON',                                'application/json'],
  ['application/*',                                   'application/json'],
  ['application/json; charset=utf-8',                 'application/json'],
  ['text/csv;q=0.5, application/json',                'application/json'],
  ['text/csv, application/json;q=0.9',                'text/csv'],
  ['application/json;q=0.5, text/turtle',             'text/turtle'],
  ['application/json;q=0.1, text/turtle;q=0.2',       'text/turtle'],
  ['application/json;q=0, text/turtle;q=0.1',         'text/turtle'],
  ['image/png; q=1, application/json; q=0.1', 'application/json'],
  ['image/png, application/json;q=0.1',               'application/json'],
  ['image/png, */*;q=0.1',                            'application/json'],
  ['text/csv, */*',                                   'text/csv'],
  ['text/turtle;q=0.9, */*;q=0.1',                    'text/turtle'],
  ['application/ld+json, application/json;q=0.9',     'application/ld+json'],
  // What takes HTML and anything is no browser where it prefers another format.
  ['text/html;q=0.9, */*;q=0.1',                      'text/html'],
  ['*/*;q=0.8, text/html',                            'text/html'],
  ['application/json, text/html;q=0.5, */*;q=0.1',    'application/json'],
  ['text/turtle, text/html;q=0.2, */*;q=0.1',         'text/turtle'],
  ['text/html;q=0, */*',                              'application/json'],
  ['application/n-quads,application/trig;q=0.95,application/ld+json;q=0.9,text/turtle;q=0.6,text/html;q=0.2,*/*;q=0.1', 'application/ld+json'],
]

describe('content negotiation:', () => {
  const { service, given } = useCatalogue()

  before(() => given.holding({ holding_id: 'copy' }))

  const typeOf = (headers: Headers) => (headers.get('content-type') ?? '').split(';', 1)[0]

  for (const [name, paths] of Object.entries(PATHS))
    for (const path of paths)
      for (const [format, type] of Object.entries(types)) {
        const missing = MISSING_FORMATS[name]?.includes(format)

        it(`GET ${path} with Accept: ${type} answers ${missing ? '406' : `200 in the format ${format}`}`, async () => {
          const { status, headers } = await service().get(path, { headers: { accept: type } })
          expect([status, typeOf(headers)]).to.deep.equal(
            missing ? [406, 'application/json'] : [200, type],
          )
        })

        it(`GET ${path}?format=${format} answers ${missing ? '406' : `200 as ${type}`}`, async () => {
          const { status, headers } = await service().get(`${path}?format=${format}`)
          expect([status, typeOf(headers)]).to.deep.equal(
            missing ? [406, 'application/json'] : [200, type],
          )
        })
      }

  for (const [accept, type] of ACCEPT_CASES)
    it(`GET with Accept: ${accept} answers ${type}`, async () => {
      const { status, headers } = await service().get('/api/zines/', { headers: { accept } })
      expect([status, typeOf(headers)]).to.deep.equal([200, type])
    })

  it('GET with the Accept header of a browser answers HTML or JSON, not XML', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { status, headers } = await service().get('/api/zines/', { headers: { accept } })
    expect(status).to.equal(200)
    expect(typeOf(headers)).to.be.oneOf(['text/html', 'application/json'])
  })

  it('GET without an Accept header answers JSON', async () => {
    const { head } = await sendRaw(service().url, ['GET /api/zines/ HTTP/1.1', 'Host: x'])
    expect(head).to.match(/^content-type: *application\/json/im)
  })

  for (const accept of [
    'image/png',
    'application/json;q=0',
    'application/json; q=0',
    'application/pdf, image/*',
    'audio/*',
  ])
    it(`GET with Accept: ${accept} answers 406`, async () => {
      const answer = await service().get('/api/zines/', { headers: { accept } })
      expect(answer.status).to.equal(406)
      expect(typeOf(answer.headers)).to.equal('application/json')
      expect(answer.body).to.deep.equal(NOT_ACCEPTABLE)
    })

  it('?format= takes precedence over Accept', async () => {
    const headers = { accept: 'text/csv, application/json;q=0.1' }
    const answer = await service().get('/api/zines/?format=json', { headers })
    expect(typeOf(answer.headers)).to.equal('application/json')
  })

  it('?format= takes precedence over an Accept header that cannot be satisfied', async () => {
    const headers = { accept: 'image/png' }
    expect((await service().get('/api/zines/?format=json', { headers })).status).to.equal(200)
  })

  for (const format of ['none', 'JSON-LD', 'xml ', '__proto__', 'constructor'])
    it(`GET with the unknown ?format=${format} answers 404`, async () => {
      const answer = await service().get(`/api/zines/?format=${encodeURIComponent(format)}`)
      expect(answer.status).to.equal(404)
      expect(answer.body).to.deep.equal({ detail: 'Not found.' })
    })

  for (const [path, status] of [
    ['/api/zines/none/', 404],
    ['/api/zines/?page=99', 404],
  ] as const)
    for (const accept of ['text/csv', 'text/turtle', 'application/xml', '*/*'])
      it(`GET ${path} with Accept: ${accept} answers its ${status} in JSON`, async () => {
        const answer = await service().get(path, { headers: { accept } })
        expect([answer.status, typeOf(answer.headers)]).to.deep.equal([status, 'application/json'])
        expect(answer.body).to.have.all.keys('detail')
      })

  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  for (const [path, status] of [
    ['/nowhere', 404],
    ['/api/zines/none/', 404],
    ['/id/zines/none', 404],
    ['/api/zines/?page=99', 404],
    ['/api/zines/?format=none', 404],
    ['/api/zines/?format=jsonl', 406],
    ['/api/zines/%zz', 400],
  ] as const)
    for (const accept of ['text/html', browser])
      it(`GET ${path} with Accept: ${accept} answers its ${status} with a page`, async () => {
        const headers = { accept }
        const { text, ...answer } = await service().get(path, { headers })
        expect([answer.status, typeOf(answer.headers)]).to.deep.equal([status, 'text/html'])
        expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'")
        expect(answer.headers.has('etag')).to.equal(false)
        const [form, field] = WITH_INDEX ? ['/api/search/', 'q'] : ['/api/zines/', 'search']
        expect(text).to.include(`action="${form}"`).and.to.include(`name="${field}"`)
        expect(text).to.include('<a href="/api/">')
        const head = await service().ask('HEAD', path, { headers })
        expect([head.status, typeOf(head.headers)]).to.deep.equal([status, 'text/html'])
      })

  it('GET of what has no page with Accept: text/html answers 406 with a page', async () => {
    const headers = { accept: 'text/html' }
    const answer = await service().get('/api/context.jsonld', { headers })
    expect([answer.status, typeOf(answer.headers)]).to.deep.equal([406, 'text/html'])
  })

  it('GET of the IRI of a thing with Accept: text/html answers 303', async () => {
    const { status, headers } = await service().get('/id/zines/zine', {
      headers: { accept: 'text/html' },
    })
    expect(status).to.equal(303)
    expect(new URL(headers.get('location') ?? '').pathname).to.equal('/api/zines/zine/')
  })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const accept of ['text/html', browser])
      it(`${method} with Accept: ${accept} without a token answers its 401 in JSON`, async () => {
        const path = method === 'POST' ? '/api/zines/' : '/api/zines/zine/'
        const answer = await service().ask(method, path, { token: null, headers: { accept } })
        expect([answer.status, typeOf(answer.headers)]).to.deep.equal([401, 'application/json'])
      })

  for (const [path, names] of [
    [
      '/api/zines/?format=jsonl',
      'json, jsonld, csv, xlsx, dc, turtle, ntriples, rdfxml, bibtex, ris, csljson, marcxml, marc, mods, atom, html',
    ],
    [
      '/api/repositories/?format=marcxml',
      'json, jsonld, csv, xlsx, dc, turtle, ntriples, rdfxml, atom, html',
    ],
    ['/api/schema/?format=csv', 'yaml, json, html'],
  ] as const)
    it(`GET ${path} answers 406 with the names of the formats that there are`, async () => {
      const { status, body } = await service().get(path)
      expect(status).to.equal(406)
      const format = new URLSearchParams(path.split('?')[1]).get('format') ?? ''
      expect(body).to.deep.equal({
        detail: `The format ${format} is not available here. Available are: ${names}.`,
      })
    })

  it('a refused POST with Accept: */* answers its 400 in JSON', async () => {
    const answer = await service().post('/api/zines/', {}, { headers: { accept: '*/*' } })
    expect([answer.status, typeOf(answer.headers)]).to.deep.equal([400, 'application/json'])
  })

  for (const path of ['/api/zines/', '/api/zines/zine/'])
    for (const accept of ['application/json', 'text/turtle'])
      it(`GET ${path} as ${accept} answers with Vary: Accept`, async () => {
        const { headers } = await service().get(path, { headers: { accept } })
        expect(namesIn(headers.get('vary'))).to.include('accept')
      })

  /** The routes that this service answers: the one for SPARQL needs a worker. */
  const routesHere = () =>
    routes.filter(({ path }) => service().endpoints.some((endpoint) => endpoint.path === path))

  it('OPTIONS of every path with Accept: application/json answers 200', async () => {
    for (const { at } of routesHere()) {
      const headers = { accept: 'application/json' }
      const { status, body } = await service().ask('OPTIONS', at, { headers, token: null })
      expect(status, at).to.equal(200)
      expect(body.renders, at).to.be.an('array')
    }
  })

  it('every address that only redirects does so whatever is accepted', async () => {
    const redirects = routesHere().filter(
      ({ path, uses }) =>
        !path.startsWith('/manage/') && [301, 302, 303].includes(uses.GET?.who('nobody') ?? 0),
    )
    expect(redirects.map(({ path }) => path)).to.include.members(['/', '/reconcile/view'])
    for (const { at } of redirects)
      for (const method of ['GET', 'HEAD'])
        for (const accept of ['text/html', 'application/json', 'image/png', 'text/turtle']) {
          const expected = await service().ask(method, at)
          const answer = await service().ask(method, at, { headers: { accept } })
          expect(answer.status, `${at} ${accept}`).to.equal(expected.status)
          // Where chance leads is another address each time.
          if (at !== '/random')
            expect(answer.headers.get('location'), `${at} ${accept}`).to.equal(
              expected.headers.get('location'),
            )
        }
  })

  it('/oai answers harvesters in XML whatever they accept', async () => {
    for (const accept of ['text/html', 'application/json', 'image/png']) {
      const { status, headers } = await service().get('/oai?verb=Identify', { headers: { accept } })
      expect([status, typeOf(headers)], accept).to.deep.equal([200, 'text/xml'])
    }
  })
})
