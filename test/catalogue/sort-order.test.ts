// Tests that records are in the same order whether few, many or all of them are sorted, and whether ranks are counted or
// keys compared.

import { expect } from 'chai'
import fc from 'fast-check'

import {
  type SortKey,
  type SortStep,
  createComparator,
  SortOrder,
  sortDocs,
  sortFew,
} from '../../src/catalogue/index/sort-order.js'

const anyKey = fc.option(fc.constantFrom('ash', 'Ink', 'noon', 'zine', 3, 2000), { nil: undefined })

const anyRecord = fc.record({
  keys: fc.tuple(anyKey, anyKey),
  isWanted: fc.boolean(),
  score: fc.nat(5000),
})

const anyStep = fc.record({
  by: fc.constantFrom(0, 1, 'scores' as const),
  descending: fc.boolean(),
})

describe('records sorted by several fields', () => {
  it('are in the same order by every way to sort them, also after a change', () => {
    fc.assert(
      fc.property(
        fc.array(anyRecord, { minLength: 1, maxLength: 60 }),
        fc.array(anyStep, { maxLength: 3 }),
        fc.nat(),
        (records, steps, changed) => {
          const ids = records.map((_, doc) => `id-${(doc * 7) % 61}`)
          const keys = [0, 1].map((field) => records.map((record) => record.keys[field]))
          const scores = Int32Array.from(records, ({ score }) => score)
          const all = Int32Array.from(records.keys())
          const byId = new SortOrder([], ids)
          const orders = keys.map((own) => new SortOrder(own, ids))
          for (const order of [byId, ...orders]) Array.from(order.fill(all.slice()))
          const sortSteps = steps.map(({ by, descending }): SortStep =>
            by === 'scores' ? { scores, descending } : { order: orders[by] ?? byId, descending },
          )
          const sortKeys = steps.map(({ by, descending }): SortKey => ({
            keys: by === 'scores' ? scores : (keys[by] ?? []),
            descending,
          }))
          const expectSame = (): void => {
            const wanted = all.filter((doc) => records[doc]?.isWanted)
            const marks = Uint8Array.from(records, ({ isWanted }) => Number(isWanted))
            const expected = [...wanted].sort(createComparator(sortKeys, ids))
            expect([...sortFew(byId, sortSteps, wanted.toReversed())]).to.deep.equal(expected)
            expect([...sortDocs(byId, sortSteps, marks)]).to.deep.equal(expected)
          }
          expectSame()
          const doc = changed % records.length
          for (const order of [byId, ...orders]) order.remove(doc)
          ids[doc] = 'a new one'
          for (const own of keys) own[doc] = 'mmm'
          for (const order of [byId, ...orders]) order.insert(doc)
          expectSame()
        },
      ),
      { numRuns: 500 },
    )
  })
})
