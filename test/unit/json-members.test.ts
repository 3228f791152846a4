// Members of a JSON object that are found in its text, compared with those that JSON.parse reads.

import { expect } from 'chai'
import fc from 'fast-check'

import { findMembers } from '../../src/model/record/json-members.js'

const anyText = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a') })
const anyObject = fc.dictionary(fc.oneof(anyText, fc.string()), fc.jsonValue())

describe('the members of a JSON object', () => {
  it('are where their values are, and nowhere if it does not have them', () => {
    fc.assert(
      fc.property(anyObject, fc.infiniteStream(fc.boolean()), (object, areWanted) => {
        const json = JSON.stringify(object)
        const names = Object.keys(object).filter(() => areWanted.next().value)
        const starts = [...names, 'missing "one"'].map((name) => `${JSON.stringify(name)}:`)
        const places = findMembers(json, starts)
        const values = places.map((place) => place && json.slice(place.begin, place.end))
        expect(values).to.deep.equal([
          ...names.map((name) => JSON.stringify(object[name])),
          undefined,
        ])
      }),
      { numRuns: 300 },
    )
  })
})
