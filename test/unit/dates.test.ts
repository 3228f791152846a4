import { expect } from 'chai'

import { parseIssuedDate, yearSpan } from '../../src/model/dates.js'

const dates: readonly (readonly [date: string, issued: string | undefined])[] = [
  // As EDTF writes them.
  ['1994~', '1994~ EDTF'],
  ['1994%', '1994% EDTF'],
  ['1994-05?', '1994-05? EDTF'],
  ['1994-05-17~', '1994-05-17~ EDTF'],
  ['2001-21', '2001-21 EDTF'],
  ['2001-25', '2001 gYear'],
  ['1994-XX', '1994-XX EDTF'],
  ['1994-XX-XX', '1994-XX EDTF'],
  ['199X', '199X EDTF'],
  ['199x?', '199X? EDTF'],
  ['1984/2004-06', '1984/2004-06 EDTF'],
  ['1994-05-01/1994-06-01', '1994-05-01/1994-06-01 EDTF'],
  ['1994-05 / 1995-06?', '1994-05/1995-06? EDTF'],
  ['1994-05-01/1994-02-31', '1994 gYear'],
  ['1998~/1998-12', '1998~/1998-12 EDTF'],
  ['2004-06/1984', undefined],
  // Years.
  ['[approximately 1994]', '1994~ EDTF'],
  ['approx. 1994', '1994~ EDTF'],
  ['around 1994', '1994~ EDTF'],
  ['c 1994', '1994~ EDTF'],
  ['1994 ?', '1994? EDTF'],
  ['c1994', '1994 gYear'],
  ['C1994', '1994 gYear'],
  ['copyright 1994', '1994 gYear'],
  ['early 1994', '1994 gYear'],
  // Decades.
  ['late 1980s', '198X EDTF'],
  ['early 1990s', '199X EDTF'],
  ['mid-1990s', '199X EDTF'],
  ["the 1990's", '199X EDTF'],
  ['1990s?', '199X? EDTF'],
  ['circa 1990s', '199X~ EDTF'],
  ['1980s-1990s', '198X/199X EDTF'],
  ['late 1980s, I think', undefined],
  ['199?', '199X? EDTF'],
  ['[199-?]', '199X? EDTF'],
  ['199-?', '199X? EDTF'],
  ['200-?', '200X? EDTF'],
  ['199-', '199X EDTF'],
  ['[201u]', '201X EDTF'],
  ['201u?', '201X? EDTF'],
  // Spans.
  ['[between 1990 and 1995?]', '1990?/1995? EDTF'],
  ['between 1990 and 1995', '1990?/1995? EDTF'],
  ['between 1995 and 1990', undefined],
  // Seasons.
  ['2002 / 2003 Winter', '2002-24 EDTF'],
  ['Winter 2002/2003', '2002-24 EDTF'],
  ['Winter 2002-03', '2002-24 EDTF'],
  ['Winter 2002/2005', undefined],
  ['2002 Winter', '2002-24 EDTF'],
  // Months and days by name.
  ['April 5, 1998', '1998-04-05 date'],
  ['Apr. 5th 1998', '1998-04-05 date'],
  ['5 April 1998', '1998-04-05 date'],
  ['5. April 1998', '1998-04-05 date'],
  ['Sept. 1998', '1998-09 gYearMonth'],
  ['1998 September', '1998-09 gYearMonth'],
  ['April 31, 1998', '1998 gYear'],
  ['Marching 1998', '1998 gYear'],
  // As before.
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
  ['May 1994', '1994-05 gYearMonth'],
  ['11/23/1994', '1994 gYear'],
  ['4/5/1994', '1994 gYear'],
  ['1994-5', '1994 gYear'],
  ['1994-', '1994 gYear'],
  ['1994 April/may', '1994 gYear'],
  ['©1994', '1994 gYear'],
  ['été 1994', '1994 gYear'],
  ['1994-10-06/1994-10-07', '1994-10-06/1994-10-07 EDTF'],
  ['1994 or 1995', undefined],
  ['before 1994', undefined],
  ['post-1994', undefined],
  ['#1994000', undefined],
  ['5/94', undefined],
  ['undated', undefined],
]

describe('the date that a text says', () => {
  for (const [date, issued] of dates)
    it(`${JSON.stringify(date)} is ${issued ?? 'none'}`, () => {
      const literal = parseIssuedDate(date)
      const type = literal?.datatype.value.replace(/^.*[/#]/, '')
      expect(literal && `${literal.value} ${type}`).to.equal(issued)
    })
})

describe('the years of dates', () => {
  for (const [dates, span] of [
    [['1994-05'], [1994, 1994]],
    [['late 1990s'], [1990, 1999]],
    [['1994-1996'], [1994, 1996]],
    [
      ['2011-02-14', '2006', 'undated'],
      [2006, 2011],
    ],
    [
      ['[between 1989 and 1992?]', '1990s'],
      [1989, 1999],
    ],
    [['undated'], undefined],
    [[], undefined],
  ] as const)
    it(`of ${JSON.stringify(dates)} are ${span?.join(' to ') ?? 'none'}`, () => {
      const years = yearSpan(dates)
      expect(years && [years.earliest, years.latest]).to.deep.equal(span)
    })
})
