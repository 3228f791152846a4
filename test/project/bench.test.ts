import { expect } from 'chai'

import { compareRounds, formatComparison, isBeforeFirst } from '../../bench/comparison.js'
import {
  type StreamOptions,
  htmlPages,
  mixedReads,
  mixedWrites,
  newLists,
  newlyReadZines,
} from '../../bench/request-streams.js'
import { loadsOf } from '../../bench/rounds.js'
import { loadResources } from '../../src/app/load-model.js'

describe('The benchmarks', () => {
  let options: StreamOptions

  before(async () => {
    options = { zines: 2000, resources: await loadResources(), token: 'secret', run: 'a' }
  })

  const take = (count: number, { next }: ReturnType<typeof mixedReads>) =>
    Array.from({ length: count }, () => next())

  it('send the same mixture in every run', () => {
    expect(take(500, mixedReads(options))).to.deep.equal(take(500, mixedReads(options)))
    expect(take(50, mixedWrites(options))).to.deep.equal(take(50, mixedWrites(options)))
  })

  it('never send the same request of the mixture twice in a row', () => {
    // With so few records that this would happen by chance.
    const requests = take(3000, mixedReads({ ...options, zines: 2 * 25 })).map((request) =>
      JSON.stringify(request),
    )
    expect(requests.filter((one, index) => one === requests[index - 1])).to.deep.equal([])
    expect(new Set(requests).size).to.be.below(requests.length)
  })

  it('send a mixture of records, most of all, and of lists, pages and searches', () => {
    const requests = take(5000, mixedReads(options))
    const share = (matches: (path: string, isPage: boolean) => boolean): number =>
      requests.filter(({ path, headers }) => matches(path, headers?.accept === 'text/html'))
        .length / requests.length
    expect(share((path, isPage) => !isPage && !path.includes('?'))).to.be.closeTo(0.6, 0.03)
    expect(share((_, isPage) => isPage)).to.be.closeTo(0.06, 0.015)
    expect(share((path) => path.includes('?search='))).to.be.closeTo(0.05, 0.015)
    expect(share((path) => path.includes('?q='))).to.be.closeTo(0.05, 0.015)
    expect(share((path) => path.includes('ordering='))).to.be.above(0.15)
  })

  it('read each zine once, and ask for no list twice', () => {
    const zines = take(options.zines, newlyReadZines(options)).map(({ path }) => path)
    expect(new Set(zines).size).to.equal(options.zines)
    const stream = newLists(options)
    const lists = take(stream.once?.count ?? 0, stream).map(({ path }) => path)
    expect(new Set(lists).size).to.equal(lists.length)
  })

  it('ask for pages as browsers do', () => {
    expect(take(50, htmlPages(options)).map(({ headers }) => headers?.accept)).to.deep.equal(
      Array.from({ length: 50 }, () => 'text/html'),
    )
  })

  it('end a stream that must not repeat before it does', () => {
    const { warmUp, roundLimits } = loadsOf(newlyReadZines(options), 5)
    expect(5 * (roundLimits.maxRequests ?? Infinity)).to.be.within(
      options.zines * 0.9,
      options.zines - 51,
    )
    const before = Array.from({ length: 200 }, () => warmUp().path)
    expect(before.filter((path) => path.startsWith('/api/zines/'))).to.deep.equal([])
    expect(loadsOf(mixedReads(options), 5).roundLimits).to.deep.equal({})
  })

  it('compare two commits by the ratios of rounds, with the lowest and the highest', () => {
    const rounds = [
      { before: 2, after: 1 },
      // Other load made both slower.
      { before: 8, after: 6 },
      { before: 4, after: 1 },
    ]
    expect(compareRounds(rounds)).to.deep.equal({
      before: 4,
      after: 1,
      ratio: 0.5,
      lowest: 0.25,
      highest: 0.75,
      isClear: true,
    })
    expect(formatComparison('get', compareRounds(rounds))).to.equal(
      '| get | 4.000 ms | 1.000 ms | 0.50 × | 0.25 to 0.75 | less |',
    )
  })

  it('call no difference clear on which the rounds disagree, or of which there is one', () => {
    const rounds = [
      { before: 2, after: 1 },
      { before: 2, after: 3 },
    ]
    expect(compareRounds(rounds).isClear).to.equal(false)
    expect(compareRounds(rounds.slice(0, 1)).isClear).to.equal(false)
  })

  it('measure each of two commits first in turn', () => {
    expect([0, 1, 2, 3].map(isBeforeFirst)).to.deep.equal([true, false, true, false])
  })
})
