// Tests linked data over HTTP: the redirects from the IRIs of things, the links from an answer to its
// other formats, and that all RDF formats hold the same graph.

import { expect } from 'chai'
import { Parser } from 'n3'

import { readJsonld, readJsonldStream, readText } from '../formats/parsers.js'
import { BASE_URL, useService } from '../service.js'
import { useCatalogue } from './catalogue.js'
import { namesIn } from './raw-socket.js'

const THINGS = [
  ['zines', 'zine'],
  ['agents', 'maker'],
  ['repositories', 'library'],
  ['holdings', 'copy'],
] as const

const TYPES = {
  turtle: 'text/turtle',
  ntriples: 'application/n-triples',
  jsonld: 'application/ld+json',
} as const

const alternatesIn = (headers: Headers) =>
  new Map(
    [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="alternate"; type="([^"]*)"/g)].map(
      ([, url = '', type = '']) => [type, url] as const,
    ),
  )

describe('linked data:', () => {
  const { service, given } = useCatalogue()
  const turtle = { headers: { accept: 'text/turtle' } }

  before(() => given.holding({ holding_id: 'copy' }))

  for (const [name, id] of THINGS) {
    it(`GET /id/${name}/${id} answers 303 with the URL of the record`, async () => {
      const answer = await service().get(`/id/${name}/${id}`, turtle)
      const record = `${service().url}/api/${name}/${id}/`
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, record])
      expect(namesIn(answer.headers.get('vary'))).to.include('accept')
      expect(answer.headers.get('link')).to.equal(`<${record}>; rel="describedby"`)
    })

    it(`GET /id/${name}/none answers 404`, async () => {
      const answer = await service().get(`/id/${name}/none`)
      expect([answer.status, answer.body]).to.deep.equal([404, { detail: 'Not found.' }])
    })

    it(`GET of a record of ${name} links to its other formats and to the IRI it describes`, async () => {
      const { headers } = await service().get(`/api/${name}/${id}/`, turtle)
      const alternates = alternatesIn(headers)
      expect([...alternates.keys()]).to.include.members([
        'application/json',
        'application/ld+json',
        'application/n-triples',
        'application/rdf+xml',
      ])
      expect([...alternates.keys()]).not.to.include('text/turtle')
      expect(headers.get('content-location')).to.equal(
        `${service().url}/api/${name}/${id}/?format=turtle`,
      )
      expect(headers.get('link')).to.include(
        `<${BASE_URL}/api/${name}/${id}/>; rel="describedby"; anchor="${BASE_URL}/id/${name}/${id}"`,
      )
      for (const [type, url] of alternates) {
        const alternate = await service().get(url.slice(service().url.length))
        expect(alternate.headers.get('content-type')).to.match(
          new RegExp(`^${type.replace('+', '\\+')}`),
        )
      }
    })
  }

  it('GET /id/zines/ with an encoded identifier answers 303 with the URL of the record', async () => {
    await given.zine({ zine_id: 'a/b ü' })
    const { headers } = await service().get('/id/zines/a%2Fb%20%C3%BC?format=jsonld')
    expect(headers.get('location')).to.equal(
      `${service().url}/api/zines/a%2Fb%20%C3%BC/?format=jsonld`,
    )
  })

  it('GET /id/zines/zine/ with a slash at the end answers 404', async () => {
    expect((await service().get('/id/zines/zine/')).status).to.equal(404)
  })

  it('a 404 answer links to no other formats', async () => {
    const { headers } = await service().get('/api/zines/none/')
    expect([headers.get('link'), headers.get('content-location')]).to.deep.equal([null, null])
  })

  it('a list in Turtle has its count and the links to the next and previous page', async () => {
    const { text, body } = {
      ...(await service().get('/api/agents/?page_size=1&page=2', turtle)),
      body: (await service().get('/api/agents/?page_size=1&page=2')).body,
    }
    const quads = new Parser().parse(text)
    const hydra = (name: string) =>
      quads.find(({ predicate }) => predicate.value === `http://www.w3.org/ns/hydra/core#${name}`)
        ?.object.value
    expect([hydra('totalItems'), hydra('next'), hydra('previous')]).to.deep.equal([
      String(body.count),
      body.next,
      body.previous,
    ])
  })

  for (const path of ['/api/zines/', '/api/zines/zine/', '/api/holdings/copy/'])
    it(`GET ${path} answers the same graph in Turtle, N-Triples and JSON-LD`, async () => {
      const read = async (accept: string) =>
        (await service().get(path, { headers: { accept } })).text
      const graph = readText(await read(TYPES.ntriples), 'application/n-triples')
      expect(readText(await read(TYPES.turtle), 'text/turtle')).to.deep.equal(graph)
      for (const readAny of [readJsonld, readJsonldStream])
        expect(await readAny(await read(TYPES.jsonld))).to.deep.equal(graph)
    })
})

