// Signing in, one's own account, and the accounts of others for those who keep them.

import { desk } from '../links.js'
import { Csrf, type Visit } from '../layout.js'
import { Time } from '../components/field-value.js'
import { DeskPage, Entry, type Notice } from '../form-layout.js'

/** An account as its pages show it. */
export type Shown = {
  readonly name: string
  readonly role: string
  /** The resources that an editor is limited to; none means all. */
  readonly only: readonly string[]
  readonly disabled: boolean
  readonly created: string
  readonly lastUsed?: string | undefined
}

type Props = { readonly visit: Visit; readonly notice?: Notice | undefined }

export const LoginPage = ({
  visit,
  notice,
  name,
  next,
}: Props & { readonly name: string; readonly next: string }) => (
  <DeskPage visit={visit} title="Sign in" notice={notice}>
    <form method="post" action={desk.login} class="narrow">
      <Csrf token={visit.csrf} />
      <input type="hidden" name="next" value={next} />
      <Entry name="username" label="User name" value={name} autocomplete="username" required />
      <Entry
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        required
      />
      <button>Sign in</button>
    </form>
    <p class="hint">Accounts are made by the administrator of the catalogue. Reading needs none.</p>
  </DeskPage>
)

export const AccountPage = ({
  visit,
  notice,
  account,
  token,
}: Props & { readonly account: Shown; readonly token: string }) => (
  <DeskPage visit={visit} title={`Account ${account.name}`} notice={notice}>
    <p class="lead">{mayDo(account)}</p>
    <section class="panel">
      <h2>Change the password</h2>
      <form method="post" action={desk.account} class="narrow">
        <Csrf token={visit.csrf} />
        <input type="hidden" name="do" value="password" />
        {/* Password keepers want to know whose it is. */}
        <input
          class="sr"
          type="text"
          name="username"
          value={account.name}
          autocomplete="username"
          readonly
          tabIndex={-1}
          aria-label="User name"
        />
        <Entry
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Entry
          name="next"
          label="New password"
          type="password"
          autocomplete="new-password"
          required
        />
        <button>Change the password</button>
      </form>
      <p class="hint">Other browsers that are signed in with this account will be signed out.</p>
    </section>
    <TokenPanel visit={visit} action={desk.account} token={token} />
  </DeskPage>
)

const TokenPanel = ({
  visit,
  action,
  token,
}: {
  readonly visit: Visit
  readonly action: string
  readonly token: string
}) => (
  <section class="panel">
    <h2>Access token</h2>
    <p>
      Programs write with this token. Who has it can do what the account may; it holds until it is
      revoked.
    </p>
    <details class="secret">
      <summary>Show the token</summary>
      <p>
        <code>{token}</code>
      </p>
      <p class="hint">
        <code>Authorization: Token {'<the token>'}</code>
      </p>
    </details>
    <form method="post" action={action}>
      <Csrf token={visit.csrf} />
      <button class="quiet" name="do" value="revoke">
        Revoke the token
      </button>
    </form>
  </section>
)

/** What an account may do, in words. */
export function mayDo({ role, only, disabled }: Shown): string {
  if (disabled) return 'Disabled: it can neither sign in nor use its token.'
  if (role === 'admin') return 'Administrator: writes everything, and keeps the accounts.'
  if (role === 'viewer') return 'Viewer: reads, and writes nothing.'
  return only.length === 0 ? 'Editor: writes everything.' : `Editor of ${only.join(', ')}.`
}

/** What was typed for a new account, when it could not be made. */
export type Draft = {
  readonly name: string
  readonly role: string
  readonly only: readonly string[]
}

export const AccountsPage = ({
  visit,
  notice,
  accounts,
  roles,
  resources,
  draft,
}: Props & {
  readonly accounts: readonly Shown[]
  readonly roles: readonly string[]
  readonly resources: readonly string[]
  readonly draft: Draft
}) => (
  <DeskPage visit={visit} title="Accounts" notice={notice}>
    <div class="scroll" tabIndex={0} role="region" aria-label="Accounts">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Last used</th>
            <th scope="col">Made</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.name} class={account.disabled ? 'gone' : undefined}>
              <th scope="row">
                <a href={desk.accountOf(account.name)}>{account.name}</a>
              </th>
              <td>
                {account.role}
                {account.only.length > 0 && `: ${account.only.join(', ')}`}
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
    <section class="panel">
      <h2>New account</h2>
      <form method="post" action={desk.accounts} class="narrow">
        <Csrf token={visit.csrf} />
        <Entry name="name" label="User name" value={draft.name} autocomplete="off" required />
        <Entry
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          required
        />
        <RightsFields {...{ roles, resources, role: draft.role, only: draft.only }} />
        <button>Make the account</button>
      </form>
    </section>
  </DeskPage>
)

const RightsFields = ({
  roles,
  resources,
  role,
  only,
}: {
  readonly roles: readonly string[]
  readonly resources: readonly string[]
  readonly role: string
  readonly only: readonly string[]
}) => (
  <>
    <div class="field">
      <label for="role">Role</label>
      <select id="role" name="role">
        {roles.map((one) => (
          <option key={one} value={one} selected={one === role}>
            {one}
          </option>
        ))}
      </select>
    </div>
    <fieldset class="field">
      <legend>An editor of these alone</legend>
      <p class="hint">Choose none for an editor of everything.</p>
      <div class="choices">
        {resources.map((one) => (
          <label key={one} class="choice">
            <input type="checkbox" name="only" value={one} checked={only.includes(one)} />
            {one}
          </label>
        ))}
      </div>
    </fieldset>
  </>
)

export const OtherAccountPage = ({
  visit,
  notice,
  account,
  roles,
  resources,
  token,
}: Props & {
  readonly account: Shown
  readonly roles: readonly string[]
  readonly resources: readonly string[]
  readonly token: string
}) => {
  const action = desk.accountOf(account.name)
  return (
    <DeskPage visit={visit} title={`Account ${account.name}`} notice={notice}>
      <p class="lead">{mayDo(account)}</p>
      <p class="hint">
        <a href={desk.accounts}>All accounts</a>
        {' · '}made <Time value={account.created} />
        {' · '}last used {account.lastUsed ? <Time value={account.lastUsed} /> : 'never'}
      </p>
      <section class="panel">
        <h2>Role</h2>
        <form method="post" action={action} class="narrow">
          <Csrf token={visit.csrf} />
          <RightsFields {...{ roles, resources, role: account.role, only: account.only }} />
          <button name="do" value="rights">
            Save the role
          </button>
        </form>
      </section>
      <section class="panel">
        <h2>Reset the password</h2>
        <form method="post" action={action} class="narrow">
          <Csrf token={visit.csrf} />
          <Entry
            name="password"
            label="New password"
            type="password"
            autocomplete="new-password"
            hint="All browsers that are signed in with this account will be signed out."
            required
          />
          <button name="do" value="password">
            Reset the password
          </button>
        </form>
      </section>
      <TokenPanel visit={visit} action={action} token={token} />
      <section class="panel">
        <h2>{account.disabled ? 'Enable' : 'Disable'}</h2>
        <form method="post" action={action}>
          <Csrf token={visit.csrf} />
          <p>
            {account.disabled
              ? 'It can then sign in and use its token again.'
              : 'It can then neither sign in nor use its token. Nothing that it wrote changes.'}
          </p>
          {account.disabled ? (
            <button name="do" value="enable">
              Enable the account
            </button>
          ) : (
            <button class="danger" name="do" value="disable">
              Disable the account
            </button>
          )}
        </form>
      </section>
    </DeskPage>
  )
}
