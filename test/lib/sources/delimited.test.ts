import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { RowSplitter } from '../../../src/lib/sources/tables/delimited.js'
import { recognize, rowsOfText, textsOf, writeSource } from './files.js'

const delimiters = [',', ';', '\t', '|']
const lineEnds = { 'CR LF': '\r\n', LF: '\n', CR: '\r' }

describe('a table in a text file', () => {
  for (const delimiter of delimiters)
    for (const [name, lineEnd] of Object.entries(lineEnds))
      it(`is read with ${JSON.stringify(delimiter)} between cells and ${name} between rows`, async () => {
        const cells = [
          ['title', 'notes', 'year'],
          ['"Doris"', '"two\r\nlines, ""quoted""; a | b"', '1999'],
          ['Mermaid', '', '2001'],
        ]
        const path = await writeSource('txt', cells.map((row) => row.join(delimiter)).join(lineEnd))
        const { options, description, columns } = await recognize(path)
        expect(options.delimiter).to.equal(delimiter)
        expect(description).to.contain(`line ends ${name}`)
        expect(columns).to.deep.equal(['title', 'notes', 'year'])
        const rows = await rowsOfText('txt', cells.map((row) => row.join(delimiter)).join(lineEnd))
        expect(rows.map(textsOf)).to.deep.equal([
          { title: 'Doris', notes: 'two\r\nlines, "quoted"; a | b', year: '1999' },
          { title: 'Mermaid', year: '2001' },
        ])
      })

  it('loses one row where a quotation mark is missing', async () => {
    const long = Array.from(
      { length: 30_000 },
      (_, index) => `row ${index},some text of this row\n`,
    )
    const rows = await rowsOfText('csv', `title,notes\na,b\nc,"never closed\n${long.join('')}`)
    expect(rows.length).to.equal(30_002)
    expect(rows[1]).to.deep.include({
      number: 2,
      problem: 'A quotation mark is missing: the cell that it begins does not end.',
    })
    expect(textsOf(rows.at(-1))).to.deep.equal({
      title: 'row 29999',
      notes: 'some text of this row',
    })
  })

  it('goes on after a quotation mark that is missing in the last rows', async () => {
    const rows = await rowsOfText('csv', 'title,notes\na,"b\nc,d\ne,f\n')
    expect(rows.map(({ problem }) => problem !== undefined)).to.deep.equal([true, false, false])
    expect(rows.slice(1).map(textsOf)).to.deep.equal([
      { title: 'c', notes: 'd' },
      { title: 'e', notes: 'f' },
    ])
  })

  it('may have quotation marks inside of cells', async () => {
    const rows = await rowsOfText('csv', 'title,notes\nThe "real" thing,"a" b\n5" record,c\n')
    expect(rows.map(textsOf)).to.deep.equal([
      { title: 'The "real" thing', notes: '"a" b' },
      { title: '5" record', notes: 'c' },
    ])
  })

  it('reports rows with more cells than columns, and remarks on those with fewer', async () => {
    const rows = await rowsOfText('csv', 'a,b,c\n1,2,3\n1,2\n1,2,3,4\n1,2,3,,\n')
    expect(rows.map(({ problem }) => problem)).to.deep.equal([
      undefined,
      undefined,
      'The row has 4 cells, but the table has 3 columns.',
      undefined,
    ])
    expect(rows[1]?.remarks).to.deep.equal([
      { kind: 'cells', field: '', message: 'The row has 2 cells, but the table has 3 columns.' },
    ])
  })

  it('tells columns of one name apart, and names those without one', async () => {
    const path = await writeSource('csv', 'keyword,keyword,,keyword\na,b,c,d\n')
    expect((await recognize(path)).columns).to.deep.equal([
      'keyword',
      'keyword (2)',
      'Column 3',
      'keyword (3)',
    ])
  })

  it('begins after lines that stand above it', async () => {
    const content = 'Zines of our library\n\ntitle,maker,year,notes\nDoris,Cindy,1999,good\n'
    const path = await writeSource('csv', content)
    expect((await recognize(path)).options.skipRows).to.equal(1)
    expect((await rowsOfText('csv', content)).map(textsOf)).to.deep.equal([
      { title: 'Doris', maker: 'Cindy', year: '1999', notes: 'good' },
    ])
  })

  it('may begin with the line in which Excel names the delimiter', async () => {
    const rows = await rowsOfText('csv', 'sep=;\r\ntitle;year\r\nDoris;1999\r\n')
    expect(rows.map(textsOf)).to.deep.equal([{ title: 'Doris', year: '1999' }])
  })

  it('may have numbers as formulas, which Excel keeps as they are', async () => {
    const rows = await rowsOfText('csv', 'isbn,x\n"=""0439""",="01"\n')
    expect(rows.map(textsOf)).to.deep.equal([{ isbn: '0439', x: '01' }])
  })

  it('has no value where a spreadsheet program had an error, and says so', async () => {
    const [row] = await rowsOfText('csv', 'Title,Maker,Year\nDoris,#REF!,#N/A\n')
    expect(textsOf(row)).to.deep.equal({ Title: 'Doris' })
    expect(row?.remarks.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal([
      'Maker: The cell has the error #REF! in place of a value, and is left empty.',
      'Year: The cell has the error #N/A in place of a value, and is left empty.',
    ])
  })

  it('of LibraryThing has its headings without apostrophes', async () => {
    const headings = `'TITLE',"'AUTHOR (last, first)'",'ENTRY DATE','COLLECTIONS',"'TAGS'"`
    const path = await writeSource(
      'csv',
      `${headings}\rDoris,"Crabb, Cindy",12/19/08,x,"zines,personal"\r`,
    )
    const { columns, description } = await recognize(path)
    expect(columns).to.deep.equal([
      'TITLE',
      'AUTHOR (last, first)',
      'ENTRY DATE',
      'COLLECTIONS',
      'TAGS',
    ])
    expect(description).to.equal('LibraryThing export, separated by commas, UTF-8, line ends CR')
  })

  it('is refused if the file is no text', async () => {
    const path = await writeSource('csv', Buffer.from([1, 2, 0, 0, 0, 4, 0, 0, 5, 6, 0, 1]))
    const error = await recognize(path).catch((one: unknown) => one)
    expect(error).to.be.instanceOf(InvalidError)
  })

  it('keeps every character of a row that is cut', () => {
    const splitter = new RowSplitter(',', 5)
    const rows = [
      ...splitter.split('"abcdefghij'),
      ...splitter.split('klm\nx,y'),
      ...splitter.end(),
    ]
    expect(rows.map(({ text }) => text).join('')).to.equal('"abcdefghijklmx,y')
  })

  it('is split the same wherever its pieces end', () => {
    const text = 'a,"b ""c""\r\nd"\r\n"",x\r\ry,z"\n"q"\n'
    const expected = new RowSplitter(',').split(text)
    expect(expected.map((row) => row.text)).to.deep.equal([
      'a,"b ""c""\r\nd"',
      '"",x',
      '',
      'y,z"',
      '"q"',
    ])
    for (let size = 1; size < text.length; size += 1) {
      const splitter = new RowSplitter(',')
      const rows = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        splitter.split(text.slice(index * size, (index + 1) * size)),
      )
      expect([...rows.flat(), ...splitter.end()]).to.deep.equal(expected)
    }
  })

  it('has no cells of columns that name readers, and says so', async () => {
    const text =
      'Title\tLending_Patron\tBorrower\tLending Status\nDoris\tK. Reader\tK. Reader\tout\n'
    const { description } = await recognize(await writeSource('tsv', Buffer.from(text)))
    expect(description).to.contain('left out, since it names readers: Lending_Patron, Borrower')
    const [row] = await rowsOfText('tsv', Buffer.from(text))
    expect(textsOf(row)).to.deep.equal({ Title: 'Doris', 'Lending Status': 'out' })
  })
})
