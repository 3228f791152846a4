// CSL-JSON: what every field becomes, and the rules of the schema of CSL 1.0.2 (csl-data.json), of which this
// test has those that concern us.

import Ajv from 'ajv'
import { expect } from 'chai'

import { cslVariables } from '../../src/formats/csl-json.js'
import { agent, full, fullHolding, holding, repository, zine } from '../examples.js'
import { type Known, expectGolden, resolvedRecord, serialized, serializedList } from './fixtures.js'

/** Fields of a zine beside the required ones, and the variable that they give. */
type Example = readonly [fields: object, name: string, value: unknown, known?: Known]

// prettier-ignore
const examples: readonly Example[] = [
  [{}, 'id', 'z'],
  [{}, 'type', 'book'],
  [{}, 'genre', 'Zine'],
  [{ title: 'A "B"' }, 'title', 'A "B"'],
  [{ series_title: ['One', 'Two'] }, 'collection-title', 'One; Two'],
  [{ issue_designation: 'no. 24' }, 'issue', 'no. 24'],
  [{ edition_statement: ['2nd printing'] }, 'edition', '2nd printing'],
  [{}, 'author', [{ family: 'Crabb', given: 'Cindy' }]],
  [{}, 'author', [{ family: 'King', given: 'Martin', suffix: 'Jr.' }], { agents: [agent('maker', { sort_name: 'King, Martin, Jr.' })] }],
  [{ creator: ['press', 'deleted'] }, 'author', [{ literal: 'The Paper Tigers' }, { literal: 'name withheld' }]],
  [{ contributor: ['ed'] }, 'editor', [{ literal: 'Jo' }], { agents: [agent('ed', { roles: ['editor'], display_name: 'Jo' })] }],
  [{ publisher: ['press'] }, 'publisher', 'The Paper Tigers'],
  [{ place_of_publication: ['Leeds', 'Łódź'] }, 'publisher-place', 'Leeds; Łódź'],
  [{}, 'issued', { 'date-parts': [[1994]] }],
  [{ date: ['2007-05-31'] }, 'issued', { 'date-parts': [[2007, 5, 31]] }],
  [{ date: ['circa 2007'] }, 'issued', { 'date-parts': [[2007]], circa: true }],
  [{ date: ['Summer 1994'] }, 'issued', { 'date-parts': [[1994]], season: 2 }],
  [{ date: ['1994-1996'] }, 'issued', { 'date-parts': [[1994], [1996]] }],
  [{ date: ['[between 1990 and 1995?]'] }, 'issued', { 'date-parts': [[1990], [1995]], circa: true }],
  [{ date: ['1990s'] }, 'issued', { literal: '1990s' }],
  [{ date: ['1985-'] }, 'issued', { literal: '1985-' }],
  [{ date: ['Fall 2002 - Spring 2003'] }, 'issued', { literal: 'Fall 2002 - Spring 2003' }],
  [{ date: ['2001-34'] }, 'issued', { literal: '2001-34' }],
  [{ date: ['undated'] }, 'issued', undefined],
  [{ date: ['[s.d.]'] }, 'issued', undefined],
  [{ date: ['sin fecha'] }, 'issued', undefined],
  [{ date: ['soon'] }, 'issued', { literal: 'soon' }],
  [{ date: [] }, 'issued', undefined],
  [{ number_of_pages: 'unpaged' }, 'number-of-pages', 'unpaged'],
  [{ physical_dimensions: '14 cm' }, 'dimensions', '14 cm'],
  [{ language: ['es', 'en'] }, 'language', 'es'],
  [{ identifier: ['ISBN 0-306-40615-2'] }, 'ISBN', '0306406152'],
  [{ identifier: ['ISSN 1234-5679'] }, 'ISSN', '1234-5679'],
  [{ identifier: ['doi:10.1000/182'] }, 'DOI', '10.1000/182'],
  [{}, 'URL', 'https://zines.example/id/zines/z'],
  [{}, 'keyword', 'Punk, Perzine'],
  [{ abstract: 'One.\nTwo.' }, 'abstract', 'One.\nTwo.'],
  [{ table_of_contents: '1\n2' }, 'annote', '1\n2'],
  [{ public_notes: ['Signed.'], date: ['1994', '1995'] }, 'note', 'Date: 1995\nSigned.'],
]

