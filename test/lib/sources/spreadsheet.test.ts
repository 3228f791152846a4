import { createRequire } from 'node:module'

import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { loadResources } from '../../../src/app/load-model.js'
import { proposeProfile } from '../../../src/features/imports/mapping/propose-profile.js'
import { misread, recognize, rowsOf, rowsOfText, textsOf, writeSource } from './files.js'

const xlsx = createRequire(import.meta.url)('@e965/xlsx') as typeof import('@e965/xlsx')

const resources = await loadResources()

const cells = [
  ['Title', 'Keywords', 'Keywords', 'Made', 'ISBN'],
  [
    'Été – “x”',
    misread('Gwenaël', 'windows-1252'),
    '',
    new Date(Date.UTC(2004, 2, 5)),
    9781234567897,
  ],
  ['', '', '', '', ''],
  ['Doris', '', 'c', '199-?', ''],
]

type BookType = 'xlsx' | 'ods' | 'biff8' | 'biff5'

function makeWorkbook(bookType: BookType): Buffer {
  const book = xlsx.utils.book_new()
  const sheet = xlsx.utils.aoa_to_sheet(cells, {
    cellDates: false,
    dateNF: 'yyyy-mm-dd',
    UTC: true,
  })
  xlsx.utils.book_append_sheet(book, sheet, 'Zines')
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([['Name'], ['Second']]), 'Other')
  // With this type, the package writes a buffer.
  return xlsx.write(book, { type: 'buffer', bookType, compression: true }) as Buffer
}

describe('a workbook', () => {
  for (const bookType of ['xlsx', 'ods', 'biff8'] as const)
    it(`is read as ${bookType}`, async () => {
      const path = await writeSource('bin', makeWorkbook(bookType))
      const { options, sheets, columns } = await recognize(path)
      expect(options).to.deep.equal({
        type: 'spreadsheet',
        sheet: 'Zines',
        skipRows: 0,
        repair: true,
      })
      expect(sheets).to.deep.equal(['Zines', 'Other'])
      expect(columns).to.deep.equal(['Title', 'Keywords', 'Keywords (2)', 'Made', 'ISBN'])
      const rows = await rowsOf(path)
      expect(rows.map(textsOf)).to.deep.equal([
        { Title: 'Été – “x”', Keywords: 'Gwenaël', Made: '2004-03-05', ISBN: '9781234567897' },
        { Title: 'Doris', 'Keywords (2)': 'c', Made: '199-?' },
      ])
      expect(rows.map(({ number }) => number)).to.deep.equal([1, 2])
    })

  it('of Excel 5 is read in its code page', async () => {
    const book = xlsx.utils.book_new()
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([['Title'], ['Caf#']]), 'Zines')
    // The package writes ASCII only.
    const content = xlsx.write(book, { type: 'buffer', bookType: 'biff5' }) as Buffer // As above.
    content[content.indexOf('Caf#') + 3] = 0xe9
    expect((await rowsOfText('xls', content)).map(textsOf)).to.deep.equal([{ Title: 'Café' }])
  })

  it('is read by the sheet that is chosen', async () => {
    const path = await writeSource('xlsx', makeWorkbook('xlsx'))
    expect((await rowsOf(path, { sheet: 'Other' })).map(textsOf)).to.deep.equal([
      { Name: 'Second' },
    ])
  })

  it('is refused if it has no such sheet', async () => {
    const path = await writeSource('xlsx', makeWorkbook('xlsx'))
    const error = await recognize(path, { sheet: 'constructor' }).catch((one: unknown) => one)
    expect(error)
      .to.be.instanceOf(InvalidError)
      .with.property('message', 'The workbook has no sheet "constructor".')
  })

  it('shows a date without a day as it is shown there', async () => {
    const book = xlsx.utils.book_new()
    const sheet = xlsx.utils.aoa_to_sheet([
      ['Title', 'Date'],
      ['Doris', 36_586],
    ])
    const cell = sheet.B2 as { z?: string }
    cell.z = 'mmm-yy'
    xlsx.utils.book_append_sheet(book, sheet, 'Zines')
    const content = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer // As above.
    expect((await rowsOfText('xlsx', content)).map(textsOf)).to.deep.equal([
      { Title: 'Doris', Date: 'Mar-00' },
    ])
  })

  it('is read by its first sheet that is not hidden, and tells what is', async () => {
    const book = xlsx.utils.book_new()
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([['Name'], ['Secret']]), 'Donors')
    const sheet = xlsx.utils.aoa_to_sheet([['Title'], ['Doris'], ['Old']])
    sheet['!rows'] = [{}, {}, { hidden: true }]
    xlsx.utils.book_append_sheet(book, sheet, 'Zines')
    book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] }
    // With this type, the package writes a buffer.
    const content = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
    const { options, description } = await recognize(await writeSource('xlsx', content))
    expect([options.sheet, description]).to.deep.equal([
      'Zines',
      'Spreadsheet (.xlsx), 2 sheets, hidden: Donors',
    ])
    const rows = await rowsOfText('xlsx', content)
    expect(
      rows.map((row) => [textsOf(row).Title, ...row.remarks.map(({ kind }) => kind)]),
    ).to.deep.equal([['Doris'], ['Old', 'hidden']])
  })

  it('tells its hidden columns, which are proposed as private', async () => {
    const book = xlsx.utils.book_new()
    const sheet = xlsx.utils.aoa_to_sheet([
      ['Title', 'Abstract', 'Maker'],
      ['Doris', 'For us alone', 'Ann Lee'],
    ])
    sheet['!cols'] = [{}, { hidden: true }, {}]
    xlsx.utils.book_append_sheet(book, sheet, 'Zines')
    const content = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer // As above.
    const recognized = await recognize(await writeSource('xlsx', content))
    expect(recognized.description).to.equal(
      'Spreadsheet (.xlsx), one sheet, hidden columns: Abstract',
    )
    const { rules } = proposeProfile(recognized, await rowsOfText('xlsx', content), resources)
    expect(rules.filter(({ from }) => from === 'Abstract')).to.deep.equal([
      { from: 'Abstract', to: 'private' },
    ])
  })

  it('is refused if a cell is far to the right', async () => {
    const book = xlsx.utils.book_new()
    const sheet = { A1: { t: 's', v: 'Title' }, XFD2: { t: 's', v: 'far' }, '!ref': 'A1:XFD2' }
    xlsx.utils.book_append_sheet(book, sheet, 'Zines')
    const content = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer // As above.
    const error = await recognize(await writeSource('xlsx', content)).catch((one: unknown) => one)
    expect(error)
      .to.be.instanceOf(InvalidError)
      .with.property('message')
      .that.contains('the sheet has more than 2,000 columns')
  })

  it('is refused if it is broken', async () => {
    const path = await writeSource('xlsx', makeWorkbook('xlsx').subarray(0, 2000))
    const error = await recognize(path).catch((one: unknown) => one)
    expect(error)
      .to.be.instanceOf(InvalidError)
      .with.property('message')
      .that.matches(/^The workbook cannot be read: /)
  })
})
