// Sessions over a real home: how long they last, what ends them, and what is left after a restart.

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
import { type KeyValueStore, openKeyValueStore } from '../../src/store/key-value/key-value-store.js'

const password = 'correct horse battery staple'
const minute = 60_000
const hour = 60 * minute

describe('sessions', () => {
  let directory: string
  let time: number
  let home: KeyValueStore
  let accounts: Accounts
  let sessions: Sessions
  let ada: Account

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sessions-'))
    time = Date.parse('2026-11-20T12:00:00.000Z')
    await open()
    await accounts.ensureAdmin('root', password)
    ada = await accounts.add({ name: 'ada', password, role: 'editor', only: [] })
  })

  afterEach(async () => {
    await home.close()
    await rm(directory, { recursive: true })
  })

  async function open(): Promise<void> {
    const now = () => time
    home = await openKeyValueStore(join(directory, 'store'))
    accounts = await loadAccounts(home, join(directory, 'token.key'), {
      passwordCost: 2 ** 10,
      now,
    })
    sessions = await openSessions(home, accounts, { idle: 8 * 3600, now })
  }

  async function restart(): Promise<void> {
    await home.close()
    await open()
  }

  async function stored(): Promise<readonly string[]> {
    const entries = []
    for await (const [key, value] of home.entries('session/')) entries.push(`${key} ${value}`)
    return entries
  }

  const opened = async (): Promise<string> => (await sessions.open(ada)).key
  const nameOf = (key: string) => sessions.find(key)?.account.name

  it('tell whose they are, by a key of 256 bits that is another each time', async () => {
    const [one, two] = [await opened(), await opened()]
    expect(one).to.match(/^[\w-]{43}$/)
    expect(one).not.to.equal(two)
    expect([nameOf(one), nameOf(two)]).to.deep.equal(['ada', 'ada'])
  })

  for (const key of ['', 'x'.repeat(43), '__proto__'])
    it(`with the key "${key}" are nobody's`, () => {
      expect(sessions.find(key)).to.equal(undefined)
    })

  it('are kept over a restart, without their keys', async () => {
    const key = await opened()
    expect((await stored()).join()).not.to.include(key)
    await restart()
    expect(nameOf(key)).to.equal('ada')
  })

  it('tell what the account may do now, not what it might when they were opened', async () => {
    const key = await opened()
    await accounts.setRights('ada', 'viewer', [])
    expect(sessions.find(key)?.account.role).to.equal('viewer')
  })

  describe('expire', () => {
    it('after eight hours without use', async () => {
      const key = await opened()
      time += 8 * hour - 1
      expect(nameOf(key)).to.equal('ada')
      time += 8 * hour
      expect(nameOf(key)).to.equal(undefined)
    })

    it('after seven days, however much they are used', async () => {
      const key = await opened()
      const end = time + 7 * 24 * hour
      for (; time < end; time += 7 * hour) expect(nameOf(key)).to.equal('ada')
      time = end
      expect(nameOf(key)).to.equal(undefined)
    })

    it('as if used at most five minutes earlier, after a restart', async () => {
      const key = await opened()
      for (let used = 0; used < 60; used++, time += minute) sessions.find(key)
      await restart()
      time += 8 * hour - 6 * minute
      expect(nameOf(key)).to.equal('ada')
    })

    it('and are swept, at the start and when another is opened', async () => {
      await opened()
      time += 8 * hour
      await opened()
      expect(await stored()).to.have.length(1)
      time += 8 * hour
      await restart()
      expect(await stored()).to.be.empty
    })
  })

  describe('under a clock that was wrong', () => {
    const year = 365 * 24 * hour

    it('end when it is set back by more than they may be idle', async () => {
      time += year
      const key = await opened()
      expect(nameOf(key)).to.equal('ada')
      time -= year
      expect(nameOf(key)).to.equal(undefined)
      await restart()
      expect(await stored()).to.be.empty
      expect(nameOf(await opened())).to.equal('ada')
    })

    it('end for good, once they were found to have ended', async () => {
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

    it('go on when it is set back by less, and last no longer than a week from then', async () => {
      const key = await opened()
      time -= 7 * hour
      expect(nameOf(key)).to.equal('ada')
      const end = time + 7 * 24 * hour + 7 * hour
      for (; time < end; time += 7 * hour) expect(nameOf(key)).to.equal('ada')
      expect(nameOf(key)).to.equal(undefined)
    })

    it('write their use as before, when it was set back', async () => {
      const key = await opened()
      time -= hour
      sessions.find(key)
      await restart()
      time += 8 * hour
      expect(nameOf(key)).to.equal(undefined)
    })

    it('never outlast a week and the time that they may be idle, wherever it jumps', async () => {
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

  it('write their use every five minutes at most', async () => {
    const key = await opened()
    sessions.find(key)
    let writes = 0
    const write = home.write.bind(home)
    home.write = (entries) => {
      writes += 1
      return write(entries)
    }
    for (let second = 0; second < 600; second++, time += 1000) sessions.find(key)
    expect(writes).to.equal(1)
  })

  it('are a use of the account', async () => {
    const key = await opened()
    sessions.find(key)
    expect(accounts.find('ada')?.lastUsed).to.equal('2026-11-20T12:00:00.000Z')
  })

  describe('end', () => {
    it('when they are closed, for good', async () => {
      const [key, other] = [await opened(), await opened()]
      await sessions.close(key)
      expect([nameOf(key), nameOf(other)]).to.deep.equal([undefined, 'ada'])
      await restart()
      expect([nameOf(key), nameOf(other)]).to.deep.equal([undefined, 'ada'])
    })

    it('for good also when they are used while they are closed', async () => {
      const key = await opened()
      time += hour
      const closed = sessions.close(key)
      sessions.find(key)
      await closed
      await restart()
      expect(nameOf(key)).to.equal(undefined)
    })

    it('when their browser logs in again, with another key', async () => {
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
      it(`when their account ${what}, and stay so`, async () => {
        const key = await opened()
        await change()
        expect(nameOf(key)).to.equal(undefined)
        await restart()
        expect(nameOf(key)).to.equal(undefined)
        expect(await stored()).to.be.empty
      })

    it('for who logged in with the old password, just before the new one was there', async () => {
      const before = await accounts.verifyLogin('ada', password)
      await accounts.setPassword('ada', 'another one')
      expect(nameOf((await sessions.open(before)).key)).to.equal(undefined)
    })

    it('when there are twenty newer ones of their account: the longest unused first', async () => {
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

  it('go on when a token is revoked', async () => {
    const key = await opened()
    await accounts.revoke('ada')
    expect(nameOf(key)).to.equal('ada')
  })

  it('are not opened on a disk that does not take them', async () => {
    home.write = () => Promise.reject(new Error('the disk is full'))
    const failure = await sessions.open(ada).catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'the disk is full')
  })
})

describe('the token of a form', () => {
  it('is good for the key that it was made from, and for no other', () => {
    const [key, other] = [createSessionKey(), createSessionKey()]
    expect(isCsrfTokenValid(key, csrfOf(key))).to.equal(true)
    expect(isCsrfTokenValid(other, csrfOf(key))).to.equal(false)
    for (const token of ['', 'x', key, csrfOf(key).slice(1)])
      expect(isCsrfTokenValid(key, token), token).to.equal(false)
  })
})
