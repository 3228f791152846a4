// Every endpoint with every method and every role, by token and in a signed-in browser: the status of
// the response, and whether the request had its effect. The expected statuses stand in routes.ts.

import { expect } from 'chai'

import { createSessionKey, csrfOf } from '../../src/accounts/sessions.js'
import { holding } from '../examples.js'
import { type Browser, type Fields, browse } from '../views/browser.js'
import { listPath, recordPath, resources, unique, useCatalogue } from '../http/catalogue.js'
import { type Ask, PASSWORD } from '../service.js'
import { attemptAt, formActionsOf, sendRequest } from './form-actions.js'
import {
  type Decision,
  type Method,
  type Role,
  type Route,
  all,
  isSignedIn,
  methods,
  notAllowed,
  roles,
  routes,
} from './routes.js'

describe('the table of rights', () => {
  const { service, given } = useCatalogue(
    { SPARQL_WORKERS: '1' },
    { changeRequestLimits: { fromNetwork: 1000, inAll: 1000 } },
  )
  const tokens = new Map<Role, string | null>([
    ['nobody', null],
    ['a wrong token', 'f'.repeat(40)],
  ])

  before(async () => {
    const { accounts, tokens: made } = service()
    for (const role of ['viewer', 'editor', 'admin'] as const) tokens.set(role, made[role])
    for (const { name } of resources) {
      const account = { name: `only-${name}`, password: PASSWORD, role: 'editor' } as const
      await accounts.add({ ...account, restrictedTo: [name] })
      tokens.set(`editor of ${name}`, await accounts.login(account.name, PASSWORD))
    }
    const gone = { name: 'gone', password: PASSWORD, role: 'admin', restrictedTo: [] } as const
    await accounts.add(gone)
    tokens.set('a disabled account', await accounts.login(gone.name, PASSWORD))
    await accounts.disable(gone.name)
    await service().post('/api/holdings/', holding('copy'))
    await sendRequest(service())
  })

  it('has a row for every endpoint and for nothing else', () => {
    const there = service().endpoints.map(({ path }) => path)
    expect(routes.map(({ path }) => path)).to.have.members(there)
  })

  it('has an entry for every method of an endpoint and for no other', () => {
    for (const { path, methods } of service().endpoints) {
      const route = routes.find((one) => one.path === path)
      expect(Object.keys(route?.uses ?? {}), path).to.have.members(Object.keys(methods))
    }
  })

  for (const route of routes)
    for (const method of [...methods, 'PROPFIND'])
      it(`gives the status of ${method} ${route.path} by token for every role`, async () => {
        const decide = decisionOf(route, method)
        const statuses = await Promise.all(
          roles.map(async (role) => {
            const [path, ask] = await requestOf(route, method)
            const { status, headers, text } = await service().ask(method, path, {
              ...ask,
              token: tokens.get(role) ?? null,
            })
            if (status === 401) expect(headers.get('www-authenticate'), role).to.equal('Token')
            if (status >= 400) expect(text, role).not.to.include(tokens.get(role) ?? 'no token')
            return [role, status]
          }),
        )
        expect(statuses).to.deep.equal(roles.map((role) => [role, decide(role)]))
      })

  /** Browsers that are signed in as each role, with accounts of their own. */
  const browsers = new Map<Role, Browser>()

  before(async () => {
    const { accounts } = service()
    for (const role of roles) {
      if (!isSignedIn(role) && role !== 'a disabled account') continue
      await accounts.add({ name: nameIn(role), password: PASSWORD, ...rightsOf(role) })
    }
    for (const role of roles) browsers.set(role, await browserOf(role))
    await accounts.disable(nameIn('a disabled account'))
  })

  for (const route of routes)
    for (const method of [...methods, 'PROPFIND'])
      it(`gives the status of ${method} ${route.path} in a browser for every role`, async () => {
        const decide = decisionInBrowser(route, method)
        for (const role of roles) {
          const browser = browsers.get(role)
          // Signing in and out changes the session, so it is done with a new browser.
          const changesSession = sessionPaths.has(route.path) && method in route.uses
          const sender = changesSession ? await browserOf(role) : browser
          if (!sender) throw new Error(`nobody is ${role}`)
          const action = method === 'POST' ? await actionOf(route) : undefined
          const { at, fields, isDone } = action ?? (await attemptAt(service(), route))
          for (const [form, send] of formsFor(route, method)) {
            const { status } = await send(sender, method, at, fields)
            const isAccepted = form === 'ours' || method !== 'POST' || !isEditingPage(route)
            const expected = isAccepted ? decide(role) : 403
            expect(status, `${role}, ${form}`).to.equal(expected)
            const isExpected = action !== undefined && isAccepted && expected < 400
            expect(await isDone(), `${role}, ${form}`).to.equal(isExpected)
          }
        }
      })

  const actionOf = formActionsOf(service, given)

  /** A browser in which a role is signed in, if it can sign in. */
  async function browserOf(role: Role): Promise<Browser> {
    const browser = browse(service().url)
    // Visitors have a session key too, for the login form.
    await browser.get('/manage/login')
    if (role === 'a wrong token') browser.cookies.set(cookie, createSessionKey())
    else if (role !== 'nobody') await browser.signIn(nameIn(role))
    return browser
  }

  /** The path and the content of a request. Writes get a record of their own. */
  async function requestOf(route: Route, method: string): Promise<[path: string, ask: Ask]> {
    const { at, writes, uses } = route
    if (!writes || !(method in uses) || method === 'GET')
      return [at, uses[method as Method]?.send ?? {}]
    const { name, idField, minimal } = writes
    // A part of a record is not written with the fields of one.
    const isPart = ![listPath(name), `/api/${name}/:id/`].includes(route.path)
    if (isPart) return [at, uses[method as Method]?.send ?? {}]
    if (method === 'POST') return [listPath(name), { body: minimal(unique(idField)) }]
    const { [idField]: id } = await given.record(writes)
    return [recordPath(name, id), method === 'DELETE' ? {} : { body: minimal(id) }]
  }
})

