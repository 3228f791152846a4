// CSV, read by the parser csv-parse and loaded back as records.

import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'

import { csvSerializer } from '../../src/formats/csv.js'
import { serializeList } from '../../src/formats/serializer.js'
import { resourceNames } from '../../src/model/iris.js'
import type { RecordValues } from '../../src/model/record/values.js'
import { readCell } from '../../src/model/record/csv-cells.js'
import type { Field } from '../../src/model/resources.js'
import { parseFull } from '../../src/model/record/input.js'
import { agent, minimal } from '../examples.js'
import { staffFields } from '../http/catalogue.js'
import { anyRecordValues } from '../model/record-values.js'
import { expectGolden, pairOf, resources, resolvedRecord } from './fixtures.js'

const serializer = (name: (typeof resourceNames)[number]) =>
  csvSerializer(resources, resources[name])

const forStaff = (name: (typeof resourceNames)[number]) => {
  const one = serializer(name).forStaff
  if (!one) throw new Error('CSV has no fields for the staff')
  return one
}

const rowsOf = (csv: string): Record<string, string>[] =>
  parse(csv, { columns: true, record_delimiter: '\r\n' })

const rowOf = (csv: string): Record<string, string> => rowsOf(csv)[0] ?? {}

const listed = { count: 2, links: undefined }

describe('CSV', () => {
  for (const name of resourceNames) {
    it(`of ${name} is the text of the golden file`, () =>
      expectGolden(`${name}.csv`, serializeList(serializer(name), pairOf(name), listed)))

    it(`of ${name} gives back the values of every record`, () => {
      const resource = resources[name]
      fc.assert(
        fc.property(anyRecordValues(resources, name), (any) => {
          const values: RecordValues = { ...any, ...(name === 'agents' ? { public: true } : {}) }
          const record = { resource, values, lookup: () => undefined, forStaff: true } as const
          const row = rowOf(forStaff(name).record(record))
          const sent = resource.inputFields.flatMap((field): [string, unknown][] => {
            const value = readCell(field, row[field.name] ?? '')
            return value === undefined ? [] : [[field.name, value]]
          })
          const read = parseFull(resource, new Map(sent))
          expect(Object.fromEntries(read.errors)).to.deep.equal({})
          for (const field of resource.inputFields)
            expect(read.values[field.name] ?? emptyOf(field), field.name).to.deep.equal(
              asKept(field, values[field.name]),
            )
        }),
        { numRuns: 300 },
      )
    })

    it(`of ${name} has fields for the staff only where records come with these`, () => {
      const values = Object.fromEntries(staffFields(name).map((field) => [field, 'SECRET']))
      const record = resolvedRecord(name, minimal[name]('a', values))
      expect(Object.keys(rowOf(serializer(name).record(record)))).not.to.include.members(
        staffFields(name),
      )
      expect(forStaff(name).record(record)).not.to.include('SECRET')
      expect(rowOf(forStaff(name).record({ ...record, forStaff: true }))).to.include(values)
    })

    it(`of an empty list of ${name} has the header`, () => {
      const header = serializeList(serializer(name), [], { count: 0, links: undefined })
      const csv = serializer(name).record(pairOf(name)[0])
      expect(csv.startsWith(header)).to.equal(true)
      expect(header).to.match(/^[a-z_,]+\r\n$/)
    })
  }

  it('has the titles of referred records beside their identifiers, and the times last', () => {
    const columns = (name: 'zines' | 'holdings'): string[] =>
      Object.keys(rowOf(serializer(name).record(pairOf(name)[0])))
    expect(columns('zines').slice(6, 10)).to.deep.equal([
      'creator',
      'creator_names',
      'contributor',
      'contributor_names',
    ])
    expect(columns('zines').slice(-2)).to.deep.equal(['created_at', 'updated_at'])
    expect(columns('holdings').slice(0, 5)).to.deep.equal([
      'holding_id',
      'zine_id',
      'zine_title',
      'repository_id',
      'repository_name',
    ])
  })

  it('writes booleans as true and false, numbers as digits, and unset values as empty cells', () => {
    const given = { copy_count: 3, digital_available: false }
    const row = rowOf(serializer('holdings').record(resolvedRecord('holdings', given)))
    expect(row).to.include({ copy_count: '3', digital_available: 'false', condition: '' })
    const unset = { ...given, copy_count: null }
    expect(
      rowOf(serializer('holdings').record(resolvedRecord('holdings', unset))).copy_count,
    ).to.equal('')
  })

  // prettier-ignore
  const cells: readonly (readonly [values: readonly string[], cell: string])[] = [
    [[],                     ''],
    [['a'],                  'a'],
    [['a', 'b'],             'a|b'],
    [['a|b', 'c'],           'a\\|b|c'],
    [['a\\', '|'],           'a\\\\|\\|'],
    [['a\nb', 'c, "d"'],     'a\nb|c, "d"'],
  ]

  for (const [values, cell] of cells)
    it(`writes ${JSON.stringify(values)} as ${JSON.stringify(cell)} and reads it back`, () => {
      const row = rowOf(
        serializer('zines').record(resolvedRecord('zines', { public_notes: values })),
      )
      expect(row.public_notes).to.equal(cell)
      const field = resources.zines.fields.find((one) => one.name === 'public_notes')
      expect((field && readCell(field, cell)) ?? []).to.deep.equal(values)
    })

  it('leaves out the private fields of an agent that is not public', () => {
    const secret = { public: false, legal_name: 'Real Name', email: 'a@b.example', phone: '+1' }
    const row = rowOf(serializer('agents').record(resolvedRecord('agents', secret)))
    expect(row).to.include({ public: 'false', legal_name: '', email: '', phone: '' })
  })

  // prettier-ignore
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']

  for (const formula of formulas)
    it(`has an apostrophe before ${JSON.stringify(formula)} only with the formula guard`, () => {
      const shown = resolvedRecord('zines', { abstract: formula, title: 'a=1' })
      expect(rowOf(serializer('zines').record(shown)).abstract).to.equal(formula)
      const guarded = rowOf(serializer('zines').formulaSafe?.record(shown) ?? '')
      expect(guarded).to.include({ abstract: `'${formula}`, title: 'a=1' })
    })

  it('with the formula guard has an apostrophe before the titles of referred records too', () => {
    const agents = [agent('x', { display_name: '=HYPERLINK("evil")' })]
    const shown = resolvedRecord('zines', { creator: ['x'] }, { agents })
    const row = rowOf(serializer('zines').formulaSafe?.record(shown) ?? '')
    expect(row.creator_names).to.equal(`'=HYPERLINK("evil")`)
  })
})

const emptyOf = (field: Field): unknown =>
  field.repeatable ? [] : field.kind === 'integer' ? null : ''

/**
 * The value after parsing: arrays of references and codes have each value once, and a blank text becomes
 * the field's default.
 */
const asKept = (field: Field, value: unknown): unknown =>
  value === '' && typeof field.defaultValue === 'string'
    ? field.defaultValue
    : Array.isArray(value) && ['code', 'reference'].includes(field.kind)
      ? [...new Set(value)]
      : value
