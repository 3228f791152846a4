// Tests the time that each client may occupy SPARQL workers.

import { expect } from 'chai'

import { RequestError } from '../../../src/errors.js'
import { createQueryBudget } from '../../../src/features/sparql/query-budget.js'

describe('the query time of a SPARQL client', () => {
  let seconds = 0
  let budget = createQueryBudget(() => seconds * 1000)

  beforeEach(() => {
    seconds = 0
    budget = createQueryBudget(() => seconds * 1000)
  })

  const retryAfter = (client: string): number | undefined => {
    try {
      budget.check(client)
      return undefined
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return error.retryAfter
    }
  }

  it('is limited to 60 seconds within 120', () => {
    for (seconds = 30; seconds <= 60; seconds += 30) {
      expect(retryAfter('one')).to.equal(undefined)
      budget.spend('one', 30)
    }
    seconds = 61
    expect(retryAfter('one')).to.equal(89)
  })

  it('is available again when older queries are 120 seconds old', () => {
    budget.spend('one', 40)
    seconds = 50
    budget.spend('one', 40)
    expect(retryAfter('one')).to.equal(70)
    seconds = 120
    expect(retryAfter('one')).to.equal(undefined)
  })

  it('is counted for each client separately', () => {
    budget.spend('one', 100)
    expect(retryAfter('one')).to.equal(120)
    expect(retryAfter('other')).to.equal(undefined)
  })
})
