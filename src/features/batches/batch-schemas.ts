// The schemas of batches: the lines that are sent, their results, and the batches that were
// written.

import type { BatchOperation } from '../../catalogue/writes/batches.js'
import { resourceNames } from '../../model/iris.js'
import type { Schema } from '../../http/schemas.js'
import { objectSchema, pageSchema } from '../../http/openapi/reference-schemas.js'

const text: Schema = { type: 'string' }
const kind: Schema = { ...text, enum: resourceNames, description: 'The list of the record.' }
const identifier: Schema = { ...text, format: 'uuid' }
const mode: Schema = { ...text, enum: ['all', 'each'] }

const lineProperties = {
  op: { ...text, enum: ['create', 'replace', 'change', 'remove'] satisfies BatchOperation[] },
  kind,
  id: {
    ...text,
    description: 'The identifier of the record; `create` may have it in the body only.',
  },
  body: { type: 'object', description: 'What the single request would send.' },
  if_match: { ...text, description: 'The ETag that the record must still have.' },
}

const texts: Schema = { type: 'array', items: text }

const fieldEdit: Schema = {
  type: 'object',
  properties: {
    add: { ...texts, description: 'Values that a list gets, unless it has them.' },
    remove: { ...texts, description: 'Values that a list loses.' },
    replace: {
      type: 'object',
      additionalProperties: text,
      description: 'New values of a list by the old ones.',
    },
    set: { description: 'The new value of the field.' },
    clear: { type: 'boolean', enum: [true] },
  },
  description:
    'What is done to one field: add, remove and replace in a list, or set or clear alone.',
}

const counts: Schema = { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } }

export const batchSchemas: Readonly<Record<string, Schema>> = {
  BatchLine: {
    type: 'object',
    properties: lineProperties,
    required: ['op', 'kind'],
    description: 'One line of a batch. A line may name what an earlier one makes.',
  },
  BatchEdit: {
    type: 'object',
    properties: {
      kind,
      query: {
        ...text,
        description: 'The query of a list, as in its address: filters and search. Or send `ids`.',
      },
      ids: { ...texts, maxItems: 10_000 },
      edit: { type: 'object', additionalProperties: fieldEdit },
    },
    required: ['kind', 'edit'],
    description: 'The same edit of many records.',
  },
  BatchResult: objectSchema(
    {
      id: { ...identifier, nullable: true, description: 'null if nothing was written.' },
      mode,
      dry_run: { type: 'boolean' },
      results: {
        type: 'array',
        items: objectSchema(
          {
            line: { type: 'integer', minimum: 1 },
            kind,
            id: text,
            status: { type: 'integer' },
            body: {
              type: 'object',
              nullable: true,
              description:
                'The record, the body of the error, or null for a record that was removed.',
            },
          },
          'What the single request would be answered.',
        ),
      },
    },
    'The results of the lines of a batch, in their order.',
  ),
  Batch: objectSchema(
    {
      id: identifier,
      at: { ...text, format: 'date-time' },
      account: { ...text, nullable: true },
      how: { ...text, description: 'How its changes came, such as `batch` or `undo`.' },
      mode,
      count: { type: 'integer', minimum: 1, description: 'How many records it changed.' },
      kinds: {
        type: 'object',
        additionalProperties: counts,
        description: 'How many records of each kind were created, updated and deleted.',
      },
      undoes: { ...identifier, nullable: true, description: 'The batch that it undid.' },
      undone_by: { ...identifier, nullable: true, description: 'The batch that undid it.' },
    },
    'A batch that was written.',
  ),
  BatchProgress: objectSchema(
    {
      id: identifier,
      at: { ...text, format: 'date-time', description: 'When it began.' },
      account: { ...text, nullable: true },
      progress: objectSchema(
        {
          done: { type: 'integer', minimum: 0, description: 'How many lines are checked.' },
          total: {
            type: 'integer',
            minimum: 0,
            description: 'How many there are; 0 until it begins.',
          },
        },
        'How far it is.',
      ),
    },
    'A batch that is being written.',
  ),
  PaginatedBatchList: pageSchema('Batch'),
  BatchUndo: {
    type: 'object',
    properties: {
      private: {
        type: 'boolean',
        description: 'Whether private fields, and which agents are public, are taken back too.',
      },
    },
    description: 'How a batch is undone.',
  },
}
