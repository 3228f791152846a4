// The endpoints of webhooks: addresses to which the changes of records are sent (docs/api.md,
// "Webhooks"). The sending is left to features/webhooks/deliveries.ts.

import type { Message } from '../../message.js'
import { InvalidError, NotFoundError } from '../../errors.js'
import type { Account, Accounts } from '../../accounts/accounts.js'
import { json } from '../../formats/common-formats.js'
import {
  integerMessage,
  ValidationError,
  blankMessage,
  readString,
  requiredMessage,
} from '../../model/record/input.js'
import { JsonNumber } from '../../model/record/json-input.js'
import type { NewWebhook, Webhook, Webhooks } from './webhooks.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { requestOrigin } from '../../http/origin.js'
import { readBody } from '../../http/request/body.js'
import { pageOf, paginate, parsePageQuery } from '../../http/request/pagination.js'
import { requireAccount } from '../../http/request/required-account.js'
import { sendJson } from '../../http/response/conditional.js'

type WebhookEndpointsDependencies = {
  readonly accounts: Accounts
  readonly webhooks: Webhooks
  /** Whether anything is sent. */
  readonly areWebhooksOn: boolean
}

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
      const query = parsePageQuery(ctx)
      const { count, results } = paginate(visibleWebhooks(dependencies, requireAccount(ctx)), query)
      sendPrivately(ctx, pageOf(ctx, query, count, results.map(toJson)))
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
})

const visibleWebhooks = (
  { webhooks }: WebhookEndpointsDependencies,
  { name, role }: Account,
): readonly Webhook[] => webhooks.list(role === 'admin' ? undefined : name)

/** @throws NotFoundError also for those of others */
function findWebhook(dependencies: WebhookEndpointsDependencies, ctx: RequestContext): Webhook {
  const found = visibleWebhooks(dependencies, requireAccount(ctx)).find(
    ({ id }) => id === ctx.params.webhook,
  )
  if (!found) throw new NotFoundError()
  return found
}

/** @throws ValidationError, InvalidError */
function parseNew(
  { accounts }: WebhookEndpointsDependencies,
  ctx: RequestContext,
  body: ReadonlyMap<string, unknown>,
): NewWebhook {
  const account = requireAccount(ctx)
  const failures = new Map<string, Message[]>()
  const readOptional = (field: string): string | undefined => {
    if (!body.has(field) || body.get(field) === null) return undefined
    const { value, messages } = readString(body.get(field))
    if (messages.length > 0) failures.set(field, messages)
    return value
  }
  const url = readOptional('url')
  if (url === undefined) failures.set('url', [requiredMessage])
  else if (url.trim() === '' && !failures.has('url')) failures.set('url', [blankMessage])
  const kind = readOptional('kind')
  const name = readOptional('account') ?? account.name
  const since = body.get('since') ?? undefined
  if (since !== undefined && !(since instanceof JsonNumber)) failures.set('since', [integerMessage])
  if (failures.size > 0) throw new ValidationError(failures)
  const owner = account.role === 'admin' ? accounts.find(name)?.name : account.name
  if (owner === undefined || (account.role !== 'admin' && name !== account.name))
    throw new InvalidError('There is no such account that you may add a webhook to.', {
      field: 'account',
    })
  return {
    account: owner,
    url: url ?? '',
    kind,
    since: since instanceof JsonNumber ? since.value : undefined,
  }
}

function sendPrivately(ctx: RequestContext, value: unknown): void {
  ctx.set('Cache-Control', 'private, no-store')
  sendJson(ctx, value)
}

const toJson = (webhook: Webhook): object => ({
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
