import { expect } from 'chai'

import { issuedOf } from '../../src/model/dates.js'

const said: readonly (readonly [date: string, issued: string | undefined])[] = [
  ['1994', '1994 gYear'],
  ['1994-05', '1994-05 gYearMonth'],
  ['1994-05-17', '1994-05-17 date'],
  ['1994-02-30', undefined],
  ['c. 1994', '1994~ EDTF'],
  ['circa 1994', '1994~ EDTF'],
  ['Ca. 1994', '1994~ EDTF'],
  ['1994?', '1994? EDTF'],
  ['1994-1996', '1994/1996 EDTF'],
  ['1994 – 1996', '1994/1996 EDTF'],
  ['1996-1994', undefined],
  ['1990s', '199X EDTF'],
  ['Spring 1994', '1994-21 EDTF'],
  ['fall 1994', '1994-23 EDTF'],
  ['Winter, 1994', '1994-24 EDTF'],
  ['undated', undefined],
  ['May 1994', undefined],
]

describe('the date that a text says', () => {
  for (const [date, issued] of said)
    it(`${JSON.stringify(date)} is ${issued ?? 'none that is sure'}`, () => {
      const literal = issuedOf(date)
      const type = literal?.datatype.value.replace(/^.*[/#]/, '')
      expect(literal && `${literal.value} ${type}`).to.equal(issued)
    })
})
