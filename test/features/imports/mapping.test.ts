// What the rules of a profile make of rows, and what decisions make of that: texts, names, terms and copies.

import { expect } from 'chai'
import fc from 'fast-check'

import { staffFields } from '../../http/catalogue.js'
import { loadResources } from '../../../src/app/load-model.js'
import {
  createNameCollector,
  createTermCollector,
} from '../../../src/features/imports/mapping/collectors.js'
import { mapRow } from '../../../src/features/imports/mapping/map-row.js'
import { parseProfile } from '../../../src/features/imports/mapping/profile-parser.js'
import { proposeProfile } from '../../../src/features/imports/mapping/propose-profile.js'
import {
  createMissingDefaultCounter,
  createRecordBuilder,
} from '../../../src/features/imports/mapping/record-builder.js'
import {
  SourceFieldCollector,
  unusedFields,
} from '../../../src/features/imports/mapping/source-fields.js'
import type { FieldRule, Profile } from '../../../src/features/imports/profile.js'
import type { SourceField, SourceRow } from '../../../src/lib/sources/source.js'

const resources = await loadResources()

/** A field of MARC: the tag, the indicators, and subfields with their codes as first letters. */
const marc = (name: string, indicators: string, ...subfields: readonly string[]): SourceField => ({
  name,
  indicators,
  parts: subfields.map((text) => ({ code: text.slice(0, 1), text: text.slice(1) })),
})

const control = (name: string, text: string): SourceField => ({ name, parts: [{ code: '', text }] })

const rowOf = (fields: readonly SourceField[], number = 1): SourceRow => ({
  number,
  fields,
  remarks: [],
})

const tableRow = (cells: Readonly<Record<string, string>>, number = 1): SourceRow =>
  rowOf(
    Object.entries(cells).map(([name, text]) => control(name, text)),
    number,
  )

const profileOf = (rules: readonly FieldRule[], more: Partial<Profile> = {}): Profile =>
  parseProfile(
    {
      version: 1,
      name: 'Test',
      identifiers: { zines: 't-{row}', holdings: '{zine}-{item}' },
      rules,
      defaults: { zines: {}, holdings: { repository_id: 'lib' } },
      ...more,
    },
    resources,
  )

const marcProfile = (rows: readonly SourceRow[]): Profile => {
  const options = { type: 'marc' as const }
  const recognized = { options, description: '', sheets: [], columns: [] }
  const profile = proposeProfile(recognized, rows, resources)
  return { ...profile, defaults: { ...profile.defaults, holdings: { repository_id: 'lib' } } }
}

const mapMarc = (...fields: readonly SourceField[]) => {
  const row = rowOf(fields)
  return mapRow(row, marcProfile([row]), resources)
}

