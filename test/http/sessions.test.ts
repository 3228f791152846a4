// Tests browser sessions with a small HTTP app of three endpoints: which cookies are set, which
// forms are accepted, and where a session is valid. The pages to log in are tested in test/views.

import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Accounts, loadAccounts } from '../../src/accounts/accounts.js'
import { csrfOf, openSessions } from '../../src/accounts/sessions.js'
import { readConfig } from '../../src/config.js'
import { loadAssets } from '../../src/http/middleware/static-files.js'
import { createHttpApp } from '../../src/http/app.js'
import { createTokenAuthentication } from '../../src/http/request/authentication.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import type { RequestContext } from '../../src/http/context.js'
import { json } from '../../src/formats/common-formats.js'
import { BrowserSessions, csrfField } from '../../src/http/request/session-cookies.js'
import { type KeyValueStore, openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'

const password = 'correct horse battery staple'

/** The endpoints of the app: a page that shows the account of the session, and two forms. */
const createEndpoints = (accounts: Accounts, browsers: BrowserSessions): readonly Endpoint[] => {
  const showAccount = (ctx: RequestContext): void => {
    ctx.body = { account: ctx.state.account?.name ?? null, csrf: browsers.csrfOf(ctx) }
  }
  return [
    {
      path: '/page/',
      name: 'Page',
      description: '',
      formats: [json],
      anonymousWrite: true,
      htmlHandler: showAccount,
      methods: {
        GET: showAccount,
        POST(ctx) {
          browsers.verifyCsrf(ctx, new URLSearchParams(ctx.querystring))
          ctx.body = { account: browsers.sessionOf(ctx)?.account.name ?? null }
        },
      },
    },
    {
      path: '/login/',
      name: 'Login',
      description: '',
      formats: [json],
      anonymousWrite: true,
      methods: {
        async POST(ctx) {
          const form = new URLSearchParams(ctx.querystring)
          browsers.verifyCsrf(ctx, form)
          const account = await accounts.verifyLogin(form.get('name') ?? '', password, ctx.ip)
          await browsers.logIn(ctx, account)
          ctx.status = 204
        },
        async DELETE(ctx) {
          await browsers.logOut(ctx)
          ctx.status = 204
        },
      },
    },
    {
      path: '/record/',
      name: '',
      description: '',
      formats: [json],
      methods: { POST: () => undefined },
    },
  ]
}

describe('a browser session', () => {
  let directory: string
  let store: KeyValueStore
  let accounts: Accounts
  let server: Server

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'browser-'))
    store = await openKeyValueStore(join(directory, 'store'))
    accounts = await loadAccounts(store, join(directory, 'token.key'), { passwordCost: 2 ** 10 })
    await accounts.ensureAdmin('ada', password)
  })

  after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  async function start(env: Readonly<Record<string, string>>): Promise<void> {
    const config = readConfig(env)
    const sessions = await openSessions(store, accounts, { idle: config.sessionIdle })
    const browsers = new BrowserSessions(sessions, config.baseUrl)
    const app = createHttpApp({
      endpoints: createEndpoints(accounts, browsers),
      assets: await loadAssets([]),
      authenticate: createTokenAuthentication(accounts),
      sessionOf: (ctx) => browsers.sessionOf(ctx),
      config,
      onError: (error) => {
        throw error
      },
    })
    server = createServer(app).listen(0)
    await once(server, 'listening')
  }

  const stop = () => new Promise((stopped) => server.close(stopped))

  /** A browser that keeps its cookies. `alwaysSent` are headers of all its requests. */
  function createBrowser(alwaysSent: Readonly<Record<string, string>> = {}) {
    const cookies = new Map<string, string>()
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    const setCookieHeaders: string[] = []

    async function ask(method: string, path: string, headers: Record<string, string> = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const accept = { accept: 'text/html, */*', ...(cookie ? { cookie } : {}) }
      const response = await fetch(origin + path, {
        method,
        headers: { ...accept, ...alwaysSent, ...headers },
      })
      for (const header of response.headers.getSetCookie()) {
        setCookieHeaders.push(header)
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
        if (header.includes('expires=Thu, 01 Jan 1970')) cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
    }

    const read = (headers?: Record<string, string>) => ask('GET', '/page/', headers)
    const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
      ask('POST', `${path}?${new URLSearchParams(fields).toString()}`, headers)
    const token = async () => (await read()).body.csrf as string

    return {
      origin,
      cookies,
      setCookieHeaders,
      ask,
      read,
      post,
      token,
      logIn: async () => post('/login/', { name: 'ada', [csrfField]: await token() }),
    }
  }

  describe('over http', () => {
    before(() => start({ BASE_URL: 'http://zines.example' }))
    after(stop)

    it('is opened by a login form with a valid CSRF token and is then valid on pages', async () => {
      const browser = createBrowser()
      expect((await browser.read()).body.account).to.equal(null)
      expect((await browser.logIn()).status).to.equal(204)
      const { body, headers } = await browser.read()
      expect(body.account).to.equal('ada')
      expect(headers.get('vary')).to.include('Cookie')
    })

    it('is in a cookie that is httponly and samesite=lax', async () => {
      const browser = createBrowser()
      await browser.logIn()
      expect(browser.setCookieHeaders.at(-1)).to.match(
        /^zine_session=[\w-]{43}; path=\/; samesite=lax; httponly$/,
      )
    })

    it('gets a new key at login, so that a planted cookie is useless', async () => {
      const browser = createBrowser()
      await browser.read()
      const before = browser.cookies.get('zine_session')
      await browser.logIn()
      const first = browser.cookies.get('zine_session')
      expect(first).not.to.equal(before)
      await browser.logIn()
      const stolen = { cookie: `zine_session=${first ?? ''}` }
      expect((await createBrowser().read(stolen)).body.account).to.equal(null)
      expect((await browser.read()).body.account).to.equal('ada')
    })

    it('ends with a logout, in the browser and on the server', async () => {
      const browser = createBrowser()
      await browser.logIn()
      const cookie = `zine_session=${browser.cookies.get('zine_session') ?? ''}`
      await browser.ask('DELETE', '/login/')
      expect([...browser.cookies]).to.be.empty
      expect((await createBrowser().read({ cookie })).body.account).to.equal(null)
    })

    it('ends when the account is disabled', async () => {
      await accounts.ensureAdmin('eve', password)
      const browser = createBrowser()
      await browser.post('/login/', { name: 'eve', [csrfField]: await browser.token() })
      expect((await browser.read()).body.account).to.equal('eve')
      await accounts.disable('eve')
      expect((await browser.read()).body.account).to.equal(null)
    })

    it('is not valid for JSON, neither to read nor to write', async () => {
      const browser = createBrowser()
      await browser.logIn()
      const asJson = { accept: 'application/json' }
      expect((await browser.read(asJson)).body.account).to.equal(null)
      expect((await browser.ask('POST', '/record/', asJson)).status).to.equal(401)
    })

    it('is not used when the request has a token', async () => {
      const browser = createBrowser()
      await browser.logIn()
      const authorization = `Token ${'f'.repeat(40)}`
      expect((await browser.read({ authorization })).status).to.equal(401)
    })

    for (const key of ['x', 'x'.repeat(43), 'x'.repeat(4000)])
      it(`is not opened by an invented cookie of ${key.length} characters`, async () => {
        const { status, body } = await createBrowser().read({ cookie: `zine_session=${key}` })
        expect([status, body.account]).to.deep.equal([200, null])
      })

    describe('protects forms:', () => {
      it('a POST with the CSRF token is accepted', async () => {
        const browser = createBrowser()
        await browser.logIn()
        const { status, body } = await browser.post('/page/', {
          [csrfField]: await browser.token(),
        })
        expect([status, body.account]).to.deep.equal([200, 'ada'])
      })

      it('a POST with the CSRF token of an ended session is accepted, so that its input is not lost', async () => {
        const browser = createBrowser()
        await browser.logIn()
        const token = await browser.token()
        await accounts.setPassword('ada', password)
        const { status, body } = await browser.post('/page/', { [csrfField]: token })
        expect([status, body.account]).to.deep.equal([200, null])
      })

      const forged = [
        ['without a token', {}, {}],
        ['with an empty token', { [csrfField]: '' }, {}],
        ['with the token of another browser', { [csrfField]: csrfOf('x'.repeat(43)) }, {}],
      ] as const
      for (const [description, fields] of forged)
        it(`a POST ${description} answers 403`, async () => {
          const browser = createBrowser()
          await browser.logIn()
          const { status, body } = await browser.post('/page/', fields)
          expect(status).to.equal(403)
          expect(body.detail).to.match(/^This form did not come from here/)
        })

      it('a POST without a cookie answers 403', async () => {
        const token = await createBrowser().token()
        expect((await createBrowser().post('/page/', { [csrfField]: token })).status).to.equal(403)
      })

      const origins = (own: string) =>
        [
          [{ origin: own }, 200],
          [{ origin: 'http://zines.example' }, 200],
          [{ origin: 'https://zines.example' }, 403],
          [{ origin: 'https://evil.example' }, 403],
          [{ origin: 'null' }, 403],
          [{ 'sec-fetch-site': 'same-origin' }, 200],
          [{ 'sec-fetch-site': 'none' }, 200],
          [{ 'sec-fetch-site': 'same-site' }, 403],
          [{ 'sec-fetch-site': 'cross-site' }, 403],
        ] as const
      for (const [index, [headers, expected]] of origins('our own').entries())
        it(`a POST with the header ${JSON.stringify(headers)} answers ${expected}`, async () => {
          const browser = createBrowser()
          const [sent] = origins(browser.origin)[index] ?? []
          const fields = { [csrfField]: await browser.token() }
          expect((await browser.post('/page/', fields, sent)).status).to.equal(expected)
        })
    })
  })

  describe('over https', () => {
    const secure = /^__Host-zine_session=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/

    it('has a secure cookie for this host only when BASE_URL is https', async () => {
      await start({ BASE_URL: 'https://zines.example' })
      try {
        const browser = createBrowser()
        await browser.logIn()
        expect(browser.setCookieHeaders.at(-1)).to.match(secure)
        expect((await browser.read()).body.account).to.equal('ada')
        await browser.ask('DELETE', '/login/')
        expect([...browser.cookies]).to.be.empty
      } finally {
        await stop()
      }
    })

    it('has a secure cookie for this host only when a trusted proxy says https', async () => {
      await start({ BASE_URL: 'http://zines.example', TRUST_PROXY: 'true' })
      try {
        const browser = createBrowser({ 'x-forwarded-proto': 'https' })
        await browser.logIn()
        expect(browser.setCookieHeaders.at(-1)).to.match(secure)
        expect((await browser.read()).body.account).to.equal('ada')
      } finally {
        await stop()
      }
    })
  })
})
