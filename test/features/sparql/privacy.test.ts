// What a private agent does not show, and the ways in which a query might reach it. The values are
// what an answer must not hold; the queries that only ask about them must not be able to tell.

import { expect } from 'chai'

import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { SECRETS, expectNoMark } from '../../http/secrets.js'
import { GRAPHS, PREFIXES, ask } from './client.js'

const AGENT = 'https://zines.example/id/agents/secretive'
const RECORD = 'https://zines.example/api/agents/secretive/'
const { legal_name, email, phone } = SECRETS
const values = `"${legal_name}" "${email}" "${phone}"`
const properties = 'zc:legalName|schema:email|schema:telephone'
const uri = encodeURIComponent

/** Ways to have the values, or their graph, shown. */
const asking: Readonly<Record<string, string>> = {
  'every triple': 'SELECT * { ?s ?p ?o }',
  'every triple about the agent': `SELECT * { <${AGENT}> ?p ?o }`,
  'the properties by name': `SELECT ?o { <${AGENT}> ${properties} ?o }`,
  'the properties of anybody': `SELECT * { ?s ${properties} ?o . FILTER(?s = <${AGENT}>) }`,
  'every named graph': 'SELECT * { GRAPH ?g { ?s ?p ?o } }',
  'the names of the graphs': 'SELECT DISTINCT ?g { GRAPH ?g { } }',
  'the private graph': `SELECT * { GRAPH <${GRAPHS.private}> { ?s ?p ?o } }`,
  'the private graph by a relative IRI': 'SELECT * { GRAPH <graphs/private> { ?s ?p ?o } }',
  'the private graph by a prefix': `PREFIX g: <https://zines.example/graphs/> SELECT * { GRAPH g:private { ?s ?p ?o } }`,
  'the private graph by an escaped IRI':
    'SELECT * { GRAPH <https://zines.example/graphs/\\u0070rivate> { ?s ?p ?o } }',
  'the private graph by VALUES': `SELECT * { VALUES ?g { <${GRAPHS.private}> } GRAPH ?g { ?s ?p ?o } }`,
  'the private graph by BIND': `SELECT * { BIND(IRI(CONCAT("https://zines.example/graphs/", "private")) AS ?g) GRAPH ?g { ?s ?p ?o } }`,
  'the private graph in a subquery': `SELECT * { { SELECT * { GRAPH <${GRAPHS.private}> { ?s ?p ?o } } } }`,
  'the private graph in an OPTIONAL': `SELECT * { OPTIONAL { GRAPH <${GRAPHS.private}> { ?s ?p ?o } } }`,
  'the private graph in a UNION': `SELECT * { { GRAPH <${GRAPHS.private}> { ?s ?p ?o } } UNION { <${AGENT}> ?p ?o } }`,
  'FROM the private graph': `SELECT * FROM <${GRAPHS.private}> { ?s ?p ?o }`,
  'FROM both graphs': `SELECT * FROM <${GRAPHS.public}> FROM <${GRAPHS.private}> { ?s ?p ?o }`,
  'FROM NAMED the private graph': `SELECT * FROM NAMED <${GRAPHS.private}> { GRAPH ?g { ?s ?p ?o } }`,
  'FROM a relative IRI': 'SELECT * FROM <graphs/private> { ?s ?p ?o }',
  'a path of any property': `SELECT * { <${AGENT}> !<a:b> ?o }`,
  'a path of any length': `SELECT * { <${AGENT}> (!<a:b>)* ?o }`,
  'a path backwards': `SELECT * { ?o ^(${properties}) ?s }`,
  'a path from the record': `SELECT * { <${RECORD}> foaf:primaryTopic/(${properties}) ?o }`,
  'DESCRIBE of the agent': `DESCRIBE <${AGENT}>`,
  'DESCRIBE of its record': `DESCRIBE <${RECORD}>`,
  'DESCRIBE of everything': 'DESCRIBE ?s { ?s ?p ?o }',
  'DESCRIBE of the private graph': `DESCRIBE <${GRAPHS.private}>`,
  'DESCRIBE from the private graph': `DESCRIBE <${AGENT}> FROM <${GRAPHS.private}>`,
  'CONSTRUCT of everything': 'CONSTRUCT WHERE { ?s ?p ?o }',
  'CONSTRUCT from the private graph': `CONSTRUCT { ?s ?p ?o } { GRAPH <${GRAPHS.private}> { ?s ?p ?o } }`,
  'text in any object':
    'SELECT * { ?s ?p ?o . FILTER(CONTAINS(LCASE(STR(?o)), "xanth") || REGEX(STR(?o), "SECRET", "i")) }',
  'all objects in one': 'SELECT (GROUP_CONCAT(?o) AS ?all) { ?s ?p ?o }',
  'the least and the greatest of names':
    'SELECT (MIN(?o) AS ?least) (MAX(?o) AS ?most) (SAMPLE(?o) AS ?one) { ?s zc:legalName ?o }',
  'the record’s order of values': `SELECT * { <${RECORD}> zc:order ?o }`,
  'the service itself': 'SELECT * { SERVICE <https://zines.example/sparql> { ?s ?p ?o } }',
  'the service itself, silently': `SELECT * { SERVICE SILENT <https://zines.example/sparql?default-graph-uri=${uri(GRAPHS.private)}> { ?s ?p ?o } }`,
  'the API by SERVICE': `SELECT * { SERVICE <${RECORD}?private=true> { ?s ?p ?o } }`,
  'a file by SERVICE': 'SELECT * { SERVICE <file:///proc/self/environ> { ?s ?p ?o } }',
  'the file by FROM': 'SELECT * FROM <file:data/store> { ?s ?p ?o }',
  'a function that fetches': `SELECT (<bif:http_get>("${RECORD}") AS ?x) {}`,
  LOAD: `LOAD <${GRAPHS.private}>`,
  'COPY of the private graph': `COPY <${GRAPHS.private}> TO DEFAULT`,
  'INSERT from the private graph': `INSERT { ?s ?p ?o } WHERE { GRAPH <${GRAPHS.private}> { ?s ?p ?o } }`,
  'a query and an update': `SELECT * { ?s ?p ?o } ; COPY <${GRAPHS.private}> TO DEFAULT`,
  'a mistake by the agent’s name': `SELECT * { <${AGENT}> zc:legalName ?o `,
  'a cast that fails': `SELECT (xsd:integer(?o) AS ?x) { <${AGENT}> ${properties} ?o }`,
}

