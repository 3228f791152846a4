// Sessions as a browser has them, at a counter with a page, a form to log in and one to be sent: which
// cookies there are, whose forms are taken, and where a session counts.

import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Accounts, openAccounts } from '../../src/accounts/accounts.js'
import { csrfOf, openSessions } from '../../src/accounts/sessions.js'
import { readConfig } from '../../src/config.js'
import { openAssets } from '../../src/http/middleware/static-files.js'
import { createHttpApp } from '../../src/http/app.js'
import { createTokenAuthentication } from '../../src/http/request/authentication.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import type { RequestContext } from '../../src/http/context.js'
import { json } from '../../src/formats/common-formats.js'
import {
  type BrowserSessions,
  createBrowserSessions,
  csrfField,
} from '../../src/http/request/session-cookies.js'
import { type KeyValueStore, openKeyValueStore } from '../../src/store/key-value/key-value-store.js'

const password = 'correct horse battery staple'

/** The endpoints of the counter: a page that says who reads it, and the forms. */
const endpointsFor = (accounts: Accounts, browsers: BrowserSessions): readonly Endpoint[] => {
  const tell = (ctx: RequestContext): void => {
    ctx.body = { account: ctx.state.account?.name ?? null, csrf: browsers.csrfOf(ctx) }
  }
  return [
    {
      path: '/page/',
      name: 'Page',
      description: '',
      formats: [json],
      anonymousWrite: true,
      htmlHandler: tell,
      methods: {
        GET: tell,
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

describe('a session', () => {
  let directory: string
  let home: KeyValueStore
  let accounts: Accounts
  let server: Server

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'browser-'))
    home = await openKeyValueStore(join(directory, 'store'))
    accounts = await openAccounts(home, join(directory, 'token.key'), { passwordCost: 2 ** 10 })
    await accounts.ensureAdmin('ada', password)
  })

  after(async () => {
    await home.close()
    await rm(directory, { recursive: true })
  })

  async function start(env: Readonly<Record<string, string>>): Promise<void> {
    const config = readConfig(env)
    const sessions = await openSessions(home, accounts, { idle: config.sessionIdle })
    const browsers = createBrowserSessions(sessions, config.baseUrl)
    const counter = createHttpApp({
      endpoints: endpointsFor(accounts, browsers),
      assets: await openAssets([]),
      authenticate: createTokenAuthentication(accounts),
      sessionOf: browsers.sessionOf,
      config,
      failed: (error) => {
        throw error
      },
    })
    server = createServer(counter).listen(0)
    await once(server, 'listening')
  }

  const stop = () => new Promise((stopped) => server.close(stopped))

  /** A browser with its cookies, which it holds by name. */
  function openBrowser(standing: Readonly<Record<string, string>> = {}) {
    const cookies = new Map<string, string>()
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    const lines: string[] = []

    async function ask(method: string, path: string, headers: Record<string, string> = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const accept = { accept: 'text/html, */*', ...(cookie ? { cookie } : {}) }
      const response = await fetch(origin + path, {
        method,
        headers: { ...accept, ...standing, ...headers },
      })
      for (const line of response.headers.getSetCookie()) {
        lines.push(line)
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (line.includes('expires=Thu, 01 Jan 1970')) cookies.delete(name)
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
      lines,
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

    it('is opened by a form that came from us, and counts on pages from then on', async () => {
      const browser = openBrowser()
      expect((await browser.read()).body.account).to.equal(null)
      expect((await browser.logIn()).status).to.equal(204)
      const { body, headers } = await browser.read()
      expect(body.account).to.equal('ada')
      expect(headers.get('vary')).to.include('Cookie')
    })

    it('is held by a cookie that scripts and other sites do not get', async () => {
      const browser = openBrowser()
      await browser.logIn()
      expect(browser.lines.at(-1)).to.match(
        /^zine_session=[\w-]{43}; path=\/; samesite=lax; httponly$/,
      )
    })

    it('has another key than the visitor had, so that nobody can plant one', async () => {
      const browser = openBrowser()
      await browser.read()
      const before = browser.cookies.get('zine_session')
      await browser.logIn()
      const first = browser.cookies.get('zine_session')
      expect(first).not.to.equal(before)
      await browser.logIn()
      const stolen = { cookie: `zine_session=${first ?? ''}` }
      expect((await openBrowser().read(stolen)).body.account).to.equal(null)
      expect((await browser.read()).body.account).to.equal('ada')
    })

    it('ends with a logout, in the browser and here', async () => {
      const browser = openBrowser()
      await browser.logIn()
      const cookie = `zine_session=${browser.cookies.get('zine_session') ?? ''}`
      await browser.ask('DELETE', '/login/')
      expect([...browser.cookies]).to.be.empty
      expect((await openBrowser().read({ cookie })).body.account).to.equal(null)
    })

    it('ends when the account is disabled', async () => {
      await accounts.ensureAdmin('eve', password)
      const browser = openBrowser()
      await browser.post('/login/', { name: 'eve', [csrfField]: await browser.token() })
      expect((await browser.read()).body.account).to.equal('eve')
      await accounts.disable('eve')
      expect((await browser.read()).body.account).to.equal(null)
    })

    it('does not count for JSON, neither to read nor to write', async () => {
      const browser = openBrowser()
      await browser.logIn()
      const asJson = { accept: 'application/json' }
      expect((await browser.read(asJson)).body.account).to.equal(null)
      expect((await browser.ask('POST', '/record/', asJson)).status).to.equal(401)
    })

    it('does not count beside a token', async () => {
      const browser = openBrowser()
      await browser.logIn()
      const authorization = `Token ${'f'.repeat(40)}`
      expect((await browser.read({ authorization })).status).to.equal(401)
    })

    for (const key of ['x', 'x'.repeat(43), 'x'.repeat(4000)])
      it(`is not had by a cookie of ${key.length} characters`, async () => {
        const { status, body } = await openBrowser().read({ cookie: `zine_session=${key}` })
        expect([status, body.account]).to.deep.equal([200, null])
      })

    describe('has forms', () => {
      it('that are taken with their token', async () => {
        const browser = openBrowser()
        await browser.logIn()
        const { status, body } = await browser.post('/page/', {
          [csrfField]: await browser.token(),
        })
        expect([status, body.account]).to.deep.equal([200, 'ada'])
      })

      it('whose page need not be read again after it expired: what was typed is not lost', async () => {
        const browser = openBrowser()
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
      for (const [what, fields] of forged)
        it(`that are refused ${what}`, async () => {
          const browser = openBrowser()
          await browser.logIn()
          const { status, body } = await browser.post('/page/', fields)
          expect(status).to.equal(403)
          expect(body.detail).to.match(/^This form did not come from here/)
        })

      it('that are refused without a cookie', async () => {
        const token = await openBrowser().token()
        expect((await openBrowser().post('/page/', { [csrfField]: token })).status).to.equal(403)
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
        it(`that are answered ${expected} from ${JSON.stringify(headers)}`, async () => {
          const browser = openBrowser()
          const [sent] = origins(browser.origin)[index] ?? []
          const fields = { [csrfField]: await browser.token() }
          expect((await browser.post('/page/', fields, sent)).status).to.equal(expected)
        })
    })
  })

  describe('over https', () => {
    const secure = /^__Host-zine_session=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/

    it('has a cookie for https and this host alone, where the base says so', async () => {
      await start({ BASE_URL: 'https://zines.example' })
      try {
        const browser = openBrowser()
        await browser.logIn()
        expect(browser.lines.at(-1)).to.match(secure)
        expect((await browser.read()).body.account).to.equal('ada')
        await browser.ask('DELETE', '/login/')
        expect([...browser.cookies]).to.be.empty
      } finally {
        await stop()
      }
    })

    it('has such a cookie too where a trusted proxy says so', async () => {
      await start({ BASE_URL: 'http://zines.example', TRUST_PROXY: 'true' })
      try {
        const browser = openBrowser({ 'x-forwarded-proto': 'https' })
        await browser.logIn()
        expect(browser.lines.at(-1)).to.match(secure)
        expect((await browser.read()).body.account).to.equal('ada')
      } finally {
        await stop()
      }
    })
  })
})
