// Sessions over a real key-value store: how long they last, what ends them, and what a restart keeps.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import fc from 'fast-check'

import { type Account, type Accounts, loadAccounts } from '../../src/accounts/accounts.js'
import {
  type Sessions,
  createSessionKey,
  csrfOf,
  isCsrfTokenValid,
  openSessions,
} from '../../src/accounts/sessions.js'
import { type KeyValueStore, openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'

const password = 'correct horse battery staple'
const minute = 60_000
const hour = 60 * minute

describe('a session', () => {
  let directory: string
  let time: number
  let store: KeyValueStore
  let accounts: Accounts
  let sessions: Sessions
  let ada: Account

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sessions-'))
    time = Date.parse('2026-11-20T12:00:00.000Z')
    await open()
    await accounts.ensureAdmin('root', password)
    ada = await accounts.add({ name: 'ada', password, role: 'editor', restrictedTo: [] })
  })

  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  async function open(): Promise<void> {
    const now = () => time
    store = await openKeyValueStore(join(directory, 'store'))
    accounts = await loadAccounts(store, join(directory, 'token.key'), {
      passwordCost: 2 ** 10,
      now,
    })
    sessions = await openSessions(store, accounts, { idle: 8 * 3600, now })
  }

  async function restart(): Promise<void> {
    await store.close()
    await open()
  }

  async function stored(): Promise<readonly string[]> {
    const entries = []
    for await (const [key, value] of store.entries('session/')) entries.push(`${key} ${value}`)
    return entries
  }

  const opened = async (): Promise<string> => (await sessions.open(ada)).key
  const nameOf = (key: string) => sessions.find(key)?.account.name

  it('is found by a random key of 256 bits', async () => {
    const [one, two] = [await opened(), await opened()]
    expect(one).to.match(/^[\w-]{43}$/)
    expect(one).not.to.equal(two)
    expect([nameOf(one), nameOf(two)]).to.deep.equal(['ada', 'ada'])
  })

  for (const key of ['', 'x'.repeat(43), '__proto__'])
    it(`is not found by the key "${key}"`, () => {
      expect(sessions.find(key)).to.equal(undefined)
    })

  it('lasts over a restart, and its key is not stored', async () => {
    const key = await opened()
    expect((await stored()).join()).not.to.include(key)
    await restart()
    expect(nameOf(key)).to.equal('ada')
  })

  it('has the current rights of the account', async () => {
    const key = await opened()
    await accounts.setRights('ada', 'viewer', [])
    expect(sessions.find(key)?.account.role).to.equal('viewer')
  })

  describe('expires', () => {
    it('after eight hours without use', async () => {
      const key = await opened()
      time += 8 * hour - 1
      expect(nameOf(key)).to.equal('ada')
      time += 8 * hour
      expect(nameOf(key)).to.equal(undefined)
    })

    it('after seven days, even when it is used', async () => {
      const key = await opened()
      const end = time + 7 * 24 * hour
      for (; time < end; time += 7 * hour) expect(nameOf(key)).to.equal('ada')
      time = end
      expect(nameOf(key)).to.equal(undefined)
    })

    it('after a restart at most five minutes too early', async () => {
      const key = await opened()
      for (let used = 0; used < 60; used++, time += minute) sessions.find(key)
      await restart()
      time += 8 * hour - 6 * minute
      expect(nameOf(key)).to.equal('ada')
    })

    it('and is deleted from the disk at the start and when another is opened', async () => {
      await opened()
      time += 8 * hour
      await opened()
      expect(await stored()).to.have.length(1)
      time += 8 * hour
      await restart()
      expect(await stored()).to.be.empty
    })
  })

  describe('when the clock was wrong', () => {
    const year = 365 * 24 * hour

    it('ends when the clock is set back by more than the idle time', async () => {
      time += year
      const key = await opened()
      expect(nameOf(key)).to.equal('ada')
      time -= year
      expect(nameOf(key)).to.equal(undefined)
      await restart()
      expect(await stored()).to.be.empty
      expect(nameOf(await opened())).to.equal('ada')
    })

    it('stays ended once it was found to be expired', async () => {
      for (const jump of [year, -year]) {
        const key = await opened()
        time += jump
        expect(nameOf(key)).to.equal(undefined)
        time -= jump
        expect(nameOf(key)).to.equal(undefined)
        await restart()
        expect(nameOf(key)).to.equal(undefined)
      }
    })

    it('goes on when the clock is set back by less, for a week at most', async () => {
      const key = await opened()
      time -= 7 * hour
      expect(nameOf(key)).to.equal('ada')
      const end = time + 7 * 24 * hour + 7 * hour
      for (; time < end; time += 7 * hour) expect(nameOf(key)).to.equal('ada')
      expect(nameOf(key)).to.equal(undefined)
    })

    it('still writes its last use when the clock was set back', async () => {
      const key = await opened()
      time -= hour
      sessions.find(key)
      await restart()
      time += 8 * hour
      expect(nameOf(key)).to.equal(undefined)
    })

    it('never lasts longer than a week and the idle time, wherever the clock jumps', async () => {
      const hours = fc.integer({ min: -48, max: 48 }).map((count) => count * hour)
      const jump = fc.oneof(fc.integer({ min: -2 * year, max: 2 * year }), hours)
      await fc.assert(
        fc.asyncProperty(fc.array(jump, { maxLength: 4 }), jump, async (before, last) => {
          for (const jumped of before) time += jumped
          const key = await opened()
          time += last
          // Used all along, for seven and a half days after the clock jumped for the last time.
          for (let used = 0; used < 30; used += 1, time += 6 * hour) sessions.find(key)
          expect(nameOf(key)).to.equal(undefined)
        }),
        { numRuns: 50 },
      )
    })
  })

  it('writes its last use every five minutes at most', async () => {
    const key = await opened()
    sessions.find(key)
    let writes = 0
    const write = store.write.bind(store)
    store.write = (entries) => {
      writes += 1
      return write(entries)
    }
    for (let second = 0; second < 600; second++, time += 1000) sessions.find(key)
    expect(writes).to.equal(1)
  })

  it('counts as a use of the account', async () => {
    const key = await opened()
    sessions.find(key)
    expect(accounts.find('ada')?.lastUsed).to.equal('2026-11-20T12:00:00.000Z')
  })

  describe('ends', () => {
    it('when it is closed, also after a restart', async () => {
      const [key, other] = [await opened(), await opened()]
      await sessions.close(key)
      expect([nameOf(key), nameOf(other)]).to.deep.equal([undefined, 'ada'])
      await restart()
      expect([nameOf(key), nameOf(other)]).to.deep.equal([undefined, 'ada'])
    })

    it('when it is closed while it is used', async () => {
      const key = await opened()
      time += hour
      const closed = sessions.close(key)
      sessions.find(key)
      await closed
      await restart()
      expect(nameOf(key)).to.equal(undefined)
    })

    it('when its browser logs in again and gets another key', async () => {
      const before = await opened()
      const { key: after } = await sessions.open(ada, before)
      expect([nameOf(before), nameOf(after)]).to.deep.equal([undefined, 'ada'])
      expect(await stored()).to.have.length(1)
    })

    const changes = [
      ['is disabled', () => accounts.disable('ada')],
      ['is given another password', () => accounts.setPassword('ada', 'another one')],
      ['changes its password', () => accounts.changePassword('ada', password, 'another one')],
      ['is disabled and enabled', () => accounts.disable('ada').then(() => accounts.enable('ada'))],
    ] as const
    for (const [what, change] of changes)
      it(`when its account ${what}, also after a restart`, async () => {
        const key = await opened()
        await change()
        expect(nameOf(key)).to.equal(undefined)
        await restart()
        expect(nameOf(key)).to.equal(undefined)
        expect(await stored()).to.be.empty
      })

    it('at once when the login was made with the old password, just before the change', async () => {
      const before = await accounts.verifyLogin('ada', password)
      await accounts.setPassword('ada', 'another one')
      expect(nameOf((await sessions.open(before)).key)).to.equal(undefined)
    })

    it('when its account has twenty others that were used later', async () => {
      const keys: string[] = []
      for (let number = 0; number < 20; number++, time += minute) keys.push(await opened())
      const [first = '', second = ''] = keys
      sessions.find(first)
      time += minute
      keys.push(await opened())
      expect(nameOf(first)).to.equal('ada')
      expect(nameOf(second)).to.equal(undefined)
      expect(keys.filter(nameOf)).to.have.length(20)
      expect(await stored()).to.have.length(20)
    })
  })

  it('goes on when the token is revoked', async () => {
    const key = await opened()
    await accounts.revoke('ada')
    expect(nameOf(key)).to.equal('ada')
  })

  it('is not opened when it cannot be written to the disk', async () => {
    store.write = () => Promise.reject(new Error('the disk is full'))
    const failure = await sessions.open(ada).catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'the disk is full')
  })
})

describe('the CSRF token of a form', () => {
  it('is valid for the key that it was made from and for no other', () => {
    const [key, other] = [createSessionKey(), createSessionKey()]
    expect(isCsrfTokenValid(key, csrfOf(key))).to.equal(true)
    expect(isCsrfTokenValid(other, csrfOf(key))).to.equal(false)
    for (const token of ['', 'x', key, csrfOf(key).slice(1)])
      expect(isCsrfTokenValid(key, token), token).to.equal(false)
  })
})
