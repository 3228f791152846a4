// The tokens of an account on its page: what is shown of them, and what their forms do.

import { type Message, message } from '../../message.js'
import { type Account, type Accounts, loginLabel } from '../../accounts/accounts.js'
import { isExpired } from '../../accounts/access-tokens.js'
import { isWithin, mayWrite, mayWriteSomething, roles } from '../../accounts/rights.js'
import { resourceNames } from '../../model/iris.js'
import { taskFeedPath } from '../../views/links.js'
import type { TokenPanelProps } from './token-panel.js'
import type { SubmittedForm } from '../../http/form-endpoint.js'

/** The token that a form has just added. */
export type ShownToken = TokenPanelProps['added']

/** What the page of an account shows of its tokens. */
export const tokenProps = (
  accounts: Accounts,
  account: Account,
  added?: ShownToken,
): Omit<TokenPanelProps, 'context' | 'action'> => ({
  loginToken: accounts.tokenOf(account.name),
  added,
  tokens: accounts.tokensOf(account.name).map((token) => ({
    ...token,
    isExpired: isExpired(token, Date.now()),
  })),
  roles: roles.filter((role) => isWithin(account, { role, restrictedTo: [] })),
  resources: resourceNames.filter((name) => mayWrite(account, name)),
  mayAddFeed: mayWriteSomething(account),
})

/** Adds an address of the feed of tasks. @throws InvalidError */
export async function addFeed(
  accounts: Accounts,
  { name }: Account,
  { origin, form }: { readonly origin: string; readonly form: SubmittedForm },
): Promise<NonNullable<ShownToken>> {
  const { token, info } = await accounts.addToken(name, {
    label: form.get('label') ?? '',
    restrictedTo: [],
    purpose: 'feed',
  })
  return { label: info.label, feed: origin + taskFeedPath(token) }
}

/** Adds the token that a form asks for. @throws InvalidError */
export async function addToken(
  accounts: Accounts,
  { name }: Account,
  form: SubmittedForm,
): Promise<NonNullable<ShownToken>> {
  const [role, days] = [form.get('token-role'), form.get('token-days')]
  const { token, info } = await accounts.addToken(name, {
    label: form.get('label') ?? '',
    ...(role ? { role } : {}),
    restrictedTo: form.getAll('token-only'),
    ...(days ? { days: Number(days) } : {}),
  })
  return { label: info.label, token }
}

/**
 * Makes the token that a form names void, or all without a name; returns what to tell.
 * @throws InvalidError
 */
export async function revokeToken(
  accounts: Accounts,
  { name }: Account,
  form: SubmittedForm,
): Promise<Message> {
  const label = form.get('label') ?? undefined
  await accounts.revoke(name, label)
  if (label === undefined) return message('All tokens revoked.')
  return label === loginLabel
    ? message('Token revoked. The new one is below.')
    : message('Token revoked: {label}.', { label })
}
