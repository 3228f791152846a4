// ?explain: what a query needs and how long it takes; and that no result ends before its end.

import { expect } from 'chai'

import { type TestService, WITH_INDEX } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'
import { PREFIXES, ask } from './client.js'

const title = '<http://purl.org/dc/terms/title>'
const hasTable = process.env.TEST_STORE === undefined

const explain = async (service: TestService, query: string) => {
  const { status, text, body } = await ask(service, PREFIXES + query, { parameters: '?explain' })
  expect(status, text).to.equal(200)
  return body
}

describe('?explain', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1', SPARQL_MAX_ROWS: '50' })

  it('shows the patterns with their triples, most first, and the time of each phase', async function () {
    if (!hasTable) this.skip()
    await given.zine({ zine_id: 'explained', title: 'Explained' })
    const { patterns, phases, result } = await explain(
      service(),
      'SELECT * { ?z dcterms:title ?t ; dcterms:identifier "explained" }',
    )
    const { body } = await ask(
      service(),
      `${PREFIXES} SELECT (COUNT(*) AS ?c) { ?z dcterms:title ?t }`,
    )
    expect(patterns).to.deep.equal([
      { pattern: `?s ${title} ?o`, triples: Number(body.results.bindings[0].c.value) },
      { pattern: '?s <http://purl.org/dc/terms/identifier> "explained"', triples: 1 },
    ])
    expect(phases).to.have.all.keys('parse', 'search', 'load', 'run')
    for (const time of Object.values(phases)) expect(time).to.be.at.least(0)
    expect(result.type).to.equal('application/sparql-results+json')
  })

  it('counts no loading for a query whose triples are there', async function () {
    if (!hasTable) this.skip()
    const query = 'SELECT * { ?z dcterms:title ?t }'
    await explain(service(), query)
    expect((await explain(service(), query)).phases.load).to.equal(0)
  })

  it('counts the time of searches', async function () {
    if (!WITH_INDEX) this.skip()
    const { phases } = await explain(service(), 'SELECT * { ?z zc:matches "explained" }')
    expect(phases.search).to.be.above(0)
  })

  it('refuses what is refused without it', async () => {
    const { status } = await ask(service(), 'SELECT * {', { parameters: '?explain' })
    expect(status).to.equal(400)
  })

  it('shows a page with a table to a browser', async () => {
    const query = encodeURIComponent(`${PREFIXES} SELECT * { ?z dcterms:title ?t }`)
    const { status, text } = await service().get(`/sparql?explain&query=${query}`, {
      headers: { accept: 'text/html' },
    })
    expect(status).to.equal(200)
    expect(text).to.include('<h2>How the query was answered</h2>')
    if (hasTable) expect(text).to.include('&lt;http://purl.org/dc/terms/title>')
  })
})

describe('a result', () => {
  const { service } = useCatalogue({
    SPARQL_WORKERS: '1',
    SPARQL_MAX_ROWS: '50',
    SPARQL_MAX_BYTES: '5000',
  })

  const rows = (count: number) => `SELECT * { VALUES ?x { ${'"a" '.repeat(count)} } }`
  const long = `SELECT ?x { VALUES ?x { "${'a'.repeat(6000)}" } }`
  const graph = `CONSTRUCT { <x:a> <x:b> ?x } { VALUES ?x { "${'a'.repeat(6000)}" } }`
  const table = [
    'application/sparql-results+json',
    'application/sparql-results+xml',
    'text/csv',
    'text/tab-separated-values',
  ]
  const graphs = [
    'text/turtle',
    'application/n-triples',
    'application/rdf+xml',
    'application/ld+json',
  ]

  for (const [accept, queries] of [
    ...table.map((type) => [type, [rows(51), long]] as const),
    ...graphs.map((type) => [type, [graph]] as const),
  ])
    it(`that is too large is 400 and none of it is sent, as ${accept}`, async () => {
      for (const query of queries) {
        const { status, body } = await ask(service(), query, { accept })
        expect([status, Object.keys(body)]).to.deep.equal([400, ['detail']])
        expect(body.detail).to.match(/^The answer has more than/)
      }
    })

  for (const accept of table)
    it(`that is whole has its length before the first byte, as ${accept}`, async () => {
      const { status, headers, text } = await service().ask('POST', '/sparql', {
        raw: rows(50),
        headers: {
          'content-type': 'application/sparql-query',
          'accept-encoding': 'identity',
          accept,
        },
      })
      expect(status).to.equal(200)
      expect(Number(headers.get('content-length'))).to.equal(Buffer.byteLength(text))
    })
})
