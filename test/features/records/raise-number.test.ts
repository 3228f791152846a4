import { expect } from 'chai'

import { raiseNumber } from '../../../src/features/records/raise-number.js'

describe('the designation of the next issue', () => {
  for (const [issue, next] of [
    ['No. 3', 'No. 4'],
    ['no. 9', 'no. 10'],
    ['No. 09', 'No. 10'],
    ['No. 007', 'No. 008'],
    ['No. 099', 'No. 100'],
    ['#99', '#100'],
    ['5', '6'],
    ['vol. 1 no. 3', 'vol. 1 no. 4'],
    ['Vol. 2, issue 4', 'Vol. 2, issue 5'],
    ['no. 3 (Summer 1998)', 'no. 4 (Summer 1998)'],
    ['no. 5-6', 'no. 7'],
    ['#5/6', '#7'],
    ['número 12', 'número 13'],
    ['n°3', 'n°4'],
    ['Heft 7', 'Heft 8'],
    ['part 2 of 3', 'part 2 of 4'],
    ['no. 999999999999999999', 'no. 1000000000000000000'],
    ['Winter', ''],
    ['no. G', ''],
    ['', ''],
  ] as const)
    it(`after "${issue}" is "${next}"`, () => {
      expect(raiseNumber(issue)).to.equal(next)
    })
})
