// The pages of the SPARQL endpoint and of the API, as a browser without scripts gets them.

import { expect } from 'chai'

import { useService } from '../../service.js'

const browser = {
  headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
}

const page = (query: string): string => `/sparql?${new URLSearchParams({ query })}`

describe('the SPARQL page', () => {
  const service = useService({ SPARQL_WORKERS: '1', SPARQL_MAX_ROWS: '2000' })

  const see = (path: string) => service().get(path, browser)

  it('answers a browser with a form, formats and examples', async () => {
    const { status, headers, text } = await see('/sparql')
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(text).to.match(/<textarea[^>]*name="query"/)
    expect(text).to.include('<option value="ntriples">N-Triples</option>')
    expect(text).to.include('Who makes perzines, and how many have they made?')
  })

  it('answers ?format=html too, and Accept: */* answers the service description', async () => {
    expect((await service().get('/sparql?format=html')).text).to.match(/^<!doctype html>/)
    const { headers } = await service().get('/sparql', { headers: { accept: '*/*' } })
    expect(headers.get('content-type')).to.match(/^text\/turtle/)
  })

  it('has a policy that allows no inline script, and one inline style by its hash', async () => {
    const policy = (await see('/sparql')).headers.get('content-security-policy') ?? ''
    expect(policy).to.include("script-src 'self';")
    expect(policy).to.match(/style-src 'self' 'sha256-[\w+/]+='/)
    expect(policy).not.to.include('unsafe')
    expect((await see('/api/zines/')).headers.get('content-security-policy')).to.include(
      "style-src 'self';",
    )
  })

  it('shows the result of the query in its address as a table', async () => {
    const query = 'SELECT ?n ?w { VALUES (?n ?w) { (1 "one"@en) (2 "two"@en) } } ORDER BY ?n'
    const { status, text } = await see(page(query))
    expect(status).to.equal(200)
    expect(text).to.match(/<th scope="col">n<\/th><th scope="col">w<\/th>/)
    expect(text).to.match(/<strong>2<\/strong> rows/)
    expect(text).to.include('<span class="text" lang="en">two</span>')
  })

  it('shows the result of ASK as Yes or No, and graphs as Turtle', async () => {
    expect((await see(page('ASK {}'))).text).to.include('<p class="truth">Yes.</p>')
    expect((await see(page('ASK { FILTER(false) }'))).text).to.include('<p class="truth">No.</p>')
    const { text } = await see(
      page('CONSTRUCT { <http://a.example/> <http://b.example/> "c" } WHERE {}'),
    )
    expect(text).to.match(
      /&lt;http:\/\/a\.example\/> &lt;http:\/\/b\.example\/> "c"|http:\/\/a\.example\//,
    )
    expect(text).to.include('format=turtle')
  })

  it('shows at most 1,000 rows and their total number', async () => {
    const ten = (name: string) => `VALUES ?${name} { 0 1 2 3 4 5 6 7 8 9 }`
    const { text } = await see(
      page(`SELECT * { ${['a', 'b', 'c'].map(ten).join(' ')} VALUES ?d { 0 1 } FILTER(?a < 6) }`),
    )
    expect(text).to.include('<strong>1,200</strong> rows, of which the first 1,000 are shown')
    expect(text.match(/<tr>/g)).to.have.length(1001)
  })

  describe('keeps the query and shows an error message', () => {
    const rejected: Readonly<Record<string, readonly [number, string, RegExp]>> = {
      'for a malformed query': [400, 'SELECT * {', /role="alert"><p>[^<]+<\/p>/],
      'for an empty query': [400, ' ', /The query is empty\./],
      'for an update': [403, 'CLEAR ALL', /takes no updates/],
      'for a result with too many rows': [
        400,
        `SELECT * { ${['a', 'b', 'c', 'd'].map((name) => `VALUES ?${name} { 0 1 2 3 4 5 6 }`).join(' ')} }`,
        /more than 2000 rows/,
      ],
    }
    for (const [title, [status, query, message]] of Object.entries(rejected))
      it(title, async () => {
        const answer = await see(page(query))
        expect(answer.status).to.equal(status)
        expect(answer.headers.get('content-type')).to.match(/^text\/html/)
        expect(answer.text).to.match(message)
        expect(answer.text).to.match(/<textarea[^>]*>/)
        expect(answer.text).to.include(query.trim())
      })
  })

  it('shows hostile queries and values as text', async () => {
    const evil = '</textarea><script>alert(1)</script><img src=x onerror=alert(2)>'
    const iri = 'javascript:alert(3)'
    const { text } = await see(
      page(
        `SELECT ("${evil}" AS ?a) (<${iri}> AS ?b) (<http://x.example/'onclick='alert(4)> AS ?c) {}`,
      ),
    )
    expect(text).not.to.include('<script>alert')
    expect(text).not.to.include('<img')
    expect(text).not.to.match(/href="javascript:/)
    expect(text.match(/<\/textarea>/g)).to.have.length(1)
    // The whole text is still readable.
    expect(text).to.include('&lt;/textarea>&lt;script>alert(1)')
    expect(text).to.include(iri)
  })

  describe('takes a query from its form', () => {
    const send = (form: Readonly<Record<string, string>>) =>
      fetch(`${service().url}/sparql`, {
        method: 'POST',
        redirect: 'manual',
        headers: browser.headers,
        body: new URLSearchParams(form),
      })
    const long = `ASK { FILTER("${'x'.repeat(20_000)}" != "y") }`

    it('and leads to its address, which can be shared', async () => {
      const answer = await send({ query: 'ASK {}', format: 'html' })
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, page('ASK {}')])
    })

    it('and answers one that is longer than an address at once', async () => {
      const answer = await send({ query: long, format: 'html' })
      expect(answer.status).to.equal(200)
      const text = await answer.text()
      expect(text).to.include('<p class="truth">Yes.</p>')
      expect(text).to.include('The query is too long for the address of a link.')
      expect(text).not.to.include('href="/sparql?query=ASK+%7B+FILTER%28%22xxx')
    })

    it('and answers in the format that was chosen, however long it is', async () => {
      for (const query of ['ASK {}', long]) {
        const answer = await send({ query, format: 'json' })
        expect(answer.headers.get('content-type')).to.match(/^application\/sparql-results\+json/)
        expect(((await answer.json()) as { boolean: boolean }).boolean).to.equal(true)
      }
    })

    it('and says what is wrong with it', async () => {
      const answer = await send({ query: `${long} {`, format: 'html' })
      expect(answer.status).to.equal(400)
      expect(await answer.text()).to.include('role="alert"')
      const missing = await send({ format: 'html', query: '' })
      expect(missing.status).to.equal(303)
    })
  })

  it('has the questions of its examples in the language of the page', async () => {
    const headers = { ...browser.headers, 'accept-language': 'es' }
    const { text } = await service().get('/sparql', { headers })
    expect(text).to.include('¿Quién hace perzines y cuántos ha hecho?')
    expect(text).not.to.include('Who makes perzines')
  })

  it('does not change the answers that programs get', async () => {
    const { headers, body } = await service().get(page('ASK {}'))
    expect(headers.get('content-type')).to.match(/^application\/sparql-results\+json/)
    expect(body.boolean).to.equal(true)
  })
})

