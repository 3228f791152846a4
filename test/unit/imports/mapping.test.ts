// What the rules of a profile make of rows, and what decisions make of that: texts, names, terms and copies.

import { expect } from 'chai'

import { loadResources } from '../../../src/app/load-model.js'
import {
  createNameCollector,
  createTermCollector,
} from '../../../src/imports/mapping/collectors.js'
import { mapRow } from '../../../src/imports/mapping/map-row.js'
import { parseProfile } from '../../../src/imports/mapping/profile-parser.js'
import { proposeProfile } from '../../../src/imports/mapping/propose-profile.js'
import {
  createMissingDefaultCounter,
  createRecordBuilder,
} from '../../../src/imports/mapping/record-builder.js'
import {
  createSourceFieldCollector,
  unusedFields,
} from '../../../src/imports/mapping/source-fields.js'
import type { FieldRule, Profile } from '../../../src/imports/profile.js'
import type { SourceField, SourceRow } from '../../../src/imports/sources/source.js'

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

  it('never shows the notes of its staff', () => {
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
      mapped.holdings,
      mapped.issues,
    ])
    expect(shown).to.not.include('secret')
    expect(mapped.zine.public_notes).to.deep.equal(['For all.'])
    expect(mapped.private.length).to.be.greaterThan(12)
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
      isAgentTaken: (id) => id === 'jackie-wang',
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
    expect(records?.holdings.map(({ body }) => [...body])).to.deep.equal([
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
    expect(first?.agents.map(({ id, body }) => [id, body.get('sort_name')])).to.deep.equal([
      ['jackie-wang-2', 'Wang, Jackie'],
    ])
    expect(second?.agents.map(({ id }) => id)).to.deep.equal(['jackie-wang-2'])
    expect(second?.zine?.body.get('creator')).to.deep.equal(['jackie-wang-2'])
  })

  it('have the agents of a split, and the default where no name is left', () => {
    const [split, dropped] = recordsOf(
      { Title: 'A', Author: 'Ann and Bo' },
      { Title: 'B', Author: 'Bo' },
    )
    expect(split?.zine?.body.get('creator')).to.deep.equal(['ann-lee'])
    expect(dropped?.zine?.body.get('creator')).to.deep.equal(['unknown'])
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
    const fields = collect(createSourceFieldCollector(profile, resources, columns), rows)
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
    const fields = collect(createSourceFieldCollector(marcProfile([row]), resources), [row])
    expect(unusedFields(fields).map(({ name }) => name)).to.deep.equal(['245$h', '952$j'])
  })
})
