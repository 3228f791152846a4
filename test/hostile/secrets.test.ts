// What must not be told: passwords and tokens, in any answer, line of the log, export or dump, however a
// request goes wrong; and whose address a request has, which no header changes unless a proxy is trusted.

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { pino } from 'pino'

import { useCatalogue } from '../http/catalogue.js'
import { type Answer, PASSWORD, startService, useService } from '../service.js'
import { routes } from './routes.js'

const WRONG = 'hunter2-Wrong-Passphrase'

describe('Passwords and tokens', function () {
  this.timeout(60_000)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' }, { log })

  const secrets = () => [PASSWORD, WRONG, ...Object.values(service().tokens)]

  function expectUntold(text: string, what: string): void {
    for (const secret of secrets()) expect(text, what).not.to.include(secret)
  }

  const login = (raw: string): Promise<Answer> =>
    service().ask('POST', '/api/auth/token/', { raw, token: null })

  // JSON.parse quotes what it could not read, and that was the password.
  for (const raw of [
    `{"username": "admin", "password": ${WRONG}}`,
    `{"username": "admin", "password": "${WRONG}}`,
    `{"username": "admin", "password": "${WRONG}"`,
    `{"username": "admin", "password": '${WRONG}'}`,
    `{"password": "${WRONG}", }`,
    WRONG,
    `"${WRONG}"`,
    `["${WRONG}"]`,
    `{"username": "${WRONG}", "password": "x"}`,
    `{"username": "admin", "password": "${WRONG}"}`,
    `{"username": "admin", "password": ["${WRONG}"]}`,
    `username=admin&password=${WRONG}`,
  ])
    it(`are not repeated to who sends ${raw}`, async () => {
      const { status, text } = await login(raw)
      expect(status).to.equal(400)
      expectUntold(text, raw)
    })

  it('are in no answer but the one to a login', async () => {
    for (const { at, path } of routes)
      for (const token of [null, service().tokens.admin]) {
        const headers = token ? { authorization: `Token ${token}` } : {}
        const init = { headers, redirect: 'manual' } as const
        const answer = await fetch(`${service().url}${at}`, init)
        const bytes = Buffer.from(await answer.arrayBuffer())
        const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString()
        expectUntold(`${JSON.stringify([...answer.headers])}${text}`, path)
      }
  })

  it('are in no refusal', async () => {
    for (const value of [`Token ${WRONG}`, `Token ${WRONG} x`, `Basic ${WRONG}`, WRONG]) {
      const { text } = await service().ask('POST', '/api/zines/', {
        token: null,
        headers: { authorization: value },
      })
      expectUntold(text, value)
    }
  })

  it('are in no line of the log', () => {
    log.trace('The log is kept.')
    expect(lines).not.to.be.empty
    for (const line of lines) expectUntold(line, 'the log')
  })

  it('come with an order to keep them nowhere', async () => {
    const { status, headers } = await login(
      JSON.stringify({ username: 'viewer', password: PASSWORD }),
    )
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store'])
  })
})

describe('An address in a header', () => {
  const forwarding = [
    'x-forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'forwarded',
  ]
  const service = useService({ THROTTLE_ANON: '5/hour' })

  it('is nobody’s without TRUST_PROXY', async () => {
    for (let time = 0; time < 5; time++) await service().get('/api/zines/')
    for (const name of forwarding)
      for (const value of ['203.0.113.9', '127.0.0.1', '::1', 'for=203.0.113.9']) {
        const { status } = await service().get('/api/zines/', { headers: { [name]: value } })
        expect(status, `${name}: ${value}`).to.equal(429)
      }
  })

  it('with TRUST_PROXY is the one that the proxy wrote, and not those before it', async () => {
    const trusting = await startService({ THROTTLE_ANON: '3/hour', TRUST_PROXY: 'true' })
    try {
      const statuses = []
      for (let time = 0; time < 5; time++) {
        const headers = { 'x-forwarded-for': `198.51.100.${time}, 203.0.113.9` }
        statuses.push((await trusting.get('/api/zines/', { headers })).status)
      }
      expect(statuses).to.deep.equal([200, 200, 200, 429, 429])
      const headers = { 'x-forwarded-for': '203.0.113.10' }
      expect((await trusting.get('/api/zines/', { headers })).status).to.equal(200)
    } finally {
      await trusting.stop()
    }
  })
})

describe('Headers that keep browsers from guessing', () => {
  const service = useService({ SPARQL_WORKERS: '1' })

  it('are on every answer, right or wrong', async () => {
    for (const { at } of routes)
      for (const [method, path] of [
        ['GET', at],
        ['OPTIONS', at],
        ['POST', at],
        ['GET', `${at}?format=nothing`],
        ['GET', `${at}/nothing/at/all`],
      ] as const) {
        const { headers } = await service().ask(method, path, { token: null })
        expect(headers.get('x-content-type-options'), `${method} ${path}`).to.equal('nosniff')
        expect(headers.get('referrer-policy'), `${method} ${path}`).to.equal('same-origin')
        expect(headers.has('x-powered-by')).to.equal(false)
        expect(headers.has('server')).to.equal(false)
      }
  })
})