describe('a row of a table', () => {
  it('becomes texts, names and terms by the rules', () => {
    const profile = profileOf([
      { from: 'Title', to: 'zines.title', as: 'title' },
      { from: 'Author', to: 'zines.creator', as: 'names' },
      { from: 'Tags', to: 'zines.subject', split: ',' },
      { from: 'Copies', to: 'holdings.copy_count' },
    ])
    const cells = { Title: 'Doris #24', Author: 'Ann and Bo', Tags: 'zines, Punk ', Copies: '2' }
    const mapped = mapRow(tableRow(cells), profile, resources)
    expect(mapped.zine).to.deep.equal({ title: ['Doris'], issue_designation: ['#24'] })
    expect(mapped.names).to.deep.equal([
      { field: 'creator', name: 'Ann and Bo', split: ['Ann', 'Bo'] },
    ])
    expect(mapped.terms.map(({ value, code }) => [value, code])).to.deep.equal([
      ['zines', 'zines'],
      ['Punk', undefined],
    ])
    expect(mapped.holdings.map(({ texts }) => texts)).to.deep.equal([{ copy_count: ['2'] }])
    expect(mapped.issues).to.deep.equal([])
  })

  it('has one rule for all columns of a name', () => {
    const profile = profileOf([{ from: 'Keyword', to: 'zines.subject' }])
    const cells = { Keyword: 'a', 'Keyword (2)': 'b', 'KEYWORD (3)': 'c', Other: 'd' }
    const { terms } = mapRow(tableRow(cells), profile, resources)
    expect(terms.map(({ value }) => value)).to.deep.equal(['a', 'b', 'c'])
  })

  it('has a rule of its own for one of several columns of a name', () => {
    const profile = profileOf([
      { from: 'Keyword', to: 'zines.subject' },
      { from: 'Keyword (2)', to: 'zines.genre' },
    ])
    const { terms } = mapRow(tableRow({ Keyword: 'a', 'Keyword (2)': 'b' }), profile, resources)
    expect(terms.map(({ field, value }) => [field, value])).to.deep.equal([
      ['subject', 'a'],
      ['genre', 'b'],
    ])
  })

  it('joins columns, without those that say nothing', () => {
    const profile = profileOf([
      { from: 'City', with: ['State', 'Country'], to: 'zines.place_of_publication' },
    ])
    const place = (cells: Readonly<Record<string, string>>) =>
      mapRow(tableRow(cells), profile, resources).zine.place_of_publication
    expect(place({ City: 'Boston', State: 'MA', Country: 'US' })).to.deep.equal(['Boston, MA, US'])
    expect(place({ City: '????', Country: 'US' })).to.deep.equal(['US'])
  })

  it('keeps a text that is too long as a note, and says so', () => {
    const profile = profileOf([{ from: 'No', to: 'zines.issue_designation' }])
    const long = 'x'.repeat(101)
    const { zine, issues } = mapRow(tableRow({ No: long }), profile, resources)
    expect(zine).to.deep.equal({ public_notes: [`Issue: ${long}`] })
    expect(issues.map(({ kind, field, value }) => [kind, field, value])).to.deep.equal([
      ['moved', 'zines.issue_designation', long],
    ])
  })

  it('reports a place where the year should be, and a number of copies that is none', () => {
    const profile = profileOf([
      { from: 'Year', to: 'zines.date' },
      { from: 'Copies', to: 'holdings.copy_count' },
    ])
    const { zine, issues } = mapRow(tableRow({ Year: 'Leeds', Copies: 'many' }), profile, resources)
    expect(zine).to.deep.equal({ public_notes: ['Date: Leeds'] })
    expect(issues.map(({ kind, field, value }) => [kind, field, value])).to.deep.equal([
      ['moved', 'zines.date', 'Leeds'],
      ['moved', 'holdings.copy_count', 'many'],
    ])
  })

  it('is no zine where it is about something else', () => {
    const profile = profileOf([{ from: 'Title', to: 'zines.title' }], {
      others: { from: 'Item Type', values: ['attachment'] },
    })
    const issuesOf = (type: string) =>
      mapRow(tableRow({ Title: 'Full Text PDF', 'Item Type': type }), profile, resources).issues
    expect(issuesOf('attachment').map(({ kind, message }) => [kind, message])).to.deep.equal([
      ['missing', 'Rows of this kind are no zines.'],
    ])
    expect(issuesOf('book')).to.deep.equal([])
  })

  it('has text of HTML, codes of addresses, and a volume with its issue', () => {
    const profile = profileOf([
      { from: 'Title', to: 'zines.title', as: 'turned-title', html: true },
      { from: 'Rights', to: 'zines.rights' },
      {
        from: 'Volume',
        with: ['Issue'],
        to: 'zines.issue_designation',
        prefix: 'Volume ',
        join: ', issue ',
      },
      { from: 'Issue', to: 'zines.issue_designation', fallback: true },
    ])
    const read = (cells: Readonly<Record<string, string>>) =>
      mapRow(tableRow(cells), profile, resources)
    expect(read({ Title: 'H<sub>2</sub>O <i>Yearbook</i>, The' }).zine.title).to.deep.equal([
      'The H2O Yearbook',
    ])
    expect(read({ Title: '<p>One<br/>Two</p>' }).zine.title).to.deep.equal(['One Two'])
    expect(read({ Volume: '3', Issue: '2' }).zine.issue_designation).to.deep.equal([
      'Volume 3, issue 2',
    ])
    expect(read({ Issue: '2' }).zine.issue_designation).to.deep.equal(['2'])
    const licence = 'https://creativecommons.org/licenses/by/4.0/deed.en'
    const { terms } = read({ Rights: licence })
    const code = resources.zines.byName
      .get('rights')
      ?.vocabulary?.entries.find(
        ({ code: one }) => /by-?4/i.test(one) && !/nc|sa|nd/i.test(one),
      )?.code
    expect(terms.map((term) => term.code)).to.deep.equal([code])
    expect(code).to.be.a('string')
  })

  it('has names without the word before them, which is none of a name that begins so', () => {
    const profile = profileOf([{ from: 'By', to: 'zines.creator', as: 'names' }])
    const names = ['par Zoë', 'por Bo', 'by Ann Lee', 'Par Avion', 'von Trier, Lars'].map(
      (By) => mapRow(tableRow({ By }), profile, resources).names[0]?.name,
    )
    expect(names).to.deep.equal(['Zoë', 'Bo', 'Ann Lee', 'Par Avion', 'von Trier, Lars'])
  })

  it('loses no digit of a column with pages or sizes', () => {
    const digits = fc.stringMatching(/^\d{1,3}(?:\.\d)?$/)
    const piece = fc.oneof(
      fc
        .tuple(digits, fc.constantFrom(' p.', 'pp', ' pages', ' unnumbered pages'))
        .map((both) => both.join('')),
      fc
        .tuple(
          digits,
          fc.constantFrom(' x ', 'x', '" × '),
          digits,
          fc.constantFrom(' cm', '"', ' in.', ' in', ''),
        )
        .map((all) => all.join('')),
      fc.constantFrom(
        'ill.',
        'flyer',
        'A5',
        '2 v.',
        'unpaged',
        '1 sheet',
        'xii',
        'folded to',
        '8 1/2',
      ),
      digits,
    )
    const between = fc.constantFrom(', ', ' ; ', ' : ', ' (', ') ', ' + ', ' ')
    const cell = fc
      .array(fc.tuple(piece, between), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().slice(0, -1).join(''))
    const countOf = (text: string): number[] =>
      Array.from('0123456789', (digit) => text.split(digit).length - 1)
    const columns = [
      ['Pages', 'zines.number_of_pages'],
      ['Size', 'zines.physical_dimensions'],
    ] as const
    fc.assert(
      fc.property(cell, fc.constantFrom(...columns), (text, [from, to]) => {
        const profile = profileOf([{ from, to, as: 'pages' }])
        const { zine } = mapRow(tableRow({ [from]: text }), profile, resources)
        const kept = countOf(JSON.stringify(zine))
        expect(
          countOf(text).every((count, digit) => count <= (kept[digit] ?? 0)),
          JSON.stringify([text, zine]),
        ).to.equal(true)
      }),
      { numRuns: 500 },
    )
  })

  it('has the pages and the size of one column in their fields, and tells what is neither', () => {
    const profile = profileOf([{ from: 'Size', to: 'zines.physical_dimensions', as: 'pages' }])
    const read = (text: string) => mapRow(tableRow({ Size: text }), profile, resources)
    expect(read('6.25" x 6.25", 48').zine).to.deep.equal({
      number_of_pages: ['48'],
      physical_dimensions: ['6.25" x 6.25"'],
    })
    expect(read('22').zine).to.deep.equal({ physical_dimensions: ['22'] })
    const pages = profileOf([{ from: 'Pages', to: 'zines.number_of_pages', as: 'pages' }])
    const { zine, issues } = mapRow(tableRow({ Pages: '24 p. : ill. ; 22 cm' }), pages, resources)
    expect(zine).to.deep.equal({
      number_of_pages: ['24'],
      physical_dimensions: ['22 cm'],
      public_notes: ['Number of pages: 24 p. : ill. ; 22 cm'],
    })
    expect(issues.map(({ kind }) => kind)).to.deep.equal(['moved'])
  })

  it('has a copy only where a collection is owned, which is asked where it is not clear', () => {
    const profile = profileOf([{ from: 'Copies', to: 'holdings.copy_count' }], {
      shelves: { from: 'Collections', split: ',', owned: { 'Zine library': true, Read: false } },
    })
    const copies = (cells: Readonly<Record<string, string>>): readonly unknown[] => {
      const { holdings, issues } = mapRow(tableRow(cells), profile, resources)
      return [holdings.length, ...issues.map(({ value }) => value)]
    }
    expect(copies({ Collections: 'Wishlist', Copies: '1' })).to.deep.equal([0])
    expect(copies({ Collections: 'Your library, Favorites' })).to.deep.equal([1])
    expect(copies({ Collections: 'Zine library, Wishlist' })).to.deep.equal([1])
    expect(copies({ Collections: 'Read' })).to.deep.equal([0])
    expect(copies({ Collections: 'Read, Borrowed from M.' })).to.deep.equal([0, 'Borrowed from M.'])
    expect(copies({ Copies: '2' })).to.deep.equal([1])
    expect(copies({ Collections: 'Zine library', Copies: '0' })).to.deep.equal([0, '0'])
  })

  it('has no copy where nobody says who keeps it', () => {
    const profile = profileOf([{ from: 'Copies', to: 'holdings.copy_count' }], {
      defaults: { zines: {}, holdings: {} },
    })
    expect(mapRow(tableRow({ Copies: '2' }), profile, resources).holdings).to.deep.equal([])
  })
})

