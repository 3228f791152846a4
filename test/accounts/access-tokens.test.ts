// The tokens of an account besides that of its logins: what they may do, until when, and what of them is
// stored.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { InvalidError, RequestError } from '../../src/errors.js'
import { maxTokens } from '../../src/accounts/access-tokens.js'
import { type Accounts, loadAccounts } from '../../src/accounts/accounts.js'
import { isWithin, narrowRights } from '../../src/accounts/rights.js'
import { resourceNames } from '../../src/model/iris.js'
import { type KeyValueStore, openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { failureOf } from '../error-of.js'

const password = 'correct horse battery staple'
const dayMs = 86_400_000

describe('the tokens of an account', () => {
  let directory: string
  let store: KeyValueStore
  let accounts: Accounts
  let now: number

  beforeEach(async () => {
    now = Date.parse('2026-11-22T10:00:00Z')
    directory = await mkdtemp(join(tmpdir(), 'tokens-'))
    store = await openKeyValueStore(join(directory, 'store'))
    await load()
    await accounts.add({ name: 'ada', password, role: 'admin', restrictedTo: [] })
    await accounts.add({ name: 'bob', password, role: 'editor', restrictedTo: [] })
  })

  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  async function load(): Promise<void> {
    accounts = await loadAccounts(store, join(directory, 'token.key'), {
      passwordCost: 2 ** 10,
      now: () => now,
    })
  }

  async function reopen(): Promise<void> {
    await store.close()
    store = await openKeyValueStore(join(directory, 'store'))
    await load()
  }

  const add = async (token: object, name = 'bob'): Promise<string> =>
    (await accounts.addToken(name, { label: 'one', restrictedTo: [], ...token })).token

  const rightsOf = (token: string) => {
    const { role, restrictedTo } = accounts.authenticate(token)
    return { role, restrictedTo }
  }

  it('are all valid beside that of the logins, also after a restart', async () => {
    const login = await accounts.login('bob', password)
    const [one, two] = [await add({}), await add({ label: 'two' })]
    await reopen()
    expect(new Set([login, one, two])).to.have.property('size', 3)
    expect(
      [login, one, two].map((token) => accounts.authenticate(token).token?.label),
    ).to.deep.equal(['login', 'one', 'two'])
    expect(await accounts.login('bob', password)).to.equal(login)
  })

  it('are stored hashed', async () => {
    const token = await add({})
    let text = ''
    for await (const [key, value] of store.entries('')) text += `${key} ${value}\n`
    expect(text).to.include(token.slice(-4)).and.not.include(token)
  })

  it('may do what the account may, unless they are limited', async () => {
    expect(rightsOf(await add({}))).to.deep.equal({ role: 'editor', restrictedTo: [] })
    expect(rightsOf(await add({ label: 'viewer', role: 'viewer' }))).to.deep.equal({
      role: 'viewer',
      restrictedTo: [],
    })
    expect(rightsOf(await add({ label: 'zines', restrictedTo: ['zines'] }))).to.deep.equal({
      role: 'editor',
      restrictedTo: ['zines'],
    })
  })

  it('of an administrator are of an editor when they are limited to resources', async () => {
    const token = await add({ restrictedTo: ['zines'] }, 'ada')
    expect(rightsOf(token)).to.deep.equal({ role: 'editor', restrictedTo: ['zines'] })
  })

  it('lose what their account loses, and get back what it gets back', async () => {
    const token = await add({ restrictedTo: ['zines', 'agents'] })
    await accounts.setRights('bob', 'editor', ['agents', 'holdings'])
    expect(rightsOf(token)).to.deep.equal({ role: 'editor', restrictedTo: ['agents'] })
    await accounts.setRights('bob', 'editor', ['holdings'])
    expect(rightsOf(token)).to.deep.equal({ role: 'viewer', restrictedTo: [] })
    await accounts.setRights('bob', 'viewer', [])
    expect(rightsOf(token)).to.deep.equal({ role: 'viewer', restrictedTo: [] })
    await accounts.setRights('bob', 'admin', [])
    expect(rightsOf(token)).to.deep.equal({ role: 'editor', restrictedTo: ['zines', 'agents'] })
  })

  it('expire, and are then refused like tokens that do not exist', async () => {
    const token = await add({ days: 30 })
    now += 30 * dayMs - 1
    expect(accounts.authenticate(token).token?.expires).to.equal('2026-12-22T10:00:00.000Z')
    now += 1
    expect(() => accounts.authenticate(token)).to.throw(RequestError, /^Invalid token\.$/)
    await accounts.disable('bob')
    expect(() => accounts.authenticate(token)).to.throw(RequestError, 'Invalid token.')
  })

  it('of a disabled account are refused', async () => {
    const token = await add({})
    await accounts.disable('bob')
    expect(() => accounts.authenticate(token)).to.throw(RequestError, 'User inactive')
  })

  it('are listed without the token, with the day of their last use', async () => {
    const token = await add({ days: 1, role: 'viewer' })
    expect(accounts.tokensOf('bob').map((one) => one.lastUsed)).to.deep.equal([
      undefined,
      undefined,
    ])
    now += 2 * 3_600_000
    accounts.authenticate(token)
    await reopen()
    const [login, one] = accounts.tokensOf('bob')
    expect(login).to.deep.include({ label: 'login', lastUsed: undefined, expires: undefined })
    expect(one).to.deep.equal({
      label: 'one',
      purpose: undefined,
      lastFour: token.slice(-4),
      role: 'viewer',
      restrictedTo: [],
      created: '2026-11-22T10:00:00.000Z',
      lastUsed: '2026-11-22',
      expires: '2026-11-23T10:00:00.000Z',
    })
  })

  it('are revoked one by one, or all together', async () => {
    const login = await accounts.login('bob', password)
    const [one, two] = [await add({}), await add({ label: 'two' })]
    await accounts.revoke('bob', 'one')
    expect(() => accounts.authenticate(one)).to.throw(RequestError, 'Invalid token.')
    expect(accounts.authenticate(two).name).to.equal('bob')
    await accounts.revoke('bob', 'login')
    expect(() => accounts.authenticate(login)).to.throw(RequestError, 'Invalid token.')
    expect(accounts.authenticate(two).name).to.equal('bob')
    await accounts.revoke('bob')
    expect(() => accounts.authenticate(two)).to.throw(RequestError, 'Invalid token.')
    expect(accounts.tokensOf('bob').map(({ label }) => label)).to.deep.equal(['login'])
  })

  it('that get a label anew were not used yet', async () => {
    accounts.authenticate(await add({}))
    await accounts.revoke('bob', 'one')
    await add({})
    expect(accounts.tokensOf('bob')[1]?.lastUsed).to.equal(undefined)
  })

  it('may have a label that is a property of every object', async () => {
    for (const label of ['__proto__', 'constructor']) {
      const token = await add({ label })
      expect(accounts.tokensOf('bob').at(-1)?.lastUsed).to.equal(undefined)
      accounts.authenticate(token)
    }
    await reopen()
    expect(accounts.tokensOf('bob').map(({ lastUsed }) => lastUsed)).to.deep.equal([
      undefined,
      '2026-11-22',
      '2026-11-22',
    ])
  })

  // prettier-ignore
  const refused: readonly (readonly [what: string, token: object, message: RegExp])[] = [
    ['a blank label', { label: ' ' }, /may not be blank/],
    ['a label with a control character', { label: 'a\nb' }, /control/],
    ['a label of 61 characters', { label: 'x'.repeat(61) }, /60/],
    ['the label of the token of logins', { label: ' login ' }, /the token that a login gives/],
    ['an unknown role', { role: 'owner' }, /Unknown role/],
    ['a wider role', { role: 'admin' }, /may not do more than its account/],
    ['an unknown resource', { restrictedTo: ['stamps'] }, /Unknown resource/],
    ['resources for a viewer', { role: 'viewer', restrictedTo: ['zines'] }, /Only an editor/],
    ['an expiry that is no number', { days: NaN }, /1 to 3650/],
    ['an expiry of no days', { days: 0 }, /1 to 3650/],
    ['an expiry in eleven years', { days: 4000 }, /1 to 3650/],
  ]
  for (const [what, token, message] of refused)
    it(`cannot have ${what}`, async () => {
      const failure = await failureOf(add(token))
      expect(failure).to.be.instanceOf(InvalidError)
      expect(failure.message).to.match(message)
    })

  it('cannot name a resource that the account may not write', async () => {
    await accounts.setRights('bob', 'editor', ['agents'])
    expect(await failureOf(add({ restrictedTo: ['zines'] }))).to.be.instanceOf(InvalidError)
    await accounts.setRights('bob', 'viewer', [])
    expect(await failureOf(add({ restrictedTo: ['zines'] }))).to.be.instanceOf(InvalidError)
  })

  it('have different labels, also when two are added at once', async () => {
    const results = await Promise.allSettled([add({}), add({})])
    expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected'])
    expect((await failureOf(add({ label: ' one' }))).message).to.match(/already has a token/)
  })

  it(`are ${maxTokens} at most`, async () => {
    for (let number = 0; number < maxTokens; number += 1) await add({ label: String(number) })
    expect((await failureOf(add({}))).message).to.match(/Revoke one of them first/)
  })

  it('cannot be revoked by a label that there is not', async () => {
    expect((await failureOf(accounts.revoke('bob', 'one'))).message).to.match(
      /no token with the label/,
    )
  })

  it('are none in accounts that were stored when an account had one token', async () => {
    const login = await accounts.login('bob', password)
    for (const prefix of ['account/', 'account-use/']) {
      const key = `${prefix}bob`
      const { tokens, tokenCreated, ...before } = JSON.parse(
        (await store.get(key)) ?? '',
      ) as Record<string, unknown>
      expect(tokens, key).to.not.equal(undefined)
      expect(tokenCreated !== undefined, key).to.equal(prefix === 'account/')
      await store.write([{ key, value: JSON.stringify(before) }])
    }
    await reopen()
    expect(accounts.authenticate(login)).to.include({ name: 'bob', role: 'editor' })
    expect(accounts.tokensOf('bob')).to.have.length(1)
    expect(accounts.tokensOf('bob')[0]).to.include({ created: '2026-11-22T10:00:00.000Z' })
    const token = await add({})
    await reopen()
    expect(accounts.authenticate(token).token?.label).to.equal('one')
    expect(accounts.authenticate(login).token?.label).to.equal('login')
  })

  it('never have more rights than the account, whatever both are limited to', () => {
    const sets = [[], ...resourceNames.map((name) => [name]), ['zines', 'agents'] as const]
    const rights = [
      { role: 'admin', restrictedTo: [] },
      { role: 'viewer', restrictedTo: [] },
      ...sets.map((restrictedTo) => ({ role: 'editor', restrictedTo }) as const),
    ] as const
    for (const account of rights)
      for (const token of rights) {
        const narrowed = narrowRights(account, token)
        for (const limit of [account, token])
          expect(isWithin(limit, narrowed), JSON.stringify([account, token])).to.equal(true)
      }
  })
})
