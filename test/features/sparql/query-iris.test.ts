// The IRIs of a query are read by sparqljs, to load quads, and by Oxigraph, to answer. They have to read the same.

import { expect } from 'chai'
import { Store } from 'oxigraph'

import { writeTerm } from '../../../src/rdf/terms.js'
import { parsePublicQuery } from '../../../src/features/sparql/query-checks.js'
import { hasCertainIris } from '../../../src/features/sparql/query-iris.js'

const endpoint = 'https://zines.example/sparql'
const prefixes =
  'PREFIX : <https://zines.example/> PREFIX r: <rel/> PREFIX up: <x/../> PREFIX p.q-r: <http://pq/> '

const relative = [
  ...[
    '<a>',
    '<>',
    '<#a>',
    '<?a>',
    '<?a#b>',
    '</a>',
    '<a/b/../c>',
    '<./a>',
    '<../a>',
    '<.>',
    '<..>',
  ],
  ...['<../..>', '</a/../b>', '<//h/x>', '<///x>', '<a//b>', '<a?x/../y>', '<a#x/../y>', '<.a>'],
  ...['<a.>', '<;x>', 'r:a', 'up:a', ':a'],
]
const others = [
  ...[
    ':a.b',
    ':a:b',
    ':%41',
    ':1',
    ':é',
    ':_',
    ':',
    ':a-',
    'p.q-r:z',
    ':a\\.b',
    ':a\\_b',
    ':\\%41',
  ],
  ...[':\\(x\\)', ':a\\/b', ":a\\'b", ':a\\,b', '<a:b>', '<mailto:x>', '<x:>', '<urn:a/../b>'],
  ...[
    '<http://h/a/../b>',
    '<http://H/a>',
    '<http://h:80/>',
    '<http://h>',
    '<http://h/%41>',
    '<http://h/é>',
  ],
  ...[
    '"a"',
    "'a'",
    '"""a\nb"""',
    '"""a"b"""',
    '"\\""',
    '"\\u00e9"',
    '"\\U0001F600"',
    '"\\\\u0041"',
  ],
  ...['"e\u0301"', '"\u2028"', 'a'],
]
const bases = [
  ...[
    'http://h/a/b',
    'http://h',
    'http://h/a?q/r',
    'http://h/a#f',
    'urn:a:b',
    'b/',
    '../',
    '#f',
    '?q',
  ],
  ...['//k/b', 'http://h/a/../b', 'HTTP://h/'],
]

const oxigraph = new Store()

/** The object as Oxigraph writes it; undefined where it does not read it. */
function readByOxigraph(query: string): string | undefined {
  try {
    const options = { base_iri: endpoint, results_format: 'application/n-triples' }
    const written = oxigraph.query(query, options) as string
    return written.replace(/^<x:s> <x:p> /, '').replace(/ \.\n$/, '')
  } catch {
    return undefined
  }
}

function readBySparqljs(text: string): string | undefined {
  const query = parsePublicQuery(text, endpoint)
  const object = query.queryType === 'CONSTRUCT' ? query.template?.[0]?.object : undefined
  return object && writeTerm(object)
}

const queryOf = (term: string, base = ''): string =>
  `${base}${prefixes}CONSTRUCT { <x:s> <x:p> ${term} } WHERE {}`

const isCertain = (query: string): boolean =>
  hasCertainIris(query, parsePublicQuery(query, endpoint), endpoint)

describe('the IRIs of a query', () => {
  for (const term of [...relative, ...others])
    it(`are read alike, or not certain: ${JSON.stringify(term)}`, () => {
      const query = queryOf(term)
      const expected = readByOxigraph(query)
      if (expected !== undefined && isCertain(query))
        expect(readBySparqljs(query)).to.equal(expected)
    })

  it('are certain where they are usual', () => {
    for (const term of [':a', '<a>', '<a/b>', '<#a>', '</a>', '<http://h/a/../b>', ':a\\/b', '"a"'])
      expect(isCertain(queryOf(term)), term).to.equal(true)
  })

  it('are not certain with a base of the query', () => {
    for (const base of bases) expect(isCertain(queryOf('<a>', `BASE <${base}> `))).to.equal(false)
    expect(isCertain('SELECT ?base { ?base <x:base> "BASE <x:y>" } # BASE <x:y>')).to.equal(true)
  })

  it('have no backslash, in VALUES neither', () => {
    const query = parsePublicQuery('PREFIX : <x:> SELECT * { VALUES ?s { :a\\/b } }', endpoint)
    expect(JSON.stringify(query)).to.include('"x:a/b"')
  })
})
