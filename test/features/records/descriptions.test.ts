// Tests the documents that describe the catalogue to programs: the ontology and the shapes, the dataset, the
// documentation of the API for Hydra, and the links of Signposting.

import { expect } from 'chai'
import { Parser, Store } from 'n3'

import { visibilityNames } from '../../../src/model/record/visibility.js'
import { readCanonical } from '../../formats/parsers.js'
import { BASE_URL, useService } from '../../service.js'

const ns = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  owl: 'http://www.w3.org/2002/07/owl#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  sh: 'http://www.w3.org/ns/shacl#',
  vann: 'http://purl.org/vocab/vann/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  void: 'http://rdfs.org/ns/void#',
} as const

const at = (path: string): string => `${BASE_URL}${path}`

/** The values of a property, as texts. */
const valuesIn = (graph: Store, subject: string | null, property: string): readonly string[] =>
  graph.getObjects(subject, property, null).map(({ value }) => value)

describe('descriptions:', () => {
  const service = useService({
    CONTACT: 'zines@example.org',
    SITE_NAME: 'Zinothek',
    DATASET_PUBLISHER: 'Friends of the Zinothek',
    DATASET_FREQUENCY: 'weekly',
    SPARQL_WORKERS: '1',
  })

  const read = async (path: string): Promise<Store> => {
    const { status, text } = await service().get(path, { headers: { accept: 'text/turtle' } })
    expect(status).to.equal(200)
    return new Store(new Parser().parse(text))
  }

  describe('/ns', () => {
    it('has its version, whose IRI answers, while that of another version does not', async () => {
      const graph = await read('/ns')
      const [version = ''] = valuesIn(graph, at('/ns'), `${ns.owl}versionInfo`)
      const [versionIri = ''] = valuesIn(graph, at('/ns'), `${ns.owl}versionIRI`)
      expect(version).to.match(/^\d+\.\d+\.\d+$/)
      const path = versionIri.slice(BASE_URL.length)
      for (const accept of ['text/turtle', 'text/html'])
        expect((await service().get(path, { headers: { accept } })).status).to.equal(200)
      for (const accept of ['text/turtle', 'text/html'])
        expect((await service().get('/ns?version=0.0.0', { headers: { accept } })).status).to.equal(
          404,
        )
    })

    it('has its own prefix and declares all prefixes, each with its namespace', async () => {
      const graph = await read('/ns')
      expect(valuesIn(graph, at('/ns'), `${ns.vann}preferredNamespacePrefix`)).to.deep.equal(['zc'])
      expect(valuesIn(graph, at('/ns'), `${ns.vann}preferredNamespaceUri`)).to.deep.equal([
        at('/ns#'),
      ])
      const declared = graph.getObjects(at('/ns'), `${ns.sh}declare`, null)
      const pairs = declared.map(({ value }) => [
        valuesIn(graph, value, `${ns.sh}prefix`)[0],
        valuesIn(graph, value, `${ns.sh}namespace`)[0],
      ])
      expect(Object.fromEntries(pairs)).to.include({ zc: at('/ns#'), sh: ns.sh, void: ns.void })
      expect(graph.getObjects(null, `${ns.sh}namespace`, null)[0]).to.have.nested.property(
        'datatype.value',
        'http://www.w3.org/2001/XMLSchema#anyURI',
      )
    })

    it('leads to the shapes, in RDF and on its page', async () => {
      expect(valuesIn(await read('/ns'), at('/ns'), `${ns.rdfs}seeAlso`)).to.deep.equal([
        at('/shapes'),
      ])
      const { text } = await service().get('/ns', { headers: { accept: 'text/html' } })
      expect(text).to.include('href="/shapes"')
    })
  })

  describe('/shapes', () => {
    it('has a node shape for each resource, with a property shape for each field', async () => {
      const graph = await read('/shapes')
      const { properties } = (await service().get('/api/schema/?format=json')).body.components
        .schemas.ZineWrite
      const [shape] = graph.getSubjects(
        `${ns.sh}targetClass`,
        'http://id.loc.gov/ontologies/bibframe/Instance',
        null,
      )
      const paths = graph
        .getObjects(shape ?? null, `${ns.sh}property`, null)
        .flatMap((property) => graph.getObjects(property, `${ns.sh}path`, null))
      expect(shape?.value).to.equal(at('/shapes#zine'))
      // Who sees a record is no property of the zine.
      const fields = Object.keys(properties).filter((name) => !visibilityNames.includes(name))
      expect(new Set(paths.map(({ value }) => value)).size).to.equal(fields.length)
    })

    it('is the same graph in Turtle, N-Triples and JSON-LD', async () => {
      const answers = await Promise.all(
        ['text/turtle', 'application/n-triples', 'application/ld+json'].map(async (accept) => ({
          accept,
          text: (await service().get('/shapes', { headers: { accept } })).text,
        })),
      )
      const [graph, ...others] = await Promise.all(
        answers.map(({ accept, text }) => readCanonical(text, accept)),
      )
      for (const other of others) expect(other).to.equal(graph)
    })

    it('has a page with the rows of the fields, at the anchors of the shapes', async () => {
      const { status, text } = await service().get('/shapes', { headers: { accept: 'text/html' } })
      expect(status).to.equal(200)
      for (const anchor of ['zine', 'agent', 'repository', 'holding'])
        expect(text).to.include(`id="${anchor}"`)
      expect(text).to.include('dcterms:subject')
    })
  })

  describe('/dataset', () => {
    it('has publisher, contact, frequency and the shapes that its records conform to', async () => {
      const graph = await read('/dataset')
      const of = (property: string): string => valuesIn(graph, at('/dataset'), property)[0] ?? ''
      expect(of(`${ns.dcterms}title`)).to.equal('Zinothek')
      expect(valuesIn(graph, of(`${ns.dcterms}publisher`), `${ns.foaf}name`)).to.deep.equal([
        'Friends of the Zinothek',
      ])
      expect(valuesIn(graph, of(`${ns.dcat}contactPoint`), `${ns.vcard}hasEmail`)).to.deep.equal([
        'mailto:zines@example.org',
      ])
      expect(of(`${ns.dcterms}accrualPeriodicity`)).to.equal(
        'http://publications.europa.eu/resource/authority/frequency/WEEKLY',
      )
      expect(of(`${ns.dcterms}conformsTo`)).to.equal(at('/shapes'))
    })

    it('has what DCAT-AP asks for: keywords, language, and of all distributions address and format', async () => {
      const graph = await read('/dataset')
      const of = (property: string): readonly string[] => valuesIn(graph, at('/dataset'), property)
      const table = 'http://publications.europa.eu/resource/authority'
      expect(of(`${ns.dcat}keyword`)).to.include('zines')
      expect(of(`${ns.dcterms}language`)).to.deep.equal([`${table}/language/ENG`])
      const distributions = of(`${ns.dcat}distribution`)
      expect(distributions).to.have.length(8)
      for (const distribution of distributions) {
        const [address = '', ...others] = valuesIn(graph, distribution, `${ns.dcat}accessURL`)
        expect([address.startsWith(BASE_URL), others], distribution).to.deep.equal([true, []])
        const [format = ''] = valuesIn(graph, distribution, `${ns.dcterms}format`)
        expect(format, distribution).to.include(`${table}/file-type/`)
      }
    })

    it('says of each service where it is described, and something answers there', async () => {
      const graph = await read('/dataset')
      const services = graph.getSubjects(`${ns.rdf}type`, `${ns.dcat}DataService`, null)
      expect(services).to.have.length(6)
      for (const { value } of services) {
        const [address = ''] = valuesIn(graph, value, `${ns.dcat}endpointDescription`)
        const { status } = await service().get(address.slice(BASE_URL.length))
        expect(status, address).to.equal(200)
      }
    })

    it('has linksets from the records to the vocabularies, with the number of links', async function () {
      // Over a remote store, the triples of records are not counted.
      if (process.env.TEST_STORE !== undefined) this.skip()
      const agent = { agent_id: 'ann', kind: 'Person', display_name: 'Ann', public: true }
      await service().post('/api/agents/', agent)
      const graph = await read('/dataset')
      const [linkset = null] = graph.getSubjects(
        `${ns.void}objectsTarget`,
        at('/graphs/vocabularies'),
        null,
      )
      expect(valuesIn(graph, linkset?.value ?? '', `${ns.void}subjectsTarget`)).to.deep.equal([
        at('/graphs/public'),
      ])
      expect(valuesIn(graph, linkset?.value ?? '', `${ns.void}triples`)).to.deep.equal(['1'])
      expect(valuesIn(graph, at('/dataset'), `${ns.void}subset`)).to.include(linkset?.value)
    })
  })
})
