import { expect } from 'chai'

import type { SourceRow } from '../../../src/lib/sources/source.js'
import { encode, recognize, rowsOfText, textsOf, writeSource } from './files.js'
import { type MarcField, makeRecord } from './marc-files.js'

const plain = makeRecord([
  ['001', 'clp-1'],
  ['008', '081219s2003    xxu           000 0 eng d'],
  ['245', '10$aDoris.$n24 /$cCindy Crabb.'],
  ['952', '  $p1$oPN 1'],
  ['952', '  $p2'],
])

const withoutLeader = (row: SourceRow | undefined): readonly unknown[] =>
  (row?.fields ?? []).filter(({ name }) => name !== 'LDR')

describe('MARC 21 in ISO 2709', () => {
  it('is recognized by its leader, whatever the file is called', async () => {
    const { options, description } = await recognize(await writeSource('txt', plain))
    expect(options).to.deep.equal({ type: 'marc', encoding: 'marc-8', repair: false })
    expect(description).to.equal('MARC 21 (ISO 2709), MARC-8')
  })

  it('has its fields in their order, with indicators and subfields', async () => {
    const [row] = await rowsOfText('mrc', plain)
    expect(row?.remarks).to.deep.equal([])
    expect(row?.fields[0]?.name).to.equal('LDR')
    expect(withoutLeader(row)).to.deep.equal([
      { name: '001', parts: [{ code: '', text: 'clp-1' }] },
      { name: '008', parts: [{ code: '', text: '081219s2003    xxu           000 0 eng d' }] },
      {
        name: '245',
        indicators: '10',
        parts: [
          { code: 'a', text: 'Doris.' },
          { code: 'n', text: '24 /' },
          { code: 'c', text: 'Cindy Crabb.' },
        ],
      },
      {
        name: '952',
        indicators: '  ',
        parts: [
          { code: 'p', text: '1' },
          { code: 'o', text: 'PN 1' },
        ],
      },
      { name: '952', indicators: '  ', parts: [{ code: 'p', text: '2' }] },
    ])
  })

  it('may have no 001, and line ends between records', async () => {
    const records = [plain, makeRecord([['245', '00$aMermaid']])]
    const rows = await rowsOfText(
      'mrc',
      Buffer.concat(records.flatMap((one) => [one, Buffer.from('\r\n')])),
    )
    expect(rows.map(({ number, problem }) => [number, problem])).to.deep.equal([
      [1, undefined],
      [2, undefined],
    ])
    expect(textsOf(rows[1])['245']).to.equal('Mermaid')
  })

  it('names a field 880 by the field that it belongs to', async () => {
    const content = makeRecord([['880', '10$6245-01/(N$a\x1b(NpRIWET\x1b(B']])
    const [row] = await rowsOfText('mrc', content)
    expect(textsOf(row)['880-245']).to.equal('245-01/(N Привет')
  })

  it('in MARC-8 has accents before their letters', async () => {
    const [row] = await rowsOfText('mrc', makeRecord([['245', '10$aCaf\xe2e M\xe8unchen']]))
    expect(textsOf(row)['245']).to.equal('Café München')
  })

  it('in UTF-8 is read as its leader says', async () => {
    const content = makeRecord([['245', '10$aCafé']], { encoding: 'a', text: 'utf8' })
    const { options } = await recognize(await writeSource('mrc', content))
    expect(options.encoding).to.equal('utf-8')
    const [row] = await rowsOfText('mrc', content)
    expect([textsOf(row)['245'], row?.remarks]).to.deep.equal(['Café', []])
  })

  it('is read as UTF-8 though its leader says MARC-8, with a remark', async () => {
    const [row] = await rowsOfText('mrc', makeRecord([['245', '10$aCafé']], { text: 'utf8' }))
    expect(textsOf(row)['245']).to.equal('Café')
    expect(row?.remarks).to.deep.equal([
      {
        kind: 'repaired',
        field: 'LDR',
        message: 'The leader says MARC-8, but the record is in UTF-8.',
      },
    ])
  })

  it('is read as MARC-8 though its leader says UTF-8, with a remark', async () => {
    const [row] = await rowsOfText('mrc', makeRecord([['245', '10$aCaf\xe2e']], { encoding: 'a' }))
    expect(textsOf(row)['245']).to.equal('Café')
    expect(row?.remarks[0]?.message).to.equal('The leader says UTF-8, but the record is in MARC-8.')
  })

  it('is recognized as Windows-1252, which no leader can say', async () => {
    const text = encode('10$aCafé, passé: été – “idée”', 'windows-1252').toString('latin1')
    const [row] = await rowsOfText('mrc', makeRecord([['245', text]]))
    expect(textsOf(row)['245']).to.equal('Café, passé: été – “idée”')
  })

  it('goes on after broken records, which have a problem and what could be read', async () => {
    const badDirectory = Buffer.from(plain)
    badDirectory.write('xxxx', 24 + 3)
    const badAddress = Buffer.from(plain)
    badAddress.write('00030', 12)
    const noDirectory = Buffer.from('00020nam\x1d')
    const records = [badDirectory, plain, badAddress, noDirectory, plain, plain.subarray(0, 120)]
    const rows = await rowsOfText('mrc', Buffer.concat(records), { type: 'marc' })
    expect(rows.map(({ problem }) => problem)).to.deep.equal([
      'The directory of the record does not lead to its fields.',
      undefined,
      'The directory of the record does not lead to its fields.',
      'The record has no directory.',
      undefined,
      'The record is cut off: its terminator is missing.',
    ])
    expect(textsOf(rows[0])['001']).to.equal('clp-1')
    expect(textsOf(rows[2])['245']).to.equal('Doris. 24 / Cindy Crabb.')
    expect(textsOf(rows[5])['001']).to.equal('clp-1')
  })

  it('is read with a remark where only the length is wrong', async () => {
    const wrong = Buffer.from(plain)
    wrong.write('00099', 0)
    const rows = await rowsOfText('mrc', Buffer.concat([wrong, plain]))
    expect(rows.map(({ problem }) => problem)).to.deep.equal([undefined, undefined])
    expect(rows[0]?.remarks[0]).to.deep.equal({
      kind: 'damaged',
      field: 'LDR',
      message: `The leader says that the record has 00099 bytes, but it has ${plain.length}.`,
    })
    expect(textsOf(rows[0])['001']).to.equal('clp-1')
  })

  it('passes over what does not end', async () => {
    const rows = await rowsOfText(
      'mrc',
      Buffer.concat([plain, Buffer.alloc(1_500_000, 'x'), Buffer.from('\x1d'), plain]),
    )
    expect(rows.map(({ problem }) => problem)).to.deep.equal([
      undefined,
      'The record does not end.',
      undefined,
    ])
  })

  it('whose terminator is missing does not swallow the next', async () => {
    const open = plain.subarray(0, -1)
    const cut = plain.subarray(0, 140)
    const content = Buffer.concat([open, plain, open, Buffer.from('\n'), cut, plain, open])
    const rows = await rowsOfText('mrc', content)
    const missing = 'The terminator of the record is missing.'
    expect(rows.map(({ problem, remarks }) => problem ?? remarks[0]?.message)).to.deep.equal([
      missing,
      undefined,
      missing,
      'The record is cut off: its terminator is missing.',
      undefined,
      missing,
    ])
    expect(textsOf(rows[0])).to.deep.equal(textsOf(rows[1]))
  })

  it('may begin with a byte order mark', async () => {
    const [row] = await rowsOfText('mrc', Buffer.concat([Buffer.from('\uFEFF'), plain]))
    expect([textsOf(row)['001'], row?.problem, row?.remarks]).to.deep.equal([
      'clp-1',
      undefined,
      [],
    ])
  })

  it('is read in the encoding that it has, record by record', async () => {
    const latin1 = encode('10$aCafé noir$cpar Zoë', 'windows-1252').toString('latin1')
    const records: readonly (readonly [string, Buffer, string | undefined])[] = [
      [
        'Børn',
        makeRecord([['245', '10$aBørn']], { text: 'utf8' }),
        'MARC-8, but the record is in UTF-8',
      ],
      [
        'Café e',
        makeRecord([['245', '10$aCaf\xe2e e']], { encoding: 'a' }),
        'UTF-8, but the record is in MARC-8',
      ],
      ['Café noir par Zoë', makeRecord([['245', latin1]]), 'MARC-8, but the record is in Latin-1'],
      [
        'Café noir par Zoë',
        makeRecord([['245', latin1]], { encoding: 'a' }),
        'UTF-8, but the record is in Latin-1',
      ],
      ['Müll', makeRecord([['245', '10$aM\xfcll']]), 'MARC-8, but the record is in Latin-1'],
      ['Plain', makeRecord([['245', '10$aPlain']]), undefined],
      ['Café', makeRecord([['245', '10$aCaf\xe2e']]), undefined],
      ['Việt', makeRecord([['245', '10$aVi\xf2\xe3et']]), undefined],
    ]
    const rows = await rowsOfText('mrc', Buffer.concat(records.map(([, bytes]) => bytes)))
    expect(rows.map((row) => [textsOf(row)['245'], row.remarks[0]?.message])).to.deep.equal(
      records.map(([text, , said]) => [text, said && `The leader says ${said}.`]),
    )
  })

  // The content of a field 245, its parts as they are read, and what is told.
  const damagedFields: readonly (readonly [string, string, string])[] = [
    ['10$aOne\x1f', '10 $aOne', 'A delimiter of subfields has nothing after it.'],
    ['1$aOne', '1# $aOne', 'The field does not have two indicators.'],
    ['10$\xe1One$cMe', '10 $?One$cMe', 'A subfield has no letter or digit as its code.'],
    ['10One', '## $?10One', 'The field has no subfields.'],
    [
      '10\\aOne :\\bcosts $5',
      '10 $aOne :$bcosts $5',
      'The subfields stand behind "$" in place of delimiters.',
    ],
  ]

  for (const [content, expected, message] of damagedFields)
    it(`tells what is wrong with the field ${JSON.stringify(content)}`, async () => {
      const record = makeRecord([
        ['001', 'x'],
        ['245', content.replace(/\$(?=\d)/g, '\u0000')],
        ['500', '  $aKept'],
      ])
      const bytes = Buffer.from(
        record.toString('latin1').replaceAll('\\', '$').replaceAll('\0', '$'),
        'latin1',
      )
      const [row] = await rowsOfText('mrc', bytes, { type: 'marc' })
      const field = row?.fields.find(({ name }) => name === '245')
      const parts = field?.parts.map(({ code, text }) => `$${code}${text}`).join('')
      expect(`${field?.indicators?.replaceAll(' ', '#')} ${parts}`).to.equal(expected)
      expect(row?.remarks).to.deep.equal([{ kind: 'damaged', field: '245', message }])
      expect(row?.problem).to.equal(undefined)
    })

  it('tells a field that is empty, and a delimiter that was lost', async () => {
    const fields = [
      ['245', '10$aGood'],
      ['260', '  $a[Portland] :\uFFFDbStaple Union$c1994 \uFFFDx'],
      ['700', ''],
    ] as const
    const [row] = await rowsOfText('mrc', makeRecord(fields, { encoding: 'a', text: 'utf8' }))
    expect(row?.fields[2]?.parts).to.deep.equal([
      { code: 'a', text: '[Portland] :' },
      { code: 'b', text: 'Staple Union' },
      { code: 'c', text: '1994 \uFFFDx' },
    ])
    expect(row?.remarks.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal([
      '260: A delimiter of subfields was lost; it is put back before its code.',
      '700: The field is empty.',
      '260: The text has characters that cannot be decoded.',
    ])
  })

  it('keeps all fields of a record that is refused', async () => {
    const broken = Buffer.from(plain)
    broken.write('x', 24 + 12 * 2)
    broken.write('99999', 24 + 12 * 2 + 7)
    const lost = Buffer.from(
      plain.toString('latin1').replace('\x1e  \x1fp1', '\x1e\x1e  \x1fp1'),
      'latin1',
    )
    const rows = await rowsOfText(
      'mrc',
      Buffer.concat([broken, lost, Buffer.from('no record\x1d')]),
      {
        type: 'marc',
      },
    )
    for (const row of rows) expect(row.problem).to.be.a('string')
    const shown = rows.map(({ fields }) =>
      fields.flatMap(({ parts }) => parts.map(({ text }) => text)).join(' '),
    )
    for (const text of ['clp-1', 'Doris.', 'Cindy Crabb.', 'PN 1'])
      expect(
        shown.slice(0, 2).every((all) => all.includes(text)),
        text,
      ).to.equal(true)
    expect(shown[2]).to.equal('no record')
  })

  it('has no control characters, and no marks around what is not sorted', async () => {
    const content = makeRecord([['245', '10$a\u0098The \u009czine\u0007']], {
      encoding: 'a',
      text: 'utf8',
    })
    const [row] = await rowsOfText('mrc', content)
    expect(textsOf(row)['245']).to.equal('The zine\uFFFD')
  })

  it('has a field 880 as the field that is missing, or has a placeholder', async () => {
    const records = [
      [
        ['245', '10$6880-01$a<>'],
        ['880', '10$6245-01/$1$a이끼 편지'],
      ],
      [['880', '10$6245-00/(N$aМох']],
      [
        ['245', '10$aMokh'],
        ['880', '10$aМох'],
      ],
      [
        ['245', '10$aMokh'],
        ['880', '1 $6100-07$aМохов'],
      ],
      [
        ['100', '1 $aMokhov'],
        ['245', '10$aMokh'],
        ['700', '1 $aTern'],
        ['880', '1 $aМохов'],
      ],
      [
        ['245', '10$6880-01$aMokh'],
        ['880', '10$6245-01$aМох :$bА'],
        ['880', '10$6245-01$aМох :$bА'],
        ['880', '10$6245-01$aМох :'],
      ],
    ] as const
    const rows = await rowsOfText(
      'mrc',
      Buffer.concat(records.map((fields) => makeRecord(fields, { encoding: 'a', text: 'utf8' }))),
    )
    const titles = rows.map(({ fields }) =>
      fields.slice(1).map(
        ({ name, parts }) =>
          `${name} ${parts
            .filter(({ code }) => code !== '6')
            .map(({ text }) => text)
            .join(' ')}`,
      ),
    )
    expect(titles).to.deep.equal([
      ['245 이끼 편지'],
      ['245 Мох'],
      ['245 Mokh', '880-245 Мох'],
      ['245 Mokh', '880-100 Мохов'],
      ['100 Mokhov', '245 Mokh', '700 Tern', '880 Мохов'],
      ['245 Mokh', '880-245 Мох : А'],
    ])
    expect(rows.map(({ remarks }) => remarks.map(({ message }) => message))).to.deep.equal([
      [],
      [],
      [
        'The field 880 does not say which field it belongs to. It is read as 245, which has the same indicators.',
      ],
      ['The field 880 belongs to 100-07, which the record lacks.'],
      ['The field 880 does not say which field it belongs to.'],
      [],
    ])
  })
})

describe('MARC 21 whose directories look like leaders', () => {
  it('has one row for each record, whatever the lengths of fields are', async () => {
    const records = Array.from({ length: 2000 }, (_, seed) =>
      makeRecord([
        ['001', `record-${seed}`],
        ['245', '10$aTitle'],
        ...Array.from({ length: 10 + (seed % 30) }, (_, index): MarcField => {
          const tag = 100 + ((seed * 31 + index * 17) % 899)
          const length = 3 + ((seed * 7919 + index * 104_729) % 997)
          return [String(tag), `  $a${'x'.repeat(length)}`]
        }),
      ]),
    )
    const rows = await rowsOfText('mrc', Buffer.concat(records))
    expect(rows).to.have.length(2000)
  })
})

describe('UNIMARC', () => {
  it('is told from MARC 21 record by record, and its tags have a U before them', async () => {
    const unimarc = makeRecord(
      [
        ['001', 'FR1'],
        ['200', '1 $a\u0098L\u2019\u009cagrafe$hNo 3'],
        ['700', ' 1$aFold$bMarge'],
      ],
      { encoding: 'a', text: 'utf8' },
    )
    const marc21 = makeRecord([
      ['001', 'us1'],
      ['245', '10$aGutter zine'],
    ])
    const content = Buffer.concat([unimarc, marc21])
    const rows = await rowsOfText('mrc', content)
    expect(rows.map(({ fields }) => fields.slice(1).map(({ name }) => name))).to.deep.equal([
      ['001', 'U200', 'U700'],
      ['001', '245'],
    ])
    expect(textsOf(rows[0]).U200).to.equal('L\u2019agrafe No 3')
    for (const [bytes, format] of [
      [unimarc, 'UNIMARC'],
      [content, 'UNIMARC and MARC 21'],
    ] as const) {
      const { description } = await recognize(await writeSource('mrc', bytes))
      expect(description).to.equal(`${format} (ISO 2709), UTF-8`)
    }
  })

  it('in MARCXML is named as such', async () => {
    const xml =
      '<record xmlns="http://www.loc.gov/MARC21/slim"><datafield tag="200" ind1="1" ind2=" "><subfield code="a">La carta</subfield></datafield></record>'
    const { description } = await recognize(await writeSource('xml', Buffer.from(xml)))
    expect(description).to.equal('UNIMARC in MARCXML, UTF-8')
  })

  it('has an encoding that its leader does not say', async () => {
    const title = (text: string): MarcField => ['200', `1 $a${text}`]
    const records = [
      makeRecord([title('Été')], { text: 'utf8' }),
      makeRecord([title('Plain')]),
      makeRecord([title('\xc2Et\xc2e')]),
    ]
    const rows = await rowsOfText('mrc', Buffer.concat(records))
    expect(textsOf(rows[0]).U200).to.equal('Été')
    expect(rows.map(({ remarks }) => remarks.map(({ message }) => message))).to.deep.equal([
      [],
      [],
      [
        'The record is not in UTF-8, and UNIMARC has encodings that are not read here. Accents may be wrong: export it in UTF-8.',
      ],
    ])
  })
})
