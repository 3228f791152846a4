// How values of sources are read: dates, languages, extents, titles, names, identifiers and places.

import { expect } from 'chai'

import { loadResources } from '../../../src/app/load-model.js'
import { makeIdentifier } from '../../../src/features/imports/mapping/identifiers.js'
import { readDate } from '../../../src/features/imports/mapping/read-date.js'
import { readExtent } from '../../../src/features/imports/mapping/read-extent.js'
import { readIdentifiers } from '../../../src/features/imports/mapping/read-identifiers.js'
import { readLanguages } from '../../../src/features/imports/mapping/read-language.js'
import {
  cleanName,
  fieldsOfRelators,
  proposeNames,
} from '../../../src/features/imports/mapping/read-names.js'
import { readPlace } from '../../../src/features/imports/mapping/read-place.js'
import { joinIsbd, readTitle } from '../../../src/features/imports/mapping/read-title.js'
import { cleanText, withoutEndPunctuation } from '../../../src/features/imports/mapping/text.js'

const { vocabulary: languages } = (await loadResources()).zines.byName.get('language') ?? {}

describe('the date of a source', () => {
  const read: readonly (readonly [string, readonly string[]])[] = [
    ['1994', ['1994']],
    ['2003?', ['2003?']],
    ['c. 1995', ['c. 1995']],
    ['[1994]', ['[1994]']],
    ['[2003?].', ['[2003?]']],
    ['©1999', ['©1999']],
    ['199-?', ['199-?']],
    ['[199u]', ['[199u]']],
    ['1990s', ['1990s']],
    ['circa 1990s', ['circa 1990s']],
    ['Spring 1992', ['Spring 1992']],
    ['fall 2010 ', ['fall 2010']],
    ['1992 – 1993', ['1992 – 1993']],
    ['1994/1995', ['1994/1995']],
    ['1995-96', ['1995-1996']],
    ['1994-05', ['1994-05']],
    ['1994-5', ['1994-05']],
    ['5/1994', ['1994-05']],
    ['1994-??', ['1994-XX']],
    ['1/15/1997', ['1997-01-15']],
    ['15/1/1997', ['1997-01-15']],
    ['4/5/1998', ['4/5/1998']],
    ['31/31/1998', ['31/31/1998']],
    ['2007-03-04T00:00:00Z', ['2007-03-04']],
    ['20070304', ['2007-03-04']],
    ['2007.0', ['2007']],
    ['2003, c2002.', ['2003', 'c2002']],
    ['May June 2007', ['May June 2007']],
    ['before 1994', ['before 1994']],
    ['19--?', ['19--?']],
    ['2006-', ['2006-']],
    ['2002 Winter / 2003 Spring', ['2002 Winter / 2003 Spring']],
    ['1994 and 1995', ['1994 and 1995']],
    ['not 1994 or 1995', ['not 1994 or 1995']],
    ['circa 1994-1995', ['circa 1994-1995']],
    ['1999 (reprint 2004)', ['1999 (reprint 2004)']],
    ['[2015-2016?]', ['[2015-2016?]']],
    ['December 2002 - January 2003', ['December 2002 - January 2003']],
    ['late 1980s, I think', ['late 1980s, I think']],
    ['2001-21', ['2001-21']],
    ['{1960,1961-12}', ['{1960,1961-12}']],
    ['[1994', ['1994']],
    ['c2003]', ['c2003']],
    ['[1999, c1998]', ['1999', 'c1998']],
    ['(1999', ['1999']],
  ]
  for (const [text, values] of read)
    it(`"${text}" becomes ${values.join(' and ')}`, () => {
      expect(readDate(text)).to.deep.equal({ values })
    })

  for (const text of [
    '',
    '?',
    '????',
    'n.d.',
    '[n.d.]',
    'nd',
    'no date',
    'unknown',
    'uuuu',
    's.d.',
    '-',
  ])
    it(`is none where the source has "${text}"`, () => {
      expect(readDate(text)).to.deep.equal({ values: [] })
    })

  for (const text of ['Mar-00', '1-Jul', '13-Feb'])
    it(`is reported and not guessed where a spreadsheet has turned it into "${text}"`, () => {
      const { values, problem } = readDate(text)
      expect(values).to.deep.equal([])
      expect(problem).to.include('spreadsheet')
    })

  for (const text of ['Los Angeles, CA', "'94", '34567', '1/15/97', 'Winter'])
    it(`is reported where "${text}" stands in its place`, () => {
      const { values, problem } = readDate(text)
      expect(values).to.deep.equal([])
      expect(problem).to.equal('This is not understood as a date.')
    })
})

