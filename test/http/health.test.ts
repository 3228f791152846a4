// What those get who watch over the service: its readiness, its figures and its log.

import { Writable } from 'node:stream'

import { expect } from 'chai'
import { pino } from 'pino'

import { openService } from '../../src/app/service.js'
import { readConfig } from '../../src/config.js'
import { agent } from '../examples.js'
import { run, serve, withDirectory } from '../process.js'
import { BASE_URL, PASSWORD, startService, useService } from '../service.js'

describe('/readyz', () => {
  const service = useService({ THROTTLE_ANON: '1/hour' })

  it('says that the service can be used, to everybody and as often as they ask', async () => {
    for (let time = 0; time < 5; time += 1) {
      const { status, body, headers } = await service().get('/readyz')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({ status: 'ready' })
      expect(headers.get('cache-control')).to.equal('no-store')
    }
  })
})

describe('/metrics', () => {
  const service = useService({ SPARQL_WORKERS: '1', THROTTLE_ANON: '3/hour' })

  it('counts requests by pattern, writes, logins and queries, and what there is', async () => {
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
    const has = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      valueOf(text, name, labels)
    expect(has('http_requests_total', { method: 'POST', route: '/api/agents/', status: '201' }))
      .to //
      .equal(1)
    const read = { method: 'GET', route: '/api/agents/:id/', status: '200' }
    expect(has('http_requests_total', read)).to.equal(1)
    expect(has('http_requests_total', { route: 'none', status: '404' })).to.equal(1)
    expect(has('http_request_duration_seconds_count', { route: '/api/agents/:id/' })).to.equal(1)
    expect(has('http_throttled_total')).to.be.greaterThan(0)
    // Of the record, and of the accounts of this service.
    expect(has('commits_total', { outcome: 'written' })).to.be.greaterThan(4)
    expect(has('logins_total', { outcome: 'CredentialsError' })).to.equal(1)
    expect(has('sparql_queries_total', { outcome: 'answered' })).to.equal(1)
    expect(has('sparql_workers', { state: 'free' })).to.equal(1)
    expect(has('records', { kind: 'agents' })).to.equal(1)
    // A store elsewhere does not tell.
    if (!process.env.TEST_STORE) expect(has('quads')).to.be.greaterThan(1000)
    expect(has('memory_bytes', { part: 'rss' })).to.be.greaterThan(1e6)
    expect(has('event_loop_lag_seconds', { quantile: '1' })).to.be.greaterThan(0)
    expect(has('sessions')).to.equal(0)
    // Nobody and nothing is named.
    expect(text).not.to.match(/secret|admin|viewer|127\.0\.0\.1/)
  })

  it('is for this machine and for accounts, not for what a proxy passes on', async () => {
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

  it('is there for everybody, or for nobody, where it is set so', async () => {
    const away = { headers: { 'X-Forwarded-For': '192.0.2.1' } }
    for (const [METRICS, expected] of [
      ['open', 200],
      ['off', 404],
    ] as const) {
      const other = await startService({ METRICS })
      expect((await other.get('/metrics', away)).status).to.equal(expected)
      expect((await other.get('/metrics', { token: other.tokens.admin })).status).to.equal(expected)
      await other.stop()
    }
  })
})

describe('the log', function () {
  this.timeout(60_000)

  it('has a line for each request, and nothing that is secret', () =>
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
      await accounts.add({ name: 'ada', password: PASSWORD, role: 'admin', only: [] })
      const token = await accounts.login('ada', PASSWORD)
      const ask = (path: string, init: RequestInit = {}) => fetch(url + path, init)
      const json = { 'content-type': 'application/json' }
      const credentials = JSON.stringify({ username: 'ada', password: PASSWORD })
      await ask('/api/auth/token/', { method: 'POST', headers: json, body: credentials })
      const written = await ask('/api/agents/', {
        method: 'POST',
        headers: { ...json, authorization: `Token ${token}`, 'x-request-id': 'from-client-1' },
        body: JSON.stringify(agent('dot', { public: false, legal_name: 'Hidden Name' })),
      })
      expect(written.headers.get('x-request-id')).to.equal('from-client-1')
      const odd = await ask(`/api/agents/?search=term&${token}&password=${PASSWORD}`, {
        headers: { cookie: 'session=biscuit', 'x-request-id': 'no good\tid' },
      })
      const made = odd.headers.get('x-request-id') ?? ''
      expect(made).to.match(/^[0-9a-f-]{36}$/)
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
      expect(requests[2]).to.include({ id: made, status: 200 })
      expect(requests[2]?.query).to.deep.equal(['search', '?', 'password'])
      const all = lines.join('')
      for (const secret of [token, PASSWORD, 'biscuit', 'Hidden', 'term'])
        expect(all).not.to.include(secret)
    }))

  it('is written by the process to its end, and says what went wrong with the same identifier', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory, SPARQL_WORKERS: '0' })
      const answer = await fetch(`${service.url}/api/zines/none/`)
      const id = answer.headers.get('x-request-id') ?? ''
      const { out } = await service.end('SIGTERM')
      expect(out).to.include(`"id":"${id}"`)
      const silent = await run([], { METRICS: 'everybody' })
      expect(silent.err).to.include('METRICS').and.include('off, local, open')
    }))
})

/** The sum of the figures of this name that have these labels. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const lines = text
    .split('\n')
    .filter((line) => new RegExp(`^zine_catalogue_${name}[ {]`).test(line))
    .filter((line) => wanted.every((pair) => line.includes(pair)))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
