// The pages of accounts: signing in, one's own account, and, for administrators, all accounts.

import type { ResourceName } from '../../model/iris.js'
import { editingLinks, editingRoutes, nounFor } from '../links.js'
import { Csrf, type PageContext } from '../layout.js'
import { Time } from '../components/field-value.js'
import { TokenPanel, type TokenPanelProps } from '../components/token-panel.js'
import { WebhookPanel, type WebhookPanelProps } from '../components/webhook-panel.js'
import { FormPage, InputRow, type Notice } from '../form-layout.js'

/** An account as the pages show it. */
export type AccountInfo = {
  readonly name: string
  readonly role: string
  /** The resources that an editor may write; empty means all. */
  readonly restrictedTo: readonly ResourceName[]
  /** The identifier of the only repository whose holdings an editor may write. */
  readonly repository?: string | undefined
  readonly disabled: boolean
  readonly created: string
  readonly lastUsed?: string | undefined
}

/** The tokens and webhooks of an account. */
type PanelProps = {
  readonly tokens: Omit<TokenPanelProps, 'context' | 'action'>
  readonly webhooks: Omit<WebhookPanelProps, 'context' | 'action'>
}

type AccountPageProps = { readonly context: PageContext; readonly notice?: Notice | undefined }

export const LoginPage = ({
  context,
  notice,
  name,
  next,
}: AccountPageProps & { readonly name: string; readonly next: string }) => (
  <FormPage context={context} title="Sign in" notice={notice}>
    <form method="post" action={editingLinks.login} class="narrow">
      <Csrf token={context.csrf} />
      <input type="hidden" name="next" value={next} />
      <InputRow name="username" label="User name" value={name} autocomplete="username" required />
      <InputRow
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        required
      />
      <button>Sign in</button>
    </form>
    <p class="hint">You only need an account to edit. Ask the administrator for one.</p>
  </FormPage>
)

export const AccountPage = ({
  context,
  notice,
  account,
  tokens,
  webhooks,
}: AccountPageProps & PanelProps & { readonly account: AccountInfo }) => (
  <FormPage context={context} title={`Account ${account.name}`} notice={notice}>
    <p class="lead">{rightsSummary(account)}</p>
    <section class="panel">
      <h2>Change password</h2>
      <form method="post" action={editingLinks.account} class="narrow">
        <Csrf token={context.csrf} />
        <input type="hidden" name="do" value="password" />
        {/* Password managers need the user name that the password belongs to. */}
        <input
          class="visually-hidden"
          type="text"
          name="username"
          value={account.name}
          autocomplete="username"
          readonly
          tabIndex={-1}
          aria-label="User name"
        />
        <InputRow
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
        />
        <InputRow
          name="next"
          label="New password"
          type="password"
          autocomplete="new-password"
          required
        />
        <button>Change password</button>
      </form>
      <p class="hint">Other browsers that are signed in with this account will be signed out.</p>
    </section>
    <TokenPanel context={context} action={editingLinks.account} {...tokens} />
    <WebhookPanel context={context} action={editingLinks.account} {...webhooks} />
  </FormPage>
)

/** The rights of an account, in words. */
export function rightsSummary({ role, restrictedTo, repository, disabled }: AccountInfo): string {
  if (disabled) return 'Disabled: it cannot sign in or use its tokens.'
  if (role === 'admin') return 'Administrator: may edit everything and manage accounts.'
  if (role === 'viewer') return 'Viewer: may read, and edit nothing.'
  if (repository !== undefined) return `Editor: may edit only holdings of ${repository}.`
  return restrictedTo.length === 0
    ? 'Editor: may edit everything.'
    : `Editor: may edit only ${restrictedTo.map((name) => nounFor(name, 2)).join(', ')}.`
}

/** The input of the form for a new account, to show it again after an error. */
export type NewAccountInput = {
  readonly name: string
  readonly role: string
  readonly restrictedTo: readonly string[]
  readonly repository?: string | undefined
}

/** The page that the link of an invitation leads to. */
export const InvitationPage = ({
  context,
  notice,
  name,
  invitationKey,
}: AccountPageProps & { readonly name: string; readonly invitationKey: string }) => (
  <FormPage context={context} title="Choose a password" notice={notice}>
    <p class="lead">
      You were invited to this catalogue. Your user name is <strong>{name}</strong>.
    </p>
    <form method="post" action={editingRoutes.invitation} class="narrow">
      <Csrf token={context.csrf} />
      <input type="hidden" name="key" value={invitationKey} />
      <input
        class="visually-hidden"
        type="text"
        name="username"
        value={name}
        autocomplete="username"
        readonly
        tabIndex={-1}
        aria-label="User name"
      />
      <InputRow
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint="At least 8 characters."
        required
      />
      <InputRow
        name="again"
        label="Password again"
        type="password"
        autocomplete="new-password"
        required
      />
      <button>Create account</button>
    </form>
  </FormPage>
)

/** An open invitation as the page of accounts shows it. */
export type InvitationInfo = {
  readonly name: string
  readonly role: string
  readonly expires: string
}

