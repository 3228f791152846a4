// The webhooks of an account on its page: what is shown of them, and what their forms do.

import { message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { mayWriteSomething } from '../../accounts/rights.js'
import type { WebhookPanelProps } from './webhook-panel.js'
import type { Webhooks } from './webhooks.js'
import type { SubmittedForm } from '../../http/form-endpoint.js'

export type WebhookDependencies = {
  readonly webhooks: Webhooks
  /** Whether anything is sent. */
  readonly areWebhooksOn: boolean
}

/** The webhook that a form has just added. */
export type ShownWebhook = WebhookPanelProps['added']

/** What the page of an account shows of its webhooks. @param by the account that looks at it */
export const webhookProps = (
  { webhooks, areWebhooksOn }: WebhookDependencies,
  account: Account,
  by: Account,
  added?: ShownWebhook,
): Omit<WebhookPanelProps, 'context' | 'action'> => ({
  webhooks: webhooks.list(account.name),
  added,
  mayAdd: areWebhooksOn && mayWriteSomething(by),
})

/** Adds the webhook that a form asks for. @throws InvalidError */
export async function addWebhook(
  { webhooks }: WebhookDependencies,
  { name }: Account,
  form: SubmittedForm,
): Promise<NonNullable<ShownWebhook>> {
  const { id, url } = await webhooks.add({
    account: name,
    url: form.get('url') ?? '',
    kind: form.get('kind') ?? '',
  })
  return { url, secret: webhooks.secretOf(id) }
}

/** What can be done to a webhook with a button, and what is told then. */
export const webhookActions = {
  enable: message('Webhook enabled.'),
  disable: message('Webhook disabled.'),
  remove: message('Webhook removed.'),
} as const

/** Does something to the webhook of the account that a form names. @throws NotFoundError */
export async function changeWebhook(
  { webhooks }: WebhookDependencies,
  { name }: Account,
  form: SubmittedForm,
  action: keyof typeof webhookActions,
): Promise<string> {
  const webhook = webhooks.list(name).find(({ id }) => id === form.get('webhook'))
  if (!webhook) throw new NotFoundError(message('There is no such webhook.'))
  await webhooks[action](webhook.id)
  return webhookActions[action]
}
