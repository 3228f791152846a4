// The pages of accounts: signing in, one's own account, and, for administrators, all accounts.

import type { ResourceName } from '../../model/iris.js'
import { Form } from '../../views/form.js'
import { FormPage, InputRow, type Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { Time } from '../../views/components/field-value.js'
import { ShownOnce } from '../../views/components/shown-once.js'
import { TokenPanel, type TokenPanelProps } from './token-panel.js'
import { WebhookPanel, type WebhookPanelProps } from '../webhooks/webhook-panel.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { type Option, SelectRow } from '../../views/components/select.js'
import { nounText, rich, roleText, roleWithKinds, t } from '../../views/translate.js'

/** An account as the pages show it. */
export type AccountInfo = {
  readonly name: string
  readonly role: string
  /** The resources that an editor may write; empty means all. */
  readonly restrictedTo: readonly ResourceName[]
  /** The identifier of the only repository whose holdings an editor may write. */
  readonly repository?: string | undefined
  /** What that repository is called. */
  readonly library?: string
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
  <FormPage context={context} title={t('Sign in')} notice={notice}>
    <Form context={context} action={editingLinks.login} class="narrow">
      <input type="hidden" name="next" value={next} />
      <InputRow
        name="username"
        label={t('User name')}
        value={name}
        autocomplete="username"
        required
      />
      <InputRow
        name="password"
        label={t('Password')}
        type="password"
        autocomplete="current-password"
        required
      />
      <button>{t('Sign in')}</button>
    </Form>
    <p class="hint">{t('You only need an account to edit. Ask the administrator for one.')}</p>
  </FormPage>
)

export const AccountPage = ({
  context,
  notice,
  account,
  tokens,
  webhooks,
}: AccountPageProps & PanelProps & { readonly account: AccountInfo }) => (
  <FormPage context={context} title={t('Account {name}', { name: account.name })} notice={notice}>
    <p class="lead">{rightsSummary(account)}</p>
    <Panel title={t('Change password')}>
      <Form context={context} action={editingLinks.account} class="narrow">
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
          aria-label={t('User name')}
        />
        <InputRow
          name="current"
          label={t('Current password')}
          type="password"
          autocomplete="current-password"
          required
        />
        <InputRow
          name="next"
          label={t('New password')}
          type="password"
          autocomplete="new-password"
          required
        />
        <button>{t('Change password')}</button>
      </Form>
      <p class="hint">
        {t('Other browsers that are signed in with this account will be signed out.')}
      </p>
    </Panel>
    <TokenPanel context={context} action={editingLinks.account} {...tokens} />
    <WebhookPanel context={context} action={editingLinks.account} {...webhooks} />
  </FormPage>
)

/** The rights of an account, in words. */
function rightsSummary({ role, restrictedTo, library, disabled }: AccountInfo): string {
  if (disabled) return t('Disabled: it cannot sign in or use its tokens.')
  if (role === 'admin') return t('Administrator: may edit everything and manage accounts.')
  if (role === 'viewer') return t('Viewer: may read, and edit nothing.')
  if (library !== undefined)
    return t('Editor: may edit only copies of {repository}.', {
      repository: library === '' ? t('A library that was removed') : library,
    })
  return restrictedTo.length === 0
    ? t('Editor: may edit everything.')
    : t('Editor: may edit only {kinds}.', {
        kinds: restrictedTo.map((name) => nounText(name, 2)).join(', '),
      })
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
  <FormPage context={context} title={t('Choose a password')} notice={notice}>
    <p class="lead">
      {rich('You were invited to this catalogue. Your user name is {name}.', {
        name: <strong>{name}</strong>,
      })}
    </p>
    <Form context={context} action={editingRoutes.invitation} class="narrow">
      <input type="hidden" name="key" value={invitationKey} />
      <input
        class="visually-hidden"
        type="text"
        name="username"
        value={name}
        autocomplete="username"
        readonly
        tabIndex={-1}
        aria-label={t('User name')}
      />
      <NewPasswordRows />
      <button>{t('Create account')}</button>
    </Form>
  </FormPage>
)

/** A password that is chosen, twice. */
export const NewPasswordRows = () => (
  <>
    <InputRow
      name="password"
      label={t('Password')}
      type="password"
      autocomplete="new-password"
      hint={t('At least 8 characters.')}
      required
    />
    <InputRow
      name="again"
      label={t('Password again')}
      type="password"
      autocomplete="new-password"
      required
    />
  </>
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
  <Panel title={t('Open invitations')}>
    <ul>
      {invitations.map(({ name, role, expires }) => (
        <li key={name}>
          <Form context={context} action={editingLinks.accounts}>
            <input type="hidden" name="name" value={name} />
            {rich('{name} ({role}), until {time}', {
              name,
              role: roleText(role),
              time: <Time value={expires} />,
            })}{' '}
            <button class="quiet small" name="do" value="withdraw">
              {t('Withdraw')}
              <span class="visually-hidden"> {t('the invitation of {name}', { name })}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  </Panel>
)

export const AccountsPage = ({
  context,
  notice,
  invitations,
  link,
  accounts,
  roles,
  resources,
  libraries,
  draft,
}: AccountPageProps & {
  readonly invitations: readonly InvitationInfo[]
  /** The invitation that was just made. */
  readonly link: { readonly name: string; readonly url: string } | undefined
  readonly accounts: readonly AccountInfo[]
  readonly roles: readonly string[]
  readonly resources: readonly ResourceName[]
  readonly libraries: readonly Option[]
  readonly draft: NewAccountInput
}) => (
  <FormPage context={context} title={t('Accounts')} notice={notice}>
    {link && (
      <ShownOnce value={link.url} isAddress>
        {rich('Send this link to {name}. It works once, for two days, and is not shown again.', {
          name: <strong>{link.name}</strong>,
        })}
      </ShownOnce>
    )}
    <DataTable label={t('Accounts')} columns={[t('Name'), t('Role'), t('Last used'), t('Created')]}>
      {accounts.map((account) => (
        <tr key={account.name} class={account.disabled ? 'deleted' : undefined}>
          <th scope="row">
            <a href={editingLinks.accountOf(account.name)}>{account.name}</a>
          </th>
          <td>
            {roleWithKinds(account.role, account.restrictedTo)}
            {account.library !== undefined &&
              ` ${t('of {repository}', { repository: account.library })}`}
            {account.disabled && ` ${t('(disabled)')}`}
          </td>
          <td>{account.lastUsed ? <Time value={account.lastUsed} /> : t('never')}</td>
          <td>
            <Time value={account.created} />
          </td>
        </tr>
      ))}
    </DataTable>
    {invitations.length > 0 && <OpenInvitations {...{ context, invitations }} />}
    <Panel title={t('New account')}>
      <Form context={context} action={editingLinks.accounts} class="narrow">
        <InputRow
          name="name"
          label={t('User name')}
          value={draft.name}
          autocomplete="off"
          required
        />
        <InputRow
          name="password"
          label={t('Password')}
          type="password"
          autocomplete="new-password"
          hint={t('Not needed for an invitation: whoever is invited chooses it.')}
          required
        />
        <RightsFields {...{ roles, resources, libraries, rights: draft }} />
        <p class="actions">
          <button>{t('Create account')}</button>
          <button class="quiet" name="do" value="invite" formNoValidate>
            {t('Create an invitation link')}
          </button>
        </p>
      </Form>
    </Panel>
  </FormPage>
)

const RightsFields = ({
  roles,
  resources,
  libraries,
  rights,
}: {
  readonly roles: readonly string[]
  readonly resources: readonly ResourceName[]
  /** All libraries, by name. */
  readonly libraries: readonly Option[]
  readonly rights: Omit<NewAccountInput, 'name'>
}) => (
  <>
    <SelectRow
      name="role"
      label={t('Role')}
      value={rights.role}
      options={roles.map((role) => [role, roleText(role)])}
    />
    <fieldset class="field">
      <legend>{t('May edit only:')}</legend>
      <p class="hint">{t('Leave all unticked to allow everything.')}</p>
      <div class="choices">
        {resources.map((name) => (
          <label key={name} class="choice">
            <input
              type="checkbox"
              name="only"
              value={name}
              checked={rights.restrictedTo.includes(name)}
            />
            {nounText(name, 2)}
          </label>
        ))}
      </div>
    </fieldset>
    <SelectRow
      name="repository"
      label={t('Only the copies of one library')}
      hint={t('For an editor who edits its copies and nothing else.')}
      value={rights.repository === '' ? forgotten : (rights.repository ?? '')}
      options={[['', t('All libraries')], ...withChosen(libraries, rights.repository)]}
    />
  </>
)

/** What is sent for a library that was forgotten; no library has this identifier. */
const forgotten = ' '

/**
 * A library that is no more stays chosen until another one is, so that nobody gets the copies of all
 * libraries by accident.
 */
function withChosen(libraries: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === '') return [[forgotten, t('A library that was removed')], ...libraries]
  return chosen === undefined || libraries.some(([id]) => id === chosen)
    ? libraries
    : [[chosen, chosen], ...libraries]
}

export const OtherAccountPage = ({
  context,
  notice,
  account,
  roles,
  resources,
  libraries,
  tokens,
  webhooks,
}: AccountPageProps &
  PanelProps & {
    readonly account: AccountInfo
    readonly roles: readonly string[]
    readonly resources: readonly ResourceName[]
    readonly libraries: readonly Option[]
  }) => {
  const action = editingLinks.accountOf(account.name)
  return (
    <FormPage context={context} title={t('Account {name}', { name: account.name })} notice={notice}>
      <p class="lead">{rightsSummary(account)}</p>
      <p class="hint">
        <a href={editingLinks.accounts}>{t('All accounts')}</a>
        {' · '}
        {rich('created {date}|account', { date: <Time value={account.created} /> })}
        {' · '}
        {rich('last used {date}', {
          date: account.lastUsed ? <Time value={account.lastUsed} /> : t('never'),
        })}
      </p>
      <Panel title={t('Role')}>
        <Form context={context} action={action} class="narrow">
          <RightsFields {...{ roles, resources, libraries, rights: account }} />
          <button name="do" value="rights">
            {t('Save role')}
          </button>
        </Form>
      </Panel>
      <Panel title={t('Reset password')}>
        <Form context={context} action={action} class="narrow">
          <InputRow
            name="password"
            label={t('New password')}
            type="password"
            autocomplete="new-password"
            hint={t('All browsers that are signed in with this account will be signed out.')}
            required
          />
          <button name="do" value="password">
            {t('Reset password')}
          </button>
        </Form>
      </Panel>
      <TokenPanel context={context} action={action} {...tokens} />
      <WebhookPanel context={context} action={action} {...webhooks} />
      <Panel title={account.disabled ? t('Enable') : t('Disable')}>
        <Form context={context} action={action}>
          <p>
            {account.disabled
              ? t('It can then sign in and use its tokens again.')
              : t('It can then no longer sign in or use its tokens. What it wrote stays.')}
          </p>
          {account.disabled ? (
            <button name="do" value="enable">
              {t('Enable account')}
            </button>
          ) : (
            <button class="danger" name="do" value="disable">
              {t('Disable account')}
            </button>
          )}
        </Form>
      </Panel>
    </FormPage>
  )
}