const cookie = '__Host-zine_session'

/** The paths where browsers are signed in and out. */
const sessionPaths = new Set([
  '/manage/login',
  '/manage/logout',
  '/manage/invitation',
  '/manage/first-run',
])

const isEditingPage = ({ path, uses }: Route): boolean =>
  /^\/(?:manage|requests)\//.test(path) && 'POST' in uses

const nameIn = (role: Role): string => `${role}, in a browser`

function rightsOf(role: Role) {
  const only = /^editor of (.*)$/.exec(role)?.[1]
  if (only !== undefined) return { role: 'editor', restrictedTo: [only] }
  return { role: role === 'a disabled account' ? 'admin' : role, restrictedTo: [] }
}

type Send = (
  browser: Browser,
  method: string,
  at: string,
  fields: Fields,
) => ReturnType<Browser['ask']>

/** A form that is sent with the token for a session key, and with headers. */
const form =
  (tokenFor: (key: string) => Fields, headers: Readonly<Record<string, string>> = {}): Send =>
  (browser, method, at, fields) => {
    const token = tokenFor(browser.cookies.get(cookie) ?? '')
    return browser.ask(method, at, { ...fields, ...token }, headers)
  }

const rightToken = (key: string): Fields => ({ csrf_token: csrfOf(key) })

const ours = form(rightToken)

/** Ways to send a form. Only `ours` is valid; it comes last, because it has the effect. */
const forms: Readonly<Record<string, Send>> = {
  'without a token': form(() => ({})),
  'with the token of another browser': form(() => rightToken(createSessionKey())),
  'with its key for a token': form((key) => ({ csrf_token: key })),
  'of another site': form(rightToken, { origin: 'https://elsewhere.example' }),
  'of another site, as the browser says': form(rightToken, { 'sec-fetch-site': 'cross-site' }),
  ours,
}

function formsFor(route: Route, method: string): readonly (readonly [string, Send])[] {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method))
    return [['none', (browser, _, at) => browser.ask(method, at)]]
  return isEditingPage(route) && method === 'POST' ? Object.entries(forms) : [['ours', ours]]
}

/** Where sessions count, the statuses of pages, or else those by token; elsewhere those of nobody. */
function decisionInBrowser(route: Route, method: string): Decision {
  const { inBrowser } = route
  const decide = decisionOf(route, method)
  const own = inBrowser?.[(method === 'HEAD' ? 'GET' : method) as Method]
  return (role) => own?.(role) ?? decide(inBrowser && isSignedIn(role) ? role : 'nobody')
}

function decisionOf(route: Route, method: string): Decision {
  const { uses } = route
  const use = uses[(method === 'HEAD' ? 'GET' : method) as Method]
  if (use) return use.who
  // OPTIONS is answered for everybody.
  if (method === 'OPTIONS') return all()
  return notAllowed(route, method)
}
