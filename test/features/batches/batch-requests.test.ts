// Requests that arrive at the same time and are combined into one query.

import { expect } from 'chai'

import { batchRequests } from '../../../src/catalogue/records/batch-requests.js'

const wanted = (...keys: readonly string[]): ReadonlyMap<string, string> =>
  new Map(keys.map((key) => [key, key.toUpperCase()]))

/** Answers what it is asked for, and remembers it; what begins with an x it cannot answer. */
function openOracle(most: number) {
  const asked: string[] = []
  const ask = batchRequests(most, (items: ReadonlyMap<string, string>) => {
    asked.push([...items.values()].join(''))
    return items.has('x') ? Promise.reject(new Error('x')) : Promise.resolve([...items.keys()])
  })
  return { asked, ask }
}

describe('requests within one turn of the event loop', () => {
  it('are one query, in which no item occurs twice', async () => {
    const { asked, ask } = openOracle(10)
    const answers = await Promise.all([ask(wanted('a', 'b')), ask(wanted('b', 'c'))])
    expect(asked).to.deep.equal(['ABC'])
    for (const answer of answers) expect(answer).to.deep.equal(['a', 'b', 'c'])
  })

  it('are another query once the first has started', async () => {
    const { asked, ask } = openOracle(10)
    await ask(wanted('a'))
    await ask(wanted('a'))
    expect(asked).to.deep.equal(['A', 'A'])
  })

  it('are several queries when they are for many items, with other work between them', async () => {
    const { asked, ask } = openOracle(3)
    const some = [ask(wanted('a', 'b')), ask(wanted('c', 'd')), ask(wanted('e', 'f', 'g', 'h'))]
    const seen = await new Promise<number>((look) =>
      setImmediate(() => setImmediate(() => look(asked.length))),
    )
    expect(seen).to.be.below(3)
    expect(await Promise.all(some)).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f', 'g', 'h'],
    ])
    expect(asked).to.deep.equal(['AB', 'CD', 'EFGH'])
  })

  it('fail for all requests of the same query, and for no other', async () => {
    const { ask } = openOracle(10)
    const [first, second] = await Promise.allSettled([ask(wanted('a')), ask(wanted('x'))])
    expect([first.status, second.status]).to.deep.equal(['rejected', 'rejected'])
    expect(await ask(wanted('a'))).to.deep.equal(['a'])
  })
})
