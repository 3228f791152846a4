// MARCXML: what every field becomes, the coded values, and hostile values read by other programs.

import { expect } from 'chai'

import { authorityFields } from '../../src/formats/marc/authority.js'
import { bibliographicFields } from '../../src/formats/marc/bibliographic.js'
import { holdingsFields } from '../../src/formats/marc/holdings.js'
import { createSerializers } from '../../src/formats/serializers.js'
import {
  agent,
  full,
  fullAgent,
  fullZine,
  holding,
  minimal,
  repository,
  zine,
} from '../examples.js'
import { BASE_URL } from '../service.js'
import {
  type Known,
  runProgram,
  expectGolden,
  serializerDependencies,
  serializerFor,
  serialized,
  serializedList,
  resolvedRecord,
} from './fixtures.js'
import { staffFields } from '../http/catalogue.js'
import { processorTime } from '../waiting.js'

/**
 * The mapped field, the fields of a record beside the required ones, and the MARC field that they
 * give.
 */
type Example = readonly [from: string, fields: object, marc: string, known?: Known]

const base = 'https://zines.example'
const tigers = { kind: 'Collective', display_name: 'The Paper Tigers' }

// prettier-ignore
const zines: readonly Example[] = [
  ['identifier', { identifier: ['ISBN 0-306-40615-2'] }, '020 __ $a 0306406152'],
  ['identifier', { identifier: ['urn:isbn:9780306406158'] }, '020 __ $z 9780306406158'],
  ['identifier', { identifier: ['ISSN 1234-5679'] }, '022 __ $a 1234-5679'],
  ['identifier', { identifier: ['issn 1234-5678'] }, '022 __ $y 1234-5678'],
  ['zine_id', {}, `024 7_ $a ${base}/id/zines/a%2Fb $2 uri`],
  ['identifier', { identifier: ['https://doi.org/10.1000/182'] }, '024 7_ $a 10.1000/182 $2 doi'],
  ['identifier', { identifier: ['https://archive.example/1'] }, '024 7_ $a https://archive.example/1 $2 uri'],
  ['identifier', { identifier: ['TSP 001'] }, '024 8_ $a TSP 001'],
  ['', {}, '040 __ $a zines.example $b eng $e rda $c zines.example'],
  ['language', { language: ['es', 'en'] }, '041 0_ $a spa $a eng'],
  ['date', { date: ['2007-05'] }, '046 __ $k 2007-05 $2 edtf'],
  ['date', { date: ['1990 - 1995'] }, '046 __ $k 1990 $l 1995 $2 edtf'],
  ['date', { date: ['circa 2007'] }, '046 __ $k 2007~ $2 edtf'],
  ['creator', {}, `100 1_ $a Crabb, Cindy, $e creator $4 cre $1 ${base}/id/agents/maker`],
  ['creator', { creator: ['helper'] }, `100 0_ $a teusday, $e creator $4 cre $1 ${base}/id/agents/helper`],
  ['creator', { creator: ['press'], publisher: ['press'] }, `110 2_ $a The Paper Tigers, $e creator, $e publisher $4 cre $4 pbl $1 ${base}/id/agents/press`],
  ['creator', { creator: ['deleted', 'helper'] }, `100 0_ $a teusday, $e creator $4 cre $1 ${base}/id/agents/helper`],
  ['title', { title: 'Doris', issue_designation: 'no. 24' }, '245 10 $a Doris. $n no. 24 / $c Marge | "Toner" & Co.'],
  ['title', { title: 'Etc.', issue_designation: '3' }, '245 10 $a Etc. $n 3 / $c Marge | "Toner" & Co.'],
  ['title', { title: 'The Doris' }, '245 14 $a The Doris / $c Marge | "Toner" & Co.'],
  ['title', { title: 'The Doris', language: ['de'] }, '245 10 $a The Doris / $c Marge | "Toner" & Co.'],
  ['title', { title: 'L’Amour', language: ['fr'] }, '245 12 $a L’Amour / $c Marge | "Toner" & Co.'],
  ['title', { title: '“Die Maus”', language: ['de'] }, '245 15 $a “Die Maus” / $c Marge | "Toner" & Co.'],
  ['creator', { creator: ['deleted'] }, '720 __ $a name withheld $e creator $4 cre'],
  ['creator', { publisher: ['deleted'] }, '720 __ $a name withheld $e publisher $4 pbl'],
  ['title', { title: 'Doris', creator: ['deleted'] }, '245 00 $a Doris / $c name withheld'],
  ['alternative_title', { alternative_title: ['Dorïs'] }, '246 3_ $a Dorïs'],
  ['edition_statement', { edition_statement: ['2nd printing'] }, '250 __ $a 2nd printing'],
  ['place_of_publication', { place_of_publication: ['Leeds', 'Łódź'], publisher: ['press'] }, '264 _1 $a Leeds ; $a Łódź : $b The Paper Tigers, $c 1994'],
  ['place_of_publication', { date: ['undated'] }, '264 _1 $a [Place of publication not identified] : $b [publisher not identified], $c [date of publication not identified]'],
  ['number_of_pages', { number_of_pages: '32', physical_dimensions: '22 x14 centimeters' }, '300 __ $a 32 pages ; $c 22 x 14 cm'],
  ['number_of_pages', { number_of_pages: 'unpaged', physical_dimensions: '8.5 x 5.5 inches' }, '300 __ $a 1 volume (unpaged) ; $c 8.5 x 5.5 in.'],
  ['number_of_pages', { number_of_pages: 'ca. 40 p.' }, '300 __ $a ca. 40 p.'],
  ['number_of_pages', { date: ['1990-1995'], number_of_pages: '32' }, '300 __ $a volumes (32 pages)'],
  ['number_of_pages', { date: ['1990-1995'] }, '300 __ $a volumes'],
  ['', {}, '336 __ $a text $b txt $2 rdacontent'],
  ['format', {}, '337 __ $a unmediated $b n $2 rdamedia'],
  ['format', { format: ['pdf'] }, '337 __ $a computer $b c $2 rdamedia'],
  ['format', {}, '338 __ $a volume $b nc $2 rdacarrier'],
  ['format', { format: ['poster'] }, '338 __ $a sheet $b nb $2 rdacarrier'],
  ['format', { format: ['pdf', 'epub'] }, '338 __ $a online resource $b cr $2 rdacarrier'],
  ['format', { format: ['a5'] }, `340 __ $a A5 $2 local $0 ${base}/vocabularies/formats#a5`],
  ['series_title', { series_title: ['Stapler Elegies'], issue_designation: 'no. 1' }, '490 0_ $a Stapler Elegies ; $v no. 1'],
  ['series_title', { series_title: ['One', 'Two'], issue_designation: 'no. 1' }, '490 0_ $a Two'],
  ['public_notes', { public_notes: ['Signed.'] }, '500 __ $a Signed.'],
  ['content_advice', { content_advice: ['self-harm'] }, `520 4_ $a Self-harm $u ${base}/vocabularies/content-advice#self-harm $2 local`],
  ['content_advice_note', { content_advice_note: ['Assault.'] }, '520 4_ $a Assault.'],
  ['public_notes', { public_notes: ['Content advice: Assault.'] }, '520 4_ $a Assault.'],
  ['table_of_contents', { table_of_contents: '1. Anger\n2. Bread\n\n   2.1 Rye' }, '505 0_ $a 1. Anger -- 2. Bread -- 2.1 Rye'],
  ['abstract', { abstract: 'Everything.\nA to Z.' }, '520 3_ $a Everything. A to Z.'],
  ['coverage', { coverage: ['1990-2007'] }, '522 8_ $a 1990-2007'],
  ['rights', { rights: ['copyleft'] }, `540 __ $a Copyleft $u ${BASE_URL}/vocabularies/rights-status#copyleft`],
  ['rights', { rights: ['in-copyright'] }, '540 __ $a In copyright $u http://rightsstatements.org/vocab/InC/1.0/'],
  ['binding_features', { binding_features: ['saddle stitched'] }, '563 __ $a saddle stitched'],
  ['subject', {}, '650 _0 $a Punk culture $0 http://id.loc.gov/authorities/subjects/sh85109126'],
  ['subject', { subject: ['drag'] }, '650 _7 $a Drag $2 homoit $0 https://homosaurus.org/v3/homoit0000367'],
  ['genre', { genre: ['newsletter'] }, '655 _7 $a Newsletters $2 lcgft $0 http://id.loc.gov/authorities/genreForms/gf2014026131'],
  ['subject', {}, `650 _7 $a Punk $2 local $0 ${base}/vocabularies/subjects#punk`],
  ['genre', {}, `655 _7 $a Perzine $2 local $0 ${base}/vocabularies/genres#perzine`],
  ['', { genre: [] }, '655 _7 $a Zines. $2 lcgft $0 http://id.loc.gov/authorities/genreForms/gf2014026210'],
  ['creator', { creator: ['maker', 'helper'] }, `700 0_ $a teusday, $e creator $4 cre $1 ${base}/id/agents/helper`],
  ['creator', { creator: ['press'], contributor: ['maker'] }, `700 1_ $a Crabb, Cindy, $e contributor $4 ctb $1 ${base}/id/agents/maker`],
  ['creator', { publisher: ['press'] }, `710 2_ $a The Paper Tigers, $e publisher $4 pbl $1 ${base}/id/agents/press`],
  ['source', { source: ['Reprint of Doris 1'] }, '786 0_ $n Reprint of Doris 1'],
  ['relation', { relation: ['Doris no. 23'] }, '787 0_ $n Doris no. 23'],
]

