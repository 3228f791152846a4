// Clients that others wrote, run against the endpoint.

import { expect } from 'chai'
import { SparqlEndpointFetcher } from 'fetch-sparql-endpoint'
import SparqlHttpClient from 'sparql-http-client'

import { useCatalogue } from '../../http/catalogue.js'
import { PREFIXES } from './client.js'

const SELECT = `${PREFIXES} SELECT ?title { ?z dcterms:title ?title } ORDER BY ?title`
const ASK = `${PREFIXES} ASK { ?z dcterms:title "Zine zine" }`
const CONSTRUCT = `${PREFIXES} CONSTRUCT { ?z rdfs:label ?title } { ?z a bf:Instance ; dcterms:title ?title }`
const TITLES = ['Zine second-zine', 'Zine zine']

async function gather<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}

const titled = (terms: readonly any[]): string[] =>
  terms
    .map(({ value }) => value)
    .filter((title) => TITLES.includes(title))
    .sort()

describe('the client fetch-sparql-endpoint', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  const endpoint = () => `${service().url}/sparql`

  for (const [way, options] of [
    ['GET', { method: 'GET' }],
    ['a form', { method: 'POST' }],
    ['a POST', { method: 'POST', directPost: true }],
  ] as const)
    describe(`with ${way}`, () => {
      const fetcher = new SparqlEndpointFetcher(options)

      it('reads the rows of a SELECT', async () => {
        const stream = await fetcher.fetchBindings(endpoint(), SELECT)
        const rows: any[] = await gather(stream as AsyncIterable<any>)
        expect(titled(rows.map(({ title }) => title))).to.deep.equal(TITLES)
      })

      it('reads the boolean of an ASK', async () => {
        expect(await fetcher.fetchAsk(endpoint(), ASK)).to.equal(true)
      })

      it('reads the triples of a CONSTRUCT', async () => {
        const stream = await fetcher.fetchTriples(endpoint(), CONSTRUCT)
        const quads: any[] = await gather(stream as AsyncIterable<any>)
        expect(titled(quads.map(({ object }) => object))).to.deep.equal(TITLES)
      })

      it('gets the reason why a query is rejected', async () => {
        const failure = await fetcher
          .fetchBindings(endpoint(), 'SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }')
          .then(String, String)
        expect(failure)
          .to.match(/400/)
          .and.to.match(/SERVICE/)
      })
    })
})

describe('the client sparql-http-client', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  const client = () => new SparqlHttpClient({ endpointUrl: `${service().url}/sparql` })

  for (const operation of ['get', 'postDirect', 'postUrlencoded'] as const)
    it(`reads the rows of a SELECT with ${operation}`, async () => {
      const rows = await gather(client().query.select(SELECT, { operation }))
      expect(titled(rows.map(({ title }) => title))).to.deep.equal(TITLES)
    })

  it('reads the boolean of an ASK', async () => {
    expect(await client().query.ask(ASK)).to.equal(true)
  })

  it('reads the triples of a CONSTRUCT', async () => {
    const quads = await gather(client().query.construct(CONSTRUCT))
    expect(titled(quads.map(({ object }) => object))).to.deep.equal(TITLES)
  })
})
