// What the community group's specification of the Reconciliation Service API 0.2 requires of answers, as schemas
// in our own words. Keys that it does not name are allowed where it allows them.

import { Ajv } from 'ajv'
import { expect } from 'chai'

const text = { type: 'string' }
const texts = (pattern: string) => ({ ...text, pattern })
const array = (items: object) => ({ type: 'array', items })
const object = (required: readonly string[], properties: object, more: object = {}) => ({
  type: 'object',
  required,
  properties,
  ...more,
})

const type = { oneOf: [object(['id'], { id: text, name: text }), text] }
const address = object([], { service_url: text, service_path: text })
const suggestion = { id: text, name: text, description: text }

const cell = {
  oneOf: [
    object(['id', 'name'], suggestion),
    object(['str'], { str: text }),
    object(['int'], { int: { type: 'integer' } }),
    object(['float'], { float: { type: 'number' } }),
    object(['date'], {
      date: texts(String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$`),
    }),
    { type: 'object', maxProperties: 0 },
  ].map((one) => ({ ...one, additionalProperties: false })),
}

const candidate = object(['id', 'name', 'score'], {
  id: text,
  name: text,
  description: text,
  score: { type: 'number' },
  match: { type: 'boolean' },
  type: array(type),
  features: array(object([], { id: text, value: { type: ['boolean', 'number'] } })),
})

const withId = texts(String.raw`\{\{id\}\}`)

const schemas = {
  manifest: object(['versions', 'name', 'identifierSpace', 'schemaSpace'], {
    versions: { ...array(text), contains: { const: '0.2' } },
    name: text,
    identifierSpace: text,
    schemaSpace: text,
    documentation: text,
    serviceVersion: text,
    defaultTypes: { ...array(object(['id', 'name'], { id: text, name: text })), uniqueItems: true },
    view: object(['url'], { url: withId }),
    preview: object(['url', 'width', 'height'], {
      url: withId,
      width: { type: 'integer' },
      height: { type: 'integer' },
    }),
    suggest: object([], { entity: address, property: address, type: address }),
    extend: object([], { propose_properties: address, property_settings: { type: 'array' } }),
  }),
  results: {
    type: 'object',
    additionalProperties: object(['result'], { result: array(candidate) }),
  },
  entities: object(['result'], {
    result: array(object(['id', 'name'], { ...suggestion, notable: array(type) })),
  }),
  properties: object(['result'], { result: array(object(['id', 'name'], suggestion)) }),
  types: object(['result'], { result: array(object(['id', 'name'], suggestion)) }),
  proposals: object(['properties'], {
    properties: array(object(['id', 'name'], { id: text, name: text })),
    type: text,
  }),
  extension: object(['meta', 'rows'], {
    meta: array(
      object(['id', 'name'], {
        id: text,
        name: text,
        type: object(['id'], { id: text, name: text }),
      }),
    ),
    rows: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: array(cell) },
    },
  }),
} as const

const ajv = new Ajv({ strict: false, allErrors: true })

/** Fails unless an answer has the form that the specification gives it. */
export function expectForm(name: keyof typeof schemas, value: unknown): void {
  const validate = ajv.compile(schemas[name])
  expect(validate(value) ? [] : validate.errors, JSON.stringify(value).slice(0, 500)).to.be.empty
}
