// What the OpenAPI document says of the reconciliation service. Its own schemas are those of the
// W3C community group; here is what its answers have in this catalogue.

import { entityTypes } from './entities.js'
import { reconciliationLimits } from './reconciliation-queries.js'
import { inQuery } from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'
import { refer } from '../../http/openapi/document.js'
import type { PayloadsByMethod } from '../../http/openapi/payload-types.js'

const text: Schema = { type: 'string' }
const schema = (name: string): Schema => refer('schemas', name)
const arrayOf = (items: Schema): Schema => ({ type: 'array', items })

const typeObject: Schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string', enum: [...entityTypes] }, name: text },
}

const named = (more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, ...more },
})

const listed = (name: string, items: Schema): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: arrayOf(items) },
})

const servicePath: Schema = {
  type: 'object',
  required: ['service_url', 'service_path'],
  properties: { service_url: text, service_path: text },
}

const candidate: Schema = {
  type: 'object',
  required: ['id', 'name', 'type', 'score', 'features', 'match'],
  properties: {
    id: { ...text, description: 'The type and the identifier, such as `agents/jackie-wang`.' },
    name: text,
    description: text,
    type: arrayOf(typeObject),
    score: { type: 'number', minimum: 0, maximum: 100 },
    features: arrayOf({
      type: 'object',
      required: ['id', 'value'],
      properties: { id: text, value: { oneOf: [{ type: 'number' }, { type: 'boolean' }] } },
    }),
    match: { type: 'boolean', description: 'Whether it is certain enough to be taken.' },
  },
}

const cell: Schema = {
  type: 'object',
  description: 'One of a text, a number, a time, or an entity with `id` and `name`.',
  properties: {
    id: text,
    name: text,
    str: text,
    int: { type: 'integer' },
    float: { type: 'number' },
    date: text,
  },
}

export const reconciliationSchemas: Readonly<Record<string, Schema>> = {
  ReconciliationManifest: {
    type: 'object',
    description: 'What the service can do, and where.',
    required: ['versions', 'name', 'identifierSpace', 'schemaSpace'],
    properties: {
      versions: arrayOf(text),
      name: text,
      identifierSpace: text,
      schemaSpace: text,
      serviceVersion: text,
      documentation: text,
      defaultTypes: arrayOf(typeObject),
      view: { type: 'object', required: ['url'], properties: { url: text } },
      preview: {
        type: 'object',
        required: ['url', 'width', 'height'],
        properties: { url: text, width: { type: 'integer' }, height: { type: 'integer' } },
      },
      suggest: {
        type: 'object',
        properties: { entity: servicePath, property: servicePath, type: servicePath },
      },
      extend: {
        type: 'object',
        properties: { propose_properties: servicePath, property_settings: arrayOf({}) },
      },
    },
  },
  ReconciliationResult: listed('result', candidate),
  ReconciliationResultBatch: {
    type: 'object',
    description: 'The candidates of each query, by its key.',
    additionalProperties: schema('ReconciliationResult'),
  },
  ReconciliationExtension: {
    type: 'object',
    description: 'The values of properties of entities.',
    required: ['meta', 'rows'],
    properties: {
      meta: arrayOf(named({ type: typeObject })),
      rows: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: arrayOf(cell) },
      },
    },
  },
  ReconciliationSuggestions: listed(
    'result',
    named({ description: text, notable: arrayOf(typeObject) }),
  ),
  ReconciliationProperties: {
    type: 'object',
    required: ['properties'],
    properties: { type: text, limit: { type: 'integer' }, properties: arrayOf(named()) },
  },
}

const queriesText = `A batch of at most ${reconciliationLimits.queries} queries, as JSON.`
const extendText = 'A data extension query, as JSON.'

const prefixParameters = [
  inQuery('prefix', 'The beginning of a name.', text),
  inQuery('cursor', 'How many suggestions to skip.', { type: 'integer', minimum: 0 }),
]
const typeParameter = inQuery('type', 'Only for this type.', text)
const idParameter = inQuery('id', 'The identifier, such as `agents/jackie-wang`.', text)

const answers: Schema = {
  oneOf: [
    schema('ReconciliationManifest'),
    schema('ReconciliationResultBatch'),
    schema('ReconciliationResult'),
    schema('ReconciliationExtension'),
  ],
}

const suggested = schema('ReconciliationSuggestions')

// prettier-ignore
export const reconciliationPayloads: PayloadsByMethod = [
  ['GET', '/reconcile', { response: answers, errors: [400], parameters: [inQuery('queries', queriesText, text), inQuery('query', 'One name, or one query as JSON.', text), inQuery('extend', extendText, text)] }],
  ['POST', '/reconcile', { form: { type: 'object', properties: { queries: { ...text, description: queriesText }, query: text, extend: { ...text, description: extendText } } }, response: answers }],
  ['GET', '/reconcile/suggest/entity', { response: suggested, errors: [400], parameters: [...prefixParameters, typeParameter] }],
  ['GET', '/reconcile/suggest/property', { response: suggested, errors: [400], parameters: [...prefixParameters, typeParameter] }],
  ['GET', '/reconcile/suggest/type', { response: suggested, errors: [400], parameters: prefixParameters }],
  ['GET', '/reconcile/properties', { response: schema('ReconciliationProperties'), errors: [400], parameters: [typeParameter, inQuery('limit', 'The most properties.', { type: 'integer', minimum: 1 })] }],
  ['GET', '/reconcile/view', { redirects: true, errors: [400], parameters: [idParameter] }],
  ['GET', '/reconcile/preview', { errors: [400], parameters: [idParameter] }],
]
