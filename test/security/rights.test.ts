// Every address, every method, every role, by token and in a browser that is signed in: the status that
// each is answered with, and whether what it asked for was done.

import { expect } from 'chai'

import { createSessionKey, csrfOf } from '../../src/accounts/sessions.js'
import { holding } from '../examples.js'
import { type Browser, type Fields, browse } from '../views/browser.js'
import { listPath, recordPath, unique, useCatalogue } from '../http/catalogue.js'
import { type Ask, PASSWORD } from '../service.js'
import { attemptAt, deedsOf } from './form-actions.js'
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

describe('Rights', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1' })
  const tokens = new Map<Role, string | null>([
    ['nobody', null],
    ['a wrong token', 'f'.repeat(40)],
  ])

  before(async () => {
    const { accounts, tokens: made } = service()
    for (const role of ['viewer', 'editor', 'admin'] as const) tokens.set(role, made[role])
    for (const { writes } of routes.filter(({ uses }) => uses.POST))
      if (writes) {
        const account = { name: `only-${writes.name}`, password: PASSWORD, role: 'editor' } as const
        await accounts.add({ ...account, restrictedTo: [writes.name] })
        tokens.set(`editor of ${writes.name}`, await accounts.login(account.name, PASSWORD))
      }
    const gone = { name: 'gone', password: PASSWORD, role: 'admin', restrictedTo: [] } as const
    await accounts.add(gone)
    tokens.set('a disabled account', await accounts.login(gone.name, PASSWORD))
    await accounts.disable(gone.name)
    await service().post('/api/holdings/', holding('copy'))
  })

  it('are decided for every address that there is, and for no other', () => {
    const there = service().endpoints.map(({ path }) => path)
    expect(routes.map(({ path }) => path)).to.have.members(there)
  })

  it('are decided for every method that an address has, and for no other', () => {
    for (const { path, methods } of service().endpoints) {
      const route = routes.find((one) => one.path === path)
      expect(Object.keys(route?.uses ?? {}), path).to.have.members(Object.keys(methods))
    }
  })

  for (const route of routes)
    for (const method of [...methods, 'PROPFIND'])
      it(`${method} ${route.path}`, async () => {
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

  /** Signed in as each role, by accounts whose tokens nobody uses here. */
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
      it(`${method} ${route.path}, in a browser`, async () => {
        const decide = decisionInBrowser(route, method)
        for (const role of roles) {
          const browser = browsers.get(role)
          // Whoever signs in or out here does so with a session that nobody needs afterwards.
          const asks = sessions.has(route.path) ? await browserOf(role) : browser
          if (!asks) throw new Error(`nobody is ${role}`)
          const deed = method === 'POST' ? await deedOf(route) : undefined
          const { at, fields, isDone } = deed ?? (await attemptAt(service(), route))
          for (const [form, send] of formsFor(route, method)) {
            const { status } = await send(asks, method, at, fields)
            const isTaken = form === 'ours' || method !== 'POST' || !isOfDesk(route)
            const expected = isTaken ? decide(role) : 403
            expect(status, `${role}, ${form}`).to.equal(expected)
            const isMeant = deed !== undefined && isTaken && expected < 400
            expect(await isDone(), `${role}, ${form}`).to.equal(isMeant)
          }
        }
      })

  const deedOf = deedsOf(service, given)

  /** A browser that a role has signed in with, or could not. */
  async function browserOf(role: Role): Promise<Browser> {
    const browser = browse(service().url)
    // Visitors have a key as well, for the form of the login.
    await browser.get('/manage/login')
    if (role === 'a wrong token') browser.cookies.set(cookie, createSessionKey())
    else if (role !== 'nobody') await browser.signIn(nameIn(role))
    return browser
  }

  /** Where a request goes, and what it sends: to a record of its own, where it writes. */
  async function requestOf(route: Route, method: string): Promise<[path: string, ask: Ask]> {
    const { at, writes, uses } = route
    if (!writes || !(method in uses) || method === 'GET')
      return [at, uses[method as Method]?.send ?? {}]
    const { name, idField, minimal } = writes
    if (method === 'POST') return [listPath(name), { body: minimal(unique(idField)) }]
    const { [idField]: id } = await given.record(writes)
    return [recordPath(name, id), method === 'DELETE' ? {} : { body: minimal(id) }]
  }
})

const cookie = '__Host-zine_session'

/** Where browsers sign in and out. */
const sessions = new Set(['/manage/login', '/manage/logout'])

const isOfDesk = ({ path }: Route): boolean => path.startsWith('/manage/')

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

/** A form as it comes from a page that has this key. */
const form =
  (tokenFor: (key: string) => Fields, headers: Readonly<Record<string, string>> = {}): Send =>
  (browser, method, at, fields) => {
    const token = tokenFor(browser.cookies.get(cookie) ?? '')
    return browser.ask(method, at, { ...fields, ...token }, headers)
  }

const rightToken = (key: string): Fields => ({ csrf_token: csrfOf(key) })

const ours = form(rightToken)

/** How a browser can be had to send one; what is ours comes last, for it does what the others ask for. */
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
  return isOfDesk(route) && method === 'POST' ? Object.entries(forms) : [['ours', ours]]
}

/** As for everybody but where a session counts; there, as by a token but where pages differ. */
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
  // What can be done at an address is told to everybody.
  if (method === 'OPTIONS') return all()
  return notAllowed(route, method)
}
