// What is kept in memory that is used in turn is what it was, or is known to be written over.

import { expect } from 'chai'
import fc from 'fast-check'

import { type IsKept, createKeptArrays } from '../../src/catalogue/search/kept-arrays.js'

type Kept = {
  readonly docs: Int32Array
  readonly marks: Uint8Array
  readonly isKept: IsKept
  readonly number: number
}

describe('the arrays that are kept', () => {
  it('have what was kept, in the same types, until they say that they have not', () => {
    const lengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 600 }), (all, size) => {
        const keptArrays = createKeptArrays(() => size)
        const kept: Kept[] = []
        for (const [index, length] of all.entries()) {
          const number = 1 + (index % 250)
          const docs = new Int32Array(length).fill(number)
          const marks = new Uint8Array(length).fill(number)
          const { arrays, isKept } = keptArrays.keep({ docs, marks })
          kept.push({ ...arrays, isKept, number })
          for (const one of kept)
            if (one.isKept())
              expect(new Set([...one.docs, ...one.marks, one.number]).size).to.equal(1)
          expect([isKept(), arrays.docs.length, arrays.marks.length]).to.deep.equal([
            true,
            length,
            length,
          ])
        }
      }),
    )
  })

  it('are written over when others need the memory, the oldest first', () => {
    const keptArrays = createKeptArrays(() => 128)
    const kept = Array.from({ length: 9 }, (_, index) =>
      keptArrays.keep({ docs: Int32Array.of(index, 1, 2, 3, 4, 5, 6, 7) }),
    )
    expect(kept.map(({ isKept }) => isKept())).to.deep.equal([false, ...Array(8).fill(true)])
    const again = keptArrays.keep(kept[1]?.arrays ?? { docs: Int32Array.of() })
    expect([...again.arrays.docs]).to.deep.equal([1, 1, 2, 3, 4, 5, 6, 7])
  })

  it('are in memory of their own where they are large, and when there is to be more', () => {
    let size = 64
    const keptArrays = createKeptArrays(() => size)
    const large = keptArrays.keep({ docs: new Int32Array(100).fill(1) })
    const small = keptArrays.keep({ docs: Int32Array.of(1) })
    size = 1024
    expect(small.isKept()).to.equal(true)
    keptArrays.keep({ docs: Int32Array.of(2) })
    expect([large.isKept(), small.isKept()]).to.deep.equal([true, false])
  })
})
