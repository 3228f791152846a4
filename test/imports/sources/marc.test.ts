import { expect } from 'chai'

import type { SourceRow } from '../../../src/imports/sources/source.js'
import { encode, recognize, rowsOfText, textsOf, writeSource } from './files.js'
import { makeRecord } from './marc-files.js'

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
})
