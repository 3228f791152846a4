// Every RDF format says the same: the graph of a record, read back by parsers that are not ours.

import { expect } from 'chai'

import { createGraphBuilder } from '../../src/formats/rdf/record-graph.js'
import type { PageLinks, ListInfo } from '../../src/formats/serializer.js'
import { serializeList } from '../../src/formats/serializer.js'
import { resourceNames } from '../../src/model/iris.js'
import { toView } from '../../src/model/record/views.js'
import { rdfxml } from '../../src/formats/rdf/rdfxml.js'
import { serializeTriples } from '../../src/formats/rdf/syntax.js'
import { dcterms, prefixesUnder } from '../../src/rdf/namespaces.js'
import { type Quad, iri, stringLiteral, triple, writeNQuads } from '../../src/rdf/terms.js'
import { canonical, readByRapper, readJsonld, readText, skipWithoutRapper } from './parsers.js'
import {
  iris,
  examples,
  mapper,
  oddities,
  pressOf,
  readSample,
  resources,
  sheetsOf,
} from './fixtures.js'

const graphs = createGraphBuilder({ iris, resources, mapper })
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

for (const [title, cards] of Object.entries(collections))
  describe(`the graphs of the ${title}`, () => {
    for (const name of resourceNames) {
      const records = sheetsOf(name, cards)

      it(`are the same in Turtle, N-Triples and JSON-LD, for each of ${name}`, async () => {
        for (const resolvedRecord of records) {
          const graph = canonical(writeNQuads(graphs.buildGraph(resolvedRecord, 'detail')))
          const turtle = pressOf(name, 'turtle').record(resolvedRecord)
          expect(readText(turtle, 'text/turtle')).to.deep.equal(graph)
          const ntriples = pressOf(name, 'ntriples').record(resolvedRecord)
          expect(readText(ntriples, 'application/n-triples')).to.deep.equal(graph)
          expect(await readJsonld(pressOf(name, 'jsonld').record(resolvedRecord))).to.deep.equal(
            graph,
          )
        }
      })

      it(`are the same in a page of ${name}`, async () => {
        const printed = (format: string) => serializeList(pressOf(name, format), records, page)
        const turtle = readText(printed('turtle'), 'text/turtle')
        expect(turtle.filter((line) => line.includes('hydra/core#member>'))).to.have.lengthOf(
          records.length,
        )
        expect(readText(printed('ntriples'), 'application/n-triples')).to.deep.equal(turtle)
        expect(await readJsonld(printed('jsonld'))).to.deep.equal(turtle)
      })

      it(`are the same in all ${name}, printed whole`, async () => {
        const whole = { count: records.length, links: undefined }
        const printed = (format: string) => serializeList(pressOf(name, format), records, whole)
        const turtle = readText(printed('turtle'), 'text/turtle')
        expect(turtle.join('\n')).not.to.include('hydra')
        expect(await readJsonld(printed('jsonld'))).to.deep.equal(turtle)
      })

      it(`are what rapper reads of ${name} in Turtle, N-Triples and RDF/XML`, function () {
        skipWithoutRapper(this)
        const graph = readText(
          serializeList(pressOf(name, 'ntriples'), records, page),
          'text/turtle',
        )
        for (const format of ['turtle', 'ntriples', 'rdfxml'] as const)
          expect(
            readByRapper(serializeList(pressOf(name, format), records, page), format),
          ).to.deep.equal(graph)
      })

      it(`stand in JSON-LD beside the JSON that clients know, for each of ${name}`, () => {
        for (const resolvedRecord of records) {
          const printed = JSON.parse(pressOf(name, 'jsonld').record(resolvedRecord)) as object
          expect(plain(printed, toView(resources, resolvedRecord, 'detail'))).to.deep.equal(
            toView(resources, resolvedRecord, 'detail'),
          )
        }
      })
    }
  })

describe('RDF/XML', () => {
  const write = (triples: readonly Quad[]) =>
    serializeTriples(rdfxml, triples, prefixesUnder('https://zines.example'))
  const subject = iri('https://example.org/s')

  it('never has a character that XML forbids', () => {
    const title = stringLiteral('a\u0000b\u000bc\ufffed\ud800')
    const printed = write([triple(subject, dcterms('title'), title)])
    expect(printed).to.include('<dcterms:title>a\ufffdb\ufffdc\ufffdd\ufffd</dcterms:title>')
  })

  it('declares a namespace for a property that none of ours is for', function () {
    skipWithoutRapper(this)
    const said = [triple(subject, iri('http://example.org/12-b'), stringLiteral('x'))]
    expect(readByRapper(write(said), 'rdfxml')).to.deep.equal(canonical(writeNQuads(said)))
  })

  it('says that it cannot say a property which no name ends', () => {
    const said = [triple(subject, iri('http://example.org/12/'), stringLiteral('x'))]
    expect(write(said)).to.include('<!-- no XML name ends http://example.org/12/ -->')
  })
})

/** The keys of a printed record that its JSON has too. */
function plain(printed: any, json: any): any {
  if (Array.isArray(json)) return json.map((item, index) => plain(printed[index], item))
  if (json === null || typeof json !== 'object') return printed
  return Object.fromEntries(Object.keys(json).map((key) => [key, plain(printed[key], json[key])]))
}
