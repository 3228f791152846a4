// What the endpoint does not do for anybody: run for ever, give without end, or stop the rest of
// the service. Each limit is told in words, and the endpoint is there again after what broke its
// worker.

import { expect } from 'chai'

import type { Answer } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'
import { BOMB, PLANNING_BOMB, ask } from './client.js'
import { until } from '../../waiting.js'

const expectRefused = ({ status, headers, body, text }: Answer, words: RegExp): void => {
  expect(status, text).to.equal(400)
  expect(headers.get('content-type')).to.match(/^application\/json/)
  expect(body.detail).to.match(words)
}

describe('a client that sends malformed SPARQL again and again', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })

  it('gets 429 with Retry-After after 60 of them, while others are answered', async () => {
    const statusOf = async (query: string, token: string | null) => {
      const path = `/sparql?query=${encodeURIComponent(query)}`
      const { status, headers } = await service().get(path, { token })
      return [status, headers.has('retry-after')]
    }
    for (let count = 0; count < 60; count += 1)
      expect(await statusOf(`SELECT ${count} {`, null)).to.deep.equal([400, false])
    expect(await statusOf('SELECT {', null)).to.deep.equal([429, true])
    expect(await statusOf('ASK {}', null)).to.deep.equal([429, true])
    expect(await statusOf('ASK {}', service().tokens.viewer)).to.deep.equal([200, false])
  })
})