// prettier-ignore
const agents: readonly Example[] = [
  ['agent_id', {}, `024 7_ $a ${base}/id/agents/a%2Fb $2 uri`],
  ['orcid', { orcid: 'https://orcid.org/0000-0002-1825-0097' }, '024 7_ $a 0000-0002-1825-0097 $2 orcid'],
  ['wikidata', { wikidata: 'Q42' }, '024 7_ $a Q42 $2 wikidata'],
  ['other_identifiers', { other_identifiers: ['viaf:123'] }, '024 7_ $a 123 $2 viaf'],
  ['other_identifiers', { other_identifiers: ['zinewiki 7'] }, '024 8_ $a zinewiki 7'],
  ['', {}, '040 __ $a zines.example $b eng $e rda $c zines.example'],
  ['active_dates', { active_dates: ['1994-1999'] }, '046 __ $s 1994 $t 1999 $2 edtf'],
  ['active_dates', { active_dates: ['2004-'] }, '046 __ $s 2004 $2 edtf'],
  ['sort_name', { display_name: 'Eric Thompson', sort_name: 'Thompson, Eric' }, '100 1_ $a Thompson, Eric'],
  ['sort_name', { display_name: 'Ron' }, '100 0_ $a Ron'],
  ['display_name', { ...tigers, sort_name: 'Paper Tigers, The' }, '110 2_ $a The Paper Tigers'],
  ['kind', tigers, '368 __ $a Collective $2 local'],
  ['location', { location: ['Leeds'] }, '370 __ $e Leeds'],
  ['email', { email: 'a@b.example', website: 'https://b.example/' }, '371 __ $m a@b.example $u https://b.example/'],
  ['email', { public: false, email: 'a@b.example', website: 'https://b.example/' }, '371 __ $u https://b.example/'],
  ['roles', { ...tigers, roles: ['publisher'] }, `372 __ $a Publisher $2 local $0 ${base}/vocabularies/agent-roles#publisher`],
  ['roles', { roles: ['illustrator'] }, `374 __ $a Illustrator $2 local $0 ${base}/vocabularies/agent-roles#illustrator`],
  ['alternative_names', { alternative_names: ['Thompson, E.'] }, '400 1_ $a Thompson, E.'],
  ['alternative_names', { display_name: 'Fly', sort_name: 'Orr, Fly' }, '400 0_ $a Fly'],
  ['legal_name', { legal_name: 'Ann Other' }, '400 0_ $w r $i Legal name: $a Ann Other'],
  ['alternative_names', { ...tigers, sort_name: 'Paper Tigers' }, '410 2_ $a Paper Tigers'],
  ['legal_name', { ...tigers, legal_name: 'Paper Tigers e.V.' }, '410 2_ $w r $i Legal name: $a Paper Tigers e.V.'],
  ['biography', { biography: 'Born.\nWrote.' }, '678 0_ $a Born. Wrote.'],
  ['biography', { ...tigers, biography: 'Founded.' }, '678 1_ $a Founded.'],
  ['active_dates', { active_dates: ['the nineties'] }, '680 __ $i Active: the nineties'],
  ['pronouns', { pronouns: ['they/them'] }, '680 __ $i Pronouns: they/them'],
  ['staff_note', { staff_note: 'Ask first.' }, '667 __ $a Ask first.'],
  ['scope_note', { scope_note: ['Not the band'] }, '680 __ $i Not the band'],
  ['social_media', { social_media: ['https://social.example/@a'] }, '856 4_ $u https://social.example/@a'],
]

