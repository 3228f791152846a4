import { expect } from 'chai'

import { parseIssuedDates, saysNoDate, yearsOfAll } from '../../src/model/dates.js'
import { parseEdtf } from '../../src/model/edtf.js'

const dates: readonly (readonly [date: string, ...issued: (string | undefined)[]])[] = [
  // As EDTF writes them.
  ['1994~', '1994~ EDTF'],
  ['1994%', '1994% EDTF'],
  ['1994-05?', '1994-05? EDTF'],
  ['1994-05-17~', '1994-05-17~ EDTF'],
  ['2001-21', '2001-21 EDTF'],
  ['2001-25', '2001-25 EDTF'],
  ['1994-XX', '1994-XX EDTF'],
  ['1994-XX-XX', '1994-XX EDTF'],
  ['199X', '199X EDTF'],
  ['199x?', '199X? EDTF'],
  ['1984/2004-06', '1984/2004-06 EDTF'],
  ['1994-05-01/1994-06-01', '1994-05-01/1994-06-01 EDTF'],
  ['1994-05 / 1995-06?', '1994-05/1995-06? EDTF'],
  ['1994-05-01/1994-02-31', '1994 gYear'],
  ['1998~/1998-12', '1998~/1998-12 EDTF'],
  ['2004-06/1984', '1984 gYear', '2004 gYear'],
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
  ['between 1995 and 1990', '1990 gYear', '1995 gYear'],
  ['[2015-2016?]', '2015?/2016? EDTF'],
  ['circa 1994-1995', '1994~/1995~ EDTF'],
  ['December 2002 - January 2003', '2002-12/2003-01 EDTF'],
  ['2002 Winter / 2003 Spring', '2002-24/2003-21 EDTF'],
  ['1995-96', '1995/1996 EDTF'],
  ['1994 to 1996', '1994/1996 EDTF'],
  // Spans without an end or a beginning.
  ['since 1985', '1985/.. EDTF'],
  ['1985–present', '1985/.. EDTF'],
  ['May 1985 onwards', '1985-05/.. EDTF'],
  ['c. 1985-', '1985~/.. EDTF'],
  ['1985-?', '1985/ EDTF'],
  ['until 1985', '../1985 EDTF'],
  // Several.
  ['1994 and 1995', '{1994,1995} EDTF'],
  ['2003, c2002', '{2002,2003} EDTF'],
  ['1991-1994, 1999', '{1991..1994,1999} EDTF'],
  ['1985, 1986 or 1987', '[1985,1986,1987] EDTF'],
  ['1999 (reprint 2004)', '1999 gYear', '2004 gYear'],
  // Centuries.
  ['19--', '19XX EDTF'],
  ['[19--?]', '19XX? EDTF'],
  // Seasons.
  ['2002 / 2003 Winter', '2002-24 EDTF'],
  ['Winter 2002/2003', '2002-24 EDTF'],
  ['Winter 2002-03', '2002-24 EDTF'],
  ['Winter 2002/2005', '2002-24/2005 EDTF'],
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
  ['1996-1994', '1994 gYear', '1996 gYear'],
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
  ['1994-', '1994/.. EDTF'],
  ['1994 April/may', '1994 gYear'],
  ['©1994', '1994 gYear'],
  ['été 1994', '1994 gYear'],
  ['1994-10-06/1994-10-07', '1994-10-06/1994-10-07 EDTF'],
  ['1994 or 1995', '[1994,1995] EDTF'],
  ['before 1994', undefined],
  ['post-1994', undefined],
  ['#1994000', undefined],
  ['5/94', undefined],
  ['undated', undefined],
]

describe('the date that a text says', () => {
  for (const [date, ...issued] of dates)
    it(`${JSON.stringify(date)} is ${issued.join(' and ') || 'none'}`, () => {
      expect(textsOf(parseIssuedDates(date))).to.deep.equal(issued.filter(Boolean))
    })
})

function textsOf(issued: ReturnType<typeof parseIssuedDates>): readonly string[] {
  return issued.map(({ value, datatype }) => `${value} ${datatype.value.replace(/^.*[/#]/, '')}`)
}

