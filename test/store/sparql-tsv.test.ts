import { expect } from 'chai'
import fc from 'fast-check'
import { Store as Oxigraph, literal, namedNode, quad } from 'oxigraph'

import { readTsv } from '../../src/store/embedded/sparql-tsv.js'

describe('SPARQL results in TSV', () => {
  it('return every text unchanged', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '\\', '"', 't', 'u', '\b', '\f', '\0') }),
    )
    fc.assert(
      fc.property(text, (value) => {
        fc.pre(value.isWellFormed())
        expect(rowsOf(literal(value))).to.deep.equal([{ o: { value } }])
      }),
      { numRuns: 300 },
    )
  })

  it('return the value of every kind of term', () => {
    const integer = namedNode('http://www.w3.org/2001/XMLSchema#integer')
    const boolean = namedNode('http://www.w3.org/2001/XMLSchema#boolean')
    expect(rowsOf(namedNode('https://example.org/a"b'.replace('"', '%22')))).to.deep.equal([
      { o: { value: 'https://example.org/a%22b' } },
    ])
    expect(rowsOf(literal('12', integer))).to.deep.equal([{ o: { value: '12' } }])
    expect(rowsOf(literal('true', boolean))).to.deep.equal([{ o: { value: 'true' } }])
    expect(rowsOf(literal('"@en', 'de'))).to.deep.equal([{ o: { value: '"@en' } }])
    expect(rowsOf(literal(''))).to.deep.equal([{ o: { value: '' } }])
  })

  it('have no member for an unbound variable', () => {
    const query = 'SELECT ?a ?b ?c WHERE { VALUES (?a ?b ?c) { (UNDEF "b" UNDEF) ("" UNDEF "c") } }'
    expect(readTsv(ask(new Oxigraph(), query))).to.deep.equal([
      { b: { value: 'b' } },
      { a: { value: '' }, c: { value: 'c' } },
    ])
  })

  it('have no rows when nothing was found', () => {
    expect(readTsv(ask(new Oxigraph(), 'SELECT ?s WHERE { ?s ?p ?o }'))).to.deep.equal([])
  })

  it('have an empty row for a solution that binds nothing', () => {
    expect(readTsv(ask(new Oxigraph(), 'SELECT ?s WHERE { }'))).to.deep.equal([{}])
  })
})

type Term = Parameters<typeof quad>[2]

function rowsOf(object: Term) {
  const store = new Oxigraph()
  store.add(quad(namedNode('x:s'), namedNode('x:p'), object))
  return readTsv(ask(store, 'SELECT ?o WHERE { ?s ?p ?o }'))
}

const ask = (store: Oxigraph, query: string): string =>
  store.query(query, { results_format: 'tsv' }) as string
