// Framing the result of a CONSTRUCT or DESCRIBE query as JSON-LD, by the parameter `frame`.

import { expect } from 'chai'

import { BASE_URL } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'

describe('a framed result', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  const query = `DESCRIBE <${BASE_URL}/id/zines/zine> <${BASE_URL}/id/agents/maker>`
  const frame = {
    '@context': { title: 'http://purl.org/dc/terms/title', by: 'http://purl.org/dc/terms/creator' },
    '@type': 'http://id.loc.gov/ontologies/bibframe/Instance',
    title: {},
    by: { '@embed': '@always' },
  }
  const ask = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    service().get(`/sparql?${new URLSearchParams(parameters).toString()}`, { headers })

  it('has the form that the frame gives', async () => {
    const answer = await ask({ query, frame: JSON.stringify(frame) })
    expect(answer.status, answer.text).to.equal(200)
    expect(answer.headers.get('content-type')).to.include('application/ld+json; profile=')
    expect(answer.body['@id']).to.equal(`${BASE_URL}/id/zines/zine`)
    expect(answer.body.title).to.be.a('string')
    expect([answer.body.by].flat()[0]).to.have.property('http://xmlns.com/foaf/0.1/name')
  })

  it('may use the context of the catalogue, and is asked for by POST too', async () => {
    const named = { '@context': `${BASE_URL}/api/context.jsonld`, '@type': 'bf:Instance' }
    const form = new URLSearchParams({ query, frame: JSON.stringify(named), format: 'jsonld' })
    const answer = await service().ask('POST', '/sparql', {
      raw: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    })
    expect(answer.status, answer.text).to.equal(200)
    expect(answer.body.uri).to.equal(`${BASE_URL}/id/zines/zine`)
  })

  const nested = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
  for (const [title, text, status] of [
    ['is no JSON', '{', 400],
    ['is a text', '"a"', 400],
    ['refers to another context', '{"@context":"https://schema.org/"}', 400],
    ['is nested too deep', nested, 413],
    ['is longer than 64 KiB', JSON.stringify({ a: 'x'.repeat(66_000) }), 400],
  ] as const)
    it(`is answered ${status} where the frame ${title}`, async () => {
      const form = new URLSearchParams({ query, frame: text })
      const answer = await service().ask('POST', '/sparql', {
        raw: form.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        token: null,
      })
      expect(answer.status).to.equal(status)
      expect(answer.body).to.have.all.keys('detail')
    })

  it('is JSON-LD only, and of a graph', async () => {
    const text = JSON.stringify(frame)
    expect((await ask({ query, frame: text }, { accept: 'text/turtle' })).status).to.equal(400)
    expect((await ask({ query: 'SELECT * { ?s ?p ?o } LIMIT 1', frame: text })).status).to.equal(
      406,
    )
  })

  it('is at most 1 MiB before it is framed', async () => {
    const values = Array.from({ length: 400 }, (_, index) => `"${index}${'x'.repeat(20)}"`)
    const construct = `CONSTRUCT { ?a <http://example.org/p> ?b } { VALUES ?a { <x:a> } VALUES ?b { ${values.slice(0, 200).join(' ')} } }`
    expect((await ask({ query: construct, frame: '{}' })).status).to.equal(200)
    const large = `CONSTRUCT { ?n <http://example.org/p> ?b } { VALUES ?b { ${values.slice(0, 100).join(' ')} } VALUES ?x { ${values.slice(0, 100).join(' ')} } BIND(IRI(CONCAT("http://example.org/${'y'.repeat(100)}", ?x, ?b)) AS ?n) }`
    const answer = await ask({ query: large, frame: '{}' })
    expect([answer.status, answer.body?.detail]).to.deep.equal([
      400,
      'The result is larger than 1 MiB, which is too large to be framed.',
    ])
  })
})
