import { expect } from 'chai'
import fc from 'fast-check'

import { foldLetters } from '../../src/lib/text-folding.js'

describe('folding of letters', () => {
  it('folds plain text as it folds the same text beside an accent', () => {
    const plain = fc.string({ unit: 'grapheme-ascii' })
    fc.assert(
      fc.property(plain, (text) => {
        expect(`${foldLetters(text)}e`).to.equal(foldLetters(`${text}é`))
      }),
      { numRuns: 500 },
    )
  })

  it('takes & for a word and leaves out apostrophes', () => {
    expect(foldLetters("Rock'n'Roll &amp; Cut `n' Paste & Glue")).to.equal(
      'rocknroll  and  cut n paste  and  glue',
    )
  })
})
