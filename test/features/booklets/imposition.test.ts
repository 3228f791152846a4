// Tests that the pages of printed sheets follow each other once the sheets are folded.

import { expect } from 'chai'

import { foldedSheet, stapledSheets } from '../../../src/features/booklets/imposition.js'

describe('the pages of a booklet to staple', () => {
  const counts = Array.from({ length: 20 }, (_, index) => 4 * (index + 1))

  for (const pages of counts)
    it(`are read from 1 to ${pages}, leaf by leaf`, () => {
      const sides = stapledSheets(pages)
      expect(sides).to.have.length(pages / 2)
      const sheets = Array.from({ length: pages / 4 }, (_, index) => {
        const [front = [], back = []] = sides.slice(2 * index, 2 * index + 2)
        return [front, back].map((side) => side.map(({ page }) => page))
      })
      // Turned at the short edge, what is left on the front is behind what is right on the back.
      const rightLeaves = sheets.map(([front = [], back = []]) => [front[1], back[0]])
      const leftLeaves = sheets.map(([front = [], back = []]) => [back[1], front[0]])
      const read = [...rightLeaves, ...leftLeaves.toReversed()].flat()
      expect(read).to.deep.equal(Array.from({ length: pages }, (_, index) => index + 1))
      expect(sides.flat().some(({ isUpsideDown }) => isUpsideDown)).to.equal(false)
    })
})

describe('the pages of a sheet to fold and cut', () => {
  const [top, bottom] = [foldedSheet.slice(0, 4), foldedSheet.slice(4)]
  const pageAt = (row: typeof top, column: number) => row[column]?.page

  it('are all there once', () => {
    const pages = foldedSheet.map(({ page }) => page)
    expect(pages.toSorted()).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('have their heads at the fold between the rows', () => {
    expect(top.every(({ isUpsideDown }) => isUpsideDown)).to.equal(true)
    expect(bottom.some(({ isUpsideDown }) => isUpsideDown)).to.equal(false)
  })

  it('lie beside each other as they do in the open zine', () => {
    // Upside down, the page on the right of the sheet is the left one of the two.
    for (const [left, right] of [
      [pageAt(bottom, 2), pageAt(bottom, 3)],
      [pageAt(top, 3), pageAt(top, 2)],
      [pageAt(top, 1), pageAt(top, 0)],
      [pageAt(bottom, 0), pageAt(bottom, 1)],
    ])
      expect(right).to.equal(((left ?? 0) % 8) + 1)
  })

  it('are back to back at the outer edges, which are not cut', () => {
    expect([pageAt(bottom, 3), pageAt(top, 3)]).to.deep.equal([1, 2])
    expect([pageAt(top, 0), pageAt(bottom, 0)]).to.deep.equal([5, 6])
  })
})
