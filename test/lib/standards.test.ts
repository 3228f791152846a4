import { readFileSync, readdirSync } from 'node:fs'

import { expect } from 'chai'

import { ExpectedError } from '../../src/errors.js'
import { parseTable, standardTable } from '../../src/lib/standards.js'

/** The columns that tell the rows of a table apart. */
const keys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'code-128': [['value'], ['widths']],
  eacc: [['code']],
  'html-entities': [['name'], ['unicode']],
  'marc-8': [['set', 'code']],
  'marc-countries': [['country']],
  'marc-divisions': [['name'], ['country', 'abbreviation']],
  relators: [['code'], ['term']],
}

describe('the tables of standards', () => {
  it('are the files of standards/', () => {
    const files = readdirSync('standards').filter((file) => file !== 'README.md')
    expect(files).to.have.members(Object.keys(keys).map((name) => `${name}.tsv`))
  })

  for (const [name, columnsOfKeys] of Object.entries(keys)) {
    const { comment, heading, rows } = readTable(name)

    it(`name the standard at the head of ${name}.tsv`, () => {
      expect(comment[0]).to.match(/^# \p{L}/u)
    })

    for (const columns of columnsOfKeys)
      it(`have each ${columns.join(' and ')} once in ${name}.tsv`, () => {
        const cells = columns.map((column) => heading.indexOf(column))
        expect(cells).not.to.include(-1)
        const all = rows.map((row) => cells.map((cell) => row[cell]))
        // A name or a code that a row does not have.
        const present = all.filter((key) => !key.includes('')).map((key) => key.join('\t'))
        expect(present.filter((key, index) => present.indexOf(key) !== index)).to.deep.equal([])
      })

    if (heading.includes('unicode'))
      it(`have only characters of Unicode in ${name}.tsv, which are not in private use`, () => {
        const column = heading.indexOf('unicode')
        const wrong = rows.filter((row) => {
          const character = String.fromCodePoint(parseInt(row[column] ?? '', 16))
          return /[\p{Cn}\p{Cs}\p{Co}\p{Cc}\uFFFD]/u.test(character)
        })
        expect(wrong).to.deep.equal([])
      })
  }

  it('have the patterns of Code 128 by their values, 11 modules wide, and 13 for the stop', () => {
    const { rows } = readTable('code-128')
    const sum = (widths: string | undefined) =>
      Array.from(widths ?? '', Number).reduce((total, width) => total + width, 0)
    expect(rows.map(([value, widths]) => [value, sum(widths)])).to.deep.equal(
      Array.from({ length: 107 }, (_, value) => [String(value), value === 106 ? 13 : 11]),
    )
  })
})

function readTable(name: string) {
  const lines = readFileSync(`standards/${name}.tsv`, 'utf8').split('\n').slice(0, -1)
  const comment = lines.filter((line) => line.startsWith('#'))
  const [heading = [], ...rows] = lines.slice(comment.length).map((line) => line.split('\t'))
  return { comment, heading, rows }
}

describe('reading a table of a standard', () => {
  const columns = { code: /^[a-z]{3}$/, term: /^[a-z ]*$/ }
  const parse = (text: string) => parseTable(text, 'standards/some.tsv', columns)

  it('gives the rows by the names of their columns, without lines of comment', () => {
    expect(parse('# As of 2024.\ncode\tterm\naut\tauthor\nxxx\t\n')).to.deep.equal([
      { code: 'aut', term: 'author' },
      { code: 'xxx', term: '' },
    ])
  })

  for (const [what, text, message] of [
    ['a heading that is missing', 'aut\tauthor\n', 'line 1: not the columns code, term'],
    ['a file with comment alone', '# As of 2024.\n', 'line 2: not the columns code, term'],
    ['columns in another order', '#\nterm\tcode\n', 'line 2: not the columns code, term'],
    ['a column too few', 'code\tterm\naut\n', 'line 2: 1 columns, not 2'],
    ['a column too many', 'code\tterm\naut\tauthor\t\n', 'line 2: 3 columns, not 2'],
    ['a value of another form', '#\ncode\tterm\nAUT\tauthor\n', 'line 3: not a code: AUT'],
  ] as const)
    it(`refuses ${what}, and names the line`, () => {
      expect(() => parse(text)).to.throw(ExpectedError, `standards/some.tsv, ${message}`)
    })

  it('is done once, when the table is first used', () => {
    let builds = 0
    const countries = standardTable(
      'marc-countries',
      { country: /^..$/, code: /^..+$/ },
      (rows) => [(builds += 1), rows.length] as const,
    )
    expect(builds).to.equal(0)
    expect(countries()).to.equal(countries())
    expect(countries()).to.deep.equal([1, 247])
  })

  it('names a file that is missing', () => {
    const table = standardTable('no-such-table', columns, (rows) => rows)
    expect(table).to.throw(ExpectedError, /standards\/no-such-table\.tsv cannot be read/)
  })
})