const leeds = repository('library', {
  repository_name: 'Leeds Zine Library',
  city: 'Leeds',
  country: 'GB',
})

// prettier-ignore
const holdings: readonly Example[] = [
  ['holding_id', {}, `024 7_ $a ${base}/id/holdings/a%2Fb $2 uri`],
  ['access_status', { access_status: 'circulating' }, '506 0_ $a Circulating'],
  ['access_status', { access_status: 'reading-room-only' }, '506 1_ $a Reading room only'],
  ['source', { source: 'Distro', acquired: '2024', accession_number: '7', price: '5 GBP' }, '541 0_ $a Distro $d 2024 $e 7 $h 5 GBP'],
  ['donor', { donor: 'Dora' }, '541 0_ $a Dora $c gift'],
  ['provenance', { provenance: 'From a squat.' }, '561 1_ $a From a squat.'],
  ['repository_id', { staff_note: 'Ask.' }, '852 __ $a Leeds Zine Library $e Leeds, United Kingdom $x Ask.', { repositories: [leeds] }],
  ['distro_status', { distro_status: 'runProgram-permission' }, '845 __ $a runProgram-permission'],
  ['repository_id', { call_number: 'Z 1', repository_id: 'second-library' }, '852 8_ $a PL-12345 $e United States $h Z 1'],
  ['repository_id', { location: 'Room 2', barcode: '312', condition: 'Rusty.', notes: ['Gift', 'Signed'] }, '852 __ $a Leeds Zine Library $b Room 2 $e Leeds, United Kingdom $p 312 $q Rusty. $z Gift $z Signed', { repositories: [leeds] }],
  ['digital_url', { digital_url: 'https://scans.example/1' }, '856 41 $u https://scans.example/1'],
  ['copy_count', { copy_count: 3 }, '866 _0 $a 3 copies'],
  ['barcode', { barcode: '312' }, '876 __ $p 312'],
]

