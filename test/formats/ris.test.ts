// RIS: what every field becomes, and hostile values read by another program.

import { expect } from 'chai'

import { risFields } from '../../src/formats/ris.js'
import { agent, full, fullHolding, fullZine, holding, repository, zine } from '../examples.js'
import {
  type Known,
  expectGolden,
  resolvedRecord,
  runProgram,
  serialized,
  serializedList,
} from './fixtures.js'

/** Fields of a zine beside the required ones, and the line of RIS that they give. */
type Example = readonly [fields: object, line: string, known?: Known]

const base = 'https://zines.example'

// prettier-ignore
const examples: readonly Example[] = [
  [{}, 'TY  - BOOK'],
  [{}, 'ID  - z'],
  [{ title: 'A {B} \\ & C\nD' }, 'TI  - A {B} \\ & C D'],
  [{ series_title: ['One', 'Two'] }, 'T3  - Two'],
  [{ issue_designation: 'no. 24' }, 'IS  - no. 24'],
  [{}, 'AU  - Crabb, Cindy'],
  [{}, 'AU  - King, Martin Luther, Jr.', { agents: [agent('maker', { sort_name: 'King, Martin Luther, Jr.' })] }],
  [{ creator: ['press'] }, 'AU  - The Paper Tigers'],
  [{ creator: ['deleted'] }, 'AU  - name withheld'],
  [{ contributor: ['ed'] }, 'ED  - Doe, Jo', { agents: [agent('ed', { roles: ['editor'], sort_name: 'Doe, Jo' })] }],
  [{ edition_statement: ['2nd printing'] }, 'ET  - 2nd printing'],
  [{ publisher: ['press'] }, 'PB  - The Paper Tigers'],
  [{ place_of_publication: ['Łódź'] }, 'CY  - Łódź'],
  [{}, 'PY  - 1994'],
  [{ date: ['circa 2007'] }, 'PY  - 2007'],
  [{ date: ['2007-05-31'] }, 'DA  - 2007/05/31/'],
  [{ date: ['May 2007'] }, 'DA  - 2007/05//'],
  [{ date: ['Summer 1994'] }, 'DA  - 1994///Summer'],
  [{}, 'M3  - Zine'],
  [{ number_of_pages: '32' }, 'SP  - 32'],
  [{ language: ['es'] }, 'LA  - Spanish'],
  [{ identifier: ['ISBN 0-306-40615-2'] }, 'SN  - 0306406152'],
  [{ identifier: ['https://doi.org/10.1000/182'] }, 'DO  - 10.1000/182'],
  [{}, `UR  - ${base}/id/zines/z`],
  [{ identifier: ['https://archive.example/1'] }, 'UR  - https://archive.example/1'],
  [{}, 'KW  - Perzine'],
  [{ abstract: 'One.\n\nTwo.' }, 'AB  - One. Two.'],
  [{ public_notes: ['Signed.'] }, 'N1  - Signed.'],
  [{ contributor: ['helper'] }, 'N1  - With teusday'],
  [{ date: ['1990s'] }, 'N1  - Date: 1990s'],
  [{ table_of_contents: '1. Anger\n\n2. Bread' }, 'N1  - Contents: 1. Anger -- 2. Bread'],
]

const linesOf = (text: string): string[] => text.split('\r\n')

describe('RIS of a zine', () => {
  for (const [fields, line, known] of examples)
    it(`has ${line}`, () => {
      expect(linesOf(serialized('zines', 'ris', zine('z', fields), known))).to.include(line)
    })

  it('has an example of every tag in this test', () => {
    const shown = examples.map(([, line]) => line.slice(0, 2))
    expect(risFields.map(([tag]) => tag).filter((tag) => !shown.includes(tag))).to.deep.equal([])
  })

  for (const date of ['undated', '1990s', '1994-1996'])
    it(`has no year for ${date}`, () =>
      expect(serialized('zines', 'ris', zine('z', { date: [date] }))).not.to.match(/^(?:PY|DA)/m))

  it('begins with its type and ends with ER, on lines that end with CR LF', () => {
    const text = serialized('zines', 'ris', zine('z'))
    expect(text)
      .to.match(/^TY {2}- BOOK\r\n/)
      .and.to.match(/\r\nER {2}- \r\n$/)
    expect(text.replaceAll('\r\n', '')).not.to.match(/[\r\n]/)
  })
})

describe('RIS of a holding', () => {
  it('is the entry of its zine, with the library and the call number', () => {
    const record = holding('h', { call_number: 'Z 1', location: 'Room 2', notes: ['Signed copy.'] })
    const known = { repositories: [repository('library', { repository_name: 'The Cellar' })] }
    const lines = linesOf(serialized('holdings', 'ris', record, known))
    expect(lines[0]).to.equal('TY  - BOOK')
    expect(lines).to.include.members([
      'ID  - h',
      'TI  - Zine zine',
      `UR  - ${base}/id/holdings/h`,
      'AV  - The Cellar, Room 2, Z 1',
      'CN  - Z 1',
      'N1  - Signed copy.',
    ])
    expect(lines.filter((line) => /^(?:ID|UR)/.test(line))).to.have.length(2)
  })

  it('has the address of its scan', () =>
    expect(serialized('holdings', 'ris', fullHolding('h'))).to.include(
      'UR  - https://scans.example/doris/24.pdf\r\n',
    ))
})

describe('RIS', () => {
  const records = [
    resolvedRecord('zines', full.zines('full')),
    resolvedRecord(
      'zines',
      zine('hostile', {
        title: 'ER  - \r\nTY  - BOOK\u0085x',
        abstract: 'a\u2028TI  - b',
        creator: ['gone'],
      }),
    ),
  ]

  it('of full records is that of the golden files', () => {
    expectGolden('zines.ris', serializedList('ris', records))
    expectGolden('holdings.ris', serialized('holdings', 'ris', fullHolding('h')))
  })

  it('of an empty list is empty', () => expect(serializedList('ris', [])).to.equal(''))

  it('is read by ris2xml as the same number of records, with their titles', function () {
    const text = serializedList('ris', [...records, resolvedRecord('zines', fullZine('more'))])
    const { status, stdout } = runProgram(this, 'ris2xml', ['input.ris'], text, 'input.ris')
    expect(status).to.equal(0)
    expect(stdout.match(/<mods /g)).to.have.length(3)
    expect(stdout).to.include('<title>Doris — “the anti-depression” guide &amp; more</title>')
    expect(stdout).to.include('ER - TY - BOOK x')
    expect(stdout).to.include('<namePart type="family">Crabb</namePart>')
  })
})
