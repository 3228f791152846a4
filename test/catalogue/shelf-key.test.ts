import { expect } from 'chai'

import { shelfKey } from '../../src/catalogue/shelf-order.js'

describe('call numbers on a shelf', () => {
  const sorted = (callNumbers: readonly string[]): readonly string[] =>
    [...callNumbers].sort((one, other) => (shelfKey(one) < shelfKey(other) ? -1 : 1))

  for (const inOrder of [
    ['Z 9', 'Z 10', 'Z 100'],
    ['Z00052', 'Z00103', 'Z1000'],
    ['a 2', 'B 1', 'c 1'],
    ['PN6728 .D67 1997', 'PN6728 .D67 1998', 'PN6728  .D68 1990'],
    ['Box 2, folder 9', 'Box 2, folder 11', 'Box 10, folder 1'],
    ['Z 1', 'ž', ''],
  ])
    it(`are in this order: ${inOrder.map((one) => one || '(none)').join('; ')}`, () => {
      expect(sorted([...inOrder].reverse())).to.deep.equal(inOrder)
    })
})