const tables = [
  { name: 'zines', rows: bibliographicFields('x'), examples: zines },
  { name: 'agents', rows: authorityFields('x'), examples: agents },
  { name: 'holdings', rows: holdingsFields, examples: holdings },
] as const

// Names have first indicator 0 or 1 by their form, so rows of names are compared without
// indicators.
const keyOf = (tag: string, indicators: string, from: string) =>
  `${tag} ${/^[1467]00/.test(tag) ? '' : indicators} ${from}`

for (const { name, rows, examples } of tables)
  describe(`MARC of ${name}`, () => {
    for (const [from, fields, marc, known] of examples)
      it(`has ${marc.slice(0, 60)} from ${from || 'every record'}`, () => {
        const record = resolvedRecord(name, minimal[name]('a/b', fields), known)
        const xml = serializerFor(name, 'marcxml').record({ ...record, forStaff: true })
        expect(linesOf(xml)).to.include(marc)
      })

    it('has no field for the staff unless the record comes with these', () => {
      const staff = Object.fromEntries(staffFields(name).map((field) => [field, 'SECRET']))
      expect(serialized(name, 'marcxml', minimal[name]('a/b', staff))).not.to.include('SECRET')
    })

    it('has an example of every field in this test', () => {
      const shown = examples.map(([from, , marc]) =>
        keyOf(marc.slice(0, 3), marc.slice(4, 6), from),
      )
      const all = rows.map(([tag, indicators, from]) => keyOf(tag, indicators, from))
      expect(all.filter((row) => !shown.includes(row))).to.deep.equal([])
    })
  })