/** Parameters that go before what a query says. */
const parameters: Readonly<Record<string, string>> = {
  'default-graph-uri': `?default-graph-uri=${uri(GRAPHS.private)}`,
  'default-graph-uri beside ours': `?default-graph-uri=${uri(GRAPHS.public)}&default-graph-uri=${uri(GRAPHS.private)}`,
  'named-graph-uri': `?named-graph-uri=${uri(GRAPHS.private)}`,
  'using-graph-uri': `?using-graph-uri=${uri(GRAPHS.private)}`,
  'a relative default-graph-uri': '?default-graph-uri=graphs/private',
  'an empty default-graph-uri': '?default-graph-uri=',
  'private=true': '?private=true',
}

/**
 * Questions whose answer would tell whether a guess is right: by a truth, a number, or an order.
 */
const oracles: Readonly<Record<string, (guess: string) => string>> = {
  'a triple': (guess) => `ASK { ?s ?p "${guess}" }`,
  'a triple in any graph': (guess) => `ASK { GRAPH ?g { ?s ?p "${guess}" } }`,
  'the start of a value': (guess) =>
    `ASK { <${AGENT}> ${properties} ?o . FILTER(STRSTARTS(?o, "${guess.slice(0, 3)}")) }`,
  'a pattern': (guess) =>
    `ASK { <${AGENT}> ?p ?o . FILTER(REGEX(STR(?o), "${guess.slice(0, 3)}")) }`,
  'a number of rows': (guess) =>
    `SELECT (COUNT(*) AS ?c) { ?s ?p ?o . FILTER(STR(?o) = "${guess}") }`,
  'NOT EXISTS': (guess) => `ASK { FILTER NOT EXISTS { ?s ?p "${guess}" } }`,
  MINUS: (guess) => `SELECT (COUNT(*) AS ?c) { ?s ?p ?o MINUS { ?s ?q "${guess}" } }`,
  'a length': (guess) =>
    `ASK { <${AGENT}> ${properties} ?o . FILTER(STRLEN(?o) = ${guess.length}) }`,
  'an order': (guess) =>
    `SELECT ?o { { <${AGENT}> ${properties} ?o } UNION { BIND("${guess}" AS ?guess) } } ORDER BY ?o`,
  VALUES: (guess) => `SELECT ?s { ?s ?p ?o } VALUES ?o { "${guess}" }`,
}

