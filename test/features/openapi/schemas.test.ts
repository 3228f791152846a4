// The schemas of endpoints: what they read, and what of them is in the OpenAPI document.

import { expect } from 'chai'

import { nameSchemas } from '../../../src/features/openapi/components.js'
import {
  boolean,
  choice,
  component,
  integer,
  listOf,
  nullable,
  object,
  partial,
  parseMembers,
  text,
  withoutNulls,
} from '../../../src/http/schemas.js'
import { ValidationError } from '../../../src/model/record/input.js'
import { parseJsonInput } from '../../../src/model/record/json-input.js'

describe('a schema of an object', () => {
  const schema = object({
    name: text({ minLength: 1 }),
    ...partial({ note: text(), since: integer(), public: boolean() }),
  })

  const parse = (json: string) =>
    parseMembers(schema, new Map(Object.entries(parseJsonInput(json) as object)))

  function messagesOf(json: string): object {
    try {
      parse(json)
    } catch (error) {
      if (error instanceof ValidationError) return Object.fromEntries(error.fieldErrors)
    }
    throw new Error(`${json} was accepted`)
  }

  it('reads the members that it has, and leaves out all others', () => {
    const json = '{"name":"Ada","note":" a ","since":7,"public":false,"more":1,"__proto__":{}}'
    expect(parse(json)).to.deep.equal({ name: 'Ada', note: ' a ', since: 7, public: false })
    expect(parse('{"name":"Ada"}')).to.deep.equal({ name: 'Ada' })
  })

  it('takes a number for a text as it was written', () => {
    expect(parse('{"name":31786102345678901}')).to.deep.equal({ name: '31786102345678901' })
  })

  it('refuses each member that is wrong, with all of them in one answer', () => {
    expect(messagesOf('{"note":[],"since":"7","public":"yes"}')).to.deep.equal({
      name: ['This field is required.'],
      note: ['Not a valid string.'],
      since: ['A valid integer is required.'],
      public: ['Must be a valid boolean.'],
    })
    expect(messagesOf('{"name":" "}')).to.deep.equal({ name: ['This field may not be blank.'] })
    expect(messagesOf('{"name":"a\\u0000"}')).to.deep.equal({
      name: ['Null characters are not allowed.'],
    })
    expect(messagesOf('{"name":null}')).to.deep.equal({ name: ['This field may not be null.'] })
  })

  it('takes null for nothing where a body is read without nulls', () => {
    const body = withoutNulls(
      new Map<string, unknown>([
        ['name', 'Ada'],
        ['since', null],
      ]),
    )
    expect(parseMembers(schema, body)).to.deep.equal({ name: 'Ada' })
  })

  it('names what is required, and nothing where nothing is', () => {
    expect(schema.required).to.deep.equal(['name'])
    expect(object(partial({ note: text() }))).not.to.have.property('required')
  })
})

describe('components of the OpenAPI document', () => {
  const size = component('Size', 'A size.', { unit: choice(['mm', 'in']) })
  const sizes = component('Sizes', 'Some sizes.', { all: listOf(size), best: nullable(text()) })
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  it('are named once, with references where they are used', () => {
    const { part, schemas } = nameSchemas({ one: size, other: [sizes, sizes] })
    expect(part).to.deep.equal({
      one: reference('Size'),
      other: [reference('Sizes'), reference('Sizes')],
    })
    expect(schemas).to.deep.equal({
      Size: {
        type: 'object',
        properties: { unit: { type: 'string', enum: ['mm', 'in'] } },
        required: ['unit'],
        description: 'A size.',
      },
      Sizes: {
        type: 'object',
        properties: {
          all: { type: 'array', items: reference('Size') },
          best: { type: 'string', nullable: true },
        },
        required: ['all', 'best'],
        description: 'Some sizes.',
      },
    })
  })

  it('are never two schemas of one name', () => {
    const other = component('Size', 'Another size.', { unit: text() })
    expect(() => nameSchemas([size, other])).to.throw('two schemas have the name Size')
  })
})