describe('the coded values of MARC', () => {
  // prettier-ignore
  const dates: readonly (readonly [date: readonly string[], codes: string])[] = [
    [['1994'], 's1994    '], [['2007-05'], 'e200705  '], [['2007-05-31'], 'e20070531'], [['circa 2007'], 's2007    '],
    [['2007?'], 's2007    '], [['1990s'], 'q19901999'], [['Winter 1995'], 's1995    '], [['11/23/1998'], 's1998    '],
    [['undated'], 'nuuuuuuuu'], [[], 'nuuuuuuuu'], [['soon', '2001'], 's2001    '], [['1998 or 1999'], 'q19981999'],
    [['1999 (reprint 2004)'], 'nuuuuuuuu'], [['19XX'], 'q19001999'], [['since 1985'], 'c19859999'], [['1985/'], 'u1985uuuu'],
    [['../1985'], 'duuuu1985'], [['[..1985]'], 'quuuu1985'], [['-1000/-0999', '2001'], 's2001    '],
  ]
  // prettier-ignore
  const places: readonly (readonly [places: readonly string[], code: string])[] = [
    [['Leeds, England'], 'enk'], [['Portland, Oregon'], 'oru'], [['Łódź, Poland'], 'pl '], [['[Berlin, Germany?]'], 'gw '],
    [['Nowhere', 'Montréal, Québec'], 'xx '], [['Montréal, Québec', 'Nowhere'], 'quc'], [['Nowhere'], 'xx '], [[], 'xx '],
    [['Chicago, U.S.A.'], 'ilu'], [['Nowhere, U.S.A.'], 'xxu'], [['Leeds'], 'enk'], [['Nowhere, OR'], 'oru'], [['Omaha, NE'], 'nbu'], [['Nowhere, BC'], 'bcc'],
    [['Perth, WA, Australia'], 'wea'], [['Nowhere, NT, Australia'], 'xoa'], [['Nowhere, CA, Canada'], 'xxc'], [['Nowhere, WA'], 'wau'],
    [['Atlanta, Georgia'], 'gau'], [['Tbilisi, Georgia'], 'gs '], [['Georgia'], 'gs '], [['Nowhere, Georgia'], 'xx '],
    [['Portland, Oregon, United States'], 'oru'], [['Nowhere, Oregon, USA'], 'oru'], [['Toronto, Ontario, Canada'], 'onc'],
    [['Nowhere, England, United Kingdom'], 'enk'], [['Melbourne, Victoria, Australia'], 'vra'], [['Ankara, Turkey'], 'tu '],
    [['Nowhere, Czech Republic'], 'xr '], [['Hong Kong'], 'cc '], [['San Juan, Puerto Rico'], 'pr '], [['Baghdad, Iraq'], 'iq '],
  ]
  for (const [place_of_publication, code] of places)
    it(`have ${code} in 008/15-17 for ${place_of_publication.join('; ') || 'no place'}`, () => {
      const fixed = control(
        serialized('zines', 'marcxml', zine('z', { place_of_publication })),
        '008',
      )
      expect(fixed.slice(15, 18)).to.equal(code)
    })

  for (const [date, codes] of dates)
    it(`have ${codes} in 008/06-14 for ${date.join(', ') || 'no date'}`, () => {
      const fixed = control(serialized('zines', 'marcxml', zine('z', { date })), '008')
      expect(fixed.slice(6, 15)).to.equal(codes)
    })

  it('have 40 characters in 008 of a zine: entry date, dates, no place, codes, language, source', () => {
    const fixed = control(serialized('zines', 'marcxml', zine('z')), '008')
    expect(fixed).to.equal('261120s1994    xx ||||  |||| 00| ||eng d')
  })

  it('describe a span of years without an issue as a serial that has ended', () => {
    const xml = serialized('zines', 'marcxml', zine('z', { date: ['1990-1995'] }))
    expect(leader(xml)).to.equal('00000cas a22000007i 4500')
    expect(control(xml, '008')).to.equal('261120d19901995xx uu p  |||| 0   |0eng d')
  })

  it('describe an issue with a span of years as a monograph with a questionable date', () => {
    const record = zine('z', { date: ['1990-1995'], issue_designation: '1' })
    const xml = serialized('zines', 'marcxml', record)
    expect(leader(xml)).to.equal('00000cam a22000007i 4500')
    expect(control(xml, '008').slice(6, 15)).to.equal('q19901995')
  })

  it('leave out the open end of a date in 046', () => {
    const end = (date: string): readonly string[] =>
      [
        ...serialized('zines', 'marcxml', zine('z', { date: [date] })).matchAll(
          /code="([kl])">([^<]*)/g,
        ),
      ].map(([, code, text]) => `$${code} ${text}`)
    expect(end('since 1985')).to.deep.equal(['$k 1985'])
    expect(end('../1985')).to.deep.equal(['$l 1985'])
    expect(end('1989 or 1990')).to.deep.equal(['$k [1989,1990]'])
  })

  it('have und for a zine without a language', () => {
    const xml = serialized('zines', 'marcxml', zine('z', { language: [] }))
    expect(control(xml, '008').slice(35, 38)).to.equal('und')
  })

  it('have the codes of an online resource for a zine that is only digital', () => {
    const xml = serialized('zines', 'marcxml', zine('z', { format: ['pdf'] }))
    expect([control(xml, '007'), control(xml, '008')[23]]).to.deep.equal(['cr |||||||||||', 'o'])
  })

  it('have identifier, agency and time of change in 001, 003 and 005', () => {
    const xml = serialized('zines', 'marcxml', zine('a/b'))
    expect(['001', '003', '005'].map((tag) => control(xml, tag))).to.deep.equal([
      'a/b',
      'zines.example',
      '20261121100000.0',
    ])
  })

  it('have 40 characters in 008 of an authority record', () => {
    expect(control(serialized('agents', 'marcxml', agent('a')), '008')).to.equal(
      '261120n| aznnnaabn          || aaa     d',
    )
  })

  it('have 32 characters in 008 of a holdings record, and its zine in 004', () => {
    const record = holding('h', {
      copy_count: 3,
      access_status: 'circulating',
      distro_status: 'no-duplication',
    })
    const xml = serialized('holdings', 'marcxml', record)
    expect(control(xml, '008')).to.equal('2611202u    0   4003abeng0261121')
    expect(control(xml, '004')).to.equal('zine')
  })
})