describe('a MARC record', () => {
  it('has its title without ISBD marks, and the number and name of a part as its issue', () => {
    const { zine } = mapMarc(
      marc('245', '10', 'aBrain scan.', 'n#21,', 'pDifferences :', 'ba zine /', 'cA. Wrekk.'),
      marc('246', '3 ', 'aBrainscan'),
      marc('740', '0 ', 'aOther title.'),
      marc('880-245', '10', '6245-01', 'a漢字 /'),
    )
    expect(zine).to.deep.equal({
      title: ['Brain scan: a zine'],
      issue_designation: ['#21, Differences'],
      alternative_title: ['Brainscan', 'Other title', '漢字'],
    })
  })

  it('keeps a second title field as another title', () => {
    const { zine, issues } = mapMarc(marc('245', '00', 'aOne'), marc('245', '00', 'aTwo'))
    expect([zine.title, zine.alternative_title]).to.deep.equal([['One'], ['Two']])
    expect(issues.map(({ kind }) => kind)).to.deep.equal(['moved'])
  })

  it('has creators, contributors and publishers by relators', () => {
    const { names } = mapMarc(
      marc('100', '1 ', 'aWrekk, Alex,', 'eauthor,', 'epublisher.'),
      marc('700', '1 ', 'aWang, Jackie,', 'eartist.'),
      marc('700', '1 ', 'aLee, Bo', '4edt'),
      marc('710', '2 ', 'aMicrocosm,', '4pbl'),
      marc('264', ' 1', 'bMicrocosm Pub.,'),
    )
    expect(names.map(({ field, name }) => `${field}: ${name}`)).to.deep.equal([
      'creator: Wrekk, Alex',
      'publisher: Wrekk, Alex',
      'creator: Wang, Jackie',
      'contributor: Lee, Bo',
      'publisher: Microcosm',
    ])
  })

  it('has names as their indicators say, with titles, fuller forms and other scripts beside', () => {
    const { names } = mapMarc(
      marc('100', '1 ', '6880-01', 'aLévis, François,', 'cduc de,', 'd1720-1787.'),
      marc('245', '00', 'aOne'),
      marc('700', '0 ', 'aHeron,', 'cof the Marsh'),
      marc('700', '1 ', 'aQuill, R. M.', 'q(Rowan Moss),', 'd1970-'),
      marc('700', '1 ', 'aKing, Martin,', 'cJr.'),
      marc('700', '3 ', 'aTern family.'),
      marc('710', '1 ', 'aQuébec (Province).', 'bZines, Office of'),
      marc('711', '2 ', 'aZine Fair', 'n(3rd :', 'd2004 :', 'cHalifax, N.S.)'),
      marc('880-100', '1 ', '6100-01', 'aЛеви, Франсуа'),
    )
    expect(
      names.map(({ name, kind, isDirect, otherNames }) => [name, kind, isDirect, otherNames]),
    ).to.deep.equal([
      [
        'Lévis, François, 1720-1787',
        'Person',
        undefined,
        ['François Lévis, duc de', 'Франсуа Леви'],
      ],
      ['Heron, of the Marsh', 'Person', true, undefined],
      ['Quill, R. M. 1970-', 'Person', undefined, ['Rowan Moss Quill']],
      ['King, Martin, Jr.', 'Person', undefined, undefined],
      ['Tern family', 'Collective', true, undefined],
      ['Québec (Province). Zines, Office of', 'Organization', true, undefined],
      ['Zine Fair (3rd : 2004 : Halifax, N.S.)', 'Organization', true, undefined],
    ])
  })

  it('has its added entries, and not its statement of responsibility, as creators', () => {
    const { names } = mapMarc(
      marc('245', '00', 'aOne /', 'cby Rowan Quill and Ash Tern.'),
      marc('700', '1 ', 'aQuill, Rowan.'),
    )
    expect(names.map(({ field, name }) => [field, name])).to.deep.equal([
      ['creator', 'Quill, Rowan'],
    ])
  })

  it('has nobody who only gave or owned the copy', () => {
    const { names, issues } = mapMarc(marc('700', '1 ', 'aLee, Bo,', 'edonor.'))
    expect(names).to.deep.equal([])
    expect(issues.map(({ field, value }) => [field, value])).to.deep.equal([
      ['zines.contributor', 'Lee, Bo'],
    ])
  })

  it('has the added entries as creators where there is no main entry', () => {
    const { names } = mapMarc(
      marc('700', '1 ', 'aLee, Bo.'),
      marc('700', '1 ', 'aRay, Cy', 'eeditor'),
    )
    expect(names.map(({ field, name }) => `${field}: ${name}`)).to.deep.equal([
      'creator: Lee, Bo',
      'contributor: Ray, Cy',
    ])
  })

  it('takes the publisher, the date and the creator of the description where nothing else has them', () => {
    const { names, zine } = mapMarc(
      control('008', '080101s2003    oruab         000 0 eng d'),
      marc('245', '00', 'aOne /', 'cby Ann and Bo.'),
      marc('260', '  ', 'a[S.l. :', 'bMicrocosm.'),
    )
    expect(names.map(({ field, name }) => `${field}: ${name}`)).to.deep.equal([
      'creator: Ann and Bo',
      'publisher: Microcosm',
    ])
    expect(zine.date).to.deep.equal(['2003'])
    expect(zine.place_of_publication).to.equal(undefined)
  })

  it('never shows the notes of its staff, but in the fields for them', () => {
    const secret = [
      marc('500', '0 ', 'asecret'),
      marc('541', '1 ', 'asecret'),
      marc('561', '0 ', 'asecret'),
      marc('561', '  ', 'asecret'),
      marc('583', '1 ', 'asecret', 'xsecret'),
      marc('590', '  ', 'asecret'),
      marc('599', '  ', 'asecret'),
      marc('852', '  ', 'asecret', 'xsecret'),
      marc('880-590', '  ', 'asecret'),
      marc('880-541', '  ', 'asecret'),
      marc('901', '  ', 'asecret'),
      marc('999', '  ', 'csecret'),
      marc('952', '  ', 'oZ 1', 'p1', 'xsecret', 'gsecret', 'esecret'),
      marc('856', '40', 'uhttp://example.org/', 'xsecret'),
    ]
    const mapped = mapMarc(marc('245', '00', 'aOne'), marc('500', '  ', 'aFor all.'), ...secret)
    const shown = JSON.stringify([
      mapped.zine,
      mapped.terms,
      mapped.names,
      mapped.holdings.map(({ texts }) =>
        Object.entries(texts).filter(([name]) => !staffFields('holdings').includes(name)),
      ),
      mapped.issues,
    ])
    expect(shown).to.not.include('secret')
    expect(mapped.zine.public_notes).to.deep.equal(['For all.'])
    expect(mapped.private.length).to.be.greaterThan(9)
    expect(mapped.holdings[0]?.texts).to.deep.include({
      price: ['secret'],
      source: ['secret'],
      staff_note: ['secret'],
    })
  })

  it('keeps what its staff know of a copy with the row where there is no copy', () => {
    const rules = [
      { from: 'Title', to: 'zines.title' },
      { from: 'Donor', to: 'holdings.donor' },
      { from: 'Price paid', to: 'holdings.price' },
      { from: 'History', to: 'holdings.provenance' },
    ] as const
    const profile = profileOf(rules, { defaults: { zines: {}, holdings: {} } })
    const row = tableRow({ Title: 'One', Donor: 'Dora', 'Price paid': '5', History: 'A squat.' })
    const mapped = mapRow(row, profile, resources)
    expect(mapped.holdings).to.deep.equal([])
    expect(mapped.zine.public_notes).to.deep.equal(['Provenance: A squat.'])
    expect(mapped.private).to.deep.equal([
      { field: 'price', text: '5' },
      { field: 'donor', text: 'Dora' },
    ])
  })

  it('has content advice apart from its abstract', () => {
    const { zine } = mapMarc(
      marc('245', '00', 'aOne'),
      marc('520', '  ', 'aStories of a night.'),
      marc('520', '3 ', 'aMore.'),
      marc('520', '4 ', 'aAssault.', '2local'),
    )
    expect(zine.abstract).to.deep.equal(['Stories of a night.\n\nMore.'])
    expect(zine.content_advice_note).to.deep.equal(['Assault.'])
  })

  it('shows of the comments of an item in SirsiDynix only the one that says that it is public', () => {
    const { holdings, private: hidden } = mapMarc(
      marc('245', '00', 'aOne'),
      marc('999', '  ', 'aPN 1', 'i77', 'lSTACKS', 'o.STAFF. gift of R.', 'o.PUBLIC. Signed.'),
    )
    expect(holdings[0]?.texts.notes).to.deep.equal(['Signed.'])
    expect(hidden.map(({ text }) => text)).to.deep.equal(['.STAFF. gift of R.'])
  })

  it('has no title where the field has a placeholder', () => {
    const { zine } = mapMarc(marc('245', '00', 'a<>'), marc('246', '3 ', 'aOther'))
    expect(zine).to.deep.equal({ alternative_title: ['Other'] })
    expect(mapMarc(marc('245', '00', 'a?')).zine.title).to.deep.equal(['?'])
  })

  it('tells what is damaged in the file with the row', () => {
    const remark = { kind: 'damaged' as const, field: '245', message: 'The field is empty.' }
    const row = { ...rowOf([marc('245', '00', 'aOne')]), remarks: [remark] }
    const { issues } = mapRow(row, marcProfile([row]), resources)
    expect(issues).to.deep.equal([{ ...remark, value: '' }])
  })

  it('has one copy for each item, with the call number of the record where an item has none', () => {
    const { holdings } = mapMarc(
      marc('099', '  ', 'aZINE 5'),
      marc('245', '00', 'aOne'),
      marc('952', '  ', 'aCPL', 'cSTACK', 'oZ 21', 'p3001', 'zSigned.'),
      marc('952', '  ', 'aCPL', 'p3002'),
    )
    expect(holdings.map(({ texts }) => texts)).to.deep.equal([
      { call_number: ['Z 21'], barcode: ['3001'], location: ['STACK'], notes: ['Signed.'] },
      { barcode: ['3002'], location: ['CPL'], call_number: ['ZINE 5'] },
    ])
  })

  for (const [tag, item] of [
    ['852', marc('852', '8 ', 'aLib', 'hPN 1', 'iB7', 'p77')],
    ['949', marc('949', ' 1', 'aPN 1', 'bB7', 'i77', 'lstacks')],
    ['999', marc('999', '  ', 'aPN 1 B7', 'wLC', 'i77', 'lSTACKS')],
    ['952', marc('952', '  ', 'oPN 1 B7', 'p77', 'aLib')],
  ] as const)
    it(`has its items in ${tag} where the file has them there`, () => {
      const { holdings } = mapMarc(marc('245', '00', 'aOne'), item)
      expect(holdings.map(({ texts }) => [texts.call_number, texts.barcode])).to.deep.equal([
        [['PN 1 B7'], ['77']],
      ])
    })

  it('has a heading of LCSH and its repeat in FAST as one term', () => {
    const { terms, zine } = mapMarc(
      marc('650', ' 0', 'aWomen', 'xHealth', 'zOregon', 'vComic books.'),
      marc('650', ' 7', 'aWomen', 'xHealth.', '2fast', '0(OCoLC)fst1'),
      marc('655', ' 7', 'aZines.', '2lcgft'),
    )
    const values = terms.map(({ field, value }) => `${field}: ${value}`)
    expect([...new Set(values)]).to.deep.equal([
      'subject: Women -- Health',
      'genre: Comic books',
      'genre: Zines',
    ])
    expect(zine.coverage).to.deep.equal(['Oregon'])
  })

  it('has extent, series, contents and identifiers in their fields', () => {
    const { zine, terms } = mapMarc(
      marc('020', '  ', 'a0977055779 (pbk.) :'),
      marc('041', '1 ', 'aeng', 'aspa'),
      marc('300', '  ', 'a[24] p. :', 'bill. ;', 'c22 cm.'),
      marc('490', '1 ', 'aScan series ;', 'v21'),
      marc('505', '0 ', 'aOne -- Two'),
      marc('520', '  ', 'aA perzine.'),
      marc('856', '42', 'uhttp://example.org/'),
    )
    expect(zine).to.deep.equal({
      number_of_pages: ['24'],
      physical_dimensions: ['22 cm'],
      public_notes: ['Description: ill.'],
      series_title: ['Scan series'],
      issue_designation: ['21'],
      table_of_contents: ['One\nTwo'],
      abstract: ['A perzine.'],
      identifier: ['0977055779'],
      relation: ['http://example.org/'],
    })
    expect(terms.map(({ code }) => code)).to.deep.equal(['en', 'es'])
  })
})