describe('documents as linked data:', () => {
  const service = useService({ SPARQL_WORKERS: '1' })
  // By Accept and not by ?format=, which the links between pages would repeat.
  const read = async (path: string, format: keyof typeof TYPES) =>
    (await service().get(path, { headers: { accept: TYPES[format] } })).text

  for (const path of [
    '/vocabularies/subjects',
    '/vocabularies/repository-status',
    '/geography/languages',
    '/ns',
    '/api/',
    '/api/documentation/',
    '/dataset',
    '/sparql',
    '/api/vocabularies/subjects/',
    '/api/vocabularies/subjects/?search=punk',
    '/api/vocabularies/subjects/?search=nothing-is-so-called',
    '/api/vocabularies/rights-status/cc-by-4.0/',
    '/api/geography/countries/',
    '/api/geography/languages/en/',
    '/api/geography/places/?level=country&page_size=100',
    '/api/geography/places/3041563/',
  ])
    it(`GET ${path} answers the same graph in Turtle, N-Triples and JSON-LD`, async () => {
      const graph = readText(await read(path, 'ntriples'), 'application/n-triples')
      expect(readText(await read(path, 'turtle'), 'text/turtle')).to.deep.equal(graph)
      for (const readAny of [readJsonld, readJsonldStream])
        expect(await readAny(await read(path, 'jsonld'))).to.deep.equal(graph)
      if (!path.includes('nothing')) expect(graph).not.to.be.empty
    })

  it('GET /ns states subproperties of own terms only, and has no terms that no data use', async () => {
    const quads = new Parser().parse((await service().get('/ns?format=turtle')).text)
    const refined = quads.filter(({ predicate }) => predicate.value.endsWith('subPropertyOf'))
    expect(refined).not.to.be.empty
    for (const { subject } of refined) expect(subject.value).to.match(/^https:.*\/ns#/)
    const terms = new Set(quads.map(({ subject }) => subject.value))
    expect([...terms]).not.to.include.members(['http://id.loc.gov/ontologies/bibframe/hasItem'])
    expect([...terms]).not.to.include.members(['http://rdfs.org/ns/void#inDataset'])
  })

  it('GET of a concept scheme answers Turtle by default, with definitions and relations', async () => {
    const { headers, text } = await service().get('/vocabularies/rights-status')
    expect(headers.get('content-type')).to.match(/^text\/turtle/)
    for (const term of ['skos:hasTopConcept', 'skos:definition', 'skos:broader', 'skos:exactMatch'])
      expect(text).to.include(term)
  })

  it('the JSON-LD of a vocabulary has the entries of the JSON in the same order', async () => {
    const json = (await service().get('/api/vocabularies/genres/')).body as object[]
    const jsonld = JSON.parse(await read('/api/vocabularies/genres/', 'jsonld')) as object[]
    expect(jsonld).to.have.lengthOf(json.length)
    json.forEach((entry, index) => expect(jsonld[index]).to.include(entry))
  })

  it('GET /api/context.jsonld may be read by all origins and cached for long', async () => {
    const { status, headers, body } = await service().get('/api/context.jsonld', {
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/^application\/ld\+json/)
    expect(headers.get('access-control-allow-origin')).to.equal('*')
    expect(headers.get('cache-control')).to.match(/max-age=\d{5,}/)
    expect(body['@context'].title).to.deep.equal({ '@id': 'dcterms:title' })
  })
})
