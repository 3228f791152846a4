// Every RDF format says the same: the graph of a record, read back by parsers that are not ours.

import { expect } from 'chai'

import { graphsOf } from '../../src/formats/rdf/record-graph.js'
import type { Links, Listed } from '../../src/formats/serializer.js'
import { printList } from '../../src/formats/serializer.js'
import { resourceNames } from '../../src/model/iris.js'
import { show } from '../../src/model/record/views.js'
import { rdfxml } from '../../src/formats/rdf/rdfxml.js'
import { writeTriples } from '../../src/formats/rdf/syntax.js'
import { dcterms, prefixesUnder } from '../../src/rdf/namespaces.js'
import { type Quad, iri, text, triple, writeNQuads } from '../../src/rdf/terms.js'
import { canonical, readByRapper, readJsonld, readText, skipWithoutRapper } from './parsers.js'
import {
  addresses,
  examples,
  lens,
  oddities,
  pressOf,
  readSample,
  resources,
  sheetsOf,
} from './fixtures.js'

const graphs = graphsOf({ addresses, resources, lens })
const collections = { examples, oddities, sample: readSample() }

const at = (page: number): string => `http://localhost:8000/api/zines/?page_size=2&page=${page}`
const links: Links = {
  self: at(2),
  first: 'http://localhost:8000/api/zines/?page_size=2',
  last: at(9),
  next: at(3),
  previous: 'http://localhost:8000/api/zines/?page_size=2',
}
const page: Listed = { count: 17, links }

for (const [title, cards] of Object.entries(collections))
  describe(`the graphs of the ${title}`, () => {
    for (const name of resourceNames) {
      const sheets = sheetsOf(name, cards)

      it(`are the same in Turtle, N-Triples and JSON-LD, for each of ${name}`, async () => {
        for (const sheet of sheets) {
          const graph = canonical(writeNQuads(graphs.graphOf(sheet, 'detail')))
          const turtle = pressOf(name, 'turtle').record(sheet)
          expect(readText(turtle, 'text/turtle')).to.deep.equal(graph)
          const ntriples = pressOf(name, 'ntriples').record(sheet)
          expect(readText(ntriples, 'application/n-triples')).to.deep.equal(graph)
          expect(await readJsonld(pressOf(name, 'jsonld').record(sheet))).to.deep.equal(graph)
        }
      })

      it(`are the same in a page of ${name}`, async () => {
        const printed = (format: string) => printList(pressOf(name, format), sheets, page)
        const turtle = readText(printed('turtle'), 'text/turtle')
        expect(turtle.filter((line) => line.includes('hydra/core#member>'))).to.have.lengthOf(
          sheets.length,
        )
        expect(readText(printed('ntriples'), 'application/n-triples')).to.deep.equal(turtle)
        expect(await readJsonld(printed('jsonld'))).to.deep.equal(turtle)
      })

      it(`are the same in all ${name}, printed whole`, async () => {
        const whole = { count: sheets.length, links: undefined }
        const printed = (format: string) => printList(pressOf(name, format), sheets, whole)
        const turtle = readText(printed('turtle'), 'text/turtle')
        expect(turtle.join('\n')).not.to.include('hydra')
        expect(await readJsonld(printed('jsonld'))).to.deep.equal(turtle)
      })

      it(`are what rapper reads of ${name} in Turtle, N-Triples and RDF/XML`, function () {
        skipWithoutRapper(this)
        const graph = readText(printList(pressOf(name, 'ntriples'), sheets, page), 'text/turtle')
        for (const format of ['turtle', 'ntriples', 'rdfxml'] as const)
          expect(
            readByRapper(printList(pressOf(name, format), sheets, page), format),
          ).to.deep.equal(graph)
      })

      it(`stand in JSON-LD beside the JSON that clients know, for each of ${name}`, () => {
        for (const sheet of sheets) {
          const printed = JSON.parse(pressOf(name, 'jsonld').record(sheet)) as object
          expect(plain(printed, show(resources, sheet, 'detail'))).to.deep.equal(
            show(resources, sheet, 'detail'),
          )
        }
      })
    }
  })

describe('RDF/XML', () => {
  const write = (triples: readonly Quad[]) =>
    writeTriples(rdfxml, triples, prefixesUnder('https://zines.example'))
  const subject = iri('https://example.org/s')

  it('never has a character that XML forbids', () => {
    const title = text('a\u0000b\u000bc\ufffed\ud800')
    const printed = write([triple(subject, dcterms('title'), title)])
    expect(printed).to.include('<dcterms:title>a\ufffdb\ufffdc\ufffdd\ufffd</dcterms:title>')
  })

  it('declares a namespace for a property that none of ours is for', function () {
    skipWithoutRapper(this)
    const said = [triple(subject, iri('http://example.org/12-b'), text('x'))]
    expect(readByRapper(write(said), 'rdfxml')).to.deep.equal(canonical(writeNQuads(said)))
  })

  it('says that it cannot say a property which no name ends', () => {
    const said = [triple(subject, iri('http://example.org/12/'), text('x'))]
    expect(write(said)).to.include('<!-- no XML name ends http://example.org/12/ -->')
  })
})

/** The keys of a printed record that its JSON has too. */
function plain(printed: any, json: any): any {
  if (Array.isArray(json)) return json.map((item, index) => plain(printed[index], item))
  if (json === null || typeof json !== 'object') return printed
  return Object.fromEntries(Object.keys(json).map((key) => [key, plain(printed[key], json[key])]))
}
