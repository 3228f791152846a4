import { expect } from 'chai'

import { parseIssuedDate } from '../../src/model/dates.js'

const said: readonly (readonly [date: string, issued: string | undefined])[] = [
  ['1994', '1994 gYear'],
  ['1994-05', '1994-05 gYearMonth'],
  ['1994-05-17', '1994-05-17 date'],
  ['1994-02-30', '1994 gYear'],
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
  ['[1994]', '1994 gYear'],
  ['[1994?]', '1994? EDTF'],
  ['May 1994', '1994 gYear'],
  ['11/23/1994', '1994 gYear'],
  ['4/5/1994', '1994 gYear'],
  ['1994-5', '1994 gYear'],
  ['1994-', '1994 gYear'],
  ['1994 April/may', '1994 gYear'],
  ['©1994', '1994 gYear'],
  ['été 1994', '1994 gYear'],
  ['1994-10-06/1994-10-07', '1994 gYear'],
  ['1994 or 1995', undefined],
  ['before 1994', undefined],
  ['post-1994', undefined],
  ['#1994000', undefined],
  ['199?', undefined],
  ['5/94', undefined],
  ['undated', undefined],
]

describe('the date that a text says', () => {
  for (const [date, issued] of said)
    it(`${JSON.stringify(date)} is ${issued ?? 'none'}`, () => {
      const literal = parseIssuedDate(date)
      const type = literal?.datatype.value.replace(/^.*[/#]/, '')
      expect(literal && `${literal.value} ${type}`).to.equal(issued)
    })
})
