// XLSX: the same cells as in CSV, texts that spreadsheets would read as something else, and limits.

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect } from 'chai'
import { parse } from 'csv-parse/sync'

import { resourceNames } from '../../src/model/iris.js'
import type { ResolvedRecord } from '../../src/model/record/views.js'
import { maxCellLength } from '../../src/formats/xlsx.js'
import { serializeListInSteps } from '../../src/formats/serializer.js'
import { agent, zine } from '../examples.js'
import { pairOf, resolvedRecord, runProgram, serializedList, serializerFor } from './fixtures.js'
import { readArchive, readSheet, readTable, sheetOf } from './workbook-reader.js'
import { until } from '../waiting.js'

function workbookOf(records: readonly ResolvedRecord[]): Promise<Buffer> {
  const serializer = serializerFor(records[0]?.resource.name ?? 'zines', 'xlsx')
  const list = { count: records.length, links: undefined }
  return buffer(packed(serializeListInSteps(serializer, records, list)))
}

/** The workbook of the text of a sheet. */
function packed(sheet: Iterable<string>): Readable {
  const { pack } = serializerFor('zines', 'xlsx')
  if (!pack) throw new Error('a workbook is packed')
  return pack(sheet)
}

const agents = (...names: readonly string[]): readonly ResolvedRecord[] =>
  names.map((display_name) => resolvedRecord('agents', agent('a', { display_name })))

const namesIn = (workbook: Buffer): (string | undefined)[] =>
  readTable(workbook).map((row) => row.display_name)

describe('XLSX', () => {
  for (const name of resourceNames)
    it(`of ${name} has the cells of CSV`, async () => {
      const records = pairOf(name)
      const rows: Record<string, string>[] = parse(serializedList('csv', records), {
        columns: true,
      })
      expect(readTable(await workbookOf(records))).to.deep.equal(rows)
    })

  it('of a record is a table of one row', async () => {
    const serializer = serializerFor('zines', 'xlsx')
    const [record] = pairOf('zines')
    const file = await buffer(packed([serializer.record(record)]))
    expect(readTable(file)).to.deep.equal(readTable(await workbookOf([record])))
  })

  it('of no records has the headings', async () => {
    const rows = readSheet(await workbookOf([]))
    expect(rows).to.have.length(1)
    expect(rows[0]).to.include({ A: 'zine_id', B: 'title' })
  })

  // The reader checks that each of them is a text cell.
  it('has no formula, number or date, whatever a text looks like', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '1994', '1994-05', 'TRUE', '#N/A', "'x"]
    expect(namesIn(await workbookOf(agents(...texts)))).to.deep.equal(texts)
  })

  it('has every character that XML has, spaces at both ends, and texts that look like codes', async () => {
    const texts = [
      '<a> & "b"',
      ' two  spaces ',
      'a\nb\r\nc\td',
      '_x0041_',
      '_x005F_x0041_',
      '🦊 é',
      ']]>',
    ]
    expect(namesIn(await workbookOf(agents(...texts)))).to.deep.equal(texts)
    expect(namesIn(await workbookOf(agents('a\u0000b\u001f\ud800c')))).to.deep.equal(['abc'])
  })

  it('cuts a text that is longer than a cell between two characters', async () => {
    const abstracts = ['x'.repeat(maxCellLength), 'x'.repeat(40_000), `x${'🦊'.repeat(20_000)}`]
    const records = abstracts.map((abstract) => resolvedRecord('zines', zine('z', { abstract })))
    const [whole = '', cut = '', pairs = ''] = readTable(await workbookOf(records)).map(
      (row) => row.abstract,
    )
    expect(whole).to.equal(abstracts[0])
    expect(cut).to.equal(`${'x'.repeat(maxCellLength - 1)}…`)
    expect(pairs).to.equal(`x${'🦊'.repeat((maxCellLength - 3) / 2)}…`)
  })

  it('has the files that a workbook consists of, each of them well-formed', async function () {
    const files = readArchive(await workbookOf(pairOf('zines')))
    expect([...files.keys()]).to.deep.equal([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
    ])
    for (const [path, file] of files) {
      const { status, stderr } = runProgram(this, 'xmllint', ['--noout', 'input.xml'], String(file))
      expect(status, `${path}: ${stderr}`).to.equal(0)
    }
  })

  it('is the same bytes for the same records', async () => {
    const first = await workbookOf(pairOf('zines'))
    expect((await workbookOf(pairOf('zines'))).equals(first)).to.equal(true)
  })

  it('has a letter for each of more than 26 columns', async () => {
    const sheet = sheetOf(await workbookOf(pairOf('zines')))
    expect(sheet).to.include('<c r="Z1"').and.to.include('<c r="AA1"').and.to.include('<c r="AB1"')
  })

  it('ends the reading of records when nobody reads it any more', async () => {
    const seen = { parts: 0, isEnded: false }
    function* endless(): Generator<string> {
      try {
        for (;;) yield `${(seen.parts += 1)} ${'x'.repeat(10_000)}`
      } finally {
        seen.isEnded = true
      }
    }
    const file = packed(endless())
    let bytes = 0
    for await (const chunk of file) {
      bytes += (chunk as Buffer).length
      if (bytes > 20_000) break
    }
    await until(() => seen.isEnded)
  })

  it('fails when the reading of records fails', async () => {
    function* failing(): Generator<string> {
      yield 'x'
      throw new Error('no more records')
    }
    const failure = await buffer(packed(failing())).catch((error: unknown) => error)
    expect(failure).to.be.an('error').with.property('message', 'no more records')
  })
})
