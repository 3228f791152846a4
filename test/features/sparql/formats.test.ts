// Answers in every format, read back by parsers that are not the store's.

import { expect } from 'chai'
import { Parser } from 'n3'
import { RdfXmlParser } from 'rdfxml-streaming-parser'

import { useCatalogue } from '../../http/catalogue.js'
import { PREFIXES, ask } from './client.js'

/** Values that each format has to escape in its own way. */
const VALUES = [
  'plain',
  'a,b;c',
  'say "hi"',
  'two\nlines',
  '<&>',
  'tab\there',
  'Łódź 🦄',
  ' ',
  '\\',
]

const literal = (value: string) => JSON.stringify(value)

const SELECT = `SELECT ?x ?y { VALUES (?x ?y) { ${VALUES.map(
  (value, index) => `(${literal(value)} ${index % 2 ? 'UNDEF' : '<https://a.example/b>'})`,
).join(' ')} } }`

const CONSTRUCT = `PREFIX a: <https://a.example/> CONSTRUCT { a:s a:p ?x } { VALUES ?x { ${VALUES.map(
  literal,
).join(' ')} } }`

describe('SPARQL results', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })

  const answer = async (query: string, accept: string) => {
    const { status, headers, text } = await ask(service(), query, { accept })
    expect(status, text).to.equal(200)
    expect(headers.get('content-type')?.split(';')[0]).to.equal(accept)
    return text
  }

  for (const type of ['application/sparql-results+json', 'application/json'])
    it(`of SELECT can be ${type}`, async () => {
      const { head, results } = JSON.parse(await answer(SELECT, type))
      expect(head.vars).to.deep.equal(['x', 'y'])
      expect(results.bindings.map(({ x }: any) => x.value)).to.deep.equal(VALUES)
      expect(results.bindings[0].y).to.deep.equal({ type: 'uri', value: 'https://a.example/b' })
      expect(results.bindings[1]).not.to.have.property('y')
    })

  it('of SELECT can be application/sparql-results+xml', async () => {
    const xml = await answer(SELECT, 'application/sparql-results+xml')
    const found = [...xml.matchAll(/<literal>([^<]*)<\/literal>/g)].map(([, value = '']) =>
      unescapeXml(value),
    )
    expect(found).to.deep.equal(VALUES)
    expect(xml.split('<result>')).to.have.length(VALUES.length + 1)
  })

  it('of SELECT can be text/csv', async () => {
    const [head, ...rows] = readCsv(await answer(SELECT, 'text/csv'))
    expect(head).to.deep.equal(['x', 'y'])
    expect(rows.map(([x]) => x)).to.deep.equal(VALUES)
    expect(rows.map(([, y]) => y).slice(0, 2)).to.deep.equal(['https://a.example/b', ''])
  })

  it('of SELECT can be text/tab-separated-values', async () => {
    const tsv = await answer(SELECT, 'text/tab-separated-values')
    const [head, ...rows] = tsv.trimEnd().split('\n')
    expect(head).to.equal('?x\t?y')
    // A term in TSV is a term in Turtle.
    const turtle = rows.map((row) => `<a:s> <a:p> ${row.split('\t')[0]} .`).join('\n')
    const terms = new Parser().parse(turtle).map(({ object }) => object.value)
    expect(terms).to.deep.equal(VALUES)
  })

  for (const [type, read] of [
    ['application/sparql-results+json', (text: string) => JSON.parse(text).boolean],
    ['application/sparql-results+xml', (text: string) => text.includes('<boolean>true</boolean>')],
    ['text/csv', (text: string) => text.trim() === 'true'],
    ['text/tab-separated-values', (text: string) => text.trim() === 'true'],
  ] as const)
    it(`of ASK can be ${type}`, async () => {
      expect(read(await answer('ASK {}', type))).to.equal(true)
    })

  for (const type of ['text/turtle', 'application/n-triples'])
    it(`of CONSTRUCT can be ${type}`, async () => {
      const quads = new Parser({ format: type }).parse(await answer(CONSTRUCT, type))
      expect(quads.map(({ object }) => object.value)).to.have.members(VALUES)
    })

  it('of CONSTRUCT can be application/rdf+xml', async () => {
    const quads = await readRdfXml(await answer(CONSTRUCT, 'application/rdf+xml'))
    expect(quads.map(({ object }) => object.value)).to.have.members(VALUES)
  })

  it('of CONSTRUCT can be application/ld+json', async () => {
    const [node] = JSON.parse(await answer(CONSTRUCT, 'application/ld+json'))
    expect(node['@id']).to.equal('https://a.example/s')
    const values = node['https://a.example/p'].map((one: any) => one['@value'])
    expect(values).to.have.members(VALUES)
  })

  it('in Turtle use the prefixes of the query', async () => {
    const turtle = await answer(CONSTRUCT, 'text/turtle')
    expect(turtle).to.match(/^@prefix a: <https:\/\/a\.example\/>\./)
    expect(turtle).to.include('a:s a:p')
  })

  it('of DESCRIBE are the triples about the resource', async () => {
    const query = `${PREFIXES} DESCRIBE ?z { ?z dcterms:identifier "zine" }`
    const quads = new Parser().parse(await answer(query, 'text/turtle'))
    expect(new Set(quads.map(({ subject }) => subject.value))).to.deep.equal(
      new Set(['https://zines.example/id/zines/zine']),
    )
    expect(quads.map(({ object }) => object.value)).to.include('Zine zine')
  })

  for (const [name, select, construct] of [
    ['json', 'application/sparql-results+json', 'application/ld+json'],
    ['xml', 'application/sparql-results+xml', 'application/rdf+xml'],
    ['csv', 'text/csv', ''],
    ['tsv', 'text/tab-separated-values', ''],
    ['turtle', '', 'text/turtle'],
    ['ntriples', '', 'application/n-triples'],
    ['rdfxml', '', 'application/rdf+xml'],
    ['jsonld', '', 'application/ld+json'],
    ['n3', '', 'text/turtle'],
    ['rdf', '', 'application/rdf+xml'],
    ['rdf%2Bxml', '', 'application/rdf+xml'],
    ['json-ld', '', 'application/ld+json'],
  ] as const)
    it(`can be requested with ?format=${name}`, async () => {
      for (const [query, type] of [
        [SELECT, select],
        [CONSTRUCT, construct],
      ] as const) {
        const parameters = `?format=${name}`
        const { status, headers } = await ask(service(), query, { accept: 'image/png', parameters })
        expect(status).to.equal(type ? 200 : 406)
        if (type) expect(headers.get('content-type')?.split(';')[0]).to.equal(type)
      }
    })

  it('have the format that a form parameter names', async () => {
    const raw = new URLSearchParams({ query: SELECT, format: 'csv' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { text } = await service().ask('POST', '/sparql', { raw, headers, token: null })
    expect(text).to.match(/^x,y\r\n/)
  })

  it('have the format of Accept when the name of the format is unknown', async () => {
    for (const format of ['docx', 'application%2Frdf%2Bxml']) {
      const parameters = `?format=${format}`
      const { headers } = await ask(service(), SELECT, { accept: 'text/csv', parameters })
      expect(headers.get('content-type')).to.match(/^text\/csv/)
    }
    const url = '/sparql?format=docx&query=ASK%7B%7D'
    expect((await service().get(url, { token: null })).body.boolean).to.equal(true)
  })

  for (const [query, columns] of [
    ['SELECT * { ?z ?b ?a }', 'z,b,a'],
    ['SELECT DISTINCT * { GRAPH ?g { ?z ?b ?a } OPTIONAL { ?z ?y ?x } } LIMIT 5', 'g,z,b,a,y,x'],
    ['SELECT * { ?z ?p 1 FILTER NOT EXISTS { ?no ?p ?z } MINUS { ?z ?p ?not } } LIMIT 5', 'z,p'],
    [
      'SELECT * { { SELECT ?z (COUNT(?a) AS ?c) { ?z ?b ?a } GROUP BY ?z } BIND(1 AS ?b) }',
      'z,c,b',
    ],
    ['SELECT * { { SELECT * { ?z ?b ?a } LIMIT 1 } UNION { ?d ?c [] } }', 'z,b,a,d,c'],
    [
      'SELECT * { ?z <http://x/p>/<http://x/q>* ?a } ORDER BY ?a VALUES (?y ?x) { (1 2) }',
      'z,a,y,x',
    ],
    ['SELECT ?b ?a { ?b ?c ?a }', 'b,a'],
  ] as const)
    it(`have the columns ${columns} for ${query}`, async () => {
      for (const type of ['text/csv', 'text/tab-separated-values']) {
        const [head = ''] = (await answer(query, type)).split(/\r?\n/)
        expect(head.replaceAll('?', '').replaceAll('\t', ',')).to.equal(columns)
      }
    })

  it('have the format with the highest q value in Accept', async () => {
    const accept = 'text/csv;q=0.5, application/sparql-results+xml;q=0.9, */*;q=0.1'
    const { headers } = await ask(service(), SELECT, { accept })
    expect(headers.get('content-type')).to.match(/^application\/sparql-results\+xml/)
  })

  it('in XML lack the characters that XML does not allow', async () => {
    const query = 'SELECT ("a\\u0001b\\uFFFEc" AS ?x) {}'
    expect(await answer(query, 'application/sparql-results+xml')).to.include('>abc<')
  })

  it('in RDF/XML are rejected when a property IRI does not end in a name', async () => {
    const query = 'CONSTRUCT { <http://x/a> <http://x/1> 1 } {}'
    const { status, text } = await ask(service(), query, { accept: 'application/rdf+xml' })
    expect(status).to.equal(400)
    expect(text).to.include('RDF/XML cannot express')
  })
})

const unescapeXml = (text: string): string =>
  text
    .replace(/&#x([0-9A-Fa-f]+);/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

/** RFC 4180. */
function readCsv(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)]
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

function readRdfXml(text: string): Promise<any[]> {
  return new Promise((done, failed) => {
    const quads: any[] = []
    const parser = new RdfXmlParser()
    parser.on('data', (quad: unknown) => quads.push(quad))
    parser.on('error', failed)
    parser.on('end', () => done(quads))
    parser.end(text)
  })
}