const itemOf = (text: string): Record<string, unknown> => {
  const items = JSON.parse(text) as Record<string, unknown>[]
  expect(items).to.have.length(1)
  return items[0] ?? {}
}

const strings = Object.fromEntries(
  'id genre title collection-title issue edition publisher publisher-place number-of-pages dimensions language ISBN ISSN DOI URL keyword abstract annote note archive archive_location call-number'
    .split(' ')
    .map((name) => [name, { type: 'string', minLength: 1 }]),
)
const names = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: Object.fromEntries(
      ['family', 'given', 'suffix', 'literal'].map((name) => [name, { type: 'string' }]),
    ),
    minProperties: 1,
    additionalProperties: false,
  },
}
const parts = { type: 'array', minItems: 1, maxItems: 3, items: { type: 'number' } }
const dates = {
  type: 'object',
  properties: {
    'date-parts': { type: 'array', minItems: 1, maxItems: 2, items: parts },
    season: { type: 'number' },
    circa: { type: 'boolean' },
    literal: { type: 'string' },
  },
  minProperties: 1,
  additionalProperties: false,
}
const isValid = new Ajv.default().compile({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      ...strings,
      type: { const: 'book' },
      author: names,
      editor: names,
      issued: dates,
    },
    required: ['type', 'id'],
    additionalProperties: false,
  },
})

describe('CSL-JSON of a zine', () => {
  for (const [fields, name, value, known] of examples)
    it(`has ${name} ${JSON.stringify(value) || '(none)'} from ${JSON.stringify(fields)}`, () => {
      const text = serialized('zines', 'csljson', zine('z', fields), known)
      expect(itemOf(text)[name]).to.deep.equal(value)
    })

  it('has an example of every variable in this test', () => {
    const shown = examples.map(([, name]) => name)
    expect(
      cslVariables.map(([name]) => name).filter((name) => !shown.includes(name)),
    ).to.deep.equal([])
  })
})

describe('CSL-JSON', () => {
  const zines = [resolvedRecord('zines', full.zines('full')), resolvedRecord('zines', zine('z'))]

  it('of full records is that of the golden files, and valid', () => {
    const list = serializedList('csljson', zines)
    const holdings = serialized('holdings', 'csljson', fullHolding('h'))
    expectGolden('zines.csl.json', list)
    expectGolden('holdings.csl.json', holdings)
    for (const text of [list, holdings, serializedList('csljson', [])])
      expect(isValid(JSON.parse(text)), JSON.stringify(isValid.errors)).to.equal(true)
  })

  it('of all the examples is valid', () => {
    const records = examples.map(([fields, , , known]) =>
      resolvedRecord('zines', zine('z', fields), known),
    )
    const items: unknown = JSON.parse(serializedList('csljson', records))
    expect(isValid(items), JSON.stringify(isValid.errors)).to.equal(true)
  })

  it('of a holding has the library, the place and the call number', () => {
    const known = { repositories: [repository('library', { repository_name: 'The Cellar' })] }
    const record = holding('h', { call_number: 'Z 1', location: 'Room 2', notes: ['Signed copy.'] })
    expect(itemOf(serialized('holdings', 'csljson', record, known))).to.include({
      id: 'h',
      title: 'Zine zine',
      URL: 'https://zines.example/id/holdings/h',
      archive: 'The Cellar',
      archive_location: 'Room 2',
      'call-number': 'Z 1',
      note: 'Signed copy.',
    })
  })
})