/** What tests of other readers of EDTF have, valid and not, and forms of its draft of 2012. */
// prettier-ignore
const edtfDates: readonly (readonly [date: string, earliest: number | undefined, latest: number | undefined, issued?: string])[] = [
  ['1964/2008', 1964, 2008, '1964/2008 EDTF'],
  ['2004-06/2006-08', 2004, 2006, '2004-06/2006-08 EDTF'],
  ['2004-02-01/2005', 2004, 2005, '2004-02-01/2005 EDTF'],
  ['0000', undefined, undefined],
  ['1985-04-12T23:20:30Z', 1985, 1985, '1985-04-12 date'],
  ['-1000/-0999', -1000, -999, '-1000/-0999 EDTF'],
  ['1984~/2004-06', 1984, 2004, '1984~/2004-06 EDTF'],
  ['1984-06-02?/', 1984, undefined, '1984-06-02?/ EDTF'],
  ['/1985-04', undefined, 1985, '/1985-04 EDTF'],
  ['1985/..', 1985, undefined, '1985/.. EDTF'],
  ['../1985', undefined, 1985, '../1985 EDTF'],
  ['../..', undefined, undefined],
  ['2003-22/2004-22', 2003, 2004, '2003-22/2004-22 EDTF'],
  ['Y170000002', undefined, undefined],
  ['2001-21', 2001, 2001, '2001-21 EDTF'],
  ['2004-06-11%', 2004, 2004, '2004-06-11% EDTF'],
  ['201X', 2010, 2019, '201X EDTF'],
  ['19XX', 1900, 1999, '19XX EDTF'],
  ['1985-XX-XX', 1985, 1985, '1985-XX EDTF'],
  ['1950S2', 1900, 1999, '19XX EDTF'],
  ['2001-34', 2001, 2001, '2001-34 EDTF'],
  ['[1667,1668,1670..1672]', 1667, 1672, '[1667,1668,1670..1672] EDTF'],
  ['{1960,1961-12}', 1960, 1961, '{1960,1961-12} EDTF'],
  ['[..1984]', undefined, 1984, '[..1984] EDTF'],
  ['[1760-12..]', 1760, undefined, '[1760-12..] EDTF'],
  ['{-1667,1668}', -1667, 1668, '{-1667,1668} EDTF'],
  ['%2001', 2001, 2001, '2001% EDTF'],
  ['2004-?06-?11', 2004, 2004, '2004-?06-?11 EDTF'],
  ['?2004-06-04~', 2004, 2004, '?2004-06-04~ EDTF'],
  ['156X-12-25', 1560, 1569, '156X-12-25 EDTF'],
  ['15XX-12-25', 1500, 1599, '15XX-12-25 EDTF'],
  ['1984-1X', 1984, 1984, '1984-1X EDTF'],
  ['20X0-10-02', 2000, 2090, '20X0-10-02 EDTF'],
  ['198X/199X', 1980, 1999, '198X/199X EDTF'],
  ['2004-06-XX/2004-07-03', 2004, 2004, '2004-06-XX/2004-07-03 EDTF'],
  ['1919-XX-02/1919-XX-01', 1919, 1919, '1919-XX-02/1919-XX-01 EDTF'],
  ['1863- 03-29', 1863, 1863, '1863 gYear'],
  ['1960-06-31', 1960, 1960, '1960 gYear'],
  ['20067890%', undefined, undefined],
  ['Y2006', undefined, undefined],
  ['-0000', undefined, undefined],
  ['+2006%', 2006, 2006, '2006 gYear'],
  ['NONE/', undefined, undefined],
  ['2000/12-12', 2000, 2000, '2000 gYear'],
  ['2012-10-10T1:10:10', 2012, 2012, '2012 gYear'],
  ['[1 760-01, 1760-02]', undefined, undefined],
  ['2004-06-11/2004-06-10', 2004, 2004, '2004 gYear'],
  ['2012/2013/1234', 2012, 2013, '2012 gYear, 2013 gYear'],
  ['2001-21^southernHemisphere', 2001, 2001, '2001 gYear'],
  ['1994u', 1994, 1994, '1994 gYear'],
  ['199u', 1990, 1999, '199X EDTF'],
  ['1994-uu', 1994, 1994, '1994-XX EDTF'],
  ['unknown', undefined, undefined],
  ['1984/open', 1984, undefined, '1984/.. EDTF'],
  ['y-17e7', undefined, undefined],
  ['2001-25', 2001, 2001, '2001-25 EDTF'],
  // Further ones.
  ['0101-01-01', undefined, undefined],
  ['9999', undefined, undefined],
  ['-1985', -1985, -1985, '-1985 EDTF'],
  ['2004?~', 2004, 2004, '2004 gYear'],
  ['?2004?', 2004, 2004, '2004 gYear'],
  ['2001-2X-03', 2001, 2001, '2001 gYear'],
  ['2001-02-3X', 2001, 2001, '2001 gYear'],
  ['{1961,1960}', 1960, 1961, '{1960,1961} EDTF'],
  ['[1667, 1668]', 1667, 1668, '[1667,1668] EDTF'],
  ['{1960..,1961}', 1960, 1961, '1960 gYear, 1961 gYear'],
]