describe('a record of UNIMARC', () => {
  const row = rowOf([
    control('001', 'FR1'),
    marc('U101', '0 ', 'afre'),
    marc(
      'U200',
      '1 ',
      'aL’agrafe et la mousse',
      'hNo 3',
      'efanzine',
      'fRowan Fold',
      'gdessins de Ash Toner',
    ),
    marc('U210', '  ', 'aPoitiers', 'cEncre Humide', 'd1996'),
    marc('U215', '  ', 'a28 p.', 'd21 cm'),
    marc('U606', '  ', 'aFanzines'),
    marc('U700', ' 1', 'aFold', 'bRowan', 'f1970-....', '4070'),
    marc('U995', '  ', 'bFANZ', 'f3000123456789', 'kFZ 12 AGR'),
  ])
  const recognized = { options: {}, description: '', sheets: [], columns: [] }
  const mapped = mapRow(row, proposeProfile(recognized, [row], resources), resources)

  it('has title, issue, publication and extent in its own fields', () => {
    expect(mapped.zine).to.deep.equal({
      title: ['L’agrafe et la mousse'],
      issue_designation: ['No 3'],
      public_notes: ['Subtitle: fanzine'],
      place_of_publication: ['Poitiers'],
      date: ['1996'],
      number_of_pages: ['28'],
      physical_dimensions: ['21 cm'],
    })
    expect(mapped.issues).to.deep.equal([])
  })

  it('has its makers, and those whom only the statement of responsibility names', () => {
    expect(mapped.names.map(({ field, name }) => [field, name])).to.deep.equal([
      ['creator', 'Fold, Rowan'],
      ['contributor', 'Ash Toner'],
      ['publisher', 'Encre Humide'],
    ])
  })

  it('has a copy for each field 995', () => {
    expect(mapped.holdings.map(({ texts }) => texts)).to.deep.equal([
      { barcode: ['3000123456789'], call_number: ['FZ 12 AGR'] },
    ])
  })
})

