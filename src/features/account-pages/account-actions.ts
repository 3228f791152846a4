// What the forms on the page of an account do, and how what came of it is told.

import { type Message, isMessage, message } from '../../message.js'
import { InvalidError, NotFoundError } from '../../errors.js'
import {
  type Account,
  type Accounts,
  LoginBusyError,
  LoginThrottledError,
} from '../../accounts/accounts.js'
import type { Notice } from '../../views/form-layout.js'
import {
  type ShownWebhook,
  type WebhookDependencies,
  addWebhook,
  changeWebhook,
  webhookProps,
} from '../webhooks/account-webhooks.js'
import { type ShownToken, addFeed, addToken, revokeToken } from './account-tokens.js'
import { requestOrigin } from '../../http/origin.js'
import type { SignedInRequest, SubmittedForm } from '../../http/form-endpoint.js'

/** Does something to an account and returns what to show. Its errors are shown on the page. */
export type AccountAction = (
  request: SignedInRequest,
  form: SubmittedForm,
  account: Account,
) => Promise<Message | Shown>

/** What the page shows this once: a token or a webhook that was added. */
type Added = { readonly token?: ShownToken; readonly webhook?: ShownWebhook }

/** What the page shows after an action. */
type Shown = Added & { readonly text: Message }

export type ActionResult = Added & { readonly notice: Notice }

/** Runs an action; returns the notice of its success or its error. */
export async function runAction(action: () => Promise<Message | Shown>): Promise<ActionResult> {
  try {
    const result = await action()
    const { text, ...added } = isMessage(result) ? { text: result } : result
    return { notice: { tone: 'done', text }, ...added }
  } catch (error) {
    return { notice: { tone: 'wrong', text: messageOf(error) } }
  }
}

/** What the forms of the tokens do. */
export const tokenActions = (accounts: Accounts): readonly (readonly [string, AccountAction])[] => [
  ['revoke', (_, form, account) => revokeToken(accounts, account, form)],
  [
    'token',
    async (_, form, account) => {
      const token = await addToken(accounts, account, form)
      return { text: message('Token added.'), token }
    },
  ],
  [
    'feed',
    async ({ ctx }, form, account) => {
      const token = await addFeed(accounts, account, { origin: requestOrigin(ctx), form })
      return { text: message('Feed added.'), token }
    },
  ],
]

export const unknownAction: AccountAction = () =>
  Promise.reject(
    new InvalidError(message('This button is not known. Reload the page and try again.')),
  )

/** What the forms of the webhooks do. */
export const webhookActions = (
  dependencies: WebhookDependencies,
): readonly (readonly [string, AccountAction])[] => [
  [
    'webhook',
    async ({ account: by }, form, account) => {
      if (!webhookProps(dependencies, account, by).mayAdd)
        throw new InvalidError(message('Your account may not add webhooks.'))
      const webhook = await addWebhook(dependencies, account, form)
      return { text: message('Webhook added.'), webhook }
    },
  ],
  ...(['enable', 'disable', 'remove'] as const).map((action): readonly [string, AccountAction] => [
    `webhook-${action}`,
    (_, form, account) => changeWebhook(dependencies, account, form, action),
  ]),
]

/** The message of an error that is shown on the page. @throws any other error */
export function messageOf(error: unknown): Message {
  if (error instanceof LoginThrottledError) return tooManyLogins(Math.ceil(error.seconds / 60))
  const isShown = [InvalidError, NotFoundError, LoginBusyError].some(
    (kind) => error instanceof kind,
  )
  if (isShown) return (error as InvalidError | NotFoundError | LoginBusyError).text
  throw error
}

const tooManyLogins = (minutes: number): Message =>
  minutes === 1
    ? message('Too many failed logins. Try again in a minute.')
    : message('Too many failed logins. Try again in {count} minutes.', { count: minutes })
