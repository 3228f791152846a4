// MARC in ISO 2709: the same fields as MARCXML, lengths and positions, what is too long, and the holdings of a
// zine in its record.

import { expect } from 'chai'

import { maxRecordBytes, serializeIso2709 } from '../../src/formats/marc/iso2709.js'
import type { DataField, MarcRecord } from '../../src/formats/marc/fields.js'
import { type ItemOptions, serializeList } from '../../src/formats/serializer.js'
import type { ResolvedRecord } from '../../src/model/record/views.js'
import {
  agent,
  full,
  fullHolding,
  fullZine,
  holding,
  minimal,
  repository,
  zine,
} from '../examples.js'
import {
  resolvedRecord,
  runProgram,
  serialized,
  serializedList,
  serializerFor,
} from './fixtures.js'
import { type ReadRecord, lineOf, readIso2709 } from './iso2709-reader.js'

const read = (text: string): ReadRecord[] => readIso2709(Buffer.from(text))

const linesOf = ({ fields }: ReadRecord): string[] => fields.map(lineOf)

/** The fields of each record in MARCXML, in the same form. */
const linesOfXml = (xml: string): string[][] =>
  xml
    .split('</record>')
    .slice(0, -1)
    .map((record) =>
      [
        ...record.matchAll(
          /<(control|data)field tag="(...)"(?: ind1="(.)" ind2="(.)")?>(.*?)<\/\1field>/gs,
        ),
      ].map(([, kind, tag = '', one = '', two = '', inner = '']) => {
        if (kind === 'control') return `${tag} ${unescaped(inner)}`
        const subfields = [...inner.matchAll(/<subfield code="(.)">(.*?)<\/subfield>/gs)]
        return `${tag} ${(one + two).replaceAll(' ', '_')}${subfields
          .map(([, code = '', text = '']) => ` $${code} ${unescaped(text)}`)
          .join('')}`
      }),
    )

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const hostile = {
  title: 'Łódź 🦊 \u001d\u001e\u001f "<b>" é \ud800',
  public_notes: ['💥'.repeat(5000), '$a not a subfield', '\u001fb'],
  abstract: `${'Ten thousand characters. '.repeat(400)}\r\n\tEnd`,
}

describe('MARC in ISO 2709', () => {
  for (const name of ['zines', 'agents', 'holdings'] as const)
    for (const [what, example] of Object.entries({ full, minimal }))
      it(`has the fields of MARCXML, of ${name} (${what})`, () => {
        const record = example[name]('doris/24')
        const [found, ...more] = read(serialized(name, 'marc', record))
        expect(more).to.be.empty
        expect(found && linesOf(found)).to.deep.equal(
          linesOfXml(serialized(name, 'marcxml', record))[0],
        )
      })

  it('has hostile texts without the characters that separate fields', () => {
    const record = zine('<é> 🦊', hostile)
    const [found] = read(serialized('zines', 'marc', record))
    const lines = found ? linesOf(found) : []
    expect(lines[0]).to.equal('001 <é> 🦊')
    expect(lines).to.include('245 10 $a Łódź 🦊 "<b>" é  / $c Marge | "Toner" & Co.')
    expect(lines.join('').match(/💥/gu)).to.have.length(5000)
  })

  it('of a list is its records one after the other, and of an empty one nothing', () => {
    const records = ['a', 'b'].map((id) => resolvedRecord('zines', fullZine(id)))
    expect(read(serializedList('marc', records)).map(linesOf)).to.deep.equal(
      linesOfXml(serializedList('marcxml', records)),
    )
    expect(serializedList('marc', [])).to.equal('')
  })

  it('is read by yaz-marcdump as the same MARCXML', function () {
    const records = [zine('<&"> é', hostile), fullZine('full')].map((record) =>
      resolvedRecord('zines', record),
    )
    const args = ['-i', 'marc', '-o', 'marcxml', 'input.mrc']
    const { status, stdout } = runProgram(
      this,
      'yaz-marcdump',
      args,
      serializedList('marc', records),
      'input.mrc',
    )
    expect(status).to.equal(0)
    expect(linesOfXml(stdout)).to.deep.equal(linesOfXml(serializedList('marcxml', records)))
  })
})