describe('a SPARQL query', () => {
  const env = { SPARQL_WORKERS: '1', SPARQL_TIMEOUT: '2', SPARQL_MAX_ROWS: '10' }
  const { service } = useCatalogue({ ...env, SPARQL_MAX_BYTES: '20000' })

  const send = (query: string) => ask(service(), query)
  const expectRecovered = async (): Promise<void> => {
    const { status, text } = await send('ASK { ?s ?p ?o }')
    expect(status, text).to.equal(200)
    expect(JSON.parse(text).boolean).to.equal(true)
  }
  const nested = (open: string, close: string, depth: number) =>
    `SELECT * { ${open.repeat(depth)} ${close.repeat(depth)} }`

  describe('is stopped', () => {
    for (const [name, query] of [
      ['takes too long to run', BOMB],
      ['takes too long to plan', PLANNING_BOMB],
    ] as const)
      it(`when it ${name}, and the next one succeeds`, async function () {
        const answer = await send(query)
        // A plan may be quick on a quick machine.
        if (query === PLANNING_BOMB && answer.status === 200) this.skip()
        expectRefused(
          answer,
          /^The query takes longer than 2 seconds\. Its pattern with the most triples, \d+, is: \?s \?p \?o$/,
        )
        await expectRecovered()
      })

    it('when it takes too much memory, and the next one succeeds', async () => {
      const pairs = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i'
      const answer = await send(`SELECT * { ${pairs} } ORDER BY ?a`)
      // Whichever comes first.
      expectRefused(answer, /more memory than there is|takes longer than/)
      await expectRecovered()
    })

    it('without delaying the REST API', async () => {
      const answered: string[] = []
      const bomb = send(BOMB).then(() => answered.push('query'))
      for (const path of ['/api/zines/zine/', '/api/zines/'])
        await service()
          .get(path)
          .then(({ status }) => answered.push(`${path} ${status}`))
      await bomb
      expect(answered).to.deep.equal(['/api/zines/zine/ 200', '/api/zines/ 200', 'query'])
      await expectRecovered()
    })
  })

  describe('is rejected before it is parsed', () => {
    for (const [name, query] of [
      ['2 KB of nested braces', nested('{', '}', 1000)],
      ['40 KB of nested braces', nested('{', '}', 20_000)],
      [
        '40 KB of nested parentheses',
        `ASK { FILTER(${'('.repeat(20_000)}1${')'.repeat(20_000)}) }`,
      ],
      ['40 KB of braces that are not closed', `SELECT * ${'{'.repeat(40_000)}`],
      ['nested calls', `ASK { FILTER(${'STR('.repeat(400)}1${')'.repeat(400)}) }`],
      ['nested collections', `ASK { ?s ?p ${'('.repeat(400)}${')'.repeat(400)} }`],
    ] as const)
      it(`when it has ${name}`, async () => {
        // A parser takes minutes, and would be stopped with another message.
        expectRefused(await send(query), /nested 64 deep/)
        await expectRecovered()
      })

    it('when it has more than 64 KiB', async () => {
      expectRefused(await send(`ASK {} # ${'x'.repeat(65_536)}`), /65536 bytes/)
    })

    it('with 413 when the body has more than 1 MiB', async () => {
      expect((await send(`ASK {} # ${'x'.repeat(2 ** 20)}`)).status).to.equal(413)
    })
  })

  describe('is rejected before it is planned', () => {
    const list = (length: number, item: (number: number) => string) =>
      Array.from({ length }, (_, number) => item(number))

    // prettier-ignore
    for (const [name, query, words] of [
      ['200 triple patterns', `SELECT * { ${list(200, (n) => `?a${n} ?b ?c .`).join(' ')} }`, /50 triple patterns/],
      ['200 triple patterns in many groups', `SELECT * { ${list(20, (n) => `{ ${list(10, (m) => `?a${n} ?b${m} ?c .`).join(' ')} }`).join(' ')} }`, /50 triple patterns/],
      ['200 filters between triple patterns', `SELECT * { ${list(60, (n) => `?a${n} ?b ?c . FILTER(?c = 1)`).join(' ')} }`, /50 triple patterns/],
      ['a path of 200 steps', `SELECT * { ?a ${list(200, () => '<p:p>').join('/')} ?b }`, /50 (steps|triple)/],
      ['a list of 200', `SELECT * { ?a ?b (${list(200, String).join(' ')}) }`, /50 triple patterns/],
      ['3,000 operators', `SELECT * { FILTER(${list(3000, () => '1').join('||')}) }`, /1000 operators/],
      ['2,000 projections', `SELECT ${list(2000, (n) => `(1 AS ?x${n})`).join(' ')} {}`, /1000 terms/],
      ['10,000 members of IN', `ASK { FILTER(1 IN (${list(10_000, () => '1').join(',')})) }`, /1000 terms/],
      ['2,000 unions', `ASK { ${list(2000, () => '{?a ?b ?c}').join('UNION')} }`, /1000 terms/],
      ['2,000 optionals', `ASK { ${list(2000, () => 'OPTIONAL{?a ?b ?c}').join(' ')} }`, /1000 terms/],
      ['500,000 comments', `ASK {} ${'#\n'.repeat(500_000)}`, /./],
      ['SERVICE', 'SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }', /SERVICE/],
      ['SERVICE SILENT', 'SELECT * { SERVICE SILENT <http://127.0.0.1:1/> { ?s ?p ?o } }', /SERVICE/],
      ['SERVICE within NOT EXISTS', 'ASK { FILTER NOT EXISTS { SERVICE ?x { ?s ?p ?o } } }', /SERVICE/],
      ['a function that is not SPARQL’s', 'SELECT (<bif:http_get>("http://127.0.0.1/") AS ?x) {}', /bif:http_get/],
      ['an aggregate that is not SPARQL’s', 'SELECT (<https://a.example/sum>(DISTINCT ?s) AS ?x) { ?s ?p ?o }', /a\.example\/sum/],
    ] as const)
      it(`with the reason when it has ${name}`, async () => {
        expectRefused(await send(query), words)
        await expectRecovered()
      })

    it('but not for casts and the functions of SPARQL', async () => {
      const { status, text } = await send(
        'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT (xsd:integer("7") AS ?x) (UCASE("é") AS ?y) (REGEX("a", "A", "i") AS ?z) {}',
      )
      expect(status, text).to.equal(200)
      const [row] = JSON.parse(text).results.bindings
      expect([row.x.value, row.y.value, row.z.value]).to.deep.equal(['7', 'É', 'true'])
    })
  })

  describe('with a limit of ten rows', () => {
    const rows = (count: number) => `{ VALUES ?x { ${'"a\\n}, {" '.repeat(count)} } }`
    const types = [
      'application/sparql-results+json',
      'application/sparql-results+xml',
      'text/csv',
      'text/tab-separated-values',
    ]
    for (const type of types)
      it(`returns ten rows but not eleven as ${type}`, async () => {
        const answer = await ask(service(), `SELECT * ${rows(10)}`, { accept: type })
        expect(answer.status, answer.text).to.equal(200)
        expectRefused(
          await ask(service(), `SELECT * ${rows(11)}`, { accept: type }),
          /^The answer has more than 10 rows/,
        )
      })

    for (const [name, query, status] of [
      ['a lower LIMIT', `SELECT * ${rows(30)} LIMIT 10`, 200],
      ['a higher LIMIT that is not reached', `SELECT * ${rows(10)} LIMIT 500`, 200],
      ['a higher LIMIT that is', `SELECT * ${rows(30)} LIMIT 500`, 400],
      ['a higher LIMIT before OFFSET', `SELECT * ${rows(30)} limit 500 OFFSET 20`, 200],
      ['OFFSET alone', `SELECT * ${rows(30)} OFFSET 20`, 200],
      ['a higher LIMIT within', `SELECT ?x { { SELECT * ${rows(30)} LIMIT 500 } }`, 400],
      ['a count of more', `SELECT (COUNT(*) AS ?c) ${rows(30)}`, 200],
      ['a comment at its end', `SELECT * ${rows(30)} # LIMIT 5`, 400],
      ['VALUES at its end', `SELECT * {} VALUES ?x { ${'1 '.repeat(30)} }`, 400],
      ['few VALUES at its end', `SELECT * {} ORDER BY ?x VALUES ?x { 1 2 }`, 200],
      ['LIMIT and VALUES at its end', `SELECT * {} LIMIT 500 VALUES ?x { 1 2 }`, 200],
      ['LIMIT in a name', `SELECT ?LIMIT ${rows(1).replace('?x', '?LIMIT')} LIMIT 11`, 200],
      ['LIMIT at its number', `SELECT * ${rows(3)} LIMIT500`, 400],
    ] as const)
      it(`answers ${status} for ${name}`, async () => {
        const answer = await send(query)
        expect(answer.status, answer.text).to.equal(status)
      })
  })

  describe('with a limit of 20,000 bytes', () => {
    const long = (length: number) => `CONCAT("${'é'.repeat(100)}"${', "é"'.repeat(length)})`

    it('does not return a larger table', async () => {
      const wide = Array.from({ length: 60 }, (_, n) => `(${long(1)} AS ?x${n})`).join(' ')
      expect((await send(`SELECT ${wide} {}`)).status).to.equal(200)
      const rows = 'VALUES ?r { 1 2 3 4 5 6 7 8 }'
      expectRefused(await send(`SELECT ${wide} { ${rows} }`), /more than 20000 bytes/)
    })

    for (const accept of ['text/turtle', 'application/n-triples', 'application/ld+json'])
      it(`does not return a larger graph as ${accept}`, async () => {
        const query = 'CONSTRUCT WHERE { ?s ?p ?o }'
        expectRefused(await ask(service(), query, { accept }), /more than 20000 bytes/)
      })
  })
})

