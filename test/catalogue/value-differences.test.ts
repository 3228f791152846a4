// The differences that the log keeps: from them and the values after a change, the values before are made.

import { expect } from 'chai'
import fc from 'fast-check'

import {
  differenceBetween,
  isSameValue,
  valuesBefore,
} from '../../src/catalogue/history/value-differences.js'
import type { FieldValue, RecordValues } from '../../src/model/record/values.js'

const anyText = fc.oneof(
  fc.string(),
  fc
    .tuple(fc.string(), fc.constantFrom('', 'x', 'the same words '.repeat(20)), fc.string())
    .map((parts) => parts.join('')),
)

const anyValue: fc.Arbitrary<FieldValue> = fc.oneof(
  anyText,
  fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
)

const anyValues: fc.Arbitrary<RecordValues> = fc.dictionary(
  fc.constantFrom('title', 'subject', 'public', 'date'),
  anyValue,
)

describe('the differences in the log of changes', () => {
  it('lead from the values after a change to those before it, also through JSON', () => {
    fc.assert(
      fc.property(anyValues, anyValues, (before, after) => {
        const stored = JSON.parse(JSON.stringify(differenceBetween(before, after)))
        const found = valuesBefore(stored, after)
        for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
          expect(isSameValue(found[name], before[name]), name).to.equal(true)
      }),
    )
  })

  it('have only the fields that changed', () => {
    const before = { title: 'a', subject: ['x'], date: '' }
    expect(differenceBetween(before, { title: 'b', subject: ['x'] })).to.deep.equal({ title: 'a' })
  })

  it('have only the changed part of a long text and of a long list', () => {
    const text = 'word '.repeat(1000)
    const list = Array.from({ length: 100 }, (_, index) => `item ${index}`)
    const difference = differenceBetween(
      { abstract: `${text}old${text}`, subject: list },
      { abstract: `${text}new${text}`, subject: [...list, 'more'] },
    )
    expect(JSON.stringify(difference).length).to.be.lessThan(150)
  })
})