describe('SPARQL hides private data', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '2', SPARQL_TIMEOUT: '10' })
  before(async () => {
    // Public at first, so that its details have been in the replicas.
    await given.agent({ agent_id: 'secretive', public: true, ...SECRETS })
    await given.zine({ creator: ['secretive', 'maker'] })
    const { body } = await ask(service(), `SELECT * { VALUES ?o { ${values} } ?s ?p ?o }`)
    expect(body.results.bindings, 'while it is public').to.have.length(3)
    await service().patch(recordPath('agents', 'secretive'), { public: false })
  })

  const readers = () => [null, service().tokens.viewer, service().tokens.admin]

  for (const [way, query] of Object.entries(asking))
    it(`from ${way}`, async () => {
      for (const token of readers())
        for (const accept of [
          'application/sparql-results+json, text/turtle',
          'text/csv, application/n-triples',
        ]) {
          const { status, headers, text } = await ask(service(), PREFIXES + query, {
            token,
            accept,
          })
          expect(status).to.be.oneOf([200, 400, 403])
          expectNoMark(text)
          for (const value of headers.values()) expectNoMark(value)
          if (status === 200) expect(text).not.to.include(GRAPHS.private)
        }
    })

  for (const [name, given] of Object.entries(parameters))
    for (const query of [
      'SELECT * { ?s ?p ?o }',
      'SELECT * { GRAPH ?g { ?s ?p ?o } }',
      `DESCRIBE <${AGENT}>`,
    ])
      it(`from ${query} with ${name}`, async () => {
        const accept = 'text/csv, text/turtle'
        const { status, text } = await ask(service(), query, { accept, parameters: given })
        expect(status).to.be.oneOf([200, 400])
        expectNoMark(text)
      })

  for (const [what, questionOf] of Object.entries(oracles))
    it(`from a guess that is tested with ${what}`, async () => {
      for (const secret of Object.values(SECRETS)) {
        const wrong = Array.from(secret).reverse().join('')
        const [right, other] = await Promise.all([
          ask(service(), PREFIXES + questionOf(secret)),
          ask(service(), PREFIXES + questionOf(wrong)),
        ])
        expect(right.status, right.text).to.equal(200)
        expect(right.text).to.equal(other.text)
      }
    })

  it('from the service description and the examples', async () => {
    for (const path of ['/sparql', '/.well-known/sparql-examples']) {
      const { text } = await service().get(path)
      expectNoMark(text)
      expect(text).not.to.include(GRAPHS.private)
    }
  })

  it('when a literal looks like a graph name', async () => {
    const biography = `x" <${GRAPHS.public}> .\n<a:s> <a:p> "y" <${GRAPHS.private}> .\n`
    const display_name = unique('Forger')
    await given.agent({
      display_name,
      biography,
      public: false,
      legal_name: `${legal_name}" <${GRAPHS.public}> .`,
    })
    const { text } = await ask(service(), `SELECT ?p ?o { ?s ?x "${display_name}" ; ?p ?o }`)
    expect(text).to.include('<a:s>')
    expectNoMark(text)
  })

  it('but returns public data', async () => {
    const { text } = await ask(service(), `SELECT * { <${AGENT}> ?p ?o }`)
    expect(text).to.include('https://zines.example/ns#public')
  })
})
