// Which quads a query needs. test/features/sparql/needed-quads.test.ts compares results.

import { expect } from 'chai'

import { type QuadPattern, createPatternSet } from '../../../src/features/sparql/quad-patterns.js'
import { parsePublicQuery } from '../../../src/features/sparql/query-checks.js'
import { neededPatterns } from '../../../src/features/sparql/query-patterns.js'

const prefix = 'PREFIX : <http://z.example/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>'
const [p, q, c] = ['<http://z.example/p>', '<http://z.example/q>', '<http://z.example/c>']
const rdfType = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
const all: QuadPattern = {}

/** The patterns of a query, without order and repeats. */
const patternsOf = (query: string): readonly QuadPattern[] => [
  ...new Map(
    neededPatterns(parsePublicQuery(`${prefix} ${query}`, 'http://z.example/sparql'))
      .map((pattern) => [JSON.stringify(pattern), pattern] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ).values(),
]

describe('the quads that a query needs', () => {
  const cases: readonly (readonly [query: string, patterns: readonly QuadPattern[]])[] = [
    ['ASK {}', []],
    ['SELECT * { ?s :p ?o }', [{ predicate: p }]],
    ['SELECT * { ?s a :c }', [{ predicate: rdfType, object: c }]],
    ['SELECT * { ?s :p "x" }', [{ predicate: p, object: '"x"' }]],
    ['SELECT * { ?s :p "a\\n\\"b\\"" }', [{ predicate: p, object: '"a\\n\\"b\\""' }]],
    ['SELECT * { :c ?p ?o }', [{ subject: c }]],
    ['SELECT * { <c> ?p ?o }', [{ subject: c }]],
    ['SELECT * { ?s ?p :c }', [{ object: c }]],
    ['SELECT * { ?s ?p ?o }', [all]],
    ['SELECT * { ?s :p ?o . ?s ?any ?x }', [all]],
    // They may be written in several ways.
    ['SELECT * { ?s :p 1 }', [{ predicate: p }]],
    ['SELECT * { ?s :p "x"@EN }', [{ predicate: p }]],
    ['SELECT * { ?s ?p 1 }', [all]],
    ['SELECT * { ?s :p/^:q ?o }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { ?s (:p|:q)+ ?o }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { ?s !:p ?o }', [all]],
    // Each node leads to itself.
    ['SELECT * { ?s :p* ?o }', [all]],
    ['SELECT * { ?s :p?/:q* ?o }', [all]],
    ['SELECT * { ?s :p/:q* ?o }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { ?z :q ?s . ?s :p* ?o }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { ?z :q ?s FILTER(?z != ?s) ?s :p* ?o }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { { ?z :q ?s } UNION { ?s :p* ?o } }', [all]],
    ['SELECT * { :c :p* ?o }', [{ object: c }, { predicate: p }, { subject: c }]],
    ['SELECT * { 1 :p* ?o }', [all]],
    ['SELECT * { ?s :p ?o OPTIONAL { ?s :q ?x } }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { ?s :p ?o MINUS { ?s :q ?x } }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { ?s :p ?o FILTER NOT EXISTS { ?s :q ?x } }', [{ predicate: p }, { predicate: q }]],
    ['SELECT (EXISTS { ?s :q ?x } AS ?e) { ?s :p ?o }', [{ predicate: p }, { predicate: q }]],
    ['SELECT * { { SELECT ?s { ?s :p ?o } } }', [{ predicate: p }]],
    ['SELECT * { GRAPH ?g { ?s :p ?o } }', [{ predicate: p }]],
    // Both graphs are named by the dataset.
    ['SELECT * { GRAPH ?g {} }', []],
    ['SELECT * { ?s :p ?o } VALUES ?o { :c }', [{ predicate: p }]],
    ['CONSTRUCT { ?s :q ?o } WHERE { ?s :p ?o }', [{ predicate: p }]],
    ['CONSTRUCT WHERE { ?s :p ?o }', [{ predicate: p }]],
    ['DESCRIBE :c', [{ subject: c }]],
    ['DESCRIBE ?s { ?s :p ?o }', [all]],
    ['DESCRIBE * { ?s :p ?o }', [all]],
  ]
  for (const [query, patterns] of cases)
    it(`of ${query}`, () => {
      expect(patternsOf(query)).to.deep.equal(patterns)
    })
})

describe('a set of patterns', () => {
  const set = createPatternSet([
    { predicate: p },
    { predicate: rdfType, object: c },
    { subject: '<http://z.example/s>' },
  ])

  it('covers what it has and what is a part of that', () => {
    expect(set.covers({ predicate: p })).to.equal(true)
    expect(set.covers({ predicate: p, object: c })).to.equal(true)
    expect(set.covers({ predicate: rdfType, object: c })).to.equal(true)
    expect(set.covers({ subject: '<http://z.example/s>' })).to.equal(true)
    expect(createPatternSet([all]).covers({ object: c })).to.equal(true)
  })

  it('covers nothing else', () => {
    expect(set.covers({ predicate: rdfType })).to.equal(false)
    expect(set.covers({ predicate: q, object: c })).to.equal(false)
    expect(set.covers({ object: c })).to.equal(false)
    expect(set.covers(all)).to.equal(false)
  })
})
