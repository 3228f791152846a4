import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'
import fc from 'fast-check'

import { createCommitQueue } from '../../../src/features/sparql/commit-queue.js'
import type { QuadChange } from '../../../src/store/commit-listeners.js'

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

/** What has come and not gone. */
function openSet() {
  const lines = new Set<string>()
  let times = 0
  return {
    lines,
    times: () => times,
    apply: ({ removed, added }: QuadChange): void => {
      times += 1
      for (const line of linesOf(removed)) lines.delete(line)
      for (const line of linesOf(added)) lines.add(line)
    },
  }
}

const someLines = fc
  .uniqueArray(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'))
  .map((lines) => lines.join(''))

const anyCommits = fc.array(fc.record({ removed: someLines, added: someLines }), { maxLength: 120 })

describe('queued commits', () => {
  it('have the same result as commits that are applied at once', () => {
    fc.assert(
      fc.property(anyCommits, (commits) => {
        const [plain, late] = [openSet(), openSet()]
        const backlog = createCommitQueue(late.apply)
        for (const commit of commits) {
          plain.apply(commit)
          backlog.add(commit)
        }
        backlog.flush()
        expect([...late.lines].sort()).to.deep.equal([...plain.lines].sort())
      }),
    )
  })

  it('are applied together when they only add', () => {
    const set = openSet()
    const backlog = createCommitQueue(set.apply)
    for (const added of ['a\n', 'b\n', 'c\n']) backlog.add({ removed: '', added })
    expect(set.times()).to.equal(0)
    backlog.flush()
    expect([...set.lines]).to.deep.equal(['a', 'b', 'c'])
    expect(set.times()).to.equal(1)
  })

  it('are applied together when they remove what others add', () => {
    const set = openSet()
    const backlog = createCommitQueue(set.apply)
    backlog.add({ removed: '', added: 'a\nb\n' })
    backlog.add({ removed: 'a\n', added: 'c\n' })
    backlog.add({ removed: 'b\nc\n', added: 'b\n' })
    backlog.flush()
    expect([...set.lines]).to.deep.equal(['b'])
    expect(set.times()).to.equal(1)
  })

  it('are applied soon and only once, also when nobody asks', async () => {
    const set = openSet()
    const backlog = createCommitQueue(set.apply)
    backlog.add({ removed: '', added: 'a\n' })
    await sleep(200)
    expect([...set.lines]).to.deep.equal(['a'])
    backlog.flush()
    expect(set.times()).to.equal(1)
  })

  it('are dropped when the store is closed', async () => {
    const set = openSet()
    const backlog = createCommitQueue(set.apply)
    backlog.add({ removed: '', added: 'a\n' })
    backlog.close()
    await sleep(200)
    expect(set.times()).to.equal(0)
  })
})