describe('the languages of a source', () => {
  const read: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['EN/ESP', ['en', 'es']],
    ['FR /EN', ['fr', 'en']],
    ['EN+FR', ['en', 'fr']],
    ['EN, ES, CA', ['en', 'es', 'ca']],
    ['English and Spanish', ['en', 'es']],
    ['eng', ['en']],
    ['engspa', ['en', 'es']],
    ['ger', ['de']],
    ['deu', ['de']],
    ['Deutsch', ['de']],
    ['en-CA', ['en']],
    ['pt_BR', ['pt']],
    ['Español', ['es']],
    ['français', ['fr']],
    ['日本語', ['ja']],
    ['Farsi', ['fa']],
    ['HErew', [undefined]],
    ['chr', [undefined]],
    ['und', []],
    ['zxx', []],
    ['   ', []],
    ['|||', []],
  ]
  for (const [text, codes] of read)
    it(`"${text}" are ${codes.map((code) => code ?? 'not known').join(', ') || 'none'}`, () => {
      expect(languages && readLanguages(text, languages).map(({ code }) => code)).to.deep.equal(
        codes,
      )
    })
})

describe('the extent of a source', () => {
  const read: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['24 p. : ill. ; 22 cm', '24', '22 cm'],
    ['[24] p. ;', '24', undefined],
    ['xii, 120 p.', 'xii, 120', undefined],
    ['28 pages', '28', undefined],
    ['8 pages, ', '8', undefined],
    ['16pages', '16', undefined],
    ['32', '32', undefined],
    ['1 v. (unpaged) : ill. ; 14 x 11 cm.', 'unpaged', '14 x 11 cm'],
    ['1 volume', undefined, undefined],
    ['pages', undefined, undefined],
    ['double sided flyer ', 'double sided flyer', undefined],
    ['20 pages, 5.5 x 8.5 in.', '20', '5.5 x 8.5 in.'],
    ['6.25" x 6.25", 48', '48', '6.25" x 6.25"'],
    ['22 cm, 24 p.', '24', '22 cm'],
    ['5.5 x 8.5 in., 32', '32', '5.5 x 8.5 in.'],
    ['4.25 x 5.5 in (16 pages)', '16', '4.25 x 5.5 in'],
    ['8 1/2 x 11 in', undefined, '8 1/2 x 11 in'],
    ['5.5"x8½"', undefined, '5.5" x 8½"'],
    ['8.5 x 11', undefined, '8.5 x 11'],
    ['24 in 3 colours', '24 in 3 colours', undefined],
    ['2 x 24 pages', '2 x 24 pages', undefined],
    ['3 v.', '3 v.', undefined],
    ['1-2', '1-2', undefined],
  ]
  for (const [text, pages, dimensions] of read)
    it(`"${text}" has ${pages ?? 'no number of'} pages and ${dimensions ?? 'no dimensions'}`, () => {
      const extent = readExtent(text)
      expect([extent.pages, extent.dimensions]).to.deep.equal([pages, dimensions])
    })

  it('says whether there is more than pages and a size', () => {
    const texts = ['22 cm, 24 p.', '24 p. : ill. ; 22 cm', '1 sheet ([2] p.)', 'A5, 24 pages']
    expect(texts.map((text) => readExtent(text).saysMore)).to.deep.equal([false, true, true, true])
  })
})

describe('the title of a source', () => {
  const read: readonly (readonly [string, string, string?])[] = [
    ['Doris #24', 'Doris', '#24'],
    ['Marco Solo No.2', 'Marco Solo', 'No.2'],
    ['Marco Solo, no. 2', 'Marco Solo', 'no. 2'],
    ['Ker-bloom! #LXXX', 'Ker-bloom!', '#LXXX'],
    ['Here Be Dragons #1.5', 'Here Be Dragons', '#1.5'],
    ['Swirling Vortex of Terror #1 1/2', 'Swirling Vortex of Terror', '#1 1/2'],
    ['StreetWise vol 9 #24', 'StreetWise', 'vol 9 #24'],
    ['P-Form issue 23', 'P-Form', 'issue 23'],
    ['Doris 24', 'Doris 24'],
    ['575', '575'],
    ['#1', '#1'],
    ['Brainscan #21: Irreconcilable Differences', 'Brainscan #21: Irreconcilable Differences'],
    ['Girl/Boy #2 , Boy/Girl #2', 'Girl/Boy #2 , Boy/Girl #2'],
    ['Untitled #1 (Morgan Cahn)', 'Untitled #1 (Morgan Cahn)'],
  ]
  for (const [text, title, issue] of read)
    it(`"${text}" is ${issue === undefined ? 'not parted' : `parted before ${issue}`}`, () => {
      expect(readTitle(text)).to.deep.equal(issue === undefined ? { title } : { title, issue })
    })

  it('loses the punctuation between ISBD areas', () => {
    const parts = [
      { code: 'a', text: 'Brainscan :' },
      { code: 'b', text: 'a zine = un fanzine /' },
    ]
    expect(joinIsbd(parts, undefined)).to.equal('Brainscan: a zine = un fanzine')
  })

  it('has a colon before a subtitle also where the record has no punctuation', () => {
    const parts = [
      { code: 'a', text: 'Brainscan' },
      { code: 'b', text: 'a zine' },
    ]
    expect(joinIsbd(parts, undefined)).to.equal('Brainscan: a zine')
  })

  it('keeps the full stop of an abbreviation and of an ellipsis', () => {
    const texts = ['Portland, Or.', 'Wrekk, A.', 'Zines etc.', 'And so on...', 'Zines.']
    expect(texts.map(withoutEndPunctuation)).to.deep.equal([...texts.slice(0, 4), 'Zines'])
  })
})