describe('MARCXML', () => {
  for (const { name } of tables)
    it(`of ${name} is the text of the golden file`, () =>
      expectGolden(`${name}.marcxml.xml`, serialized(name, 'marcxml', full[name]('full'))))

  it('of a list is a collection with one XML declaration', () => {
    const xml = serializedList('marcxml', [
      resolvedRecord('zines', zine('a')),
      resolvedRecord('zines', zine('b')),
    ])
    expectGolden('zines.list.marcxml.xml', xml)
    expect(xml.split('<?xml')).to.have.length(2)
  })

  it('of an empty list is an empty collection', () => {
    expect(serializedList('marcxml', [])).to.equal(
      '<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">\n</collection>\n',
    )
  })

  it('leaves out private fields even where the record has them', () => {
    const secrets = {
      public: false,
      legal_name: 'SECRET',
      email: 's@secret.example',
      phone: 'SECRET',
    }
    const xml = serialized('agents', 'marcxml', fullAgent('a', secrets))
    expect(xml.toLowerCase()).not.to.include('secret')
  })

  it('has the genre zine only once', () => {
    const lines = linesOf(serialized('zines', 'marcxml', zine('z', { genre: ['zine'] })))
    expect(lines.filter((line) => line.startsWith('655'))).to.have.length(1)
  })

  it('has no field of rights for a zine whose rights are unknown', () => {
    const lines = linesOf(serialized('zines', 'marcxml', zine('z', { rights: ['unknown'] })))
    expect(lines.filter((line) => line.startsWith('540'))).to.deep.equal([])
  })

  it('names the organization by MARC_ORG_CODE', () => {
    const [serializer] = createSerializers({
      ...serializerDependencies,
      marcOrgCode: 'PL-LoZ',
    }).zines.filter(({ name }) => name === 'marcxml')
    const xml = serializer?.record(resolvedRecord('zines', zine('z'))) ?? ''
    expect(control(xml, '003')).to.equal('PL-LoZ')
    expect(linesOf(xml)).to.include('040 __ $a PL-LoZ $b eng $e rda $c PL-LoZ')
  })

  it('has no serializer for repositories', () => {
    expect(() => serializerFor('repositories', 'marcxml')).to.throw()
  })
})

// Values that could break XML, MARC or a parser.
const hostile = {
  title: '<title>&amp;"\']]> \u0001\u001e\u001f\ufffe \u{1f4a5} \u0085 \u202e',
  abstract: `${'Ten thousand characters. '.repeat(400)}\r\n\tEnd`,
  public_notes: ['\u{1f4a5}'.repeat(5000), '$a not a subfield', '<!-- --> <?xml ?> <![CDATA['],
  table_of_contents: '\n\n1\r\n2\n\n',
}

