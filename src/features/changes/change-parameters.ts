// The parameters of the list of changes, and the schemas of its pages.

import { resourceNames } from '../../model/iris.js'
import { changeLimits, maxWaitSeconds } from './changes-api.js'
import { inQuery, type Parameter } from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'
import { refer } from '../../http/openapi/document.js'

export const changeParameters: readonly Parameter[] = [
  inQuery(
    'since',
    'Only changes after the one with this number; 0 for all of them. Beyond the end of the log, and for anything but a number: 400.',
    { type: 'integer', minimum: 0, default: 0 },
  ),
  inQuery('log', 'The name of the log that `since` is a number of; 409 if it is not this one.', {
    type: 'string',
  }),
  inQuery('kind', 'Only changes of these records.', { type: 'string', enum: [...resourceNames] }),
  inQuery(
    'limit',
    `How many changes a page has, at most ${changeLimits.max}: a larger number is taken as ${changeLimits.max}, and anything but a number from 1 as ${changeLimits.default}.`,
    { type: 'integer', minimum: 1, maximum: changeLimits.max, default: changeLimits.default },
  ),
  inQuery(
    'wait',
    `How many seconds to wait for a change where there is none yet, at most ${maxWaitSeconds}.`,
    { type: 'integer', minimum: 0, maximum: maxWaitSeconds, default: 0 },
  ),
]

const url: Schema = { type: 'string', format: 'uri' }

export const changeSchemas: Readonly<Record<string, Schema>> = {
  ChangePage: {
    type: 'object',
    description: 'A page of the changes of all records.',
    properties: {
      log: {
        type: 'string',
        description: 'The name of the log: a restored backup begins a new one.',
      },
      next: {
        ...url,
        description:
          'The page after this one. It is the address that was asked for once there is nothing more.',
      },
      results: { type: 'array', items: refer('schemas', 'Change') },
    },
    required: ['log', 'next', 'results'],
  },
  Change: {
    type: 'object',
    description:
      'A change of one record. A record is not listed when only what it shows of another record changed, such as a name.',
    properties: {
      sequence: {
        type: 'integer',
        minimum: 1,
        description: 'The number of the change, counted over all kinds without gaps.',
      },
      at: { type: 'string', format: 'date-time' },
      kind: { type: 'string', enum: [...resourceNames] },
      id: { type: 'string', description: 'The identifier of the record.' },
      change: { type: 'string', enum: ['created', 'updated', 'deleted', 'merged'] },
      into: {
        type: 'string',
        description: 'The identifier of the record that it was merged into.',
      },
      url: { ...url, description: 'The address of the record.' },
    },
    required: ['sequence', 'at', 'kind', 'id', 'change', 'url'],
  },
}
