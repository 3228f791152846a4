// Invitations over a real key-value store: they work once and for two days, and only their hash is stored.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { InvalidError, RequestError } from '../../src/errors.js'
import { type Accounts, LoginThrottledError, loadAccounts } from '../../src/accounts/accounts.js'
import { type Invitations, loadInvitations } from '../../src/accounts/invitations.js'
import { createSessionKey } from '../../src/accounts/sessions.js'
import { type KeyValueStore, openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { failureOf } from '../error-of.js'

const password = 'correct horse battery staple'
const ip = '192.0.2.1'
const dayMs = 86_400_000
const ann = { name: 'ann', role: 'editor', restrictedTo: ['zines'] }

describe('invitations', () => {
  let directory: string
  let store: KeyValueStore
  let accounts: Accounts
  let invitations: Invitations
  let now: number

  beforeEach(async () => {
    now = Date.parse('2026-11-22T10:00:00Z')
    directory = await mkdtemp(join(tmpdir(), 'invitations-'))
    await open()
  })

  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  async function open(): Promise<void> {
    store = await openKeyValueStore(join(directory, 'store'))
    accounts = await loadAccounts(store, join(directory, 'token.key'), { passwordCost: 2 ** 10 })
    invitations = await loadInvitations(store, accounts, () => now)
  }

  async function reopen(): Promise<void> {
    await store.close()
    await open()
  }

  async function keys(): Promise<readonly string[]> {
    const found: string[] = []
    for await (const [key] of store.entries('invitation/')) found.push(key)
    return found
  }

  async function reasonOf(key: string): Promise<unknown> {
    const failure = await failureOf(invitations.find(key, ip))
    return failure instanceof RequestError ? failure.message : failure
  }

  it('add an account with the rights and the password that was chosen', async () => {
    const { key, invitation } = await invitations.invite(ann)
    expect(invitation).to.include({ name: 'ann', expires: '2026-11-24T10:00:00.000Z' })
    expect(accounts.find('ann')).to.equal(undefined)
    await reopen()
    expect(await invitations.find(key, ip)).to.include({ name: 'ann' })
    await invitations.accept(key, password, ip)
    expect(accounts.find('ann')).to.deep.include({ role: 'editor', restrictedTo: ['zines'] })
    expect(await accounts.login('ann', password)).to.have.length(40)
  })

  it('are stored without their keys', async () => {
    const { key } = await invitations.invite(ann)
    for await (const entry of store.entries('')) expect(entry.join()).to.not.include(key)
  })

  it('work once, and say so, also after a restart', async () => {
    const { key } = await invitations.invite(ann)
    await invitations.accept(key, password, ip)
    await reopen()
    expect(await reasonOf(key)).to.match(/used already/)
    expect(await failureOf(invitations.accept(key, password, ip))).to.be.instanceOf(RequestError)
    expect(invitations.open()).to.deep.equal([])
  })

  it('work once for two who open them at the same time', async () => {
    const { key } = await invitations.invite(ann)
    const results = await Promise.allSettled([
      invitations.accept(key, password, ip),
      invitations.accept(key, 'another pass phrase', ip),
    ])
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
    expect(await accounts.login('ann', password)).to.have.length(40)
  })

  it('work for two days, and say that they have expired', async () => {
    const { key } = await invitations.invite(ann)
    now += 2 * dayMs - 1
    expect(await invitations.find(key, ip)).to.include({ name: 'ann' })
    now += 1
    expect(await reasonOf(key)).to.match(/has expired/)
    expect(accounts.find('ann')).to.equal(undefined)
  })

  it('are forgotten a month after they expired', async () => {
    const { key } = await invitations.invite(ann)
    now += 33 * dayMs
    await invitations.invite({ ...ann, name: 'bob' })
    expect(await keys()).to.have.length(1)
    expect(await reasonOf(key)).to.match(/no such invitation/)
  })

  it('are replaced by another one for the same name', async () => {
    const { key } = await invitations.invite(ann)
    const { key: second } = await invitations.invite({ ...ann, role: 'viewer', restrictedTo: [] })
    expect(await reasonOf(key)).to.match(/no such invitation/)
    expect(await invitations.find(second, ip)).to.include({ role: 'viewer' })
    expect(invitations.open()).to.have.length(1)
  })

  it('can be withdrawn', async () => {
    const { key } = await invitations.invite(ann)
    await invitations.withdraw('ann')
    expect(await reasonOf(key)).to.match(/no such invitation/)
    expect(await failureOf(invitations.withdraw('ann'))).to.be.instanceOf(InvalidError)
  })

  it('stay open when the password cannot be used', async () => {
    const { key } = await invitations.invite(ann)
    const failure = await failureOf(invitations.accept(key, 'short', ip))
    expect(failure).to.be.instanceOf(InvalidError)
    expect(await invitations.find(key, ip)).to.include({ name: 'ann' })
  })

  it('are not made for a name that is taken, or rights that there are not', async () => {
    await accounts.add({ ...ann, password })
    for (const account of [ann, { ...ann, name: 'bob', role: 'owner' }, { ...ann, name: ' ' }])
      expect(await failureOf(invitations.invite(account))).to.be.instanceOf(InvalidError)
  })

  it('are refused for a while after ten wrong keys from one network, and to no other', async () => {
    const { key } = await invitations.invite(ann)
    for (let count = 0; count < 10; count += 1)
      expect(await reasonOf(createSessionKey())).to.match(/no such invitation/)
    expect(await failureOf(invitations.find(key, ip))).to.be.instanceOf(LoginThrottledError)
    expect(await invitations.find(key, '198.51.100.7')).to.include({ name: 'ann' })
  })
})
