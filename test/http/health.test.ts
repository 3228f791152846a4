// Tests what operators see of the service: /healthz, /readyz, /metrics and the log. /healthz is tested in
// requests.test.ts too.

import { Writable } from 'node:stream'

import { expect } from 'chai'
import { pino } from 'pino'

import { openService } from '../../src/app/service.js'
import { readConfig } from '../../src/config.js'
import { agent } from '../examples.js'
import { withDirectory } from '../process.js'
import { BASE_URL, PASSWORD, startService, useService } from '../service.js'
import { sendRaw } from './raw-socket.js'

describe('GET /readyz', () => {
  const service = useService({ THROTTLE_ANON: '1/hour' })

  it('answers 200 without a token, uncached and never throttled', async () => {
    for (let time = 0; time < 5; time += 1) {
      const { status, body, headers } = await service().get('/readyz')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({ status: 'ready' })
      expect(headers.get('cache-control')).to.equal('no-store')
    }
  })
})

describe('GET /healthz', () => {
  it('answers 200 before the records are loaded for SPARQL queries, which wait for them', async function () {
    // Over a remote store, nothing is loaded for them.
    if (process.env.TEST_STORE !== undefined) this.skip()
    const service = await startService({ SPARQL_WORKERS: '1' })
    const { text } = await service.get('/metrics')
    expect(sumOf(text, 'sparql_workers', { state: 'free' })).to.equal(0)
    expect((await service.get('/healthz')).status).to.equal(200)
    const query = `/sparql?query=${encodeURIComponent('ASK {}')}`
    let { status } = await service.get(query)
    while (status === 503) ({ status } = await service.get(query))
    expect(status).to.equal(200)
    await service.stop()
  })
})

describe('/healthz, /readyz, /metrics and files of pages', () => {
  const service = useService()

  it('are read alone: other methods answer 405, and OPTIONS says which there are', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/assets/site.css']) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status, body, headers } = await service().ask(method, path)
        expect([status, headers.get('allow')], path).to.deep.equal([405, 'GET, HEAD, OPTIONS'])
        expect(body).to.deep.equal({ detail: `Method "${method}" not allowed.` })
      }
      const { status, headers } = await service().ask('OPTIONS', path)
      expect([status, headers.get('allow')], path).to.deep.equal([200, 'GET, HEAD, OPTIONS'])
      expect((await service().get(path)).status).to.equal(200)
    }
    expect((await service().ask('POST', '/assets/nothing.css')).status).to.equal(404)
  })

  it('answer a request without a host with an error in JSON, as HTTP/1.1 asks for', async () => {
    const { head, body } = await sendRaw(service().url, ['GET /healthz HTTP/1.1'])
    expect(head).to.match(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(body)).to.deep.equal({ detail: 'Bad host.' })
  })
})

describe('GET /metrics', () => {
  const service = useService({ SPARQL_WORKERS: '1', THROTTLE_ANON: '3/hour' })

  it('shows requests by route, commits, logins, queries and records, and no secret', async () => {
    await service().post('/api/agents/', agent('secret-id'))
    await service().get('/api/agents/secret-id/', { token: service().tokens.viewer })
    await service().get('/nowhere/secret-path')
    await service().post('/api/auth/token/', { username: 'admin', password: 'wrong' })
    const query = `/sparql?query=${encodeURIComponent('ASK {}')}`
    await service().get(query, { token: service().tokens.viewer })
    for (let time = 0; time < 4; time += 1) await service().get('/api/zines/')

    const { status, headers, text } = await service().get('/metrics')
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/)
    const metric = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      sumOf(text, name, labels)
    expect(metric('http_requests_total', { method: 'POST', route: '/api/agents/', status: '201' }))
      .to //
      .equal(1)
    const read = { method: 'GET', route: '/api/agents/:id/', status: '200' }
    expect(metric('http_requests_total', read)).to.equal(1)
    expect(metric('http_requests_total', { route: 'none', status: '404' })).to.equal(1)
    expect(metric('http_request_duration_seconds_count', { route: '/api/agents/:id/' })).to.equal(1)
    expect(metric('http_throttled_total')).to.be.greaterThan(0)
    // One commit for the record, the others for the accounts of this service.
    expect(metric('commits_total', { outcome: 'written' })).to.be.greaterThan(4)
    expect(metric('logins_total', { outcome: 'CredentialsError' })).to.equal(1)
    expect(metric('sparql_queries_total', { outcome: 'answered' })).to.equal(1)
    // While a query takes long, as on a busy machine, an extra worker is kept free.
    expect(metric('sparql_workers', { state: 'free' })).to.be.greaterThan(0)
    expect(metric('records', { kind: 'agents' })).to.equal(1)
    // A remote store does not report its number of quads.
    if (!process.env.TEST_STORE) expect(metric('quads')).to.be.greaterThan(1000)
    expect(metric('memory_bytes', { part: 'rss' })).to.be.greaterThan(1e6)
    expect(metric('event_loop_lag_seconds', { quantile: '1' })).to.be.greaterThan(0)
    expect(metric('sessions')).to.equal(0)
    // No label holds an identifier, a user name or an IP address.
    expect(text).not.to.match(/secret|admin|viewer|127\.0\.0\.1/)
  })

  it('answers 404 to scripts of other sites, and has no CORS headers', async () => {
    for (const token of [null, service().tokens.viewer]) {
      const headers = { origin: 'https://evil.example' }
      expect((await service().get('/metrics', { token, headers })).status).to.equal(404)
      const answer = await service().get('/metrics', { token })
      expect(answer.status).to.equal(200)
      expect(answer.headers.has('access-control-allow-origin')).to.equal(false)
    }
  })

  it('answers requests from this machine or with a token, and 404 to those that a proxy forwards', async () => {
    const { viewer } = service().tokens
    // prettier-ignore
    const cases = [
      [200, {},                                       null],
      [404, { 'X-Forwarded-For': '192.0.2.1' },       null],
      [404, { 'X-Real-IP': '192.0.2.1' },             null],
      [404, { Forwarded: 'for=192.0.2.1' },           null],
      [404, { Via: '1.1 proxy' },                     null],
      [200, { 'X-Forwarded-For': '192.0.2.1' },       viewer],
      [401, { 'X-Forwarded-For': '192.0.2.1' },       '0'.repeat(40)],
    ] as const
    for (const [expected, headers, token] of cases) {
      const { status } = await service().get('/metrics', { headers, token })
      expect(status, JSON.stringify(headers)).to.equal(expected)
    }
  })

  it('answers everybody with METRICS=open, and 404 to everybody with METRICS=off', async () => {
    const forwarded = { headers: { 'X-Forwarded-For': '192.0.2.1' } }
    for (const [METRICS, expected] of [
      ['open', 200],
      ['off', 404],
    ] as const) {
      const other = await startService({ METRICS })
      expect((await other.get('/metrics', forwarded)).status).to.equal(expected)
      expect((await other.get('/metrics', { token: other.tokens.admin })).status).to.equal(expected)
      await other.stop()
    }
  })
})

