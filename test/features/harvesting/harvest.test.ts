// The items for harvesters over a log of changes that the test writes itself, and the tokens of lists: what
// depends on the time, and on changes that HTTP cannot make at will.

import { expect } from 'chai'

import { createLocks } from '../../../src/catalogue/writes/locks.js'
import { type CurrentItems, ItemIndex } from '../../../src/features/harvesting/items/item-index.js'
import type { ItemEntry } from '../../../src/features/harvesting/items/read-item.js'
import { setOf, idOfSet } from '../../../src/features/harvesting/items/sets.js'
import { fromMicroseconds } from '../../../src/catalogue/clock.js'
import { OaiError } from '../../../src/features/harvesting/errors.js'
import { createResumptionTokens } from '../../../src/features/harvesting/resumption-token.js'
import type { ChangeType, LoggedChange } from '../../../src/store/key-value/change-log.js'

const kinds = new Set(['zines', 'agents', 'repositories', 'holdings'] as const)

const everything = { set: undefined, kinds, from: 0, before: Infinity }

/** A catalogue of records that are JSON, and its log. */
function createCatalogue() {
  const records = new Map<string, string>()
  let changes: LoggedChange[] = []
  let first = 1
  let oldestWrite: number | undefined
  let reads = 0
  const index = new ItemIndex({
    records: {
      async *all() {
        reads += 1
        yield* [...records]
        await Promise.resolve()
      },
      get: (key) => Promise.resolve(records.get(key)),
    },
    changeLog: {
      first: () => first,
      last: () => first + changes.length - 1,
      async *read(since) {
        yield* changes.filter(({ sequence }) => sequence > since)
        await Promise.resolve()
      },
    },
    // The cast: `write` made it.
    readItem: (_key, text) => JSON.parse(text) as ItemEntry,
    oldestWrite: () => oldestWrite,
    forgets: false,
  })

  function write(
    key: string,
    time: number,
    more: Partial<ItemEntry> & { readonly change?: ChangeType; readonly before?: object } = {},
  ): void {
    const { change = 'updated', before, ...entry } = more
    const sequence = first + changes.length
    changes.push({
      record: key,
      at: fromMicroseconds(time),
      how: 'api',
      change,
      sequence,
      commit: sequence,
      ...(before ? { before: { ...before } } : {}),
    })
    if (change === 'deleted') records.delete(key)
    else
      records.set(
        key,
        JSON.stringify({ key, created: time, changed: time, references: [], sets: [], ...entry }),
      )
  }

  return {
    write,
    read: <Result>(use: (items: CurrentItems) => Result) => index.read(use),
    dates: () =>
      index.read(({ items }) =>
        Object.fromEntries([...items(everything)].map(({ key, date }) => [key, date])),
      ),
    builds: () => reads,
    setOldestWrite: (time: number | undefined) => (oldestWrite = time),
    forget: (count: number): void => {
      changes = changes.slice(count)
      first += count
    },
  }
}