describe('the records of a row', () => {
  const profile = profileOf(
    [
      { from: 'Title', to: 'zines.title' },
      { from: 'Author', to: 'zines.creator', as: 'names', split: '|' },
      { from: 'Tags', to: 'zines.subject', split: ',' },
    ],
    {
      names: {
        'Wang, Jackie': { create: { display_name: 'Jackie Wang', kind: 'Person' } },
        'Jackie Wang': { create: { display_name: 'Jackie Wang', kind: 'Person' } },
        'Ann and Bo': { split: ['Ann', 'Bo'] },
        Ann: { use: 'ann-lee' },
        Bo: { drop: true },
      },
      terms: {
        subjects: {
          perzine: { field: 'genre', code: 'perzine' },
          'Our tag': { drop: true },
          amtrak: { note: true },
          midwest: { create: { code: 'midwest', label: 'Midwest' } },
          punks: { code: 'punk' },
        },
      },
      defaults: {
        zines: { language: ['en'], rights: null, creator: 'unknown' },
        holdings: { repository_id: 'lib' },
      },
    },
  )
  const recordsOf = (...rows: readonly Readonly<Record<string, string>>[]) => {
    const builder = createRecordBuilder({
      profile,
      resources,
      places: {
        zine: ({ id }) => ({ id, isThere: false }),
        holding: ({ id }) => ({ id }),
        isAgentTaken: (id) => id === 'jackie-wang',
        isAnotherAgent: () => false,
      },
    })
    return rows.map((cells, index) =>
      builder.toRecords(mapRow(tableRow(cells, index + 1), profile, resources)),
    )
  }

  it('are what a client would send', () => {
    const [records] = recordsOf({ Title: 'Doris', Author: 'Wang, Jackie', Tags: 'punks,zines' })
    expect([...(records?.zine?.body ?? [])]).to.deep.equal([
      ['zine_id', 't-1'],
      ['title', 'Doris'],
      ['creator', ['jackie-wang-2']],
      ['subject', ['punk', 'zines']],
      ['language', ['en']],
      ['rights', []],
    ])
    expect(records?.holdings.map(({ body }) => [...(body ?? [])])).to.deep.equal([
      [
        ['holding_id', 't-1-1'],
        ['zine_id', 't-1'],
        ['repository_id', 'lib'],
      ],
    ])
  })

  it('make one agent of two spellings', () => {
    const [first, second] = recordsOf(
      { Title: 'A', Author: 'Wang, Jackie' },
      { Title: 'B', Author: 'Jackie Wang' },
    )
    expect(first?.agents.map(({ id, body }) => [id, body?.get('sort_name')])).to.deep.equal([
      ['jackie-wang-2', 'Wang, Jackie'],
    ])
    expect(second?.agents.map(({ id }) => id)).to.deep.equal(['jackie-wang-2'])
    expect(second?.zine?.body?.get('creator')).to.deep.equal(['jackie-wang-2'])
  })

  it('have the agents of a split, and the default where no name is left', () => {
    const [split, dropped] = recordsOf(
      { Title: 'A', Author: 'Ann and Bo' },
      { Title: 'B', Author: 'Bo' },
    )
    expect(split?.zine?.body?.get('creator')).to.deep.equal(['ann-lee'])
    expect(dropped?.zine?.body?.get('creator')).to.deep.equal(['unknown'])
  })

  it('have terms where decisions put them, in any spelling', () => {
    const [records] = recordsOf({ Title: 'A', Tags: 'Perzine,our tag,Amtrak,midwest,PUNKS' })
    const body = records?.zine?.body
    expect(body?.get('subject')).to.deep.equal(['midwest', 'punk'])
    expect(body?.get('genre')).to.deep.equal(['perzine'])
    expect(body?.get('public_notes')).to.deep.equal(['Amtrak'])
    expect(records?.newTerms).to.deep.equal([
      { vocabulary: 'subjects', code: 'midwest', label: 'Midwest' },
    ])
  })

  it('have several terms for one value where a decision says so', () => {
    const profile = profileOf([{ from: 'Tags', to: 'zines.subject' }], {
      terms: { subjects: { 'How To / DIY': { codes: ['diy', 'crafts'] } } },
    })
    const row = mapRow(tableRow({ Tags: 'how to/diy' }), profile, resources)
    const { zine, issues } = createRecordBuilder({ profile, resources }).toRecords(row)
    expect([zine?.body?.get('subject'), issues]).to.deep.equal([['diy', 'crafts'], []])
  })

  it('report names and terms about which nothing is decided', () => {
    const [records] = recordsOf({ Title: 'A', Author: 'Nobody', Tags: 'xyzzy' })
    expect(records?.issues.map(({ kind, field, value }) => [kind, field, value])).to.deep.equal([
      ['undecided', 'zines.creator', 'Nobody'],
      ['undecided', 'zines.subject', 'xyzzy'],
    ])
  })

  it('ask for required fields that rows lack, and for which there is no default', () => {
    const counter = createMissingDefaultCounter(profile, resources)
    counter.add(mapRow(tableRow({ Title: 'A', Tags: 'zines' }), profile, resources))
    counter.add(mapRow(tableRow({ Title: 'B' }), profile, resources))
    expect(
      counter.list().map(({ field, count, mayBeEmpty }) => [field.name, count, mayBeEmpty]),
    ).to.deep.equal([
      ['subject', 1, false],
      ['genre', 2, true],
      ['date', 2, true],
    ])
  })
})

