import { expect } from 'chai'

import { encodeCode128 } from '../../../src/features/inventory/code-128.js'

describe('Code 128', () => {
  // The widths as bwip-js 4 makes them.
  for (const [text, widths] of [
    ['PJJ123C', '2112143131211121331121331232212232112211321313213113212331112'],
    ['31234001234567', '2112322123213121312311132221223121311131231411223122122331112'],
    ['Z00052', '2112143123111231221131412122222133112121232331112'],
    ['a', '2112141211241214212331112'],
    ['12', '2112321122321222312331112'],
    ['x1234567y', '2112144212111232211131413121311131231411221141312121411341112331112'],
    ['~!"#', '2112141311412221222222211212231122322331112'],
  ] as const)
    it(`encodes ${JSON.stringify(text)}`, () => {
      expect(encodeCode128(text)?.join('')).to.equal(widths)
    })

  it('has pairs of digits in one symbol character each', () => {
    // Start, seven pairs, check and stop.
    const modules = encodeCode128('31234001234567')?.reduce((sum, width) => sum + width, 0)
    expect(modules).to.equal(9 * 11 + 13)
  })

  for (const text of ['', 'Zürich', 'a\nb', '№ 3'])
    it(`has no bars for ${JSON.stringify(text)}`, () => {
      expect(encodeCode128(text)).to.equal(undefined)
    })
})