describe('a SPARQL client', () => {
  const { service } = useCatalogue({
    SPARQL_WORKERS: '1',
    SPARQL_TIMEOUT: '2',
    TRUST_PROXY: 'true',
  })

  /** Sends endless queries from these addresses until one is refused, and then takes all of them back. */
  async function sendUntil(
    status: number,
    addressOf: (number: number) => string,
  ): Promise<Response> {
    const left = new AbortController()
    const parameters = new URLSearchParams({ query: BOMB }).toString()
    const sent: Promise<void>[] = []
    let refused: Response | undefined
    const send = async (address: string): Promise<void> => {
      const headers = { 'x-forwarded-for': address }
      const url = `${service().url}/sparql?${parameters}`
      const response = await fetch(url, { headers, signal: left.signal })
      if (response.status === status) refused ??= new Response(await response.text(), response)
    }
    while (!refused) {
      sent.push(send(addressOf(sent.length)))
      await new Promise((done) => setTimeout(done, 5))
    }
    left.abort()
    await Promise.allSettled(sent)
    return refused
  }

  it('may send 100 queries at a time, and gets all results', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        ask(service(), `SELECT (${number} AS ?x) {}`, { token: service().tokens.viewer }),
      ),
    )
    expect(answers.map(({ body }) => body.results?.bindings[0].x.value)).to.deep.equal(
      Array.from({ length: 100 }, (_, number) => String(number)),
    )
  })

  it('gets 429 with a reason for more', async () => {
    const refused = await sendUntil(429, () => '192.0.2.1')
    expect(Number(refused.headers.get('retry-after'))).to.be.above(0)
    expect(await refused.text()).to.match(/100 queries under way/)
  })

  it('waits for at most one query of another client', async () => {
    const answered: string[] = []
    const hogs = Array.from({ length: 3 }, () =>
      ask(service(), BOMB, { token: service().tokens.viewer }).then(() => answered.push('hog')),
    )
    await new Promise((done) => setTimeout(done, 200))
    const { status } = await ask(service(), 'ASK {}')
    answered.push('other')
    expect(status).to.equal(200)
    await Promise.all(hogs)
    expect(answered.indexOf('other')).to.be.at.most(1)
  })

  it('gets a Retry-After when too many queries are waiting, and is served after that', async () => {
    const refused = await sendUntil(503, (number) => `10.0.${number >> 8}.${number % 256}`)
    expect(Number(refused.headers.get('retry-after'))).to.be.above(0)
    expect(await refused.text()).to.match(/Too many queries are waiting. Try again later/)
    // That they have left is seen soon, and the one that was being answered has its time.
    await until(async () => (await ask(service(), 'ASK {}')).status === 200)
  })
})
