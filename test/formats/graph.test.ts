// Every RDF format of a record gives the same graph, read back by parsers that are not ours.

import { expect } from 'chai'

import { GraphBuilder } from '../../src/formats/rdf/record-graph.js'
import type { PageLinks, ListInfo } from '../../src/formats/serializer.js'
import { serializeList } from '../../src/formats/serializer.js'
import { resourceNames } from '../../src/model/iris.js'
import { toView } from '../../src/model/record/views.js'
import { rdfxml } from '../../src/formats/rdf/rdfxml.js'
import { serializeTriples } from '../../src/formats/rdf/syntax.js'
import { dcterms, prefixesUnder } from '../../src/rdf/namespaces.js'
import { type Quad, iri, stringLiteral, triple, writeNQuads } from '../../src/rdf/terms.js'
import {
  canonical,
  compactJsonld,
  readByRapper,
  readJsonld,
  readJsonldStream,
  readText,
  skipWithoutRapper,
} from './parsers.js'
import {
  iris,
  examples,
  mapper,
  oddities,
  serializerFor,
  readSample,
  resources,
  resolveAll,
} from './fixtures.js'

const graphs = new GraphBuilder({ iris, resources, mapper })
const collections = { examples, oddities, sample: readSample() }

const at = (page: number): string => `http://localhost:8000/api/zines/?page_size=2&page=${page}`
const links: PageLinks = {
  self: at(2),
  first: 'http://localhost:8000/api/zines/?page_size=2',
  last: at(9),
  next: at(3),
  previous: 'http://localhost:8000/api/zines/?page_size=2',
}
const page: ListInfo = { count: 17, links }

for (const [title, collection] of Object.entries(collections))
  describe(`the graphs of the records in ${title}`, () => {
    for (const name of resourceNames) {
      const records = resolveAll(name, collection)

      it(`are the same in Turtle, N-Triples and JSON-LD for each of the ${name}`, async () => {
        for (const record of records) {
          const graph = canonical(writeNQuads(graphs.buildGraph(record, 'detail')))
          const turtle = serializerFor(name, 'turtle').record(record)
          expect(readText(turtle, 'text/turtle')).to.deep.equal(graph)
          const ntriples = serializerFor(name, 'ntriples').record(record)
          expect(readText(ntriples, 'application/n-triples')).to.deep.equal(graph)
          for (const readAny of [readJsonld, readJsonldStream])
            expect(await readAny(serializerFor(name, 'jsonld').record(record))).to.deep.equal(graph)
        }
      })

      it(`are the same in Turtle, N-Triples and JSON-LD for a page of ${name}`, async () => {
        const serialized = (format: string) =>
          serializeList(serializerFor(name, format), records, page)
        const turtle = readText(serialized('turtle'), 'text/turtle')
        expect(turtle.filter((line) => line.includes('hydra/core#member>'))).to.have.lengthOf(
          records.length,
        )
        expect(readText(serialized('ntriples'), 'application/n-triples')).to.deep.equal(turtle)
        for (const readAny of [readJsonld, readJsonldStream])
          expect(await readAny(serialized('jsonld'))).to.deep.equal(turtle)
      })

      it(`are the same in Turtle and JSON-LD for the whole list of ${name}`, async () => {
        const whole = { count: records.length, links: undefined }
        const serialized = (format: string) =>
          serializeList(serializerFor(name, format), records, whole)
        const turtle = readText(serialized('turtle'), 'text/turtle')
        expect(turtle.join('\n')).not.to.include('hydra')
        for (const readAny of [readJsonld, readJsonldStream])
          expect(await readAny(serialized('jsonld'))).to.deep.equal(turtle)
      })

      it(`of ${name} are read by rapper from Turtle, N-Triples and RDF/XML`, function () {
        skipWithoutRapper(this)
        const graph = readText(
          serializeList(serializerFor(name, 'ntriples'), records, page),
          'text/turtle',
        )
        for (const format of ['turtle', 'ntriples', 'rdfxml'] as const)
          expect(
            readByRapper(serializeList(serializerFor(name, format), records, page), format),
          ).to.deep.equal(graph)
      })

      it(`leave the JSON of each of the ${name} unchanged in JSON-LD`, () => {
        for (const record of records) {
          const parsed = JSON.parse(serializerFor(name, 'jsonld').record(record)) as object
          expect(plain(parsed, toView(resources, record, 'detail'))).to.deep.equal(
            toView(resources, record, 'detail'),
          )
        }
      })
    }
  })

describe('JSON-LD compacted by the context of the service', () => {
  for (const name of resourceNames)
    it(`has the terms of ${name} and the same graph`, async () => {
      for (const record of resolveAll(name, examples)) {
        const compacted = await compactJsonld(serializerFor(name, 'jsonld').record(record))
        const { id, title } = record.resource
        expect(compacted).to.have.property(id.name, record.values[id.name])
        if (title) expect(compacted).to.have.property(title.name, record.values[title.name])
        const graph = canonical(writeNQuads(graphs.buildGraph(record, 'detail')))
        for (const readAny of [readJsonld, readJsonldStream])
          expect(await readAny(JSON.stringify(compacted))).to.deep.equal(graph)
      }
    })

  it('has codes and nested records as in the JSON of the API', async () => {
    const [record] = resolveAll('zines', examples)
    if (!record) throw new Error('no example')
    const compacted = await compactJsonld(serializerFor('zines', 'jsonld').record(record))
    expect(compacted.language).to.have.members(record.values.language as string[])
    expect(compacted.creator[0]).to.include.keys('agent_id', 'display_name')
  })
})

describe('RDF/XML', () => {
  const write = (triples: readonly Quad[]) =>
    serializeTriples(rdfxml, triples, prefixesUnder('https://zines.example'))
  const subject = iri('https://example.org/s')

  it('has no character that XML forbids', () => {
    const title = stringLiteral('a\u0000b\u000bc\ufffed\ud800')
    const document = write([triple(subject, dcterms('title'), title)])
    expect(document).to.include('<dcterms:title>a\ufffdb\ufffdc\ufffdd\ufffd</dcterms:title>')
  })

  it('declares a namespace for a property without a prefix of ours', function () {
    skipWithoutRapper(this)
    const triples = [triple(subject, iri('http://example.org/12-b'), stringLiteral('x'))]
    expect(readByRapper(write(triples), 'rdfxml')).to.deep.equal(canonical(writeNQuads(triples)))
  })

  it('has a comment in place of a property whose IRI gives no XML name', () => {
    const triples = [triple(subject, iri('http://example.org/12/'), stringLiteral('x'))]
    expect(write(triples)).to.include('<!-- no XML name ends http://example.org/12/ -->')
  })
})

/** The part of a JSON-LD record whose keys its JSON has too. */
function plain(node: any, json: any): any {
  if (Array.isArray(json)) return json.map((item, index) => plain(node[index], item))
  if (json === null || typeof json !== 'object') return node
  return Object.fromEntries(Object.keys(json).map((key) => [key, plain(node[key], json[key])]))
}
