// BibTeX: what every field becomes, citation keys, and hostile values read by other programs.

import { expect } from 'chai'

import { bibtexFields, citationKey } from '../../src/formats/bibtex.js'
import { agent, fullHolding, fullZine, holding, zine } from '../examples.js'
import {
  type Known,
  runProgram,
  expectGolden,
  serialized,
  serializedList,
  resolvedRecord,
  skip,
} from './fixtures.js'

/** Fields of a zine beside the required ones, and the line of BibTeX that they give. */
type Example = readonly [fields: object, line: string, known?: Known]

const agents = (...of: readonly object[]): Known => ({
  agents: of.map((fields, index) => agent(`a${index}`, fields)),
})

// prettier-ignore
const examples: readonly Example[] = [
  [{}, 'author = {Crabb, Cindy}'],
  [{ creator: ['helper', 'press'] }, 'author = {{teusday} and {The Paper Tigers}}'],
  [{ creator: ['a0'] }, 'author = {{Sex and Drugs}}', agents({ kind: 'Collective', display_name: 'Sex and Drugs' })],
  [{ creator: ['a0'] }, 'author = {King, Jr., Martin}', agents({ sort_name: 'King, Martin, Jr.' })],
  [{ creator: ['a0'] }, 'author = {{a, b, c, d}}', agents({ sort_name: 'a, b, c, d' })],
  [{ creator: ['a0'] }, 'author = {{Rock and, Roll}}', agents({ sort_name: 'Rock and, Roll' })],
  [{ creator: ['deleted', 'maker'] }, 'author = {{name withheld} and Crabb, Cindy}'],
  [{ publisher: ['deleted'] }, 'publisher = {name withheld}'],
  [{ contributor: ['deleted'] }, 'note = {With name withheld}'],
  [{ contributor: ['a0'] }, 'editor = {Doe, Ann}', agents({ sort_name: 'Doe, Ann', roles: ['editor'] })],
  [{ title: 'B & W: 100% #1' }, 'title = {{B \\& W: 100\\% \\#1}}'],
  [{ title: 'a\\b {c} ~ ^ _ $' }, 'title = {{a{\\textbackslash}b {\\textbraceleft}c{\\textbraceright} {\\textasciitilde} {\\textasciicircum} \\_ \\$}}'],
  [{ series_title: ['One', 'Two'] }, 'series = {One; Two}'],
  [{ issue_designation: 'no. 24' }, 'number = {no. 24}'],
  [{ edition_statement: ['2nd printing'] }, 'edition = {2nd printing}'],
  [{ publisher: ['press'] }, 'publisher = {The Paper Tigers}'],
  [{ publisher: ['a0', 'press'] }, 'publisher = {{Spit and a Half} and The Paper Tigers}', agents({ display_name: 'Spit and a Half' })],
  [{}, 'howpublished = {Self-published zine}'],
  [{ issue_designation: 'no. 24' }, 'howpublished = {Self-published zine, no. 24}'],
  [{ issue_designation: 'no. 24', publisher: ['press'] }, 'note = {Issue: no. 24}'],
  [{}, 'url = {https://zines.example/id/zines/z}'],
  [{ place_of_publication: ['Leeds', 'Łódź'] }, 'address = {Leeds and Łódź}'],
  [{ date: ['1994'] }, 'year = {1994}'],
  [{ date: ['circa 2007'] }, 'year = {circa 2007}'],
  [{ date: ['1990-1995'] }, 'year = {1990--1995}'],
  [{ date: ['11/23/1998'] }, 'year = {1998}'],
  [{ date: ['2007-05'] }, 'month = may'],
  [{ date: ['spring 2007'] }, 'month = {Spring}'],
  [{ date: ['2007-05-31'] }, 'date = {2007-05-31}'],
  [{ date: ['circa 2007'] }, 'date = {2007~}'],
  [{ date: ['1990-1995'] }, 'date = {1990/1995}'],
  [{ date: ['since 1990'] }, 'date = {1990/..}'],
  [{ date: ['1989 or 1990'] }, 'year = {1989 or 1990}'],
  [{}, 'type = {Zine}'],
  [{ number_of_pages: 'unpaged' }, 'pagetotal = {unpaged}'],
  [{ language: ['de', 'en'] }, 'language = {German; English}'],
  [{ language: ['de', 'en'] }, 'langid = {ngerman}'],
  [{ identifier: ['ISBN 0-306-40615-2'] }, 'isbn = {0306406152}'],
  [{ identifier: ['ISSN 1234-5679'] }, 'issn = {1234-5679}'],
  [{ identifier: ['doi:10.1000/a_b'] }, 'doi = {10.1000/a_b}'],
  [{ identifier: ['https://a.example/}{%20#x_y'] }, 'url = {https://a.example/%7D%7B%20#x_y}'],
  [{ subject: ['punk', 'zine-making'] }, 'keywords = {Punk, Zine making, Perzine}'],
  [{ abstract: 'One.\n\n@book{x,' }, 'abstract = {One. @book{\\textbraceleft}x,}'],
  [{ table_of_contents: 'Anger\n  Bread' }, 'annote = {Anger -- Bread}'],
  [{ public_notes: ['Signed.', 'Blue.'] }, 'note = {Signed. Blue.}'],
  [{ public_notes: ['Signed', 'Blue'] }, 'note = {Signed. Blue}'],
  [{ public_notes: ['Signed?', 'Blue!', 'Etc.'] }, 'note = {Signed? Blue! Etc.}'],
  [{ contributor: ['helper'] }, 'note = {With teusday}'],
  [{ date: ['undated'] }, 'note = {Date: undated}'],
  [{ date: ['2007', 'circa 2007'] }, 'note = {Date: circa 2007}'],
  [{ rights: ['copyleft'] }, 'copyright = {Copyleft}'],
  [{}, 'timestamp = {2026-11-21}'],
]

