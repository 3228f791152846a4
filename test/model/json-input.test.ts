import { expect } from 'chai'
import fc from 'fast-check'

import {
  JsonNumber,
  parseJsonInput,
  stringifyJsonInput,
} from '../../src/model/record/json-input.js'

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/)

const anyMember = fc.oneof(
  digits,
  fc.json({ maxDepth: 2 }),
  fc
    .array(
      fc.oneof(
        digits,
        fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
      ),
    )
    .map((items) => `[ ${items.join(' , ')} ]`),
)

describe('JSON of records', () => {
  it('has its numbers as they were written, and else the values of JSON.parse', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), anyMember)), (members) => {
        const json = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
        const expected = Object.entries(JSON.parse(json) as object)
        const input = parseJsonInput(json) as Record<string, unknown>
        expect(Object.entries(input).map(([name, value]) => [name, toPlain(value)])).to.deep.equal(
          expected,
        )
        const texts = new Map(members)
        for (const [name, value] of Object.entries(input))
          if (value instanceof JsonNumber) expect(value.text).to.equal(texts.get(name)?.trim())
        const written = stringifyJsonInput(input)
        expect(Object.entries(JSON.parse(written) as object)).to.deep.equal(expected)
        expect(stringifyJsonInput(parseJsonInput(written) as object)).to.equal(written)
      }),
    )
  })

  it('keeps the digits of numbers in the objects of an object', () => {
    const json = '{"fields":{"barcode":31786102345678901,"pages":[1.50]}}'
    const { fields } = parseJsonInput(json) as { fields: Record<string, unknown> }
    expect((fields.barcode as JsonNumber).text).to.equal('31786102345678901')
    expect(stringifyJsonInput({ fields })).to.equal(json)
  })

  it('of a megabyte of brackets is parsed like any other', () => {
    const depth = 200_000
    expect(() =>
      parseJsonInput(`{"a": 1, "b": ${'['.repeat(depth)}1${']'.repeat(depth)}}`),
    ).not.to.throw(RangeError)
  })
})

function toPlain(value: unknown): unknown {
  if (value instanceof JsonNumber) return value.value
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toPlain(one)]))
}
