// Limited concurrency: the queue in which tasks wait.

import { expect } from 'chai'

import { createGroupQueue, limitConcurrency } from '../../src/lib/scheduling.js'

describe('limited tasks', () => {
  it('run two at a time in the order in which they were added, also when some fail', async () => {
    const inTurn = limitConcurrency(2)
    const begun: number[] = []
    let running = 0
    let most = 0
    const tasks = [0, 1, 2, 3, 4, 5].map((number) =>
      inTurn(async () => {
        begun.push(number)
        most = Math.max(most, ++running)
        await new Promise((done) => setTimeout(done, 5))
        running -= 1
        if (number % 2) throw new Error('odd')
        return number
      }),
    )
    const results = await Promise.allSettled(tasks)
    expect(most).to.equal(2)
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5])
    expect(results.map(({ status }) => status === 'fulfilled')).to.deep.equal(
      [0, 1, 2, 3, 4, 5].map((number) => number % 2 === 0),
    )
  })

  it('start after a pause that the finished task does not wait for', async () => {
    const told: string[] = []
    const inTurn = limitConcurrency(1, async () => {
      await new Promise((done) => setTimeout(done, 5))
      told.push('rested')
    })
    await Promise.all(
      ['first', 'second'].map((name) =>
        inTurn(() => Promise.resolve(told.push(`${name} begun`))).then(() =>
          told.push(`${name} answered`),
        ),
      ),
    )
    expect(told).to.deep.equal([
      'first begun',
      'first answered',
      'rested',
      'second begun',
      'second answered',
    ])
  })
})

describe('items that are worked on in groups', () => {
  const pauses: (() => void)[] = []
  const groups: (readonly number[])[] = []
  const add = createGroupQueue<number>(limitConcurrency(1), async (group) => {
    groups.push(group)
    await new Promise<void>((resolve) => pauses.push(resolve))
    if (group.includes(2)) throw new Error('two')
  })

  it('are in the order of their arrival, and get the result of their group alone', async () => {
    const first = [add(0), add(1)]
    while (pauses.length === 0) await Promise.resolve()
    const second = [add(2), add(3)]
    pauses[0]?.()
    await Promise.all(first)
    const failed = Promise.allSettled(second)
    while (pauses.length === 1) await Promise.resolve()
    const third = [4, 5, 6].map(add)
    pauses[1]?.()
    expect((await failed).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    while (pauses.length === 2) await Promise.resolve()
    pauses[2]?.()
    await Promise.all(third)
    expect(groups).to.deep.equal([
      [0, 1],
      [2, 3],
      [4, 5, 6],
    ])
  })
})
