// Every address, every method, every role: the status that each is answered with.

import { expect } from 'chai'

import { holding } from '../examples.js'
import { type Ask, PASSWORD } from '../service.js'
import { listOf, pathOf, unique, useCatalogue } from '../http/catalogue.js'
import {
  type Decision,
  type Method,
  type Role,
  type Route,
  all,
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
        await accounts.add({ ...account, only: [writes.name] })
        tokens.set(`editor of ${writes.name}`, await accounts.login(account.name, PASSWORD))
      }
    const gone = { name: 'gone', password: PASSWORD, role: 'admin', only: [] } as const
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

  /** Where a request goes, and what it sends: to a record of its own, where it writes. */
  async function requestOf(route: Route, method: string): Promise<[path: string, ask: Ask]> {
    const { at, writes, uses } = route
    if (!writes || !(method in uses) || method === 'GET')
      return [at, uses[method as Method]?.send ?? {}]
    const { name, key, minimal } = writes
    if (method === 'POST') return [listOf(name), { body: minimal(unique(key)) }]
    const { [key]: id } = await given.record(writes)
    return [pathOf(name, id), method === 'DELETE' ? {} : { body: minimal(id) }]
  }
})

function decisionOf(route: Route, method: string): Decision {
  const { uses } = route
  const use = uses[(method === 'HEAD' ? 'GET' : method) as Method]
  if (use) return use.who
  // What can be done at an address is told to everybody.
  if (method === 'OPTIONS') return all()
  return notAllowed(route, method)
}