describe('the log', () => {
  it('has a line for each request, without passwords, tokens, cookies and search terms', () =>
    withDirectory(async (directory) => {
      const lines: string[] = []
      const sink = new Writable({
        write(chunk: Buffer, _, done) {
          lines.push(String(chunk))
          done()
        },
      })
      const config = readConfig({ PORT: '0', BASE_URL, DATA_DIR: directory, SPARQL_WORKERS: '0' })
      const service = await openService(config, { passwordCost: 2 ** 10, log: pino(sink) })
      const { accounts, url } = service
      await accounts.add({ name: 'ada', password: PASSWORD, role: 'admin', restrictedTo: [] })
      const token = await accounts.login('ada', PASSWORD)
      const request = (path: string, init: RequestInit = {}) => fetch(url + path, init)
      const json = { 'content-type': 'application/json' }
      const credentials = JSON.stringify({ username: 'ada', password: PASSWORD })
      await request('/api/auth/token/', { method: 'POST', headers: json, body: credentials })
      const written = await request('/api/agents/', {
        method: 'POST',
        headers: { ...json, authorization: `Token ${token}`, 'x-request-id': 'from-client-1' },
        body: JSON.stringify(agent('dot', { public: false, legal_name: 'Hidden Name' })),
      })
      expect(written.headers.get('x-request-id')).to.equal('from-client-1')
      const withInvalidId = await request(
        `/api/agents/?search=term&${token}&password=${PASSWORD}`,
        {
          headers: { cookie: 'session=biscuit', 'x-request-id': 'no good\tid' },
        },
      )
      const generatedId = withInvalidId.headers.get('x-request-id') ?? ''
      expect(generatedId).to.match(/^[0-9a-f-]{36}$/)
      await service.close()

      const requests = lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'request')
      expect(requests).to.have.length(3)
      expect(requests[1]).to.include({
        id: 'from-client-1',
        method: 'POST',
        path: '/api/agents/',
        route: '/api/agents/',
        status: 201,
        account: 'ada',
        aborted: false,
      })
      expect(requests[1]?.milliseconds).to.be.greaterThan(0)
      expect(requests[1]?.bytes).to.be.greaterThan(100)
      expect(requests[2]).to.include({ id: generatedId, status: 200 })
      expect(requests[2]?.query).to.deep.equal(['search', '?', 'password'])
      const all = lines.join('')
      for (const secret of [token, PASSWORD, 'biscuit', 'Hidden', 'term'])
        expect(all).not.to.include(secret)
    }))
})

/** The sum of the samples of this metric that have these labels. */
function sumOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const labelPairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const lines = text
    .split('\n')
    .filter((line) => new RegExp(`^zine_catalogue_${name}[ {]`).test(line))
    .filter((line) => labelPairs.every((pair) => line.includes(pair)))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