describe('with SPARQL switched off', () => {
  const service = useService({ SPARQL_WORKERS: '0' })

  it('/sparql answers 404 and no page links to it', async () => {
    expect((await service().get('/sparql', browser)).status).to.equal(404)
    const { text } = await service().get('/api/zines/', browser)
    expect(text).not.to.include('href="/sparql"')
    expect(text).to.include('href="/api/agents/"')
  })
})

describe('the page of the API', () => {
  const service = useService()

  it('has the layout of every page and links to the description without scripts', async () => {
    const { status, headers, text } = await service().get('/api/schema/swagger-ui/', browser)
    expect(status).to.equal(200)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).to.include("script-src 'self';").and.to.include("style-src 'self';")
    expect(text).to.include('class="masthead"')
    for (const path of ['/api/schema/', '/api/schema/?format=json', '/api/schema/?format=yaml'])
      expect(text).to.include(`href="${path}"`)
  })

  it('loads only assets of this service', async () => {
    const { text } = await service().get('/api/schema/swagger-ui/', browser)
    const files = [...text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]*)"/g)]
    const program = /data-program="([^"]*)"/.exec(text)
    const paths = [...files.map(([, path = '']) => path), program?.[1] ?? '']
    expect(paths.length).to.be.greaterThan(4)
    for (const path of paths) {
      expect(path).to.match(/^\/(?:assets\/|opensearch\.xml$)/)
      expect((await service().get(path)).status, path).to.equal(200)
    }
  })
})