describe('the names of a source', () => {
  it('are proposed to be parted where they may be several', () => {
    expect(['Ann and Bo', 'Wang, Jackie'].map(proposeNames)).to.deep.equal([['Ann', 'Bo'], []])
  })

  it('lose the comma that MARC has before a relator', () => {
    expect(cleanName(' Wrekk,  Alex, ')).to.equal('Wrekk, Alex')
  })

  it('of added entries are in the fields that their relators mean', () => {
    const fieldsOf = (...relators: readonly string[]) => fieldsOfRelators('contributor', relators)
    expect(fieldsOf()).to.deep.equal(['contributor'])
    expect(fieldsOf('author', 'pbl')).to.deep.equal(['creator', 'publisher'])
    expect(fieldsOf('xyzzy')).to.deep.equal(['contributor'])
  })

  it('of donors and owners are in none', () => {
    expect(fieldsOfRelators('contributor', ['donor'])).to.deep.equal([])
  })

  it('of main entries stay creators', () => {
    expect(fieldsOfRelators('creator', ['editor'])).to.deep.equal(['creator'])
    expect(fieldsOfRelators('creator', ['publisher'])).to.deep.equal(['creator', 'publisher'])
  })
})

describe('what stands around values of a source', () => {
  it('is left out of ISBNs and ISSNs', () => {
    const texts = [
      '[0977055779]',
      '0977055779 (pbk.) : $5.00',
      '978-0-306-40615-7',
      '[]',
      '1234-567X',
      'abc',
    ]
    expect(texts.map((text) => readIdentifiers(text).values)).to.deep.equal([
      ['0977055779'],
      ['0977055779'],
      ['978-0-306-40615-7'],
      [],
      ['1234-567X'],
      ['abc'],
    ])
  })

  it('is told where it is neither an ISBN nor a number with its kind', () => {
    const others = ['X', '97809770557', 'goodreads:8695', '0977055779', ''].filter(
      (text) => readIdentifiers(text).isOther,
    )
    expect(others).to.deep.equal(['X', '97809770557'])
  })

  it('is left out of places, and a place that is not known is none', () => {
    const texts = [
      '[Portland, Or.] :',
      '[S.l.] :',
      '[city unknown]',
      '????',
      'Location unknown',
      'Leeds',
    ]
    expect(texts.map(readPlace)).to.deep.equal([
      'Portland, Or.',
      undefined,
      undefined,
      undefined,
      undefined,
      'Leeds',
    ])
  })

  it('is white space, of which single spaces and line breaks stay', () => {
    expect(cleanText(' a\u00a0 b\r\n\tc e\u0301 ')).to.equal('a b\nc é')
  })
})

describe('an identifier', () => {
  it('is made of the first pattern whose values are all there', () => {
    const values = { '001': ' ocm 12/3 ', row: '4' }
    expect(makeIdentifier('{001}|row-{row}', values)).to.deep.equal({
      id: 'ocm-12-3',
      by: 'number',
    })
    expect(makeIdentifier('{001}|row-{row}', { row: '4' })).to.deep.equal({
      id: 'row-4',
      by: 'row',
    })
  })

  it('is not made where a value is missing, or the service cannot have it', () => {
    expect(makeIdentifier('{001}', {})).to.equal(undefined)
    expect(makeIdentifier('{constructor}', {})).to.equal(undefined)
    expect(makeIdentifier('{001}', { '001': '..' })).to.equal(undefined)
    expect(makeIdentifier('{001}', { '001': 'x'.repeat(256) })).to.equal(undefined)
  })
})
