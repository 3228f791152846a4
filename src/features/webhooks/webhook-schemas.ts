// The schemas of webhooks, and their bodies by method and path.

import { resourceNames } from '../../model/iris.js'
import { type Schema, refer } from '../../http/openapi/document.js'
import { sharedParameter } from '../../http/openapi/parameters.js'
import type { PayloadsByMethod } from '../../http/openapi/payload-types.js'
import { objectSchema, pageSchema } from '../../http/openapi/reference-schemas.js'

const text: Schema = { type: 'string' }
const time: Schema = { ...text, format: 'date-time' }
const url: Schema = { ...text, format: 'uri', description: 'Where the changes are sent.' }
const kind: Schema = {
  ...text,
  enum: resourceNames,
  nullable: true,
  description: 'Only changes of these records are sent; null for all.',
}
const since: Schema = {
  type: 'integer',
  minimum: 0,
  description: 'The number of the change after which it goes on.',
}

const webhook = {
  id: { ...text, format: 'uuid' },
  account: text,
  url,
  kind,
  created_at: time,
  since,
  state: { ...text, enum: ['active', 'disabled'] },
  reason: { ...text, nullable: true, description: 'Why the service disabled it.' },
  last_delivery: { ...time, nullable: true },
  failure: {
    ...objectSchema(
      {
        count: { type: 'integer', minimum: 1 },
        first: time,
        message: text,
        retry_at: { ...time, description: 'When it is tried again.' },
      },
      'What went wrong since the last delivery; null if nothing did.',
    ),
    nullable: true,
  },
}

export const webhookSchemas: Readonly<Record<string, Schema>> = {
  Webhook: objectSchema(webhook, 'An address to which the changes of records are sent.'),
  WebhookWrite: {
    type: 'object',
    properties: {
      url,
      kind,
      since: {
        ...since,
        description: 'The change after which it begins; the last one unless given.',
      },
      account: { ...text, description: 'Whose it is; only administrators may name another.' },
    },
    required: ['url'],
    description: 'A webhook to add.',
  },
  NewWebhook: objectSchema(
    {
      ...webhook,
      secret: {
        ...text,
        pattern: '^[0-9a-f]{64}$',
        readOnly: true,
        description: 'The key of the signatures of deliveries. It is shown this once.',
      },
    },
    'A webhook that was added.',
  ),
  PaginatedWebhookList: pageSchema('Webhook'),
}

const schema = (name: string): Schema => refer('schemas', name)

// prettier-ignore
export const webhookPayloads: PayloadsByMethod = [
  ['GET', '/api/webhooks/', { response: schema('PaginatedWebhookList'), parameters: [sharedParameter('Page'), sharedParameter('PageSize')], paged: true }],
  ['POST', '/api/webhooks/', { request: schema('WebhookWrite'), response: schema('NewWebhook'), creates: true, errors: [501] }],
  ['GET', '/api/webhooks/:webhook/', { response: schema('Webhook') }],
  ['POST', '/api/webhooks/:webhook/enable/', { response: schema('Webhook') }],
  ['POST', '/api/webhooks/:webhook/disable/', { response: schema('Webhook') }],
]
