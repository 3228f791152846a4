// Files that libraries gave, which are no part of the repository: IMPORT_FILES names the folder that has them.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

import { describeSource } from '../../../src/lib/sources/report.js'
import { recognize, rowsOf, textsOf } from './files.js'

const folder = process.env.IMPORT_FILES ?? ''

/** The path of a file; without it, the test is skipped. */
function requireFile(test: Mocha.Context, name: string): string {
  const path = join(folder, name)
  if (folder === '' || !existsSync(path)) test.skip()
  return path
}

const title = (text: string): string =>
  folder === '' ? `${text} (skipped: IMPORT_FILES is not set)` : text

describe(title('the files of libraries'), () => {
  it('have 1,691 rows in an export from LibraryThing, of which 205 are repaired and one is damaged', async function () {
    const path = requireFile(this, 'carnegie.csv')
    const { options, description, columns } = await recognize(path)
    expect(description).to.equal('LibraryThing export, separated by commas, MacRoman, line ends CR')
    expect(columns[1]).to.equal('AUTHOR (first, last)')
    const { samples, ...report } = await describeSource(path, options)
    expect(samples.length).to.equal(10)
    expect(report).to.deep.include({ rows: 1691, brokenRows: 0, shortRows: 0 })
    expect(report.repaired.rows).to.equal(205)
    expect(report.damaged.rows).to.equal(1)
    const rows = await rowsOf(path)
    const others = rows.filter(
      (row) =>
        row.number !== 1455 &&
        /[\u0080-\u009fÃÂ]|â€|_[^\0-\x7f]/.test(Object.values(textsOf(row)).join(' ')),
    )
    expect(others.map(({ number }) => number)).to.deep.equal([])
  })

  it('have 411 rows in a workbook, of which nine cells were encoded twice and ten have entities', async function () {
    const path = requireFile(this, 'qzap_flat_ISO_lang.xls')
    const { options, columns } = await recognize(path)
    expect(options).to.deep.equal({
      type: 'spreadsheet',
      sheet: 'Worksheet1',
      skipRows: 0,
      repair: true,
    })
    expect(columns.filter((name) => name.startsWith('Keywords')).length).to.equal(55)
    const rows = await rowsOf(path)
    expect(rows.length).to.equal(411)
    const messages = rows.flatMap(({ remarks }) => remarks.map(({ message }) => message))
    expect(messages.filter((one) => one === 'The text was encoded twice.').length).to.equal(9)
    expect(messages.filter((one) => one === 'The text had HTML entities.').length).to.equal(10)
    expect(messages.length).to.equal(19)
  })
})