describe('a date that EDTF writes', () => {
  for (const [date, earliest, latest, issued = ''] of edtfDates)
    it(`${JSON.stringify(date)} is from ${earliest ?? 'nowhere'} to ${latest ?? 'nowhere'}, typed ${issued || 'as none'}`, () => {
      expect(textsOf(parseIssuedDates(date)).join(', ')).to.equal(issued)
      const years = yearsOfAll([date])
      expect([years?.earliest, years?.latest]).to.deep.equal([earliest, latest])
    })

  it('stays the same when what was made of it is read again', () => {
    for (const [date] of [...dates, ...edtfDates])
      for (const { value } of parseIssuedDates(date)) expect(parseEdtf(value)).to.equal(value)
  })
})

describe('the years of dates', () => {
  for (const [dates, earliest, latest, ...named] of [
    [['1994-05'], 1994, 1994, '1994'],
    [['late 1990s'], 1990, 1999, '199X'],
    [['1994-1996'], 1994, 1996, '1994', '1995', '1996'],
    [['1980s-2000s'], 1980, 2009, '198X', '199X', '200X'],
    [['1985/..'], 1985, undefined, '1985'],
    [['2011-02-14', '2006', 'undated'], 2006, 2011, '2011', '2006'],
    [['[between 1989 and 1990?]', '1990s'], 1989, 1999, '1989', '1990', '199X'],
    [['1990', 'since 1985'], 1985, undefined, '1990', '1985'],
    [['19XX'], 1900, 1999],
    [['1650-1994'], 1650, 1994, '1650', '1994'],
    [['1985-199X'], 1985, 1999, '1985', '199X'],
    [['undated'], undefined, undefined],
    [[], undefined, undefined],
  ] as const)
    it(`of ${JSON.stringify(dates)} are ${earliest ?? 'none'} to ${latest ?? 'none'}: ${named.join(', ')}`, () => {
      const years = yearsOfAll(dates)
      expect([years?.earliest, years?.latest]).to.deep.equal([earliest, latest])
      expect(years?.named ?? []).to.deep.equal(named)
    })
})

describe('a text that says that there is no date', () => {
  for (const text of [
    ...[
      '',
      '?',
      'undated',
      'Undated',
      'n.d.',
      '[n. d.]',
      'no date',
      's.d.',
      's. f.',
      's/f',
      'Sin fecha',
    ],
    ...[
      'sans date',
      'o. J.',
      'oJ',
      'ohne Jahr',
      'б. г.',
      '刊年不明',
      'date of publication not identified',
    ],
  ])
    it(`is “${text}”`, () => expect(saysNoDate(text)).to.equal(true))

  for (const text of ['1994', 'soon', 'before 1994', 'Summer', 'Zine'])
    it(`is not “${text}”`, () => expect(saysNoDate(text)).to.equal(false))
})
