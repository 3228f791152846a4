// The SPARQL 1.1 Protocol: the ways in which a query may come, and those in which it may not.

import { expect } from 'chai'
import { Parser } from 'n3'

import type { Ask } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'
import { GRAPHS, ask, rowsOf } from './client.js'

const ASK = 'ASK { ?s ?p ?o }'
const form = 'application/x-www-form-urlencoded'
const direct = 'application/sparql-query'
const encoded = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

describe('the SPARQL protocol', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })

  const anonymous = (method: string, path: string, more: Ask = {}) =>
    service().ask(method, path, { token: null, ...more })

  describe('accepts a query', () => {
    const ways: Readonly<Record<string, readonly [string, string, Ask?]>> = {
      'by GET': ['GET', `/sparql?${encoded({ query: ASK })}`],
      'by POST of a form': [
        'POST',
        '/sparql',
        { raw: encoded({ query: ASK }), headers: { 'content-type': form } },
      ],
      'by POST of a form that names its charset': [
        'POST',
        '/sparql',
        { raw: encoded({ query: ASK }), headers: { 'content-type': `${form}; charset=UTF-8` } },
      ],
      'by POST of the query as the body': [
        'POST',
        '/sparql',
        { raw: ASK, headers: { 'content-type': direct } },
      ],
    }
    for (const [way, request] of Object.entries(ways))
      it(way, async () => {
        const answer = await anonymous(...request)
        expect(answer.status, answer.text).to.equal(200)
        expect(answer.headers.get('content-type')).to.match(/^application\/sparql-results\+json/)
        expect(answer.body).to.deep.equal({ head: {}, boolean: true })
      })

    it('with characters of any script', async () => {
      const query = 'SELECT ("Łódź 🦄 半角" AS ?x) {}'
      for (const answer of [
        await anonymous('GET', `/sparql?${encoded({ query })}`),
        await ask(service(), query),
      ])
        expect(answer.body.results.bindings[0].x.value).to.equal('Łódź 🦄 半角')
    })

    it('from every account, also from a viewer', async () => {
      for (const token of [service().tokens.admin, service().tokens.viewer])
        expect((await ask(service(), ASK, { token })).status).to.equal(200)
    })
  })

  describe('reads a query', () => {
    const prefix = 'PREFIX a: <https://a.example/>'
    const rows: Readonly<Record<string, readonly [query: string, row: object]>> = {
      'with a dollar sign in VALUES': ['SELECT * { VALUES $x { 1 } }', { x: '1' }],
      'with dollar signs in VALUES of several variables': [
        'SELECT * { VALUES ($x ?y) { (1 2) } }',
        { x: '1', y: '2' },
      ],
      'with a dollar sign in VALUES behind the query': ['SELECT * {} VALUES $x { 1 }', { x: '1' }],
      'with a dollar sign in VALUES of a subquery': [
        'SELECT * { { SELECT * { VALUES $x { 1 } } } }',
        { x: '1' },
      ],
      'with zeros before a limit': ['SELECT * { VALUES ?x { 1 } } LIMIT 0100000', { x: '1' }],
      'with a limit that is too large for any number': [
        `SELECT * { VALUES ?x { 1 } } LIMIT 1${'0'.repeat(30)}`,
        { x: '1' },
      ],
      'with an escape in a variable': ['SELECT ?xx\\u0078 { VALUES ?xxx { 1 } }', { xxx: '1' }],
      'with an escape in a prefixed name': [
        `${prefix} SELECT (a:caf\\u00E9 AS ?x) {}`,
        { x: 'https://a.example/café' },
      ],
      'with an escape in an IRI': [
        'SELECT (<https://a.example/#caf\\u00E9> AS ?x) {}',
        { x: 'https://a.example/#café' },
      ],
      'with escapes of signs and of words': [
        '\\u0053ELECT (1 \\U0000002B 2 AS ?x) \\u007B\\u007D',
        { x: '3' },
      ],
      'with escapes in strings': [
        'SELECT ("\\u0022\\u005C\\u000A\\U0001F600" AS ?x) {}',
        { x: '"\\\n😀' },
      ],
      'with an escaped backslash before a letter u': [
        'SELECT ("\\\\u0041" AS ?x) {}',
        { x: '\\u0041' },
      ],
    }
    for (const [what, [query, row]] of Object.entries(rows))
      it(what, async () => {
        expect(await rowsOf(service(), query)).to.deep.equal([row])
      })

    const graphs: Readonly<Record<string, readonly [query: string, triples: number]>> = {
      'with a blank node alone in a template': [
        'CONSTRUCT { [ a:p ?x ] } { VALUES ?x { 1 2 } }',
        2,
      ],
      'with a list alone in a template': ['CONSTRUCT { (1 2) } {}', 4],
      'with a blank node and a list among others in a template': [
        'CONSTRUCT { a:s a:p 1 . [ a:p 2 ] . (3) . a:s a:p 4 } {}',
        5,
      ],
      'with a blank node alone that is template and pattern': ['CONSTRUCT WHERE { [ a:p ?x ] }', 0],
    }
    for (const [what, [query, triples]] of Object.entries(graphs))
      it(what, async () => {
        const accept = 'application/n-triples'
        const { status, text } = await ask(service(), `${prefix} ${query}`, { accept })
        expect(status, text).to.equal(200)
        expect(text.split('\n')).to.have.length(triples + 1)
      })
  })

  describe('says of a query that it rejects', () => {
    const reasons: Readonly<Record<string, readonly [query: string, reason: string]>> = {
      'which line declares a prefix': [
        'SELECT * { ?s dcterms:title ?o }',
        'Malformed query: Unknown prefix: dcterms. Begin the query with this line: PREFIX dcterms: <http://purl.org/dc/terms/>',
      ],
      'which line declares the prefix of its own terms': [
        'SELECT * { ?s zc:order ?o }',
        'Malformed query: Unknown prefix: zc. Begin the query with this line: PREFIX zc: <https://zines.example/ns#>',
      ],
      'that no prefix is known': [
        'SELECT * { ?s wdt:P31 ?o }',
        'Malformed query: Unknown prefix: wdt',
      ],
      'that SERVICE is not answered, whose prefix is not declared': [
        'SELECT * { ?s ?p ?o . SERVICE wikibase:label { ?s ?q ?r } }',
        'SERVICE is not answered here.',
      ],
    }
    for (const [what, [query, reason]] of Object.entries(reasons))
      it(what, async () => {
        const { status, body } = await ask(service(), query)
        expect([status, body.detail]).to.deep.equal([400, reason])
      })
  })

  describe('rejects', () => {
    const post = (type: string, raw: string | Uint8Array): Ask => ({
      raw,
      headers: { 'content-type': type },
    })
    const wrong: Readonly<Record<string, readonly [number, string, string, Ask?]>> = {
      'an empty query': [400, 'GET', '/sparql?query='],
      'two queries': [400, 'GET', '/sparql?query=ASK%7B%7D&query=ASK%7B%7D'],
      'a query that is malformed': [400, 'GET', '/sparql?query=ASK%20%7B'],
      'a form without a query': [400, 'POST', '/sparql', post(form, 'x=1')],
      'a body without a type': [415, 'POST', '/sparql', post('text/plain', ASK)],
      'a body of JSON': [415, 'POST', '/sparql', post('application/json', '{}')],
      'a form that is not UTF-8': [400, 'POST', '/sparql', post(form, 'query=ASK%20%7B%FF%7D')],
      'a query that is not UTF-8': [
        400,
        'POST',
        '/sparql',
        post(direct, Uint8Array.of(0x41, 0xff, 0xfe)),
      ],
      PUT: [405, 'PUT', '/sparql?query=ASK%7B%7D'],
      DELETE: [405, 'DELETE', '/sparql'],
      'an update in a form': [403, 'POST', '/sparql', post(form, 'update=CLEAR%20ALL')],
      'an update by GET': [403, 'GET', '/sparql?update=CLEAR%20ALL'],
      'an update as the body': [
        403,
        'POST',
        '/sparql',
        post('application/sparql-update', 'CLEAR ALL'),
      ],
      'an update as the query parameter': [403, 'GET', '/sparql?query=CLEAR%20ALL'],
      'a table in Turtle': [406, 'GET', '/sparql?query=ASK%7B%7D&format=turtle'],
      'a graph in CSV': [406, 'GET', '/sparql?query=DESCRIBE%20%3Ca%3E&format=csv'],
    }
    for (const [what, [status, ...request]] of Object.entries(wrong))
      it(`${what} with ${status} and a reason`, async () => {
        const answer = await anonymous(...request)
        expect(answer.status, answer.text).to.equal(status)
        expect(answer.headers.get('content-type')).to.match(/^application\/json/)
        expect(answer.body).to.have.all.keys('detail')
        expect(answer.body.detail).to.be.a('string').that.is.not.empty
      })

    it('a request that accepts only images', async () => {
      expect((await ask(service(), ASK, { accept: 'image/png' })).status).to.equal(406)
    })

    it('an invalid token', async () => {
      expect((await ask(service(), ASK, { token: 'f'.repeat(40) })).status).to.equal(401)
    })

    it('an update, with a hint to the API', async () => {
      const { body } = await anonymous('GET', '/sparql?update=CLEAR%20ALL')
      expect(body.detail).to.include('/api/')
    })
  })

  describe('runs a query on the graphs', () => {
    const count = 'SELECT (COUNT(*) AS ?c) { ?s ?p ?o }'
    const counted = async (query: string, parameters = ''): Promise<number> => {
      const answer = await ask(service(), query, { parameters })
      expect(answer.status, answer.text).to.equal(200)
      return Number(answer.body.results.bindings[0].c.value)
    }
    const about = (name: string, ...graphs: string[]) =>
      `?${graphs.map((graph) => `${name}=${encodeURIComponent(graph)}`).join('&')}`

    it('that the parameters name', async () => {
      const whole = await counted(count)
      const records = await counted(count, about('default-graph-uri', GRAPHS.public))
      const concepts = await counted(count, about('default-graph-uri', GRAPHS.vocabularies))
      expect(Math.min(records, concepts)).to.be.above(0)
      expect(records + concepts).to.equal(whole)
      const both = about('default-graph-uri', GRAPHS.public, GRAPHS.vocabularies)
      expect(await counted(count, both)).to.equal(whole)
    })

    it('that there are, where the parameters name none', async () => {
      const query = count.replace('{', `FROM <${GRAPHS.vocabularies}> {`)
      const nothing =
        about('default-graph-uri', '') + about('named-graph-uri', '').replace('?', '&')
      expect(await counted(count, nothing)).to.equal(await counted(count))
      expect(await counted(query, nothing)).to.equal(await counted(query))
      const records = about('default-graph-uri', GRAPHS.public)
      expect(await counted(count, `${records}&default-graph-uri=`)).to.equal(
        await counted(count, records),
      )
    })

    it('that the parameters name, not those that the query names', async () => {
      const query = count.replace('{', `FROM <${GRAPHS.vocabularies}> {`)
      const parameters = about('default-graph-uri', GRAPHS.public)
      expect(await counted(query, parameters)).to.equal(await counted(count, parameters))
    })

    it('that the query names', async () => {
      const query = count.replace('{', `FROM <${GRAPHS.vocabularies}> {`)
      const parameters = about('default-graph-uri', GRAPHS.vocabularies)
      expect(await counted(query)).to.equal(await counted(count, parameters))
    })

    it('that are named with FROM NAMED alone', async () => {
      expect(await counted(count, about('named-graph-uri', GRAPHS.public))).to.equal(0)
      const inGraph = 'SELECT (COUNT(*) AS ?c) { GRAPH ?g { ?s ?p ?o } }'
      const parameters = about('named-graph-uri', GRAPHS.public)
      expect(await counted(inGraph, parameters)).to.equal(
        await counted(count, about('default-graph-uri', GRAPHS.public)),
      )
    })

    it('of this service only', async () => {
      const foreign = 'https://elsewhere.example/graph'
      for (const answer of [
        await ask(service(), ASK, { parameters: about('default-graph-uri', foreign) }),
        await ask(service(), ASK, { parameters: about('named-graph-uri', foreign) }),
        await ask(service(), `ASK FROM <${foreign}> { ?s ?p ?o }`),
        await ask(service(), `ASK FROM NAMED <${foreign}> { ?s ?p ?o }`),
      ]) {
        expect(answer.status).to.equal(400)
        expect(answer.body.detail).to.include(foreign).and.to.include(GRAPHS.public)
      }
    })
  })

  describe('describes the service', () => {
    for (const [accept, type] of [
      ['', 'text/turtle'],
      ['*/*', 'text/turtle'],
      ['application/n-triples', 'application/n-triples'],
      ['application/rdf+xml', 'application/rdf+xml'],
      ['application/ld+json', 'application/ld+json'],
    ] as const)
      it(`as ${type} for Accept: ${accept}`, async () => {
        const { status, headers, text } = await anonymous('GET', '/sparql', { headers: { accept } })
        expect(status).to.equal(200)
        expect(headers.get('content-type')).to.match(new RegExp(`^${type.replace('+', '\\+')}`))
        expect(headers.get('vary')).to.match(/Accept/)
        expect(text).to.include('http://www.w3.org/ns/sparql-service-description#')
      })

    it('with its address, formats and graphs', async () => {
      const { text } = await anonymous('GET', '/sparql')
      const quads = new Parser().parse(text)
      const said = (name: string) =>
        quads
          .filter(({ predicate }) => predicate.value.endsWith(`description#${name}`))
          .map(({ object }) => object.value)
      expect(said('endpoint')).to.deep.equal(['https://zines.example/sparql'])
      expect(said('resultFormat')).to.have.length(8)
      expect(said('name')).to.have.members([GRAPHS.public, GRAPHS.vocabularies])
    })

    it('but not in a format of tables', async () => {
      const answer = await anonymous('GET', '/sparql?format=csv')
      expect(answer.status).to.equal(406)
    })
  })

  describe('links to the other formats', () => {
    const linksOf = (header: string | null) =>
      [...(header ?? '').matchAll(/<([^>]*)>; rel="alternate"; type="([^"]*)"/g)].map(
        ([, target = '', type = '']) => [target, type] as const,
      )
    const queries: Readonly<Record<string, string>> = {
      'a SELECT': encoded({ query: 'SELECT * { ?s ?p ?o } LIMIT 1' }),
      'an ASK': encoded({ query: ASK }),
      'a CONSTRUCT': encoded({ query: 'CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1' }),
      'a DESCRIBE': encoded({ query: 'DESCRIBE <a>' }),
      'the service description': '',
    }
    for (const [what, query] of Object.entries(queries))
      for (const accept of ['*/*', 'text/html'])
        it(`of ${what} for Accept: ${accept}, each of which is answered`, async () => {
          const { status, headers } = await anonymous('GET', `/sparql?${query}`, {
            headers: { accept },
          })
          expect(status).to.equal(200)
          const current = headers.get('content-type')?.split(';')[0]
          const location = headers.get('content-location') ?? ''
          const links = linksOf(headers.get('link'))
          expect(links).to.have.length.above(3)
          for (const [target, type] of [...links, [location, current]]) {
            const { pathname, search } = new URL(target ?? '', service().url)
            const answer = await anonymous('GET', pathname + search)
            expect(answer.status, target).to.equal(200)
            expect(answer.headers.get('content-type')?.split(';')[0]).to.equal(type)
          }
        })
  })

  describe('like the rest of the service', () => {
    it('answers HEAD as GET, without a body', async () => {
      const { status, headers, text } = await anonymous(
        'HEAD',
        `/sparql?${encoded({ query: ASK })}`,
      )
      expect([status, text]).to.deep.equal([200, ''])
      expect(headers.get('content-type')).to.match(/^application\/sparql-results\+json/)
    })

    it('answers OPTIONS with its methods and formats', async () => {
      const { status, headers, body } = await anonymous('OPTIONS', '/sparql')
      expect(status).to.equal(200)
      expect(headers.get('allow')).to.equal('GET, POST, HEAD, OPTIONS')
      expect(body.parses).to.deep.equal([form, direct])
      expect(body.renders).to.include('text/csv').and.to.include('text/turtle')
    })

    it('allows requests of pages of any origin', async () => {
      const answer = await ask(service(), ASK)
      expect(answer.headers.get('access-control-allow-origin')).to.equal('*')
    })
  })

  it('resolves relative IRIs against its own address', async () => {
    const { body } = await ask(service(), 'SELECT (<vocabularies/subjects#punk> AS ?x) {}')
    expect(body.results.bindings[0].x.value).to.equal(
      'https://zines.example/vocabularies/subjects#punk',
    )
  })
})

describe('the SPARQL endpoint under a throttle', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1', THROTTLE_ANON: '2/hour' })

  it('counts its queries like other requests', async () => {
    const statuses = []
    for (let time = 0; time < 3; time++) statuses.push((await ask(service(), ASK)).status)
    expect(statuses).to.deep.equal([200, 200, 429])
  })
})

describe('the SPARQL endpoint, switched off', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '0' })

  it('answers 404', async () => {
    expect((await ask(service(), ASK)).status).to.equal(404)
    expect((await service().get('/sparql')).status).to.equal(404)
  })
})