describe('a record that is too long for ISO 2709', () => {
  const dataField = (tag: string, ...texts: readonly string[]): DataField => ({
    tag,
    indicators: '__',
    subfields: texts.map((text) => ['a', text] as const),
  })
  const written = (data: readonly DataField[], leader = '00000nam a22000007i 4500'): ReadRecord => {
    const record: MarcRecord = { leader, control: [['001', 'x']], data }
    const [found] = read(serializeIso2709(record))
    if (!found) throw new Error('no record')
    return found
  }
  const textsOf = (record: ReadRecord, tag: string): readonly string[] =>
    record.fields.flatMap((field) =>
      field.tag === tag && 'subfields' in field ? field.subfields : [],
    )

  it('has of a long field the subfields that there is space for, the last one cut', () => {
    const [first = '', second = '', ...more] = textsOf(
      written([dataField('245', 'short', 'é'.repeat(6000), 'left out')]),
      '245',
    )
    expect([first, more]).to.deep.equal(['ashort', []])
    expect(second).to.match(/^aé+…$/)
    // Indicators, both delimiters and the end of the field are the rest of 9,999 bytes.
    expect(Buffer.byteLength(first + second)).to.be.within(9993, 9994)
  })

  it('keeps a field of 9,999 bytes whole', () => {
    const text = 'x'.repeat(9994)
    expect(textsOf(written([dataField('500', text)]), '500')).to.deep.equal([`a${text}`])
    expect(textsOf(written([dataField('500', `${text}x`)]), '500')).to.deep.equal([
      `a${'x'.repeat(9991)}…`,
    ])
  })

  it('keeps a record of 99,999 bytes whole', () => {
    // 24 of the leader, 12 + 2 of 001, and 2 of the ends are not of the eleven notes.
    const rest = maxRecordBytes - 40
    const size = 9080
    const notes = Array.from({ length: 11 }, (_, index) =>
      dataField('500', 'x'.repeat(index < 10 ? size : rest - 10 * (size + 17) - 17)),
    )
    const record = written(notes)
    expect(record.leader.slice(0, 5)).to.equal('99999')
    expect(textsOf(record, '500')).to.have.length(11)
  })

  it('loses notes before other fields, the last ones first, and says how many', () => {
    const note = 'n'.repeat(9000)
    const record = written([
      dataField('245', 'Title'),
      ...Array.from({ length: 20 }, () => dataField('520', note)),
      ...Array.from({ length: 3 }, () => dataField('952', 'i'.repeat(9000))),
    ])
    expect(textsOf(record, '245')).to.deep.equal(['aTitle'])
    expect(textsOf(record, '952')).to.have.length(3)
    expect(textsOf(record, '520')).to.have.length(8)
    expect(textsOf(record, '500')).to.deep.equal([
      'aThis record is shortened: 12 fields had no space in ISO 2709.',
    ])
    expect(record.fields.map(({ tag }) => tag)).to.deep.equal([
      ...['001', '245', '500'],
      ...Array.from({ length: 8 }, () => '520'),
      ...['952', '952', '952'],
    ])
  })

  it('loses the last fields where there are no notes, and says so in a field of its kind', () => {
    const names = Array.from({ length: 500 }, (_, index) =>
      dataField('400', `${index} `.repeat(100)),
    )
    const record = written(names, '00000nz  a2200000n  4500')
    expect(Number(record.leader.slice(0, 5))).to.be.within(98_000, maxRecordBytes)
    expect(textsOf(record, '400')[0]).to.match(/^a0 /)
    expect(textsOf(record, '667')[0]).to.match(/^aThis record is shortened: \d+ fields/)
  })

  it('can still be read when all its texts are as long as they may be', () => {
    const long = 'Wort '.repeat(200_000)
    const texts = Array.from({ length: 1000 }, (_, index) => `${index} ${'é'.repeat(200)}`)
    const record = zine('long', {
      abstract: long,
      table_of_contents: long,
      public_notes: texts,
      place_of_publication: texts,
      alternative_title: texts,
      relation: texts,
    })
    const [found] = read(serialized('zines', 'marc', record))
    expect(found?.fields.map(({ tag }) => tag)).to.include.members(['001', '245', '264', '655'])
  })
})

