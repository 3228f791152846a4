// The tokens of an account: a list to revoke them in, and a form for another one, which is shown
// once.

import type { ResourceName } from '../../model/iris.js'
import { Form } from '../../views/form.js'
import { InputRow } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { Time } from '../../views/components/field-value.js'
import { ShownOnce } from '../../views/components/shown-once.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { SelectRow } from '../../views/components/select.js'
import { nounText, rich, roleText, roleWithKinds, t } from '../../views/translate.js'

/** A token as the pages show it. */
type TokenView = {
  readonly label: string
  readonly lastFour: string
  readonly role: string | undefined
  /** Set for an address of the feed of tasks. */
  readonly purpose?: 'feed' | undefined
  readonly restrictedTo: readonly ResourceName[]
  readonly created: string
  readonly lastUsed: string | undefined
  readonly expires: string | undefined
  readonly isExpired: boolean
}

export type TokenPanelProps = {
  readonly context: PageContext
  /** Where the forms are sent to. */
  readonly action: string
  readonly tokens: readonly TokenView[]
  /** The token of the logins. */
  readonly loginToken: string
  /** The token or the address of a feed that was just added. */
  readonly added:
    | { readonly label: string; readonly token: string }
    | { readonly label: string; readonly feed: string }
    | undefined
  /** What a token of the account may be limited to. */
  readonly roles: readonly string[]
  readonly resources: readonly ResourceName[]
  /** Whether the account has tasks, of which there is a feed. */
  readonly mayAddFeed: boolean
}

export const TokenPanel = (props: TokenPanelProps) => (
  <Panel title={t('Access tokens')}>
    <p>
      {t(
        'Programs use a token to edit. Whoever has it can do what it may do. Give each program a token of its own, so that one can be revoked without the others.',
      )}
    </p>
    <p class="hint">
      <code>Authorization: Token {t('<the token>')}</code>
    </p>
    {props.added && <AddedToken {...props.added} />}
    <TokenTable {...props} />
    <details class="secret">
      <summary>{t('Show the token of logins')}</summary>
      <p>
        <code>{props.loginToken}</code>
      </p>
      <p class="hint">
        {t('A login over the API gives this token. It is the same each time until it is revoked.')}
      </p>
    </details>
    <NewTokenForm {...props} />
    {props.mayAddFeed && <NewFeedForm {...props} />}
  </Panel>
)

const AddedToken = (added: NonNullable<TokenPanelProps['added']>) =>
  'feed' in added ? (
    <ShownOnce value={added.feed} isAddress>
      {rich('The address of the feed {label}. Copy it now: it is not shown again.', {
        label: <strong>{added.label}</strong>,
      })}
    </ShownOnce>
  ) : (
    <ShownOnce value={added.token}>
      {rich('The new token {label}. Copy it now: it is not shown again.', {
        label: <strong>{added.label}</strong>,
      })}
    </ShownOnce>
  )

const TokenTable = ({ context, action, tokens }: TokenPanelProps) => (
  <DataTable
    label={t('Access tokens')}
    columns={[
      t('Label'),
      t('Ends in'),
      t('May do'),
      t('Created'),
      t('Last used'),
      t('Expires'),
      <span class="visually-hidden">{t('Revoke')}</span>,
    ]}
  >
    {tokens.map((token) => (
      <tr key={token.label} class={token.isExpired ? 'deleted' : undefined}>
        <th scope="row">{token.label}</th>
        <td>
          <code>{token.lastFour}</code>
        </td>
        <td>{limitsOf(token)}</td>
        <td>
          <Time value={token.created} />
        </td>
        <td>{token.lastUsed ?? t('never')}</td>
        <td>
          {token.expires ? <Time value={token.expires} /> : t('never')}
          {token.isExpired && ` ${t('(expired)')}`}
        </td>
        <td>
          <Form context={context} action={action}>
            <input type="hidden" name="label" value={token.label} />
            <button class="quiet" name="do" value="revoke">
              {t('Revoke')}
              <span class="visually-hidden"> {t('token {label}', { label: token.label })}</span>
            </button>
          </Form>
        </td>
      </tr>
    ))}
  </DataTable>
)

function limitsOf({ role, restrictedTo, purpose }: TokenView): string {
  if (purpose === 'feed') return t('read the feed of open tasks')
  return role === undefined ? t('what the account may') : roleWithKinds(role, restrictedTo)
}

const NewTokenForm = ({ context, action, roles, resources }: TokenPanelProps) => (
  <details>
    <summary>{t('Add a token')}</summary>
    <Form context={context} action={action} class="narrow">
      <InputRow
        name="label"
        label={t('Label')}
        hint={t('What uses it, such as the name of a program.')}
        autocomplete="off"
        required
      />
      {roles.length > 1 && (
        <SelectRow
          name="token-role"
          label={t('Role')}
          options={[
            ['', t('what the account may do')],
            ...roles.map((role) => [role, roleText(role)] as const),
          ]}
        />
      )}
      {resources.length > 1 && (
        <fieldset class="field">
          <legend>{t('The token may edit only:')}</legend>
          <p class="hint">{t('Leave all unticked for everything that the account may edit.')}</p>
          <div class="choices">
            {resources.map((name) => (
              <label key={name} class="choice">
                <input type="checkbox" name="token-only" value={name} />
                {nounText(name, 2)}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <SelectRow
        name="token-days"
        label={t('Expires')}
        value="90"
        options={[
          ['', t('never')],
          ['30', t('in 30 days')],
          ['90', t('in 90 days')],
          ['365', t('in a year')],
        ]}
      />
      <button name="do" value="token">
        {t('Add token')}
      </button>
    </Form>
  </details>
)

const NewFeedForm = ({ context, action }: TokenPanelProps) => (
  <details>
    <summary>{t('Add a feed of open tasks')}</summary>
    <Form context={context} action={action} class="narrow">
      <p>
        {t(
          'A feed reader then tells you of requests for changes, invitations and imports that wait. The address has a token of its own: whoever has it sees what you see of them, and nothing else.',
        )}
      </p>
      <InputRow
        name="label"
        id="feed-label"
        label={t('Label')}
        hint={t('What uses it, such as the name of a feed reader.')}
        autocomplete="off"
        required
      />
      <button name="do" value="feed">
        {t('Add feed')}
      </button>
    </Form>
  </details>
)