describe('the items for harvesters', () => {
  it('are dated by what they show, at two removes', async () => {
    const { write, dates, setOldestWrite } = createCatalogue()
    setOldestWrite(0)
    write('agents/a', 10)
    write('zines/z', 20, { references: ['agents/a'] })
    write('holdings/h', 30, { references: ['zines/z', 'repositories/r'] })
    await dates()
    write('agents/a', 40)
    expect(await dates()).to.deep.equal({
      'agents/a': 40,
      'zines/z': 40,
      'holdings/h': 40,
    })
  })

  it('are read from the log, and built once', async () => {
    const { write, dates, builds } = createCatalogue()
    for (let round = 1; round < 5; round += 1) {
      write('agents/a', round)
      await dates()
    }
    expect(builds()).to.equal(1)
  })

  it('are built again when the log has forgotten what was not read', async () => {
    const { write, dates, forget, builds } = createCatalogue()
    write('agents/a', 10)
    await dates()
    write('agents/b', 20)
    write('agents/c', 30)
    forget(2)
    expect(await dates()).to.have.all.keys('agents/a', 'agents/b', 'agents/c')
    expect(builds()).to.equal(2)
  })

  it('forget with the log what was deleted', async () => {
    const { write, read, forget } = createCatalogue()
    write('agents/a', 10)
    write('agents/a', 20, { change: 'deleted', before: { agent_id: 'a' } })
    write('agents/b', 30)
    expect(await read(({ get }) => get('agents/a')?.isGone)).to.equal(true)
    expect(await read(({ knowsDeletions }) => knowsDeletions)).to.equal(true)
    forget(2)
    expect(await read(({ get }) => get('agents/a'))).to.equal(undefined)
    expect(await read(({ knowsDeletions }) => knowsDeletions)).to.equal(false)
  })

  it('say that nothing earlier follows than the beginning of the oldest write', async () => {
    const { read, setOldestWrite } = createCatalogue()
    const before = Date.now()
    expect(await read(({ now }) => now)).to.be.at.least(before * 1000)
    setOldestWrite(before - 5000)
    expect(await read(({ now }) => now)).to.equal((before - 5000) * 1000)
  })

  it('are dated later when they were written later than their time says', async () => {
    const { write, read, dates } = createCatalogue()
    const now = await read((items) => items.now)
    write('agents/a', now - 7_000_000)
    expect((await dates())['agents/a']).to.equal(now)
  })

  it('come after a position, also where many have the same date', async () => {
    const { write, read } = createCatalogue()
    for (const id of ['c', 'a', 'b', 'd']) write(`agents/${id}`, 10)
    const after = { date: 10, key: 'agents/b' }
    const keys = await read(({ items }) => [...items(everything, after)].map(({ key }) => key))
    expect(keys).to.deep.equal(['agents/c', 'agents/d'])
  })

  it('come once, however often they were changed', async () => {
    const { write, read, dates } = createCatalogue()
    for (let round = 1; round <= 3000; round += 1) {
      write(`agents/${round % 7}`, round)
      if (round % 100 === 0) await dates()
    }
    const keys = await read(({ items }) => [...items(everything)].map(({ key }) => key))
    expect(keys).to.have.length(7)
    expect(await read(({ count }) => count(everything))).to.equal(7)
  })
})

describe('the names of sets', () => {
  it('have only characters that OAI-PMH allows, and lead back to the identifier', () => {
    for (const id of ['library', 'a/b c', 'Ünï!%:', "*'()~", '🎉']) {
      const set = setOf('repository', id)
      expect(set).to.match(/^repository:[\w.!~*'()-]+$/)
      expect(idOfSet(set)).to.equal(id)
    }
  })
})

describe('resumption tokens', () => {
  const content = {
    verb: 'ListRecords',
    prefix: 'oai_dc',
    set: undefined,
    from: 0,
    before: Infinity,
    end: 20,
    date: 10,
    key: 'agents/a',
    cursor: 100,
    size: 300,
  }
  const key = Buffer.from('a key')

  it('lead back to what they were made of, for a day', () => {
    let now = 1_000_000
    const tokens = createResumptionTokens(key, () => now)
    const { text, expires } = tokens.write(content)
    expect(tokens.read(text, 'ListRecords')).to.deep.equal({ ...content, expires })
    now += 86_400_000 - 1001
    tokens.read(text, 'ListRecords')
    now += 1001
    expect(() => tokens.read(text, 'ListRecords')).to.throw(OaiError, 'too old')
  })

  it('are refused when they were made with another key', () => {
    const { text } = createResumptionTokens(Buffer.from('another')).write(content)
    expect(() => createResumptionTokens(key).read(text, 'ListRecords')).to.throw(
      OaiError,
      'not from here',
    )
  })
})

describe('the locks of writes', () => {
  it('know when the oldest write that is not done was asked for', async () => {
    const locks = createLocks()
    expect(locks.oldestStart()).to.equal(undefined)
    let finish = (): void => undefined
    const before = Date.now()
    const first = locks.withRecordLock('a', () => new Promise<void>((done) => (finish = done)))
    const second = locks.withExclusiveLock(() => Promise.resolve())
    expect(locks.oldestStart()).to.be.within(before, Date.now())
    await new Promise((done) => setImmediate(done))
    finish()
    await Promise.all([first, second])
    await new Promise((done) => setImmediate(done))
    expect(locks.oldestStart()).to.equal(undefined)
  })
})
