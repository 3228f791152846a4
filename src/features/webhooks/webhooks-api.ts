// The endpoints of webhooks: addresses to which the changes of records are sent
// (docs/reference/changes.md, "Webhooks"). The sending is left to features/webhooks/deliveries.ts.

import { InvalidError, NotFoundError } from '../../errors.js'
import type { Account, Accounts } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import { type NewWebhook, type Webhook, type Webhooks, webhookKinds } from './webhooks.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { pageOperation } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { readBody } from '../../http/request/body.js'
import { pageOfAll } from '../../http/request/pagination.js'
import { requireAccount } from '../../http/request/required-account.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'

type WebhookEndpointsDependencies = {
  readonly accounts: Accounts
  readonly webhooks: Webhooks
  /** Whether anything is sent. */
  readonly areWebhooksOn: boolean
}

const kind = schema.nullable(
  schema.text({
    enum: webhookKinds,
    description:
      'Only changes of these records are sent, or with `tasks` what waits for somebody; null for all changes.',
  }),
)

const webhook = {
  id: schema.uuid(),
  account: schema.text(),
  url: schema.url('Where the changes are sent.'),
  kind,
  created_at: schema.time(),
  since: schema.count('The number of the change after which it goes on.'),
  state: schema.choice(['active', 'disabled']),
  reason: schema.nullable(schema.text('Why the service disabled it.')),
  last_delivery: schema.nullable(schema.time()),
  failure: schema.nullable(
    schema.object(
      {
        count: schema.positive(),
        first: schema.time(),
        message: schema.text(),
        retry_at: schema.time('When it is tried again.'),
      },
      'What went wrong since the last delivery; null if nothing did.',
    ),
  ),
}

const webhookSchema = schema.component(
  'Webhook',
  'An address to which the changes of records are sent.',
  webhook,
)

const newWebhookSchema = schema.component('NewWebhook', 'A webhook that was added.', {
  ...webhook,
  secret: schema.text({
    pattern: '^[0-9a-f]{64}$',
    readOnly: true,
    description: 'The key of the signatures of deliveries. It is shown this once.',
  }),
})

const webhookToAddSchema = schema.component('WebhookWrite', 'A webhook to add.', {
  url: schema.url({ minLength: 1, description: 'Where the changes are sent.' }),
  ...schema.partial({
    kind,
    since: schema.count('The change after which it begins; the last one unless given.'),
    account: schema.text('Whose it is; only administrators may name another.'),
  }),
})

const common = { formats: [json], readsNeedRights: true } as const

export const webhookEndpoints = (dependencies: WebhookEndpointsDependencies): Endpoint[] => [
  webhooksEndpoint(dependencies),
  webhookEndpoint(dependencies),
  stateEndpoint(dependencies, 'enable'),
  stateEndpoint(dependencies, 'disable'),
]

const webhooksEndpoint = (dependencies: WebhookEndpointsDependencies): Endpoint => ({
  ...common,
  path: '/api/webhooks/',
  name: 'Webhooks',
  description:
    'Addresses to which the changes of records are sent, those of the account; administrators see all. ' +
    'The answer to POST has the secret with which deliveries are signed.',
  methods: {
    GET(ctx) {
      const visible = visibleWebhooks(dependencies, requireAccount(ctx))
      sendPrivately(ctx, pageOfAll(ctx, visible, toJson))
    },
    async POST(ctx) {
      if (!dependencies.areWebhooksOn) throw httpErrors.webhooksOff()
      const { webhooks } = dependencies
      const added = await webhooks.add(parseNew(dependencies, ctx, await readBody(ctx)))
      sendPrivately(ctx, { ...toJson(added), secret: webhooks.secretOf(added.id) })
      ctx.status = 201
      ctx.set('Location', `${requestOrigin(ctx)}/api/webhooks/${added.id}/`)
    },
  },
  operations: {
    GET: pageOperation(schema.page('PaginatedWebhookList', webhookSchema)),
    POST: { request: webhookToAddSchema, response: newWebhookSchema, creates: true, errors: [501] },
  },
})

const webhookEndpoint = (dependencies: WebhookEndpointsDependencies): Endpoint => ({
  ...common,
  path: '/api/webhooks/:webhook/',
  name: 'Webhook',
  description: 'A webhook: how far it has got, and what went wrong.',
  methods: {
    GET(ctx) {
      sendPrivately(ctx, toJson(findWebhook(dependencies, ctx)))
    },
    async DELETE(ctx) {
      await dependencies.webhooks.remove(findWebhook(dependencies, ctx).id)
      ctx.status = 204
    },
  },
  operations: { GET: { response: webhookSchema } },
})

const stateEndpoint = (
  dependencies: WebhookEndpointsDependencies,
  action: 'enable' | 'disable',
): Endpoint => ({
  ...common,
  path: `/api/webhooks/:webhook/${action}/`,
  name: action === 'enable' ? 'Enable a Webhook' : 'Disable a Webhook',
  description:
    action === 'enable'
      ? 'Goes on where the webhook stopped; at the end of the log where that is not known any more.'
      : 'Nothing is sent until it is enabled again.',
  methods: {
    async POST(ctx) {
      const { id } = findWebhook(dependencies, ctx)
      sendPrivately(ctx, toJson(await dependencies.webhooks[action](id)))
    },
  },
  operations: { POST: { response: webhookSchema } },
})

const visibleWebhooks = (
  { webhooks }: WebhookEndpointsDependencies,
  { name, role }: Account,
): readonly Webhook[] => webhooks.list(role === 'admin' ? undefined : name)

/** @throws NotFoundError also for those of others */
function findWebhook(dependencies: WebhookEndpointsDependencies, ctx: RequestContext): Webhook {
  const match = visibleWebhooks(dependencies, requireAccount(ctx)).find(
    ({ id }) => id === ctx.params.webhook,
  )
  if (!match) throw new NotFoundError()
  return match
}

/** @throws ValidationError, InvalidError */
function parseNew(
  { accounts }: WebhookEndpointsDependencies,
  ctx: RequestContext,
  body: ReadonlyMap<string, unknown>,
): NewWebhook {
  const account = requireAccount(ctx)
  const sent = schema.parseMembers(webhookToAddSchema, schema.withoutNulls(body))
  const { url, kind, since, account: name = account.name } = sent
  const owner = account.role === 'admin' ? accounts.find(name)?.name : account.name
  if (owner === undefined || (account.role !== 'admin' && name !== account.name))
    throw new InvalidError('There is no such account that you may add a webhook to.', {
      field: 'account',
    })
  return { account: owner, url, kind: kind ?? undefined, since }
}

function sendPrivately(ctx: RequestContext, value: unknown): void {
  ctx.set('Cache-Control', 'private, no-store')
  sendJson(ctx, value)
}

const toJson = (webhook: Webhook): schema.ValueOf<typeof webhookSchema> => ({
  id: webhook.id,
  account: webhook.account,
  url: webhook.url,
  kind: webhook.kind ?? null,
  created_at: webhook.created,
  since: webhook.since,
  state: webhook.state,
  reason: webhook.reason ?? null,
  last_delivery: webhook.lastDelivery ?? null,
  failure: webhook.failure
    ? {
        count: webhook.failure.count,
        first: webhook.failure.first,
        message: webhook.failure.message,
        retry_at: webhook.failure.retryAt,
      }
    : null,
})
