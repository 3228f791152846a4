// Tests that what the clauses of a search give to records is added up as in a plain reference, which goes through all records
// for each clause.

import { expect } from 'chai'
import fc from 'fast-check'

import {
  addWeight,
  byNumber,
  createWeights,
  raiseWeight,
} from '../../../src/lib/text-index/record-weights.js'
import { type FoundClause, addUp, matchesOf } from '../../../src/lib/text-index/score-totals.js'

const size = 80

/** What a clause gives to records. */
type Given = {
  readonly kind: FoundClause['kind']
  readonly records: readonly { readonly doc: number; weight: number; isName: boolean }[]
}

const weight = fc.integer({ min: 1, max: 50 }).map((tenths) => tenths / 10)
const records = (maxLength: number) =>
  fc.uniqueArray(fc.record({ doc: fc.nat(size - 1), weight, isName: fc.boolean() }), {
    selector: ({ doc }) => doc,
    maxLength,
  })
const given: fc.Arbitrary<Given> = fc.record({
  kind: fc.constantFrom('required', 'required', 'required', 'optional', 'excluded'),
  records: fc.oneof(records(3), records(size)),
})

const areAlive = fc.array(fc.boolean(), { minLength: size, maxLength: size })

describe('the totals of a search', () => {
  it('are those of a plain reference', () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 34 }), areAlive, (clauses, alive) => {
        const ids = alive.map((isAlive, doc) => (isAlive ? String(doc) : undefined))
        const found = clauses.map(({ kind, records: own }): FoundClause => {
          const weights = createWeights(size)
          for (const { doc, weight: one, isName } of own) {
            addWeight(weights, doc, one)
            if (isName) weights.names[doc] = 1
          }
          return { kind, matches: matchesOf(weights, ids) }
        })
        const { docs, scores, namedWords } = addUp(found, {
          ids,
          count: () => alive.filter(Boolean).length,
        })
        const totals = Array.from(docs, (doc, index) => ({
          doc,
          score: scores[index],
          namedWords: namedWords[index],
        }))
        expect(totals).to.deep.equal(plainTotals(clauses, alive))
      }),
      { numRuns: 300 },
    )
  })

  it('leave out records that came after the weights were taken', () => {
    const weights = createWeights(4)
    const later = weights.values.length
    addWeight(weights, later, 1)
    raiseWeight(weights, later, 1)
    addWeight(weights, 2, 1)
    raiseWeight(weights, 1, 3)
    raiseWeight(weights, 1, 2)
    expect([...byNumber(weights, ['a', 'b', 'c', 'd'])]).to.deep.equal([1, 2])
    expect([...weights.values.slice(0, 4)]).to.deep.equal([0, 3, 1, 0])
  })
})

/** Every clause looks at all records. */
function plainTotals(clauses: readonly Given[], alive: readonly boolean[]) {
  const required = clauses.filter(({ kind }) => kind === 'required')
  const found: { doc: number; score: number; namedWords: number }[] = []
  for (const [doc, isAlive] of alive.entries()) {
    const ownIn = (one: Given) => one.records.find((record) => record.doc === doc)
    const isFound = clauses.every(
      (one) => one.kind === 'optional' || (ownIn(one) !== undefined) === (one.kind === 'required'),
    )
    if (!isAlive || !isFound) continue
    let score = 0
    for (const one of clauses) {
      const own = ownIn(one)
      if (!own || one.kind === 'excluded') continue
      const count = one.records.filter((record) => alive[record.doc]).length
      const living = alive.filter(Boolean).length
      const rarity = Math.log(1 + (living - count + 0.5) / (count + 0.5))
      const gained = Math.fround(own.weight)
      score = Math.fround(score + (rarity * gained) / (4 + gained))
    }
    const namedWords = required.filter((one) => ownIn(one)?.isName).length
    found.push({ doc, score, namedWords })
  }
  return found
}
