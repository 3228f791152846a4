// The changes that everybody may see, over a log in memory.

import { expect } from 'chai'

import { LogChangeFeed } from '../../../src/catalogue/history/change-feed.js'
import { neverAborted } from '../../../src/lib/scheduling.js'
import { ChangesForgottenError } from '../../../src/catalogue/errors.js'
import { createCommitListeners } from '../../../src/store/commit-listeners.js'
import {
  type ChangeLog,
  type KeyedChange,
  changeKey,
  loadChangeLog,
} from '../../../src/store/key-value/change-log.js'
import { failureOf } from '../../error-of.js'
import { memoryHome } from '../../store/memory-store.js'

const change = (record: string, more: Partial<KeyedChange> = {}): KeyedChange => ({
  record,
  at: '2026-01-01T00:00:00.000000Z',
  how: 'api',
  change: 'updated',
  ...more,
})

const feedOf = (changeLog: ChangeLog) =>
  new LogChangeFeed({ changeLog, listeners: createCommitListeners(), stopping: neverAborted })

const all = { since: 0, kind: undefined, limit: 100 }

describe('the feed of changes', () => {
  it('shows a change without its account, its batch and its values', async () => {
    const log = await loadChangeLog(memoryHome())
    const hidden = { account: 'anna', batch: 'b1', before: { legal_name: 'Somebody Else' } }
    await log.write([], [change('agents/a', hidden)])
    const { changes } = await feedOf(log).read(all)
    expect(changes).to.deep.equal([
      {
        sequence: 1,
        at: '2026-01-01T00:00:00.000000Z',
        reference: { target: 'agents', id: 'a' },
        change: 'updated',
        into: undefined,
      },
    ])
  })

  it('shows into which record another one was merged', async () => {
    const log = await loadChangeLog(memoryHome())
    await log.write([], [change('agents/a/b', { change: 'merged', into: 'c' })])
    const { changes } = await feedOf(log).read(all)
    expect(changes[0]).to.deep.include({
      change: 'merged',
      into: 'c',
      reference: { target: 'agents', id: 'a/b' },
    })
  })

  it('looks at 10,000 changes for a page, and says how far it came', async () => {
    const log = await loadChangeLog(memoryHome())
    const many = Array.from({ length: 10_000 }, (_, index) => change(`zines/${index}`))
    await log.write([], [...many, change('agents/a')])
    const feed = feedOf(log)
    const first = await feed.read({ ...all, kind: 'agents' })
    expect(first).to.deep.equal({ changes: [], through: 10_000 })
    // Waiting does not begin before the end.
    expect(await feed.wait({ ...all, kind: 'agents' }, new AbortController().signal)).to.deep.equal(
      first,
    )
    const second = await feed.read({ ...all, kind: 'agents', since: first.through })
    expect(second.changes.map(({ sequence }) => sequence)).to.deep.equal([10_001])
    expect(second.through).to.equal(10_001)
  })

  it('refuses changes that are not kept, and begins with the oldest that is', async () => {
    const home = memoryHome()
    const before = await loadChangeLog(home)
    expect(before.first()).to.equal(1)
    await before.write(
      [],
      ['a', 'b', 'c', 'd'].map((id) => change(`zines/${id}`)),
    )
    expect(before.first()).to.equal(1)
    await home.write([1, 2].map((sequence) => ({ key: changeKey(sequence), value: undefined })))
    const log = await loadChangeLog(home)
    expect([log.first(), log.last()]).to.deep.equal([3, 4])
    const feed = feedOf(log)
    const error = await failureOf(feed.read({ ...all, since: 1 }))
    expect(error).to.be.instanceOf(ChangesForgottenError)
    expect(error.message).to.match(/^Changes before number 3 are not kept/)
    expect((await feed.read({ ...all, since: 2 })).changes).to.have.length(2)
  })
})