describe('BibTeX of a zine', () => {
  for (const [fields, line, known] of examples)
    it(`with ${JSON.stringify(fields)} has ${line.slice(0, 60)}`, () => {
      const entry = serialized('zines', 'bibtex', zine('z', fields), known)
      expect(entry.split('\n')).to.include(`  ${line},`)
    })

  it('has an example of every field in this test', () => {
    const shown = examples.map(([, line]) => line.split(' ')[0])
    const missing = bibtexFields.map(([name]) => name).filter((name) => !shown.includes(name))
    expect(missing).to.deep.equal([])
  })

  it('has no date that biblatex does not read', () => {
    for (const date of ['1989 or 1990', '2001-34', '2004-?06-11'])
      expect(serialized('zines', 'bibtex', zine('z', { date: [date] })), date).not.to.include(
        'date =',
      )
  })

  it('has no year when its date has none', () => {
    expect(serialized('zines', 'bibtex', zine('z', { date: ['undated'] }))).not.to.include('year =')
  })
})

describe('a citation key', () => {
  it('is the identifier where that is a valid key', () =>
    expect(citationKey('Z00052')).to.equal('Z00052'))

  it('is ASCII and the same every time', () => {
    expect(citationKey('Łódź, no. 1')).to.match(/^[A-Za-z0-9:_.-]+$/)
    expect(citationKey('日本'))
      .to.match(/^zine\.[0-9a-f]{10}$/)
      .and.to.equal(citationKey('日本'))
  })

  it('differs for different identifiers', () => {
    const ids = [
      'a b',
      'a-b',
      'a/b',
      'a  b',
      'a,b',
      'á b',
      '}@book{a b',
      '日本',
      '本日',
      citationKey('a b'),
    ]
    expect(new Set(ids.map(citationKey)).size).to.equal(ids.length)
  })
})

