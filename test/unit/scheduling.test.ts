// Limited concurrency: the queue in which tasks wait.

import { expect } from 'chai'

import { limitConcurrency } from '../../src/lib/scheduling.js'

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