const OpenInvitations = ({
  context,
  invitations,
}: AccountPageProps & { readonly invitations: readonly InvitationInfo[] }) => (
  <section class="panel">
    <h2>Open invitations</h2>
    <ul>
      {invitations.map(({ name, role, expires }) => (
        <li key={name}>
          <form method="post" action={editingLinks.accounts}>
            <Csrf token={context.csrf} />
            <input type="hidden" name="name" value={name} />
            {name} ({role}), until <Time value={expires} />{' '}
            <button class="quiet small" name="do" value="withdraw">
              Withdraw<span class="visually-hidden"> the invitation of {name}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  </section>
)

const InvitationLink = ({ name, url }: { readonly name: string; readonly url: string }) => (
  <div class="notice look" role="status">
    <p>
      Send this link to <strong>{name}</strong>. It works once, for two days, and is not shown
      again.
    </p>
    <p>
      <code class="address">{url}</code>
    </p>
  </div>
)

export const AccountsPage = ({
  context,
  notice,
  invitations,
  link,
  accounts,
  roles,
  resources,
  draft,
}: AccountPageProps & {
  readonly invitations: readonly InvitationInfo[]
  /** The invitation that was just made. */
  readonly link: { readonly name: string; readonly url: string } | undefined
  readonly accounts: readonly AccountInfo[]
  readonly roles: readonly string[]
  readonly resources: readonly ResourceName[]
  readonly draft: NewAccountInput
}) => (
  <FormPage context={context} title="Accounts" notice={notice}>
    {link && <InvitationLink {...link} />}
    <div class="scroll" tabIndex={0} role="region" aria-label="Accounts">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Last used</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.name} class={account.disabled ? 'deleted' : undefined}>
              <th scope="row">
                <a href={editingLinks.accountOf(account.name)}>{account.name}</a>
              </th>
              <td>
                {account.role}
                {account.restrictedTo.length > 0 &&
                  `: ${account.restrictedTo.map((name) => nounFor(name, 2)).join(', ')}`}
                {account.repository !== undefined && ` of ${account.repository}`}
                {account.disabled && ' (disabled)'}
              </td>
              <td>{account.lastUsed ? <Time value={account.lastUsed} /> : 'never'}</td>
              <td>
                <Time value={account.created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {invitations.length > 0 && <OpenInvitations {...{ context, invitations }} />}
    <section class="panel">
      <h2>New account</h2>
      <form method="post" action={editingLinks.accounts} class="narrow">
        <Csrf token={context.csrf} />
        <InputRow name="name" label="User name" value={draft.name} autocomplete="off" required />
        <InputRow
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint="Not needed for an invitation: whoever is invited chooses it."
          required
        />
        <RightsFields {...{ roles, resources, rights: draft }} />
        <p class="actions">
          <button>Create account</button>
          <button class="quiet" name="do" value="invite" formNoValidate>
            Make an invitation link
          </button>
        </p>
      </form>
    </section>
  </FormPage>
)

const RightsFields = ({
  roles,
  resources,
  rights,
}: {
  readonly roles: readonly string[]
  readonly resources: readonly ResourceName[]
  readonly rights: Omit<NewAccountInput, 'name'>
}) => (
  <>
    <div class="field">
      <label for="role">Role</label>
      <select id="role" name="role">
        {roles.map((option) => (
          <option key={option} value={option} selected={option === rights.role}>
            {option}
          </option>
        ))}
      </select>
    </div>
    <fieldset class="field">
      <legend>May edit only:</legend>
      <p class="hint">Leave all unticked to allow everything.</p>
      <div class="choices">
        {resources.map((name) => (
          <label key={name} class="choice">
            <input
              type="checkbox"
              name="only"
              value={name}
              checked={rights.restrictedTo.includes(name)}
            />
            {nounFor(name, 2)}
          </label>
        ))}
      </div>
    </fieldset>
    <InputRow
      name="repository"
      label="Only the holdings of one library"
      hint="The identifier of the library, for an editor who edits its holdings and nothing else."
      value={rights.repository ?? ''}
      autocomplete="off"
    />
  </>
)

export const OtherAccountPage = ({
  context,
  notice,
  account,
  roles,
  resources,
  tokens,
  webhooks,
}: AccountPageProps &
  PanelProps & {
    readonly account: AccountInfo
    readonly roles: readonly string[]
    readonly resources: readonly ResourceName[]
  }) => {
  const action = editingLinks.accountOf(account.name)
  return (
    <FormPage context={context} title={`Account ${account.name}`} notice={notice}>
      <p class="lead">{rightsSummary(account)}</p>
      <p class="hint">
        <a href={editingLinks.accounts}>All accounts</a>
        {' · '}created <Time value={account.created} />
        {' · '}last used {account.lastUsed ? <Time value={account.lastUsed} /> : 'never'}
      </p>
      <section class="panel">
        <h2>Role</h2>
        <form method="post" action={action} class="narrow">
          <Csrf token={context.csrf} />
          <RightsFields {...{ roles, resources, rights: account }} />
          <button name="do" value="rights">
            Save role
          </button>
        </form>
      </section>
      <section class="panel">
        <h2>Reset password</h2>
        <form method="post" action={action} class="narrow">
          <Csrf token={context.csrf} />
          <InputRow
            name="password"
            label="New password"
            type="password"
            autocomplete="new-password"
            hint="All browsers that are signed in with this account will be signed out."
            required
          />
          <button name="do" value="password">
            Reset password
          </button>
        </form>
      </section>
      <TokenPanel context={context} action={action} {...tokens} />
      <WebhookPanel context={context} action={action} {...webhooks} />
      <section class="panel">
        <h2>{account.disabled ? 'Enable' : 'Disable'}</h2>
        <form method="post" action={action}>
          <Csrf token={context.csrf} />
          <p>
            {account.disabled
              ? 'It can then sign in and use its tokens again.'
              : 'It can then no longer sign in or use its tokens. What it wrote stays.'}
          </p>
          {account.disabled ? (
            <button name="do" value="enable">
              Enable account
            </button>
          ) : (
            <button class="danger" name="do" value="disable">
              Disable account
            </button>
          )}
        </form>
      </section>
    </FormPage>
  )
}
