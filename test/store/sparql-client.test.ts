// What is asked of a SPARQL endpoint elsewhere, and how its answers are read, whatever it is.

import { createHash } from 'node:crypto'

import { expect } from 'chai'
import fc from 'fast-check'

import { authorizationFor } from '../../src/store/remote/http-auth.js'
import { RemoteError } from '../../src/store/remote/remote-error.js'
import { createSparqlClient } from '../../src/store/remote/sparql-client.js'
import { parseRows } from '../../src/store/remote/sparql-json-results.js'
import { buildUpdates, linesNotIn } from '../../src/store/remote/update-batches.js'
import { iri, quad, stringLiteral, writeNQuads } from '../../src/rdf/terms.js'
import { type Lock, type TestEndpoint, startEndpoint } from '../sparql-engine.js'

const open = ({ url }: Pick<TestEndpoint, 'url'>, lock?: Pick<Lock, 'user' | 'password'>) =>
  createSparqlClient({ query: url, update: url, credentials: lock, timeout: 5 })

/** How a promise ended. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const kindOf = (error: unknown): unknown => (error instanceof RemoteError ? error.failure : error)

describe('credentials of a remote store', () => {
  for (const scheme of ['Basic', 'Digest'] as const)
    it(`are sent to a server that requires ${scheme}`, async () => {
      const lock: Lock = { scheme, user: 'zine "z"', password: 'ein Geheimnis: ü' }
      const server = await startEndpoint(lock)
      const endpoint = open(server, lock)
      await endpoint.update('INSERT DATA { GRAPH <http://e/g> { <http://e/a> <http://e/b> 1 } }')
      await endpoint.update('INSERT DATA { GRAPH <http://e/g> { <http://e/a> <http://e/b> 2 } }')
      expect(await endpoint.select('SELECT ?o { GRAPH ?g { ?s ?p ?o } }')).to.have.length(2)
      const wrong = await failureOf(open(server, { ...lock, password: 'x' }).select('ASK {}'))
      const none = await failureOf(open(server).update('CLEAR GRAPH <http://e/g>'))
      await server.stop()
      expect([wrong, none].map(kindOf)).to.deep.equal(['rejected', 'rejected'])
    })

  // RFC 7616, 3.9.1, has a request of its own cnonce; here it is taken from what we said.
  for (const algorithm of ['MD5', 'SHA-256'])
    it(`are the ${algorithm} digest of RFC 7616`, () => {
      const hash = (value: string) =>
        createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
          .update(value)
          .digest('hex')
      const challenge = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
      const said = authorizationFor(challenge, { user: 'Mufasa', password: 'Circle of Life' })?.(
        'GET',
        '/dir/index.html',
      )
      const part = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(said ?? '')?.[1] ?? ''
      expect(part('nc')).to.equal('00000001')
      expect(part('response')).to.equal(
        hash(
          [
            hash('Mufasa:http-auth@example.org:Circle of Life'),
            '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
            part('nc'),
            part('cnonce'),
            'auth',
            hash('GET:/dir/index.html'),
          ].join(':'),
        ),
      )
    })

  it('are not sent for an unknown scheme', () => {
    expect(authorizationFor('Negotiate', { user: 'u', password: 'p' })).to.equal(undefined)
    expect(
      authorizationFor('Digest nonce="n", algorithm=MD5-sess', { user: 'u', password: 'p' }),
    ).to.equal(undefined)
  })
})

describe('SPARQL results in JSON', () => {
  it('are parsed with the deviations of Virtuoso', () => {
    const rows = parseRows(
      JSON.stringify({
        head: { link: [], vars: ['a', 'b'] },
        results: {
          distinct: false,
          bindings: [
            {
              a: {
                type: 'typed-literal',
                datatype: 'http://www.w3.org/2001/XMLSchema#boolean',
                value: '1',
              },
              b: {
                type: 'typed-literal',
                datatype: 'http://www.w3.org/2001/XMLSchema#integer',
                value: '1',
              },
            },
          ],
        },
      }),
    )
    expect(rows.map(({ a, b }) => [a?.value, b?.value])).to.deep.equal([['true', '1']])
  })

  for (const broken of [
    '',
    '{',
    'null',
    '[]',
    '{"results":{}}',
    '<html>',
    '{"results":{"bindings":[{"s":',
  ])
    it(`are rejected when they are ${JSON.stringify(broken)}`, () => {
      expect(() => parseRows(broken)).to.throw()
    })
})

describe('the SPARQL client', () => {
  let server: TestEndpoint

  before(async () => {
    server = await startEndpoint()
  })
  after(() => server.stop())
  afterEach(() => server.failWith(undefined))

  it('reads in batches when the engine returns only some of the rows', async () => {
    const endpoint = open(server)
    for (let start = 0; start < 12_000; start += 400) {
      const triples = Array.from(
        { length: 400 },
        (_, n) => `<http://e/s> <http://e/p> ${start + n} .`,
      )
      await endpoint.update(`INSERT DATA { GRAPH <http://e/many> { ${triples.join(' ')} } }`)
    }
    // As Virtuoso does where it is set to give no more than so many rows.
    server.failWith(({ text: query }, response, serve) => {
      if (!/LIMIT \d+/.test(query)) response.setHeader('X-SPARQL-MaxRows', '10000')
      serve()
    })
    const rows = await endpoint.select(
      'SELECT ?o { GRAPH <http://e/many> { ?s ?p ?o } } ORDER BY ?o',
    )
    expect(rows.map(({ o }) => Number(o?.value))).to.deep.equal(
      Array.from({ length: 12_000 }, (_, n) => n),
    )
  })

  it('wraps the query when the engine cannot sort enough rows', async () => {
    server.failWith(({ text: query }, response, serve) => {
      if (query.startsWith('SELECT ?o') && query.includes('OFFSET 11000'))
        response
          .writeHead(500)
          .end('Virtuoso 22023 Error SR353: Sorted TOP clause specifies more then')
      else serve()
    })
    const rows = await open(server).select(
      'SELECT ?o { GRAPH <http://e/many> { ?s ?p ?o } }\nORDER BY ?o\nLIMIT 2 OFFSET 11000',
    )
    expect(rows.map(({ o }) => o?.value)).to.deep.equal(['11000', '11001'])
  })

  it('does not follow a redirect with its credentials', async () => {
    server.failWith((_, response) => void response.writeHead(307, { location: server.url }).end())
    expect(kindOf(await failureOf(open(server).select('ASK {}')))).to.equal('rejected')
  })

  it('distinguishes an unreachable engine from one that does not respond', async () => {
    const ended = await startEndpoint()
    await ended.stop()
    const gone = await failureOf(open(ended).select('ASK {}'))
    expect(kindOf(gone)).to.equal('unreachable')
    server.failWith((_, response) => void response.destroy())
    expect(kindOf(await failureOf(open(server).select('ASK {}')))).to.equal('no response')
  })

  it('escapes a NUL character in a query', async () => {
    await open(server).select('SELECT * { FILTER(CONTAINS("ab", "a\u0000b")) }')
    expect(server.asked.at(-1)?.text).to.include(String.raw`"a\u0000b"`)
  })
})

describe('the updates of a remote store', () => {
  const graph = iri('http://e/g')
  const line = (value: string, where = graph): string =>
    writeNQuads([quad(iri('http://e/s'), iri('http://e/p'), stringLiteral(value), where)])

  it('have at most 500 triples and a limited length', () => {
    const many = Array.from({ length: 1_234 }, (_, number) => line(String(number))).join('')
    expect(
      buildUpdates('INSERT DATA', many, graph).map((one) => one.split('\n').length - 2),
    ).to.deep.equal([500, 500, 234])
    const long = Array.from({ length: 3 }, (_, number) =>
      line(String(number).repeat(150_000)),
    ).join('')
    expect(buildUpdates('DELETE DATA', long, graph)).to.have.length(3)
    expect(buildUpdates('DELETE DATA', '', graph)).to.have.length(0)
  })

  it('write any characters of a literal correctly', async () => {
    const server = await startEndpoint()
    const endpoint = open(server)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        async (values) => {
          const mine = values.map((value) => line(value)).join('')
          const others = line('elsewhere', iri('http://e/other'))
          for (const update of buildUpdates('INSERT DATA', mine + others, graph))
            await endpoint.update(update)
          const rows = await endpoint.select('SELECT ?o { GRAPH <http://e/g> { ?s ?p ?o } }')
          expect(rows.map(({ o }) => o?.value).sort()).to.deep.equal([...values].sort())
          for (const update of buildUpdates('DELETE DATA', mine, graph))
            await endpoint.update(update)
          expect(server.oxigraph.size).to.equal(0)
        },
      ),
      { numRuns: 30 },
    )
    await server.stop()
  })

  it('contain only the difference', () => {
    const [a, b, c] = [line('a'), line('b'), line('c')]
    expect(linesNotIn(a + b, b + c)).to.equal(a)
    expect(linesNotIn(a, '')).to.equal(a)
    expect(linesNotIn('', a)).to.equal('')
  })
})