const full = [resolvedRecord('zines', fullZine('full')), resolvedRecord('zines', zine('z'))]

describe('BibTeX', () => {
  it('of zines is the text of the golden file', () =>
    expectGolden('zines.bib', serializedList('bibtex', full)))

  it('of a holding has its own key, library and call number, as in the golden file', () =>
    expectGolden('holdings.bib', serialized('holdings', 'bibtex', fullHolding('h'))))

  it('has @book for a zine with a publisher and @booklet for one without', () => {
    expect(serialized('zines', 'bibtex', zine('z', { publisher: ['press'] }))).to.match(
      /^@book\{z,/,
    )
    expect(serialized('holdings', 'bibtex', holding('h'))).to.match(/^@booklet\{h,/)
  })

  it('of an empty list is empty', () => expect(serializedList('bibtex', [])).to.equal(''))
})

// Texts that would end a field, begin an entry, run a command or comment out the rest.
const injections = [
  '}@book{x,',
  '}\n\n@book{x, title = {y}}',
  '"} , note = {x',
  '\\input{/etc/passwd}',
  '100% sure',
  '{{{{',
  '}}}}',
  'a\\',
  '\\}',
  '\u0001\u0000x'.replace('\u0000', ''),
  '\u{1f4a5}',
  'x'.repeat(500),
]

describe('BibTeX of hostile values', () => {
  const records = injections.map((value, index) =>
    resolvedRecord(
      'zines',
      zine(`z${index} ${value}`.slice(0, 200).replaceAll(/\p{Cc}/gu, ' '), {
        title: value,
        creator: ['a0'],
        abstract: `${value}\n${value} ${'Ten thousand characters. '.repeat(400)}`,
        identifier: [`https://a.example/${value.replaceAll(/\s/g, '')}`],
        date: [value.slice(0, 50)],
      }),
      agents({ display_name: value, sort_name: `${value}, ${value}`.slice(0, 500) }),
    ),
  )
  const bib = serializedList('bibtex', [...records, ...full])
  const count = records.length + full.length

  it('has braces that balance as BibTeX counts them', () => {
    let depth = 0
    for (const character of bib) {
      if (character === '{') depth += 1
      if (character === '}') depth -= 1
      expect(depth).to.be.at.least(0)
    }
    expect(depth).to.equal(0)
    expect(bib.match(/^@/gm)).to.have.length(count)
  })

  it('is read by bibtool without complaints', function () {
    const { stdout, stderr } = runProgram(this, 'bibtool', ['-i', './input.bib'], bib, 'input.bib')
    expect(stderr).to.equal('')
    expect(stdout.match(/^@/gm)).to.have.length(count)
  })

  it('is read by biber without errors', function () {
    const args = ['--tool', '--quiet', '--output-file', 'out.bib', 'input.bib']
    const { stdout } = runProgram(this, 'biber', args, bib, 'input.bib')
    expect(stdout).not.to.include('ERROR')
  })

  it('is read by bib2xml, entry by entry', function () {
    const { stdout } = runProgram(this, 'bib2xml', ['input.bib'], bib, 'input.bib')
    expect(stdout.match(/<mods /g)).to.have.length(count)
  })

  it('is read by @retorquere/bibtex-parser with the same titles', async function () {
    const entries = await read(bib)
    if (!entries) return skip(this, '@retorquere/bibtex-parser')
    expect(entries).to.have.length(count)
    expect(
      entries.slice(0, injections.length).map(({ fields }) => plain(fields.title)),
    ).to.deep.equal(injections.map(plain))
  })
})

// The parser is no dependency, since it is large (19 MB with its dependencies); the test runs where
// it is installed.
async function read(bib: string): Promise<readonly any[] | undefined> {
  try {
    const parser: any = await import(process.env.BIBTEX_PARSER ?? '@retorquere/bibtex-parser')
    return parser.parse(bib, { raw: false }).entries
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
