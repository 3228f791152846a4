// Accounts over a real key-value store: names and passwords, tokens, the server key, and what a restart
// keeps.

import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { ExpectedError, InvalidError, RequestError } from '../../src/errors.js'
import type { Accounts } from '../../src/accounts/accounts.js'
import { LoginThrottledError, loadAccounts, CredentialsError } from '../../src/accounts/accounts.js'
import { hashPassword, verifyPassword } from '../../src/accounts/password.js'
import type { Rights } from '../../src/accounts/rights.js'
import { maySeeAllPrivate, mayWrite } from '../../src/accounts/rights.js'
import { resourceNames } from '../../src/model/iris.js'
import type { KeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { failureOf } from '../error-of.js'

const password = 'correct horse battery staple'
const lowCost = { passwordCost: 2 ** 10 }

const bob = { name: 'bob', password, role: 'editor', restrictedTo: ['zines'] } as const

describe('accounts', () => {
  let directory: string
  let keyFile: string
  let store: KeyValueStore
  let accounts: Accounts

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'accounts-'))
    keyFile = join(directory, 'token.key')
    store = await openKeyValueStore(join(directory, 'store'))
    accounts = await loadAccounts(store, keyFile, lowCost)
  })

  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  async function reopen(): Promise<void> {
    await store.close()
    store = await openKeyValueStore(join(directory, 'store'))
    accounts = await loadAccounts(store, keyFile, lowCost)
  }

  async function stored(): Promise<string> {
    let text = ''
    for await (const [key, value] of store.entries('')) text += `${key} ${value}\n`
    return text
  }

  describe('adding an account', () => {
    it('puts it into the list, which is sorted by name and has no secrets', async () => {
      await accounts.add(bob)
      await accounts.add({ name: 'ada', password, role: 'admin', restrictedTo: [] })
      const [first, second] = accounts.list()
      expect(first).to.include({ name: 'ada', role: 'admin', disabled: false })
      expect(second).to.have.all.keys(
        'name',
        'role',
        'restrictedTo',
        'repository',
        'disabled',
        'created',
        'lastUsed',
        'epoch',
      )
      expect(second?.restrictedTo).to.deep.equal(['zines'])
    })

    it('stores each resource once, in the usual order', async () => {
      const { restrictedTo } = await accounts.add({
        ...bob,
        restrictedTo: ['holdings', 'zines', 'holdings'],
      })
      expect(restrictedTo).to.deep.equal(['zines', 'holdings'])
    })

    it('succeeds for one of two concurrent requests with the same name', async () => {
      const results = await Promise.allSettled([
        accounts.add(bob),
        accounts.add({ ...bob, password: 'another' }),
      ])
      const lost = results.flatMap((result) => (result.status === 'rejected' ? [result] : []))
      expect(lost).to.have.length(1)
      expect(lost[0]?.reason).to.be.instanceOf(InvalidError)
      expect(accounts.list()).to.have.length(1)
    })

    it('treats two normal forms of a name as the same name', async () => {
      await accounts.add({ ...bob, name: 'zoe\u0301' })
      expect(await failureOf(accounts.add({ ...bob, name: 'zo\u00e9' }))).to.be.instanceOf(
        InvalidError,
      )
      expect(await accounts.login('zo\u00e9', password)).to.equal(
        await accounts.login('zoe\u0301', password),
      )
    })

    it('treats upper and lower case as different names', async () => {
      await accounts.add(bob)
      await accounts.add({ ...bob, name: 'Bob' })
      expect(accounts.list()).to.have.length(2)
    })

    for (const name of ['__proto__', 'constructor', 'a/b', 'a b', '名前', '🦊'.repeat(150)])
      it(`accepts the name ${name.slice(0, 12)}`, async () => {
        await accounts.add({ ...bob, name })
        await reopen()
        const token = await accounts.login(name, password)
        expect(accounts.authenticate(token).name).to.equal(name)
      })

    const refused: readonly (readonly [what: string, change: object, message: RegExp])[] = [
      ['an empty name', { name: '' }, /blank/],
      ['a blank name', { name: ' \t' }, /blank/],
      ['a name with a control character', { name: 'a\u0000b' }, /control/],
      ['a name with half a surrogate pair', { name: 'a\ud800' }, /control/],
      ['a name that ends in white space', { name: 'bob ' }, /white space/],
      ['a name of 151 characters', { name: 'x'.repeat(151) }, /150/],
      ['an unknown role', { role: 'owner' }, /"owner".*admin, editor, viewer/],
      ['a role that is a property of every object', { role: 'constructor' }, /Unknown role/],
      ['an unknown resource', { restrictedTo: ['zines', 'stamps'] }, /"stamps"/],
      ['an empty resource', { restrictedTo: [''] }, /Unknown resource ""/],
      ['an administrator restricted to some resources', { role: 'admin' }, /Only an editor/],
      ['an empty password', { password: '' }, /blank/],
      ['a password of 4097 characters', { password: 'x'.repeat(4097) }, /4096/],
    ]
    for (const [what, change, message] of refused)
      it(`refuses ${what}`, async () => {
        const failure = await failureOf(accounts.add({ ...bob, ...change }))
        expect(failure).to.be.instanceOf(InvalidError)
        expect(failure.message).to.match(message)
        expect(accounts.list()).to.be.empty
      })

    it('fails when the store cannot write', async () => {
      const full = new Error('the disk is full')
      store.write = () => Promise.reject(full)
      expect(await failureOf(accounts.add(bob))).to.equal(full)
      expect(accounts.list()).to.be.empty
    })
  })

  describe('the first administrator', () => {
    it('is added when no account has the name', async () => {
      await accounts.ensureAdmin('ada', password)
      expect(accounts.list()[0]).to.include({ name: 'ada', role: 'admin' })
    })

    it('is not added when an account has the name, whatever its role', async () => {
      await accounts.add(bob)
      await accounts.ensureAdmin('bob', 'another')
      expect(accounts.list()[0]).to.include({ name: 'bob', role: 'editor' })
      expect(await accounts.login('bob', password)).to.be.a('string')
    })
  })

  describe('logging in', () => {
    beforeEach(() => accounts.add(bob))

    it('gives the same token of 40 hexadecimal characters each time', async () => {
      const token = await accounts.login('bob', password)
      expect(token).to.match(/^[0-9a-f]{40}$/)
      expect(await accounts.login('bob', password)).to.equal(token)
    })

    it('gives the same token after a restart', async () => {
      const token = await accounts.login('bob', password)
      await reopen()
      expect(await accounts.login('bob', password)).to.equal(token)
      expect(accounts.authenticate(token).name).to.equal('bob')
    })

    it('gives each account its own token', async () => {
      await accounts.add({ ...bob, name: 'ada' })
      expect(await accounts.login('ada', password)).not.to.equal(
        await accounts.login('bob', password),
      )
    })

    const wrong = [
      ['a wrong password', 'bob', 'wrong'],
      ['an unknown name', 'eve', password],
      ['a name that is a property of every object', '__proto__', password],
      ['an empty password', 'bob', ''],
      ['a password that is too long', 'bob', 'x'.repeat(4097)],
    ] as const
    for (const [what, name, attempt] of wrong)
      it(`refuses ${what}`, async () => {
        const failure = await failureOf(accounts.login(name, attempt))
        expect(failure).to.be.instanceOf(CredentialsError)
        expect(failure.message).to.equal('Unable to log in with provided credentials.')
      })

    it('takes as long for an unknown name as for a wrong password', async () => {
      const costly = await loadAccounts(store, keyFile, { passwordCost: 2 ** 14 })
      await costly.add({ ...bob, name: 'ada' })
      const known = await fastest(() => costly.login('ada', 'wrong'))
      const unknown = await fastest(() => costly.login('eve', 'wrong'))
      // Without a hash it would be a hundredth; between that and equal is what else the machine does.
      expect(unknown / known).to.be.within(0.2, 5)
    })

    it('stores neither password nor token', async () => {
      const token = await accounts.login('bob', password)
      const text = await stored()
      expect(text).to.include('account/bob')
      expect(text).not.to.include(token)
      expect(text).not.to.include(password)
    })
  })

  describe('a token', () => {
    it('identifies its account', async () => {
      await accounts.add(bob)
      const account = accounts.authenticate(await accounts.login('bob', password))
      expect(account).to.deep.include({ name: 'bob', role: 'editor', restrictedTo: ['zines'] })
    })

    for (const token of ['', 'f'.repeat(40), '__proto__'])
      it(`"${token}" is refused`, () => {
        expect(() => accounts.authenticate(token)).to.throw(RequestError, /^Invalid token\.$/)
      })

    it('is void after it is revoked, and the next login gives another', async () => {
      await accounts.add(bob)
      const before = await accounts.login('bob', password)
      await accounts.revoke('bob')
      expect(() => accounts.authenticate(before)).to.throw(RequestError, 'Invalid token.')
      const after = await accounts.login('bob', password)
      expect(after).not.to.equal(before)
      expect(accounts.authenticate(after).name).to.equal('bob')
    })

    it('that was revoked stays void after a restart', async () => {
      await accounts.add(bob)
      const before = await accounts.login('bob', password)
      await accounts.revoke('bob')
      const after = await accounts.login('bob', password)
      await reopen()
      expect(() => accounts.authenticate(before)).to.throw(RequestError, 'Invalid token.')
      expect(accounts.authenticate(after).name).to.equal('bob')
    })

    it('changes each time it is revoked, also by concurrent requests', async () => {
      await accounts.add(bob)
      const seen = new Set([await accounts.login('bob', password)])
      await Promise.all([accounts.revoke('bob'), accounts.revoke('bob')])
      const twice = await accounts.login('bob', password)
      await accounts.revoke('bob')
      expect(seen.add(twice).add(await accounts.login('bob', password)).size).to.equal(3)
      expect(await stored()).to.include('"generation":3')
    })

    it('of a disabled account is refused with a message of its own, and so is the login', async () => {
      await accounts.add(bob)
      const token = await accounts.login('bob', password)
      await accounts.disable('bob')
      await reopen()
      expect(() => accounts.authenticate(token)).to.throw(
        RequestError,
        /^User inactive or deleted\.$/,
      )
      expect(await failureOf(accounts.login('bob', password))).to.be.instanceOf(CredentialsError)
      expect(accounts.list()[0]?.disabled).to.equal(true)
    })

    it('is not given to an account that is disabled during the login', async () => {
      // Slow enough that the account is disabled before the password is compared.
      const costly = await loadAccounts(store, keyFile, { passwordCost: 2 ** 15 })
      await costly.add(bob)
      const login = failureOf(costly.login('bob', password))
      await costly.disable('bob')
      expect(await login).to.be.instanceOf(CredentialsError)
    })
  })

  for (const change of ['disable', 'revoke'] as const)
    it(`refuses to ${change} an unknown account`, async () => {
      const failure = await failureOf(accounts[change]('eve'))
      expect(failure).to.be.instanceOf(InvalidError)
      expect(failure.message).to.equal('There is no account named "eve".')
    })

  describe('an administrator', () => {
    beforeEach(() => accounts.add(bob))

    it('finds an account by any normal form of its name', async () => {
      await accounts.add({ ...bob, name: 'zo\u00e9' })
      expect(accounts.find('zoe\u0301')).to.include({ name: 'zo\u00e9', role: 'editor' })
      expect(accounts.find('eve')).to.equal(undefined)
    })

    it('enables an account again, which keeps its token', async () => {
      const token = await accounts.login('bob', password)
      await accounts.disable('bob')
      await accounts.enable('bob')
      expect(accounts.authenticate(token).name).to.equal('bob')
      expect(await accounts.login('bob', password)).to.equal(token)
    })

    it('changes rights, which are valid at once and after a restart', async () => {
      const token = await accounts.login('bob', password)
      await accounts.setRights('bob', 'viewer', [])
      expect(accounts.authenticate(token)).to.deep.include({ role: 'viewer', restrictedTo: [] })
      await reopen()
      expect(accounts.authenticate(token)).to.deep.include({ role: 'viewer', restrictedTo: [] })
    })

    it('sets a password, and the token stays the same', async () => {
      const token = await accounts.login('bob', password)
      await accounts.setPassword('bob', 'another one')
      expect(await accounts.login('bob', 'another one')).to.equal(token)
      expect(await failureOf(accounts.login('bob', password))).to.be.instanceOf(CredentialsError)
    })

    it('sees the token that a login gives', async () => {
      expect(accounts.tokenOf('bob')).to.equal(await accounts.login('bob', password))
      expect(() => accounts.tokenOf('eve')).to.throw(InvalidError)
    })

    const ending = [
      ['disabling', () => accounts.disable('bob'), 1],
      ['setting a password', () => accounts.setPassword('bob', 'another one'), 1],
      ['changing its password', () => accounts.changePassword('bob', password, 'another one'), 1],
      ['enabling', () => accounts.enable('bob'), 0],
      ['revoking the token', () => accounts.revoke('bob'), 0],
      ['changing its rights', () => accounts.setRights('bob', 'viewer', []), 0],
    ] as const
    for (const [what, change, ends] of ending)
      it(`${ends ? 'ends' : 'does not end'} the sessions of an account by ${what}`, async () => {
        await change()
        await reopen()
        expect(accounts.find('bob')?.epoch).to.equal(ends)
      })

    const refused: readonly (readonly [
      what: string,
      change: () => Promise<unknown>,
      message: RegExp,
    ])[] = [
      ['a short password', () => accounts.setPassword('bob', 'seven c'), /at least 8/],
      ['a blank password', () => accounts.setPassword('bob', ' '.repeat(9)), /blank/],
      ['an unknown role', () => accounts.setRights('bob', 'owner', []), /"owner"/],
      [
        'a viewer restricted to some resources',
        () => accounts.setRights('bob', 'viewer', ['zines']),
        /Only an editor/,
      ],
      ['rights of an unknown account', () => accounts.setRights('eve', 'viewer', []), /"eve"/],
      ['enabling an unknown account', () => accounts.enable('eve'), /"eve"/],
    ]
    for (const [what, change, message] of refused)
      it(`cannot make the change: ${what}`, async () => {
        const before = await stored()
        const failure = await failureOf(change())
        expect(failure).to.be.instanceOf(InvalidError)
        expect(failure.message).to.match(message)
        expect(await stored()).to.equal(before)
      })
  })

  describe('the last administrator who can log in', () => {
    beforeEach(async () => {
      await accounts.ensureAdmin('ada', password)
      await accounts.ensureAdmin('eve', password)
      await accounts.disable('eve')
      await accounts.add(bob)
    })

    const changes = [
      ['disabled', () => accounts.disable('ada')],
      ['made a viewer', () => accounts.setRights('ada', 'viewer', [])],
    ] as const
    for (const [what, change] of changes) {
      it(`cannot be ${what}`, async () => {
        const failure = await failureOf(change())
        expect(failure).to.be.instanceOf(InvalidError)
        expect(failure.message).to.match(/^"ada" is the last administrator/)
        expect(accounts.find('ada')).to.include({ role: 'admin', disabled: false })
      })

      it(`can be ${what} when there is another`, async () => {
        await accounts.enable('eve')
        await change()
        expect(accounts.find('ada')).not.to.include({ role: 'admin', disabled: false })
      })
    }

    it('is not disabled when two are disabled at once', async () => {
      await accounts.enable('eve')
      const results = await Promise.allSettled(['ada', 'eve'].map((name) => accounts.disable(name)))
      expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
    })
  })

  describe('changing a password', () => {
    beforeEach(() => accounts.add(bob))

    it('works with the current password', async () => {
      await accounts.changePassword('bob', password, 'another one')
      expect(await accounts.login('bob', 'another one')).to.be.a('string')
    })

    it('is refused with a wrong password and for a disabled account', async () => {
      const change = () => accounts.changePassword('bob', 'wrong', 'another one')
      expect(await failureOf(change())).to.be.instanceOf(CredentialsError)
      await accounts.disable('bob')
      const late = accounts.changePassword('bob', password, 'another one')
      expect(await failureOf(late)).to.be.instanceOf(CredentialsError)
    })

    it('is refused when the new password is short', async () => {
      const failure = await failureOf(accounts.changePassword('bob', password, 'short'))
      expect(failure).to.be.instanceOf(InvalidError)
    })

    it('succeeds for one of two concurrent requests', async () => {
      const results = await Promise.allSettled(
        ['first one', 'second one'].map((next) => accounts.changePassword('bob', password, next)),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
      expect(accounts.find('bob')?.epoch).to.equal(1)
    })

    it('counts failures like a login', async () => {
      for (let time = 0; time < 10; time++)
        await failureOf(accounts.changePassword('bob', 'wrong', 'another one', '192.0.2.1'))
      const failure = await failureOf(accounts.login('bob', password, '192.0.2.1'))
      expect(failure).to.be.instanceOf(LoginThrottledError)
    })
  })

  describe('a raised cost of password hashes', () => {
    it('is used from the next login on', async () => {
      await accounts.add(bob)
      const raised = await loadAccounts(store, keyFile, { passwordCost: 2 ** 11 })
      await failureOf(raised.login('bob', 'wrong'))
      expect(await stored()).to.include('"N":1024')
      await raised.login('bob', password)
      expect(await stored())
        .to.include('"N":2048')
        .and.not.include('"N":1024')
      expect(await raised.login('bob', password)).to.be.a('string')
    })

    it('does not show which names exist', async () => {
      await accounts.add(bob)
      const raised = await loadAccounts(store, keyFile, { passwordCost: 2 ** 14 })
      const known = await fastest(() => raised.login('bob', 'wrong'))
      const unknown = await fastest(() => raised.login('eve', 'wrong'))
      // Without a hash it would be a hundredth; between that and equal is what else the machine does.
      expect(unknown / known).to.be.within(0.2, 5)
    })

    it('does not refuse a login when the disk is full', async () => {
      await accounts.add(bob)
      const raised = await loadAccounts(store, keyFile, { passwordCost: 2 ** 11 })
      store.write = () => Promise.reject(new Error('the disk is full'))
      expect(await raised.login('bob', password)).to.be.a('string')
    })
  })

  describe('the time of the last use', () => {
    const hour = 3_600_000
    const noon = Date.parse('2026-11-20T12:00:00.000Z')
    let time: number
    let writes: number

    beforeEach(async () => {
      time = noon + 0.7 * hour
      accounts = await loadAccounts(store, keyFile, { ...lowCost, now: () => time })
      await accounts.add(bob)
      writes = 0
      const write = store.write.bind(store)
      store.write = (entries) => {
        writes += 1
        return write(entries)
      }
    })

    const lastUsed = () => accounts.find('bob')?.lastUsed

    it('is the hour of the last login', async () => {
      expect(lastUsed()).to.equal(undefined)
      await accounts.login('bob', password)
      expect(lastUsed()).to.equal('2026-11-20T12:00:00.000Z')
    })

    it('is the hour of the last request with the token, written once in that hour', () => {
      const token = accounts.tokenOf('bob')
      for (let minute = 0; minute < 18; minute++, time += hour / 60) accounts.authenticate(token)
      expect([lastUsed(), writes]).to.deep.equal(['2026-11-20T12:00:00.000Z', 1])
      time += hour
      accounts.authenticate(token)
      expect([lastUsed(), writes]).to.deep.equal(['2026-11-20T14:00:00.000Z', 2])
    })

    it('is not changed by a login that failed', async () => {
      await failureOf(accounts.login('bob', 'wrong'))
      expect(lastUsed()).to.equal(undefined)
    })

    it('stays after other changes and a restart', async () => {
      accounts.recordUse('bob')
      await accounts.setRights('bob', 'viewer', [])
      await reopen()
      expect(lastUsed()).to.equal('2026-11-20T12:00:00.000Z')
    })
  })

  describe('a known network', () => {
    const knownAddress = '192.0.2.1'

    async function failOften(address: string): Promise<void> {
      for (let time = 0; time < 10; time++) await failureOf(accounts.login('bob', 'wrong', address))
    }

    beforeEach(() => accounts.add(bob))

    it('can log in after failures from other networks, also after a restart', async () => {
      await accounts.login('bob', password, knownAddress)
      await reopen()
      await failOften('203.0.113.9')
      expect(await accounts.login('bob', password, knownAddress)).to.be.a('string')
      const elsewhere = await failureOf(accounts.login('bob', password, '203.0.113.9'))
      expect(elsewhere).to.be.instanceOf(LoginThrottledError)
    })

    it('is forgotten after logins from ten others', async () => {
      for (let host = 1; host <= 11; host++)
        await accounts.login('bob', password, `192.0.2.${host}`)
      await failOften('203.0.113.9')
      expect(await failureOf(accounts.login('bob', password, knownAddress))).to.be.instanceOf(
        LoginThrottledError,
      )
      expect(await accounts.login('bob', password, '192.0.2.2')).to.be.a('string')
    })

    it('is stored as a hash', async () => {
      await accounts.login('bob', password, knownAddress)
      await accounts.revoke('bob')
      expect(await stored())
        .to.match(/"from":\["[0-9a-f]{16}"\]/)
        .and.not.include(knownAddress)
    })
  })

  it('include those that were written before there were sessions', async () => {
    await accounts.add(bob)
    const old = JSON.parse((await store.get('account/bob')) ?? '') as {
      account: { epoch?: number }
    }
    delete old.account.epoch
    await store.write([{ key: 'account/bob', value: JSON.stringify(old) }])
    await reopen()
    expect(accounts.find('bob')).to.include({ epoch: 0, lastUsed: undefined })
    expect(await accounts.login('bob', password)).to.be.a('string')
  })

  describe('the server key', () => {
    it('has 32 bytes that only its owner may read, and no temporary file is left', async () => {
      const { mode, size } = await stat(keyFile)
      expect(size).to.equal(32)
      expect(mode & 0o777).to.equal(0o600)
      expect((await readdir(directory)).sort()).to.deep.equal(['store', 'token.key'])
    })

    it('stays the same after a restart', async () => {
      const before = await readFile(keyFile)
      await reopen()
      expect(await readFile(keyFile)).to.deep.equal(before)
    })

    it('is made although an earlier start was interrupted while making it', async () => {
      await rm(keyFile)
      await writeFile(`${keyFile}.new`, 'half')
      await chmod(`${keyFile}.new`, 0o644)
      await reopen()
      const { mode, size } = await stat(keyFile)
      expect([size, mode & 0o777]).to.deep.equal([32, 0o600])
    })

    it('of a wrong length stops the start with a message that says what to do', async () => {
      await writeFile(keyFile, 'short')
      const failure = await failureOf(loadAccounts(store, keyFile, lowCost))
      expect(failure).to.be.instanceOf(ExpectedError)
      expect(failure.message).to.match(/5 bytes.* 32\..*backup.*urandom/)
    })

    it('that is missing although there are accounts stops the start with a message that says what to do', async () => {
      await accounts.add(bob)
      await rm(keyFile)
      const failure = await failureOf(loadAccounts(store, keyFile, lowCost))
      expect(failure).to.be.instanceOf(ExpectedError)
      expect(failure.message).to.match(/is missing.*backup.*urandom.*every token then changes/)
      expect(await failureOf(stat(keyFile))).to.have.property('code', 'ENOENT')
    })

    it('that was replaced changes every token and no password', async () => {
      await accounts.add(bob)
      const before = await accounts.login('bob', password)
      await writeFile(keyFile, Buffer.alloc(32, 7))
      await reopen()
      expect(() => accounts.authenticate(before)).to.throw(RequestError, 'Invalid token.')
      const after = await accounts.login('bob', password)
      expect(accounts.authenticate(after).name).to.equal('bob')
    })
  })

  it('have password hashes of the recommended cost by default', async () => {
    const costly = await loadAccounts(store, keyFile)
    await costly.add(bob)
    expect(await stored()).to.include('"N":131072,"r":8,"p":1')
    expect(await costly.login('bob', password)).to.match(/^[0-9a-f]{40}$/)
  })
})