describe('the holdings of a zine in its MARC record', () => {
  const library = repository('library', { marc_org_code: 'US-X', city: 'Leeds' })
  const known = { repositories: [library, repository('second-library', { isil: 'PL-12345' })] }
  const options: ItemOptions = { field: '952', branch: undefined, itemType: 'ZINE' }

  const withHoldings = (...holdings: readonly object[]): ResolvedRecord => ({
    ...resolvedRecord('zines', zine('zine')),
    holdings: holdings.map((one) => resolvedRecord('holdings', one, known)),
  })

  function linesWith(
    record: ResolvedRecord,
    more: Partial<ItemOptions>,
    format = 'marc',
  ): readonly string[] {
    const serializer = serializerFor('zines', format).withItems?.({ ...options, ...more })
    if (!serializer) throw new Error(`${format} has no items`)
    const text = serializeList(serializer, [record], { count: 1, links: undefined })
    const [lines = []] = format === 'marc' ? read(text).map(linesOf) : linesOfXml(text)
    return lines.filter((line) => /^(?:852|856|942|952)/.test(line))
  }

  const copies = withHoldings(
    fullHolding('copy'),
    holding('other', { call_number: 'Z 1', access_status: 'circulating' }),
    holding('plain'),
  )

  const all852 = [
    '852 8_ $a PL-12345 $b Room 2, box 14 $e United States $h ZINE D67 no. 24 $p 31234000123456 $q Staples rusted. Cover loose. $z Gift of the author $z Copy 2 signed $z Gift of the author $z Reading room only $z 3 copies',
    '852 8_ $a US-X $e Leeds, United States $h Z 1 $z Circulating',
    '852 __ $a US-X $e Leeds, United States',
    '856 41 $u https://scans.example/doris/24.pdf',
  ]
  const all952 = [
    '942 __ $2 z $c ZINE',
    '952 __ $2 z $7 1 $a second-library $b second-library $c Room 2, box 14 $d 2026-11-20 $o ZINE D67 no. 24 $p 31234000123456 $u https://scans.example/doris/24.pdf $y ZINE $z Gift of the author | Copy 2 signed | Gift of the author | Condition: Staples rusted. Cover loose. | Reading room only | 3 copies',
    '952 __ $2 z $a library $b library $d 2026-11-20 $o Z 1 $y ZINE $z Circulating',
    '952 __ $2 z $a library $b library $d 2026-11-20 $y ZINE',
  ]

  for (const format of ['marc', 'marcxml']) {
    it(`are fields 852 and 856 with items=852 in ${format}`, () =>
      expect(linesWith(copies, { field: '852' }, format)).to.deep.equal(all852))

    it(`are fields 952 with items=952 in ${format}`, () =>
      expect(linesWith(copies, {}, format)).to.deep.equal(all952))

    it(`are not in a record without items in ${format}`, () => {
      const serializer = serializerFor('zines', format)
      const text = serializer.record(copies)
      expect(text).not.to.include('PL-12345').and.not.to.include('Circulating')
      expect(text).to.equal(serializer.record(resolvedRecord('zines', zine('zine'))))
    })
  }

  it('have the library and the type that the client names', () => {
    const more = { branch: 'MAIN', itemType: 'BK' }
    expect(linesWith(withHoldings(holding('h')), more)).to.deep.equal([
      '942 __ $2 z $c BK',
      '952 __ $2 z $a MAIN $b MAIN $d 2026-11-20 $y BK',
    ])
  })

  it('are restricted and not for loan in Koha by their access', () => {
    const codesFor = (access_status: string): string =>
      (linesWith(withHoldings(holding('h', { access_status })), {})[1] ?? '').replace(/ \$a.*/, '')
    expect(
      ['circulating', 'restricted', 'reading-room-only', 'digital-only', ''].map(codesFor),
    ).to.deep.equal([
      '952 __ $2 z',
      '952 __ $2 z $5 1 $7 1',
      '952 __ $2 z $7 1',
      '952 __ $2 z $7 1',
      '952 __ $2 z',
    ])
  })

  it('have a location and a barcode that are too long for Koha in the note', () => {
    const [location, barcode] = ['é'.repeat(81), '1'.repeat(21)]
    const [, long = ''] = linesWith(withHoldings(holding('h', { location, barcode })), {})
    expect(long).to.match(/ \$y ZINE \$z Location: é{81} \| Barcode: 1{21}$/)
    const fitting = { location: 'é'.repeat(80), barcode: '1'.repeat(20) }
    const [, short = ''] = linesWith(withHoldings(holding('h', fitting)), {})
    expect(short).to.include(` $c ${fitting.location} `).and.to.include(` $p ${fitting.barcode} `)
  })

  it('are none of a zine that no library has', () => {
    expect(linesWith(withHoldings(), { field: '852' })).to.deep.equal([])
    expect(linesWith(withHoldings(), {})).to.deep.equal(['942 __ $2 z $c ZINE'])
  })

  it('are a choice for zines only', () => {
    expect(serializerFor('zines', 'marc').withItems).to.be.a('function')
    for (const name of ['agents', 'holdings'] as const)
      expect(serializerFor(name, 'marc').withItems).to.equal(undefined)
  })

  it('have no private field of an agent', () => {
    const secret = { public: false, legal_name: 'Hidden Name', email: 'hidden@example.org' }
    const record = {
      ...resolvedRecord('zines', zine('zine'), { agents: [agent('maker', secret)] }),
      holdings: copies.holdings ?? [],
    }
    const serializer = serializerFor('zines', 'marc').withItems?.(options)
    expect(serializer?.record(record)).not.to.match(/hidden/i)
  })
})
