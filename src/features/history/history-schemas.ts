// The schemas, and the request and response bodies, of the history of records (docs/api.md,
// "History").

import type { Resource, Resources } from '../../model/resources.js'
import { type Schema, refer } from '../../http/openapi/document.js'
import { inQuery, sharedParameter } from '../../http/openapi/parameters.js'
import type { PayloadsByMethod } from '../../http/openapi/payload-types.js'
import { schemaNames } from '../../http/openapi/record-schemas.js'
import { objectSchema, pageSchema } from '../../http/openapi/reference-schemas.js'

const text: Schema = { type: 'string' }
const optionalText: Schema = { ...text, nullable: true }
const time: Schema = { ...text, format: 'date-time' }

/** A value of any field: a text, a number, a boolean, a list of texts, or null. */
const fieldValue: Schema = {
  oneOf: [
    { type: 'string', nullable: true },
    { type: 'integer' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string' } },
  ],
}

export const historySchemas: Readonly<Record<string, Schema>> = {
  FieldChange: objectSchema(
    { before: fieldValue, after: fieldValue },
    'The value of a field before and after a change; null where the record did not exist.',
  ),
  RecordVersion: objectSchema(
    {
      version: { type: 'integer', minimum: 1 },
      at: time,
      account: { ...optionalText, description: 'Who made the change, where an account was used.' },
      how: { ...optionalText, description: 'How the change came, such as `api` or `page`.' },
      batch: { ...optionalText, description: 'The batch that the change belongs to.' },
      change: {
        ...optionalText,
        description:
          '`created`, `updated`, `deleted` or `merged`; null for the version at which the history begins.',
      },
      changes: {
        type: 'object',
        additionalProperties: { $ref: '#/components/schemas/FieldChange' },
        description: 'The fields that the change wrote, by their names.',
      },
      redacted: {
        type: 'array',
        items: text,
        description: 'The fields of which a value was removed for good.',
      },
    },
    'A version of a record, and the change that made it.',
  ),
  PaginatedRecordVersionList: pageSchema('RecordVersion'),
  DeletedRecord: objectSchema(
    {
      kind: text,
      id: text,
      title: text,
      version: {
        type: 'integer',
        nullable: true,
        description: 'The version that the deletion made.',
      },
      at: { ...time, nullable: true },
      account: optionalText,
      how: optionalText,
    },
    'A record that was deleted and does not exist now.',
  ),
  PaginatedDeletedRecordList: pageSchema('DeletedRecord'),
  RestoreRequest: {
    type: 'object',
    properties: {
      private: {
        type: 'boolean',
        default: false,
        description:
          'Whether private fields, and whether the record is public, are taken back too.',
      },
    },
  },
  RedactRequest: {
    type: 'object',
    properties: {
      field: { ...text, description: 'The field that has the value, or had it once.' },
      value: { ...text, description: 'The value that is removed.' },
      past: { type: 'boolean', description: 'With `true`, all earlier versions are removed.' },
    },
  },
}

/** Not the schema of a present record: what a version referred to may not exist any more. */
const formerRecord: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'The record as GET showed it then, with its private fields.',
}

const schema = (name: string): Schema => refer('schemas', name)

const pageParameters = [sharedParameter('Page'), sharedParameter('PageSize')]

export const historyPayloads = (resources: Resources): PayloadsByMethod => [
  ...Object.values(resources).flatMap(payloadsOf),
  [
    'GET',
    '/api/deleted/',
    {
      response: schema('PaginatedDeletedRecordList'),
      errors: [400],
      parameters: [
        inQuery('kind', 'Only records of this kind.', {
          type: 'string',
          enum: Object.keys(resources),
        }),
        ...pageParameters,
      ],
      paged: true,
    },
  ],
]

function payloadsOf(resource: Resource): PayloadsByMethod {
  const record = `/api/${resource.name}/:id/`
  const response = schema(schemaNames(resource).detail)
  const change = {
    request: schema('RestoreRequest'),
    isRequestOptional: true,
    response,
    errors: [409],
    mayRemove: true,
  } as const
  return [
    [
      'GET',
      `${record}history/`,
      { response: schema('PaginatedRecordVersionList'), parameters: pageParameters, paged: true },
    ],
    ['GET', `${record}history/:version/`, { response: formerRecord }],
    ['POST', `${record}history/:version/restore/`, change],
    ['POST', `${record}history/:version/undo/`, change],
    [
      'POST',
      `${record}redact/`,
      { request: schema('RedactRequest'), done: 'The value is removed for good.' },
    ],
  ]
}
