// What an input may have is counted before anything is made of it: none of these takes longer than its bytes.

import { createRequire } from 'node:module'

import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { readSheet, readWorkbook } from '../../../src/lib/sources/tables/spreadsheet.js'
import { XmlRecordReader } from '../../../src/lib/sources/marc/xml-records.js'
import { recognize, rowsOfText, writeSource } from './files.js'

const xlsx = createRequire(import.meta.url)('@e965/xlsx') as typeof import('@e965/xlsx')

const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (one: unknown) => one,
  )
  expect(error).to.be.instanceOf(InvalidError)
  return (error as InvalidError).message
}

function makeWorkbook(rows: readonly (readonly string[])[]): Buffer {
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows as string[][]), 'Zines')
  // With this type, the package writes a buffer.
  return xlsx.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer
}

describe('an input that is made to be too much', () => {
  it('is refused with 300,000 columns of one name, before they get numbers', async () => {
    const path = await writeSource('csv', `${'a,'.repeat(300_000)}a\n1,2`)
    expect(await messageOf(recognize(path))).to.equal('The table has more than 2,000 columns.')
  })

  it('has a broken row where one object has 300,000 values or 5,000 keys', async () => {
    const values = `{"a":[${'1,'.repeat(300_000)}1]}`
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, 1])))
    const rows = await rowsOfText('jsonl', `${values}\n${keys}\n{"a":1}`)
    expect(rows.map(({ problem }) => problem)).to.deep.equal([
      'The row has more than 20,000 values.',
      'The row has more than 2,000 fields.',
      undefined,
    ])
    expect(rows[0]?.fields[0]?.parts.length, 'what it is can be seen').to.equal(20)
  })

  it('is refused with more than 200 XML elements in one another', () => {
    const nested = (depth: number): string => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`
    new XmlRecordReader().read(nested(200))
    expect(() => new XmlRecordReader().read(nested(25_000))).to.throw(
      InvalidError,
      'The XML has more than 200 elements in one another.',
    )
  })

  it('is refused with XML that does not end a tag or a text', () => {
    const message = 'The XML has a text or a tag of more than 1,000,000 characters.'
    for (const start of ['<a b="', '<record>', '<!--'])
      expect(() => {
        const reader = new XmlRecordReader()
        reader.read(start)
        for (let piece = 0; piece < 100; piece += 1) reader.read('x'.repeat(16_384))
      }, start).to.throw(InvalidError, message)
  })

  it('has a broken record where an XML record does not end, and goes on', () => {
    const reader = new XmlRecordReader()
    const field = '<controlfield tag="001">x</controlfield>'.repeat(10)
    const records = [...reader.read('<c><record>')]
    for (let count = 0; count < 20_000; count += 1) records.push(...reader.read(field))
    records.push(...reader.read(`</record><record>${field}</record></c>`))
    expect(records.map(({ problem }) => problem)).to.deep.equal([
      'The XML is broken: the record has more than 1,000,000 characters',
      undefined,
    ])
    expect(records[0]?.fields.length).to.be.below(100_000)
  })

  it('is refused where a workbook is larger when it is unpacked, whatever its directory says', async () => {
    const content = makeWorkbook([['Title'], ...Array.from({ length: 3000 }, () => ['Same text'])])
    // As if nothing was packed, in the directory at the end alone: SheetJS goes by what stands before each part.
    for (
      let at = content.indexOf('PK\x01\x02');
      at >= 0;
      at = content.indexOf('PK\x01\x02', at + 4)
    )
      content.writeUInt16LE(0, at + 10)
    const path = await writeSource('xlsx', content)
    expect(content.length).to.be.below(60_000)
    expect(await messageOf(readWorkbook(path, undefined, 10, 100_000))).to.equal(
      'The workbook cannot be read: it is too large when it is unpacked.',
    )
    expect((await readWorkbook(path, undefined, 10, 10_000_000)).rows.length).to.equal(10)
  })

  it('waits while another workbook is read', async () => {
    const path = await writeSource('xlsx', makeWorkbook([['Title'], ['Doris']]))
    const first = readSheet(path, undefined)
    await first.next()
    let isRead = false
    const second = readWorkbook(path, undefined, 10).then(() => (isRead = true))
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    expect(isRead).to.equal(false)
    await first.return(undefined)
    await second
    expect(isRead).to.equal(true)
  })
})
