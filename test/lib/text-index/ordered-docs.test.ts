// Tests that the best of a search are the same, whether they are sorted alone or with all others.

import { expect } from 'chai'
import fc from 'fast-check'

import { bestFirst } from '../../../src/lib/text-index/ordered-docs.js'

/** Scores of records: of many, of few different ones, or high. */
const anyScores = fc.oneof(
  ...[3, 2000, 2 ** 31 - 1].map((max) => fc.array(fc.nat(max), { maxLength: 600 })),
)

describe('records with the best first', () => {
  it('are in the order in which all are, wherever one looks first', () => {
    fc.assert(
      fc.property(anyScores, fc.nat(300), fc.nat(150), (given, start, length) => {
        const { docs, sorted } = sortedBy(given)
        expect([...docs.slice(start, start + length)]).to.deep.equal(
          sorted.slice(start, start + length),
        )
        expect([...docs.slice(0, 25)]).to.deep.equal(sorted.slice(0, 25))
        expect([...docs.all()]).to.deep.equal(sorted)
        expect([...docs.slice(0, 25)]).to.deep.equal(sorted.slice(0, 25))
        expect(docs).to.have.lengthOf(given.length)
        expect([...docs.unsorted()].sort((a, b) => a - b)).to.deep.equal([...given.keys()])
      }),
      { numRuns: 500 },
    )
  })

  it('are not all sorted for the first of them', () => {
    const { docs, sorts } = sortedBy(
      Array.from({ length: 50_000 }, (_, doc) => (doc * 7919) % 50_021),
    )
    docs.slice(0, 100)
    docs.slice(25, 50)
    expect(sorts()).to.equal(0)
    docs.slice(1000, 1025)
    expect(sorts()).to.equal(1)
  })

  it('are not all sorted where very many are as good as each other', () => {
    for (const scoreOf of [() => 5, (doc: number) => Number(doc % 1000 === 0)]) {
      const { docs, sorted, sorts } = sortedBy(
        Array.from({ length: 30_000 }, (_, doc) => scoreOf(doc)),
      )
      expect([...docs.slice(0, 25)]).to.deep.equal(sorted.slice(0, 25))
      expect([...docs.slice(100, 128)]).to.deep.equal(sorted.slice(100, 128))
      expect(sorts()).to.equal(0)
    }
  })
})

/** Records with these scores by their numbers; of those with the same score, the higher number comes first. */
function sortedBy(given: readonly number[]) {
  const scores = Int32Array.from(given)
  const compare = (a: number, b: number): number => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a
  const numbers = Int32Array.from(given.keys())
  let sorts = 0
  const docs = bestFirst(numbers, {
    scores: () => scores,
    compare: () => compare,
    sort() {
      sorts += 1
      return numbers.slice().sort(compare)
    },
  })
  return { docs, sorted: [...given.keys()].sort(compare), sorts: () => sorts }
}