describe('a password', () => {
  it('is verified with the parameters stored beside its hash', async () => {
    const [low, high] = await Promise.all([2 ** 8, 2 ** 11].map((N) => hashPassword(password, N)))
    if (!low || !high) throw new Error('two were hashed')
    expect([low.N, high.N]).to.deep.equal([2 ** 8, 2 ** 11])
    expect(await verifyPassword(password, low)).to.equal(true)
    expect(await verifyPassword(password, high)).to.equal(true)
    expect(await verifyPassword('wrong', high)).to.equal(false)
  })

  it('has a different hash each time', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => hashPassword(password, 2 ** 8)))
    expect(one?.salt).not.to.equal(two?.salt)
    expect(one?.hash).not.to.equal(two?.hash)
  })

  it('is the same in any normal form of its accents', async () => {
    expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9', 2 ** 8))).to.equal(
      true,
    )
  })
})

describe('rights', () => {
  const all = [...resourceNames]
  // prettier-ignore
  const cases: readonly (readonly [Rights, writes: readonly string[], seesAllPrivate: boolean])[] = [
    [{ role: 'admin',  restrictedTo: [] },                    all,                   true],
    [{ role: 'editor', restrictedTo: [] },                    all,                   true],
    [{ role: 'editor', restrictedTo: ['zines', 'holdings'] }, ['zines', 'holdings'], false],
    [{ role: 'editor', restrictedTo: ['agents'] },            ['agents'],            false],
    [{ role: 'viewer', restrictedTo: [] },                    [],                    false],
  ]
  for (const [rights, writes, seesAllPrivate] of cases)
    it(`of ${rights.role} restricted to [${rights.restrictedTo.join(', ')}] allow writing [${writes.join(', ')}]`, () => {
      expect(all.filter((resource) => mayWrite(rights, resource))).to.deep.equal(writes)
      expect(maySeeAllPrivate(rights)).to.equal(seesAllPrivate)
    })
})

/** The fastest of some runs, in milliseconds: the one that was disturbed least. */
async function fastest(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    await run().catch(() => undefined)
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}
