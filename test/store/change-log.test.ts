// The log of changes over a key-value store: numbers without gaps, what is found by record and by commit,
// and what is forgotten.

import { expect } from 'chai'

import { type ChangeLog, loadChangeLog } from '../../src/store/key-value/change-log.js'
import type { KeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { memoryHome } from './memory-store.js'

const change = (record: string, type: 'created' | 'updated' | 'deleted' = 'updated', day = 1) => ({
  record,
  at: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000000Z`,
  how: 'api',
  change: type,
})

async function allOf(log: ChangeLog, since = 0) {
  const found = []
  for await (const one of log.read(since)) found.push(one)
  return found
}

describe('the log of changes', () => {
  it('numbers the changes of one commit one after the other', async () => {
    const log = await loadChangeLog(memoryHome())
    await Promise.all([
      log.write([], [change('zines/a'), change('zines/b')]),
      log.write([], [change('zines/c')]),
    ])
    const found = await allOf(log)
    expect(found.map(({ sequence, commit, record }) => [sequence, commit, record])).to.deep.equal([
      [1, 1, 'zines/a'],
      [2, 1, 'zines/b'],
      [3, 3, 'zines/c'],
    ])
    expect((await log.ofCommit(1)).map(({ record }) => record)).to.deep.equal([
      'zines/a',
      'zines/b',
    ])
    expect((await allOf(log, 2)).map(({ record }) => record)).to.deep.equal(['zines/c'])
  })

  it('has no gap after a write that failed', async () => {
    const home = memoryHome()
    let isFull = false
    const failing: KeyValueStore = {
      ...home,
      write: (entries) => (isFull ? Promise.reject(new Error('full')) : home.write(entries)),
    }
    const log = await loadChangeLog(failing)
    await log.write([], [change('zines/a')])
    isFull = true
    const failures = await Promise.allSettled([1, 2].map(() => log.write([], [change('zines/b')])))
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    isFull = false
    await log.write([], [change('zines/c')])
    expect((await allOf(log)).map(({ sequence, record }) => [sequence, record])).to.deep.equal([
      [1, 'zines/a'],
      [2, 'zines/c'],
    ])
  })

  it('goes on with its numbers and its name when it is loaded again', async () => {
    const home = memoryHome()
    const first = await loadChangeLog(home)
    await first.write([], [change('zines/a')])
    const second = await loadChangeLog(home)
    await second.write([], [change('zines/b')])
    expect(second.name).to.equal(first.name)
    expect([second.last(), (await second.ofRecord('zines/b'))[0]?.sequence]).to.deep.equal([2, 2])
  })

  it('finds the changes of a record whose identifier is the beginning of another one', async () => {
    const log = await loadChangeLog(memoryHome())
    await log.write(
      [],
      ['a', 'a/b', 'ab', 'a b', 'a%2Fb'].map((id) => change(`zines/${id}`)),
    )
    for (const id of ['a', 'a/b', 'ab', 'a b', 'a%2Fb'])
      expect((await log.ofRecord(`zines/${id}`)).map(({ record }) => record)).to.deep.equal([
        `zines/${id}`,
      ])
  })

  it('forgets what is older, keeps the last change, and counts the versions', async () => {
    const log = await loadChangeLog(memoryHome())
    await log.write([], [change('zines/a', 'created', 1), change('zines/b', 'updated', 1)])
    await log.write([], [change('zines/a', 'updated', 2)])
    await log.write([], [change('zines/a', 'deleted', 3)])
    expect(await log.forgetBefore('2026-01-03')).to.equal(3)
    expect((await allOf(log)).map(({ sequence }) => sequence)).to.deep.equal([4])
    expect(await log.ofRecord('zines/b')).to.deep.equal([])
    const versions = await Promise.all(
      ['zines/a', 'zines/b', 'zines/c'].map((record) => log.forgottenVersions(record)),
    )
    // The second one was there before the log, so it had a version already.
    expect(versions).to.deep.equal([2, 2, 0])
    expect(await log.forgetBefore('2027-01-01')).to.equal(0)
    expect([log.first(), log.last()]).to.deep.equal([4, 4])
  })

  it('forgets a batch with the first of its changes, and no other batch', async () => {
    const store = memoryHome()
    const log = await loadChangeLog(store)
    const inBatch = (batch: string, day: number) => ({
      ...change('zines/a', 'updated', day),
      batch,
    })
    for (const [day, batch] of [
      [1, 'old'],
      [3, 'new'],
    ] as const)
      await log.write([{ key: `batch/${batch}`, value: '{}' }], [inBatch(batch, day)])
    await log.forgetBefore('2026-01-02')
    expect(await store.get('batch/old')).to.equal(undefined)
    expect(await store.get('batch/new')).to.equal('{}')
  })
})
