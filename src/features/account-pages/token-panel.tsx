// The tokens of an account: a list to revoke them in, and a form for another one, which is shown
// once.

import type { ResourceName } from '../../model/iris.js'
import { Csrf, type PageContext } from '../../views/layout.js'
import { InputRow } from '../../views/form-layout.js'
import { Time } from '../../views/components/field-value.js'
import { ShownOnce } from '../../views/components/shown-once.js'
import { nounText, rich, roleText, roleWithKinds, t } from '../../views/translate.js'

/** A token as the pages show it. */
type TokenView = {
  readonly label: string
  readonly lastFour: string
  readonly role: string | undefined
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
  /** The token that was just added. */
  readonly added: { readonly label: string; readonly token: string } | undefined
  /** What a token of the account may be limited to. */
  readonly roles: readonly string[]
  readonly resources: readonly ResourceName[]
}

export const TokenPanel = (props: TokenPanelProps) => (
  <section class="panel">
    <h2>{t('Access tokens')}</h2>
    <p>
      {t(
        'Programs use a token to edit. Whoever has it can do what it may do. Give each program a token of its own, so that one can be revoked without the others.',
      )}
    </p>
    <p class="hint">
      <code>Authorization: Token {t('<the token>')}</code>
    </p>
    {props.added && (
      <ShownOnce value={props.added.token}>
        {rich('The new token {label}. Copy it now: it is not shown again.', {
          label: <strong>{props.added.label}</strong>,
        })}
      </ShownOnce>
    )}
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
  </section>
)

const TokenTable = ({ context, action, tokens }: TokenPanelProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={t('Access tokens')}>
    <table>
      <thead>
        <tr>
          <th scope="col">{t('Label')}</th>
          <th scope="col">{t('Ends in')}</th>
          <th scope="col">{t('May do')}</th>
          <th scope="col">{t('Created')}</th>
          <th scope="col">{t('Last used')}</th>
          <th scope="col">{t('Expires')}</th>
          <th scope="col">
            <span class="visually-hidden">{t('Revoke')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
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
              <form method="post" action={action}>
                <Csrf token={context.csrf} />
                <input type="hidden" name="label" value={token.label} />
                <button class="quiet" name="do" value="revoke">
                  {t('Revoke')}
                  <span class="visually-hidden"> {t('token {label}', { label: token.label })}</span>
                </button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function limitsOf({ role, restrictedTo }: TokenView): string {
  return role === undefined ? t('what the account may') : roleWithKinds(role, restrictedTo)
}

const NewTokenForm = ({ context, action, roles, resources }: TokenPanelProps) => (
  <details>
    <summary>{t('Add a token')}</summary>
    <form method="post" action={action} class="narrow">
      <Csrf token={context.csrf} />
      <InputRow
        name="label"
        label={t('Label')}
        hint={t('What uses it, such as the name of a program.')}
        autocomplete="off"
        required
      />
      {roles.length > 1 && (
        <div class="field">
          <label for="token-role">{t('Role')}</label>
          <select id="token-role" name="token-role">
            <option value="">{t('what the account may do')}</option>
            {roles.map((role) => (
              <option key={role} value={role}>
                {roleText(role)}
              </option>
            ))}
          </select>
        </div>
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
      <div class="field">
        <label for="token-days">{t('Expires')}</label>
        <select id="token-days" name="token-days">
          <option value="">{t('never')}</option>
          <option value="30">{t('in 30 days')}</option>
          <option value="90" selected>
            {t('in 90 days')}
          </option>
          <option value="365">{t('in a year')}</option>
        </select>
      </div>
      <button name="do" value="token">
        {t('Add token')}
      </button>
    </form>
  </details>
)
