// The dumps of all public data, and the dataset description that leads to them.

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { Parser, type Quad, Store } from 'n3'

import { resourceNames } from '../../src/model/iris.js'
import { agent, fullZine, holding, repository, zine } from '../examples.js'
import { expectNoMark, SECRETS } from '../http/secrets.js'
import { BASE_URL, useService } from '../service.js'

/** Over a remote store, triples are not counted, and a dump is the same for a minute. */
const isRemote = process.env.TEST_STORE !== undefined

describe('a dump', () => {
  const service = useService({ DATASET_LICENSE: 'https://example.org/licence' })

  before(async () => {
    // A text that looks like the end of a line of N-Quads in another graph.
    const tricky = `x" <${BASE_URL}/graphs/private> .\n<a> <b> "c" <${BASE_URL}/graphs/public> .`
    for (const id of ['helper', 'press']) await service().post('/api/agents/', agent(id))
    await service().post('/api/agents/', agent('maker', { ...SECRETS, public: false }))
    const shown = { legal_name: 'Shown', biography: tricky, wikidata: 'Q1' }
    await service().post('/api/agents/', agent('open', shown))
    await service().post('/api/zines/', zine('zine'))
    await service().post('/api/zines/', fullZine('doris/24 ü'))
    await service().post('/api/repositories/', repository('library'))
    await service().post('/api/holdings/', holding('copy'))
  })

  async function dump(name: string): Promise<{ text: string; quads: Quad[] }> {
    const response = await fetch(`${service().url}/dumps/${name}`)
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-type')).to.equal('application/gzip')
    expect(response.headers.get('content-encoding')).to.equal(null)
    expect(response.headers.get('content-disposition')).to.equal(`attachment; filename="${name}"`)
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
    return {
      text,
      quads: new Parser({ format: name.includes('.nt') ? 'N-Triples' : 'Turtle' }).parse(text),
    }
  }

  it('has every record and every vocabulary, with the same triples in N-Triples and Turtle', async () => {
    const { quads } = await dump('catalogue.nt.gz')
    const turtle = new Store((await dump('catalogue.ttl.gz')).quads)
    expect(turtle.size).to.equal(new Store(quads).size)
    for (const quad of quads) expect(turtle.has(quad), JSON.stringify(quad)).to.equal(true)
    const subjects = new Set(quads.map(({ subject }) => subject.value))
    for (const path of [
      '/id/zines/doris%2F24%20%C3%BC',
      '/api/zines/zine/',
      '/id/agents/maker',
      '/id/repositories/library#address',
      '/id/holdings/copy',
      '/vocabularies/subjects#punk',
      '/vocabularies/subjects',
      '/geography/languages',
    ])
      expect(subjects).to.include(BASE_URL + path)
  })

  it('has no line twice, and the triples of the documents of vocabularies', async () => {
    const { text } = await dump('catalogue.nt.gz')
    const lines = new Set(text.split('\n').filter(Boolean))
    expect(text.match(/\n/g)).to.have.length(lines.size)
    const document = await service().get('/vocabularies/genres?format=ntriples')
    for (const line of document.text.split('\n').filter(Boolean))
      expect(lines.has(line), line).to.equal(true)
  })

  it('has an ETag until the next write, and no empty Link', async function () {
    if (isRemote) this.skip()
    const path = '/dumps/catalogue.ttl.gz'
    const first = await fetch(service().url + path)
    await first.arrayBuffer()
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('last-modified')).to.match(/GMT$/)
    expect(first.headers.get('link')).not.to.equal('')
    const headers = { 'if-none-match': tag }
    expect((await service().get(path, { headers })).status).to.equal(304)
    await service().patch('/api/zines/zine/', { abstract: 'New.' })
    const again = await fetch(service().url + path, { headers })
    expect(again.status).to.equal(200)
    await again.arrayBuffer()
  })

  it('GET /.well-known/void leads to the dataset description', async () => {
    const { status, headers } = await service().get('/.well-known/void')
    expect([status, headers.get('location')]).to.deep.equal([302, `${service().url}/dataset`])
  })

  it('has no private fields and no zc:order', async () => {
    for (const name of ['catalogue.nt.gz', 'catalogue.ttl.gz']) {
      const { text, quads } = await dump(name)
      expectNoMark(text)
      const legalNames = quads.filter(({ predicate }) => predicate.value.endsWith('ns#legalName'))
      expect(legalNames.map(({ object }) => object.value)).to.deep.equal(['Shown'])
      expect(quads.filter(({ predicate }) => predicate.value.endsWith('ns#order'))).to.deep.equal(
        [],
      )
    }
  })

  it('in Turtle has prefixes and one block for each subject', async () => {
    const { text } = await dump('catalogue.ttl.gz')
    expect(text).to.match(/^@prefix rdf: /)
    expect(text).to.include(`\n<${BASE_URL}/id/zines/zine> dcterms:identifier "zine";\n`)
    expect(text.match(/@prefix zc:/g)).to.have.length(1)
  })

  describe('is listed by the dataset description, which', () => {
    const VOID = 'http://rdfs.org/ns/void#'
    const dataset = async (query = '') => {
      const { status, text, headers } = await service().get(`/dataset${query}`)
      expect(status, text).to.equal(200)
      const store = new Store(new Parser().parse(text))
      const valuesOf = (subject: string, predicate: string): string[] =>
        store.getObjects(subject, predicate, null).map(({ value }) => value)
      return { store, headers, valuesOf }
    }
    const self = `${BASE_URL}/dataset`

    it('has the number of records of each resource', async () => {
      const { valuesOf } = await dataset()
      const counts = resourceNames.map((name) => valuesOf(`${self}#${name}`, `${VOID}entities`)[0])
      expect(counts).to.deep.equal(['2', '4', '1', '1'])
      expect(valuesOf(self, `${VOID}entities`)).to.deep.equal(['8'])
    })

    it('has the licence, the dumps, the SPARQL endpoint, the vocabularies and the dates', async () => {
      const { valuesOf } = await dataset()
      const dcterms = 'http://purl.org/dc/terms/'
      expect(valuesOf(self, `${dcterms}license`)).to.deep.equal(['https://example.org/licence'])
      expect(valuesOf(self, `${VOID}sparqlEndpoint`)).to.deep.equal([`${BASE_URL}/sparql`])
      expect(valuesOf(self, `${VOID}vocabulary`)).to.include.members([dcterms, `${BASE_URL}/ns#`])
      expect(valuesOf(self, `${dcterms}issued`)).to.have.length(1)
      expect(valuesOf(self, `${dcterms}modified`)).to.have.length(1)
      const dumps = valuesOf(self, `${VOID}dataDump`)
      expect(dumps).to.have.length(2)
      for (const url of dumps)
        expect((await fetch(url.replace(BASE_URL, service().url))).status).to.equal(200)
    })

    it('has the number of triples, which is that of the dump', async function () {
      if (isRemote) this.skip()
      const { valuesOf } = await dataset()
      const { quads } = await dump('catalogue.nt.gz')
      expect(valuesOf(self, `${VOID}triples`)).to.deep.equal([String(quads.length)])
      const isVocabulary = ({ subject }: Quad): boolean =>
        !/\/(?:id|api)\//.test(subject.value.slice(BASE_URL.length))
      const inGraphs = ['vocabularies', 'public'].map((name) =>
        Number(valuesOf(`${BASE_URL}/graphs/${name}`, `${VOID}triples`)[0]),
      )
      const ofVocabularies = quads.filter(isVocabulary).length
      expect(inGraphs).to.deep.equal([ofVocabularies, quads.length - ofVocabularies])
    })

    it('has a linkset for each property that links to a dataset elsewhere, with the number of links', async function () {
      if (isRemote) this.skip()
      const { quads } = await dump('catalogue.nt.gz')
      const { store, valuesOf } = await dataset()
      const linksets = store.getSubjects(null, `${VOID}Linkset`, null).map(({ value }) => value)
      expect(linksets.map((node) => node.slice(self.length))).to.include.members([
        '#wikidata-sameAs',
        '#loc-language',
        '#loc-exactMatch',
        '#geonames-exactMatch',
        '#creative-commons-exactMatch',
      ])
      for (const linkset of linksets) {
        expect(valuesOf(self, `${VOID}subset`)).to.include(linkset)
        const [property = ''] = valuesOf(linkset, `${VOID}linkPredicate`)
        const [target = ''] = valuesOf(linkset, `${VOID}objectsTarget`)
        const links = quads.filter(
          ({ subject, predicate, object }) =>
            subject.value.startsWith(BASE_URL) &&
            predicate.value === property &&
            object.termType === 'NamedNode' &&
            valuesOf(target, `${VOID}uriSpace`).some((space) => object.value.startsWith(space)),
        )
        expect(links, linkset).not.to.be.empty
        expect(valuesOf(linkset, `${VOID}triples`), linkset).to.deep.equal([String(links.length)])
      }
    })

    it('counts a link that is written, and counts it no more when it is removed', async function () {
      if (isRemote) this.skip()
      const links = async (): Promise<string[]> =>
        (await dataset()).valuesOf(`${self}#wikidata-sameAs`, `${VOID}triples`)
      const [before = '0'] = await links()
      await service().post('/api/agents/', agent('linked', { wikidata: 'Q42' }))
      expect(await links()).to.deep.equal([String(Number(before) + 1)])
      await service().patch('/api/agents/linked/', { biography: 'See <http://viaf.org/viaf/1>.' })
      expect(await links()).to.deep.equal([String(Number(before) + 1)])
      await service().delete('/api/agents/linked/')
      expect(await links()).to.deep.equal([before])
    })

    for (const graph of ['public', 'vocabularies'])
      it(`describes the graph of its IRI, /graphs/${graph}, which leads to it`, async () => {
        const path = `/graphs/${graph}`
        for (const accept of ['text/turtle', 'text/html']) {
          const { status, headers } = await service().get(path, { headers: { accept } })
          expect([status, headers.get('location')]).to.deep.equal([303, `${service().url}/dataset`])
        }
        const { valuesOf } = await dataset()
        expect(valuesOf(self, `${VOID}subset`)).to.include(BASE_URL + path)
        expect(valuesOf(BASE_URL + path, 'http://purl.org/dc/terms/title')).to.have.length(1)
      })

    it('describes no graph that is not public', async () => {
      for (const graph of ['private', 'order', 'records'])
        expect((await service().get(`/graphs/${graph}`)).status).to.equal(404)
      const { store } = await dataset()
      expect(store.getSubjects(null, null, null).map(({ value }) => value)).not.to.include(
        `${BASE_URL}/graphs/private`,
      )
    })

    it('has the same triples in N-Triples, and an ETag', async () => {
      const [turtle, triples] = [await dataset(), await dataset('?format=ntriples')]
      expect(triples.headers.get('content-type')).to.match(/^application\/n-triples/)
      expect(turtle.headers.get('etag')).to.match(/^"/)
      expect(triples.store.size).to.equal(turtle.store.size)
    })
  })
})

describe('the dataset description of an empty catalogue', () => {
  const service = useService()

  it('has counts of 0, no dates and the default licence', async () => {
    const { status, text } = await service().get('/dataset')
    expect(status).to.equal(200)
    expect(text).to.include('void:entities 0').and.not.include('dcterms:issued')
    expect(text).to.include('https://creativecommons.org/publicdomain/zero/1.0/')
  })
})