/** What a collector has after these rows. */
function collect<Row, Item>(
  collector: { add(row: Row): void; list(): readonly Item[] },
  rows: readonly Row[],
): readonly Item[] {
  for (const row of rows) collector.add(row)
  return collector.list()
}

describe('the lists of an import', () => {
  const profile = profileOf([
    { from: 'Title', to: 'zines.title' },
    { from: 'Author', to: 'zines.creator', as: 'names' },
    { from: 'Tags', to: 'zines.subject', split: ',' },
    { from: 'Price', to: 'nothing' },
  ])
  const rows = [
    tableRow({ Title: 'A', Author: 'Ann & Bo', Tags: 'POC,bikes', Price: '1', Shelf: 'x' }, 1),
    tableRow({ Title: 'B', Author: 'Ann  & Bo', Tags: 'poc', Shelf: 'y' }, 2),
    tableRow({ Title: 'C', Author: 'Cy', Tags: 'poc' }, 3),
  ]
  const mapped = rows.map((row) => mapRow(row, profile, resources))

  it('have each name once with its count', () => {
    expect(
      collect(createNameCollector(), mapped).map(({ name, count, split }) => [name, count, split]),
    ).to.deep.equal([
      ['Ann & Bo', 2, ['Ann', 'Bo']],
      ['Cy', 1, []],
    ])
  })

  it('have the spellings of a term together, the most frequent first', () => {
    expect(
      collect(createTermCollector(), mapped).map(({ value, count, spellings }) => [
        value,
        count,
        spellings,
      ]),
    ).to.deep.equal([
      ['poc', 3, ['poc', 'POC']],
      ['bikes', 1, ['bikes']],
    ])
  })

  it('have each source field with samples, and those that go nowhere apart', () => {
    const columns = ['Title', 'Author', 'Tags', 'Price', 'Shelf', 'Empty']
    const fields = collect(new SourceFieldCollector(profile, resources, columns), rows)
    expect(fields.map(({ name, rows: count }) => [name, count])).to.deep.equal([
      ['Title', 3],
      ['Author', 3],
      ['Tags', 3],
      ['Price', 1],
      ['Shelf', 2],
      ['Empty', 0],
    ])
    expect(unusedFields(fields).map(({ name, samples }) => [name, samples])).to.deep.equal([
      ['Shelf', ['x', 'y']],
    ])
  })

  it('have MARC fields by subfield', () => {
    const row = rowOf([
      control('001', '1'),
      marc('245', '00', 'aOne', 'hx'),
      marc('952', '  ', 'p1', 'oZ', 'jx'),
    ])
    const fields = collect(new SourceFieldCollector(marcProfile([row]), resources), [row])
    expect(unusedFields(fields).map(({ name }) => name)).to.deep.equal(['245$h', '952$j'])
  })
})
