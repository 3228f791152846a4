// Passwords, tokens and session keys appear in no response, log line, metric, export or dump, however a
// request goes wrong. Also: no header changes the IP address of a client unless a proxy is trusted, and
// every response has the headers that keep browsers from guessing types.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { pino } from 'pino'

import { csrfOf } from '../../src/accounts/sessions.js'
import { ACCEPT, browse, type Browser } from '../views/browser.js'
import { useCatalogue } from '../http/catalogue.js'
import { type Answer, PASSWORD, startService, useService } from '../service.js'
import { routes } from './routes.js'

const WRONG = 'hunter2-Wrong-Passphrase'

describe('a password or token', () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' }, { log })

  const secrets = () => [PASSWORD, WRONG, ...Object.values(service().tokens)]

  function expectNoSecret(text: string, what: string): void {
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
    it(`is not repeated in the response to a login with the body ${raw}`, async () => {
      const { status, text } = await login(raw)
      expect(status).to.equal(400)
      expectNoSecret(text, raw)
    })

  it('appears in no response to a read', async () => {
    for (const { at, path } of routes)
      for (const token of [null, service().tokens.admin]) {
        const headers = token ? { authorization: `Token ${token}` } : {}
        const init = { headers, redirect: 'manual' } as const
        const answer = await fetch(`${service().url}${at}`, init)
        const bytes = Buffer.from(await answer.arrayBuffer())
        const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString()
        expectNoSecret(`${JSON.stringify([...answer.headers])}${text}`, path)
      }
  })

  it('appears in no response that rejects an Authorization header', async () => {
    for (const value of [`Token ${WRONG}`, `Token ${WRONG} x`, `Basic ${WRONG}`, WRONG]) {
      const { text } = await service().ask('POST', '/api/zines/', {
        token: null,
        headers: { authorization: value },
      })
      expectNoSecret(text, value)
    }
  })

  it('appears in no log line', () => {
    log.trace('The log is kept.')
    expect(lines).not.to.be.empty
    for (const line of lines) expectNoSecret(line, 'the log')
  })

  it('is sent with Cache-Control: no-store', async () => {
    const { status, headers } = await login(
      JSON.stringify({ username: 'viewer', password: PASSWORD }),
    )
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'no-store'])
  })
})