describe('MARCXML of hostile values', () => {
  const xml = serializedList('marcxml', [
    resolvedRecord('zines', zine('<&"> é', hostile)),
    resolvedRecord('zines', fullZine('full')),
  ])

  it('has no character that XML forbids, and keeps the others', () => {
    expect(xml).not.to.match(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
    expect(linesOf(xml).join('\n')).to.include(`245 10 $a <title>&amp;"']]> \u{1f4a5} \u202e`)
  })

  it('has no field longer than ISO 2709 allows, and loses no text', () => {
    const notes = linesOf(xml).filter((line) => line.startsWith('520'))
    for (const line of linesOf(xml)) expect(Buffer.byteLength(line)).to.be.below(9999)
    expect(notes.length).to.be.above(1)
    expect(
      linesOf(xml)
        .join('')
        .match(/\u{1f4a5}/gu),
    ).to.have.length(5001)
  })

  // Each word was measured together with all words before it in its field: two seconds of work.
  it('has all words of a megabyte in as few fields as possible, after a moment', () => {
    const abstract = 'é '.repeat(333_333).trim()
    const durations: number[] = []
    for (let time = 0; time < 3; time += 1) {
      const start = processorTime()
      const notes = linesOf(serialized('zines', 'marcxml', zine('long', { abstract })))
        .filter((line) => line.startsWith('520'))
        .map((line) => line.replace('520 3_ $a ', ''))
      durations.push(processorTime() - start)
      expect(notes.join(' ')).to.equal(abstract)
      expect(notes).to.have.length(Math.ceil(1_000_000 / 9000))
    }
    expect(Math.min(...durations), 'milliseconds').to.be.below(400)
  })

  it('cuts a word that is longer than a field between two characters', () => {
    const abstract = `ab ${'\u{1f4a5}'.repeat(5000)} end`
    const notes = linesOf(serialized('zines', 'marcxml', zine('long', { abstract })))
      .filter((line) => line.startsWith('520'))
      .map((line) => line.replace('520 3_ $a ', ''))
    expect(notes.map((note) => Buffer.byteLength(note))).to.deep.equal([2, 9000, 9000, 2004])
    expect(notes.join('').replace('ab', 'ab ')).to.equal(abstract)
  })

  it('is well-formed, and valid where MARC21SLIM_XSD names the schema', function () {
    const schema = process.env.MARC21SLIM_XSD
    const args = schema ? ['--schema', schema] : []
    const { status, stderr } = runProgram(this, 'xmllint', ['--noout', ...args, 'input.xml'], xml)
    expect(status, stderr).to.equal(0)
  })

  it('has the same fields after conversion to ISO 2709 and back', function () {
    const { status, stdout } = runProgram(
      this,
      'yaz-marcdump',
      ['-i', 'marcxml', '-o', 'marc', 'input.xml'],
      xml,
    )
    expect(status).to.equal(0)
    const back = runProgram(
      this,
      'yaz-marcdump',
      ['-i', 'marc', '-o', 'marcxml', 'input.mrc'],
      stdout,
      'input.mrc',
    )
    expect(back.status).to.equal(0)
    expect(linesOf(back.stdout)).to.deep.equal(linesOf(xml))
  })
})

/** The data fields, each on a line: `245 10 $a Doris. $n no. 24`. */
function linesOf(xml: string): string[] {
  const fields = xml.matchAll(/<datafield tag="(...)" ind1="(.)" ind2="(.)">(.*?)<\/datafield>/gs)
  return [...fields].map(([, tag = '', one = '', two = '', inner = '']) => {
    const subfields = inner.matchAll(/<subfield code="(.)">(.*?)<\/subfield>/gs)
    const texts = [...subfields].map(([, code = '', text = '']) => ` $${code} ${unescaped(text)}`)
    return `${tag} ${(one + two).replaceAll(' ', '_')}${texts.join('')}`
  })
}

const control = (xml: string, tag: string): string =>
  unescaped(new RegExp(`<controlfield tag="${tag}">(.*?)<`).exec(xml)?.[1] ?? '')

const leader = (xml: string): string => /<leader>(.*?)</.exec(xml)?.[1] ?? ''

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
