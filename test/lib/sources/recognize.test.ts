import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { describeSource } from '../../../src/lib/sources/report.js'
import { encode, misread, recognize, rowsOf, writeSource } from './files.js'

const zip = (...parts: readonly string[]): Buffer =>
  Buffer.from(`PK\x03\x04\x14\0${parts.join('\0')}`, 'latin1')

const refused: readonly (readonly [string, string | Buffer, string])[] = [
  ['an empty file', '', 'The file is empty.'],
  [
    'a PDF file',
    '%PDF-1.7',
    'The file is a PDF file, which cannot be imported. Copy its table into a spreadsheet, and import that.',
  ],
  [
    'a picture',
    Buffer.from('\x89PNG\r\n', 'latin1'),
    'The file is a picture, which cannot be imported. Type what it says into a spreadsheet, and import that.',
  ],
  [
    'a Word document',
    zip('[Content_Types].xml', 'word/document.xml'),
    'The file is a Word document, which cannot be imported. Copy its table into a spreadsheet, and import that.',
  ],
  [
    'a compressed file',
    Buffer.from([0x1f, 0x8b, 8, 0]),
    'The file is a compressed file, which cannot be imported. Unpack it, and import the file inside.',
  ],
  [
    'a web page',
    '<!DOCTYPE html>\n<html><body><p>Zines</p></body></html>',
    'The file is a web page without a table, which cannot be imported. Look on the page for a way to export records.',
  ],
  [
    'a mail',
    'From: a@example.org\nTo: b@example.org\nSubject: Zines\n\nTitle, Year\n',
    'The file is a mail, which cannot be imported. Save what is attached to it, and import that.',
  ],
  [
    'RDF/XML',
    '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
    'The file is RDF/XML, which cannot be imported. Get the same records as Turtle or JSON-LD.',
  ],
  [
    'other XML',
    '<?xml version="1.0"?><svg/>',
    'The file is XML of a kind that is not known here, which cannot be imported. Export MARCXML, MODS or CSV.',
  ],
]

describe('recognizing a source', () => {
  for (const [title, content, message] of refused)
    it(`refuses ${title}`, async () => {
      const error = await recognize(await writeSource('csv', content)).catch((one: unknown) => one)
      expect(error).to.be.instanceOf(InvalidError).with.property('message', message)
    })

  it('takes the options that are given', async () => {
    const path = await writeSource('csv', 'x\ny\na;b,c\n1;2,3\n')
    const given = {
      type: 'csv',
      encoding: 'macintosh',
      delimiter: ';',
      skipRows: 2,
      repair: true,
    } as const
    const { options, columns } = await recognize(path, given)
    expect(options).to.deep.equal(given)
    expect(columns).to.deep.equal(['a', 'b,c'])
  })

  it('reads a table in HTML that is called .xls', async () => {
    const path = await writeSource(
      'xls',
      '<html><table><tr><td>Title</td><td>Year</td></tr><tr><td>Doris</td><td>1999</td></tr></table></html>',
    )
    const { options, columns } = await recognize(path)
    expect(options.type).to.equal('spreadsheet')
    expect(columns).to.deep.equal(['Title', 'Year'])
  })
})

describe('reading a source', () => {
  it('lets other events run in between', async () => {
    const path = await writeSource('csv', `a,b\n${'"one, two",three\n'.repeat(30_000)}`)
    let events = 0
    const interval = setInterval(() => (events += 1), 1)
    const rows = await rowsOf(path, { type: 'csv', repair: false })
    clearInterval(interval)
    expect(rows.length).to.equal(30_000)
    expect(events).to.be.above(10)
  })

  it('ends after 100,000 rows', async () => {
    const path = await writeSource('jsonl', '{"a":1}\n'.repeat(100_001))
    const error = await rowsOf(path).catch((one: unknown) => one)
    expect(error)
      .to.be.instanceOf(InvalidError)
      .with.property('message', 'The source has more than 100,000 rows. Divide it into several.')
  })
})

describe('the report of a source', () => {
  it('counts what is suspicious, and shows ten rows before and after their repair', async () => {
    const lines = [
      'title,notes',
      ...Array.from({ length: 20 }, (_, index) => `Zine ${index},plain`),
      `${misread('Gwenaël', 'windows-1252')},R&amp;B`,
      'â€“ _ê_©_ª,',
      'too,many,cells',
      'few',
    ]
    const path = await writeSource('csv', encode(lines.join('\r'), 'macintosh'))
    const { options } = await recognize(path)
    const report = await describeSource(path, options)
    expect(report).to.deep.include({
      rows: 24,
      brokenRows: 1,
      repaired: { rows: 1, texts: 2 },
      damaged: { rows: 1, texts: 1 },
      shortRows: 1,
      deletedRows: 0,
    })
    expect(report.broken.map(({ number }) => number)).to.deep.equal([23])
    expect(report.samples.map(({ number }) => number)).to.deep.equal([
      1, 2, 3, 4, 5, 6, 21, 22, 23, 24,
    ])
    expect(report.samples[6]?.fields).to.deep.equal([
      { name: 'title', before: 'GwenaÃ«l', after: 'Gwenaël' },
      { name: 'notes', before: 'R&amp;B', after: 'R&B' },
    ])
    expect(await describeSource(path, { ...options, repair: false })).to.deep.equal(report)
  })
})