describe('a session key or CSRF token', () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' }, { log })
  const cookie = '__Host-zine_session'

  /** Every secret of this test: in cookies, in forms, typed as passwords, or given to accounts. */
  const secrets = new Map<string, string>([
    [PASSWORD, 'the password'],
    [WRONG, 'a wrong password'],
  ])
  const browsers = new Map<string, Browser>()

  /** Adds the session key of a browser and its CSRF token to the secrets. */
  function noteSecrets(who: string, browser: Browser): Browser {
    const key = browser.cookies.get(cookie)
    if (key !== undefined) {
      secrets.set(key, `the key of ${who}`)
      secrets.set(csrfOf(key), `the token of the forms of ${who}`)
    }
    return browser
  }

  const browserOf = (who: string): Browser => {
    const browser = browsers.get(who)
    if (!browser) throw new Error(`${who} has no browser`)
    return browser
  }

  before(async () => {
    const { tokens, url } = service()
    for (const [who, token] of Object.entries(tokens)) secrets.set(token, `the token of ${who}`)
    const visitor = browse(url)
    await visitor.get('/manage/login')
    browsers.set('a visitor', noteSecrets('a visitor', visitor))
    for (const who of ['viewer', 'editor', 'admin']) {
      const browser = browse(url)
      await browser.get('/manage/login')
      noteSecrets(`${who}, before`, browser)
      expect((await browser.signIn(who)).status).to.equal(303)
      browsers.set(who, noteSecrets(who, browser))
    }
  })

  /** @param own the secrets of the client itself, which its response may contain */
  function expectNoSecret(text: string, where: string, own: readonly string[] = []): void {
    for (const [secret, what] of secrets)
      if (!own.includes(secret) && text.includes(secret)) expect.fail(`${what} is in ${where}`)
  }

  const csrfIn = (browser: Browser): string => csrfOf(browser.cookies.get(cookie) ?? '')

  const contentOf = (answer: { readonly headers: Headers; readonly text: string }): string =>
    `${JSON.stringify([...answer.headers])}\n${answer.text}`

  it('appears in no page but the CSRF token of the browser itself', async () => {
    for (const [who, browser] of browsers)
      for (const { at, path } of routes) {
        const answer = await fetch(service().url + at, {
          headers: { accept: ACCEPT, cookie: browser.cookie() },
          redirect: 'manual',
        })
        const bytes = Buffer.from(await answer.arrayBuffer())
        const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString()
        const own = [csrfIn(browser)]
        // These pages show the token to its owner and to administrators.
        if (path === '/manage/account') own.push(service().tokens[who as 'admin'])
        if (path === '/manage/accounts/:name') own.push(service().tokens.viewer)
        expectNoSecret(contentOf({ headers: answer.headers, text }), `${path} for ${who}`, own)
      }
  })

  it('appears in no response that is not a page, which sets no cookie either', async () => {
    for (const [who, browser] of browsers)
      for (const { at, path } of routes.filter(({ path }) => !path.startsWith('/manage/')))
        for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
          const answer = await service().ask(method, at, {
            token: null,
            headers: { cookie: browser.cookie(), accept: 'application/json' },
          })
          expect(answer.headers.getSetCookie(), `${method} ${path}`).to.be.empty
          if (!path.includes('swagger'))
            expectNoSecret(contentOf(answer), `${method} ${path} for ${who}`)
        }
  })

  it('appears in no page that rejects a form', async () => {
    const key = browserOf('editor').cookies.get(cookie) ?? ''
    const csrf = csrfOf(key)
    for (const [who, browser] of browsers)
      for (const { at, path } of routes.filter(({ uses }) => 'POST' in uses)) {
        const forms: readonly [Record<string, string>, Record<string, string>][] = [
          [{ username: 'admin', password: WRONG, next: '/' }, {}],
          [{ username: 'admin', password: WRONG, csrf_token: csrfIn(browser) }, {}],
          [{ csrf_token: csrf, do: 'password', current: WRONG, next: PASSWORD, password: 'x' }, {}],
          [{ csrf_token: csrfIn(browser), do: 'password', current: WRONG, next: PASSWORD }, {}],
          [{ csrf_token: csrfIn(browser), password: WRONG, role: 'x', name: 'x' }, {}],
          [{ csrf_token: csrfIn(browser) }, { origin: 'https://elsewhere.example' }],
          [{ csrf_token: csrfIn(browser) }, { 'content-type': 'application/json' }],
        ]
        if (path === '/manage/logout') continue
        for (const [form, headers] of forms) {
          const answer = await browser.ask('POST', at, form, headers)
          const own = [csrfIn(browser)]
          if (path === '/manage/account') own.push(service().tokens[who as 'admin'])
          if (path === '/manage/accounts/:name') own.push(service().tokens.viewer)
          expectNoSecret(
            contentOf(answer),
            `POST ${path} by ${who}: ${Object.keys(form).join()}`,
            own,
          )
        }
      }
  })

  it('appears in no response to a request that has it in a wrong header or parameter', async () => {
    const key = browserOf('admin').cookies.get(cookie) ?? ''
    for (const headers of [
      { cookie: `zine_session=${key}` },
      { cookie: `${cookie}="${key}"` },
      { cookie: `${cookie}=${key}x; other=${csrfOf(key)}` },
      { cookie: `${cookie}=${key.slice(1)}` },
      { authorization: `Token ${key}` },
      { authorization: `Bearer ${key}` },
      { 'x-csrf-token': csrfOf(key), cookie: `${cookie}=${key}` },
      { 'x-request-id': `${key} ${csrfOf(key)}` },
      { 'if-none-match': key },
      { referer: `https://zines.example/?csrf_token=${csrfOf(key)}` },
    ])
      for (const path of ['/api/zines/', '/api/zines/none/', '/manage/account', '/nowhere']) {
        for (const accept of [ACCEPT, 'application/json', 'image/png']) {
          const all = { accept, ...headers } as Record<string, string>
          const answer = await service().get(path, { headers: all })
          // One of these cookies is valid and shows the own account.
          const own = [csrfOf(key), ...(path === '/manage/account' ? [service().tokens.admin] : [])]
          expectNoSecret(contentOf(answer), `${path} with ${Object.keys(headers).join()}`, own)
        }
        await service().post(path, {}, { token: null, headers })
      }
    // A form that was sent by GET is answered, and its values are not logged.
    for (const name of ['csrf_token', 'password', key, 'q'])
      await service().get(`/api/zines/?${name}=${csrfOf(key)}&token=${key}`)
  })

  it('is no longer accepted after signing out', async () => {
    const browser = noteSecrets('a second one', browse(service().url))
    await browser.signIn('viewer')
    const former = noteSecrets('a second one', browser).cookies.get(cookie) ?? ''
    const csrf_token = csrfOf(former)
    expect((await browser.ask('POST', '/manage/logout', { csrf_token })).status).to.equal(303)
    expect(browser.cookies.has(cookie)).to.equal(false)
    browser.cookies.set(cookie, former)
    expect((await browser.get('/manage/account')).status).to.equal(303)
  })

  it('appears in no metric', async () => {
    const { status, text } = await service().get('/metrics')
    expect(status).to.equal(200)
    expect(text).to.match(/zine_catalogue_sessions [1-9]/)
    expectNoSecret(text, '/metrics')
  })

  it('is in no file of the data directory in clear text', async () => {
    const { dataDir } = service()
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).to.include('CURRENT')
    for (const { parentPath, name } of files)
      expectNoSecret((await readFile(join(parentPath, name))).toString('latin1'), name)
  })

  it('appears in no log line at the level trace', () => {
    const requests = lines.filter((line) => line.includes('"request"'))
    expect(requests).to.have.length.above(500)
    for (const line of lines) expectNoSecret(line, `the log: ${line}`)
  })
})

describe('the IP address of a client', () => {
  const forwarding = [
    'x-forwarded-for',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'forwarded',
  ]
  const service = useService({ THROTTLE_ANON: '5/hour' })

  it('is not read from any header without TRUST_PROXY', async () => {
    for (let time = 0; time < 5; time++) await service().get('/api/zines/')
    for (const name of forwarding)
      for (const value of ['203.0.113.9', '127.0.0.1', '::1', 'for=203.0.113.9']) {
        const { status } = await service().get('/api/zines/', { headers: { [name]: value } })
        expect(status, `${name}: ${value}`).to.equal(429)
      }
  })

  it('is, with TRUST_PROXY, the last one in X-Forwarded-For', async () => {
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

describe('X-Content-Type-Options and Referrer-Policy', () => {
  const service = useService({ SPARQL_WORKERS: '1' })

  it('are set on every response, also on errors', async () => {
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
