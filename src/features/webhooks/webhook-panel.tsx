// The webhooks of an account: how far each of them has got, and a form for another one.

import { type ResourceName, resourceNames } from '../../model/iris.js'
import { Csrf, type PageContext } from '../../views/layout.js'
import { InputRow } from '../../views/form-layout.js'
import { Time } from '../../views/components/field-value.js'
import { ShownOnce } from '../../views/components/shown-once.js'
import { labelled, nounText, rich, t } from '../../views/translate.js'

/** A webhook as the pages show it. */
type WebhookView = {
  readonly id: string
  readonly url: string
  readonly kind: ResourceName | undefined
  readonly since: number
  readonly state: 'active' | 'disabled'
  readonly reason?: string | undefined
  readonly lastDelivery?: string | undefined
  readonly failure?: { readonly message: string; readonly retryAt: string } | undefined
}

export type WebhookPanelProps = {
  readonly context: PageContext
  /** Where the forms are sent to. */
  readonly action: string
  readonly webhooks: readonly WebhookView[]
  /** The webhook that was just added. */
  readonly added: { readonly url: string; readonly secret: string } | undefined
  /** Whether another one may be added. */
  readonly mayAdd: boolean
}

export const WebhookPanel = (props: WebhookPanelProps) =>
  (props.mayAdd || props.webhooks.length > 0) && (
    <section class="panel">
      <h2>{t('Webhooks')}</h2>
      <p>{t('Each change of a record is sent to these addresses, signed with their secrets.')}</p>
      {props.added && (
        <ShownOnce value={props.added.secret}>
          {rich('The secret of {address}. Copy it now: it is not shown again.', {
            address: <strong>{props.added.url}</strong>,
          })}
        </ShownOnce>
      )}
      {props.webhooks.length > 0 && <WebhookTable {...props} />}
      {props.mayAdd && <NewWebhookForm {...props} />}
    </section>
  )

const WebhookTable = ({ context, action, webhooks }: WebhookPanelProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={t('Webhooks')}>
    <table>
      <thead>
        <tr>
          <th scope="col">{t('Address')}</th>
          <th scope="col">{t('Changes of')}</th>
          <th scope="col">{t('Sent up to')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">
            <span class="visually-hidden">{t('Change')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <th scope="row">{webhook.url}</th>
            <td>{webhook.kind ? nounText(webhook.kind, 2) : t('all records')}</td>
            <td>
              {webhook.since}
              {webhook.lastDelivery && (
                <>
                  {', '}
                  <Time value={webhook.lastDelivery} />
                </>
              )}
            </td>
            <td>
              <State {...webhook} />
            </td>
            <td>
              <form method="post" action={action}>
                <Csrf token={context.csrf} />
                <input type="hidden" name="webhook" value={webhook.id} />
                {webhook.state === 'active' ? (
                  <WebhookButton action="disable" text={t('Disable')} url={webhook.url} />
                ) : (
                  <WebhookButton action="enable" text={t('Enable')} url={webhook.url} />
                )}{' '}
                <WebhookButton action="remove" text={t('Remove')} url={webhook.url} />
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

type WebhookButtonProps = {
  readonly action: 'disable' | 'enable' | 'remove'
  readonly text: string
  readonly url: string
}

const WebhookButton = ({ action, text, url }: WebhookButtonProps) => (
  <button class="quiet" name="do" value={`webhook-${action}`}>
    {text}
    <span class="visually-hidden"> {t('the webhook {url}', { url })}</span>
  </button>
)

const State = ({ state, reason, failure }: WebhookView) => {
  if (state === 'disabled') return <>{reason ? labelled(t('disabled'), reason) : t('disabled')}</>
  if (!failure) return <>{t('active')}</>
  return (
    <>
      {rich('failing: {message} It is tried again at {time}.', {
        message: failure.message,
        time: <Time value={failure.retryAt} />,
      })}
    </>
  )
}

const NewWebhookForm = ({ context, action }: WebhookPanelProps) => (
  <details>
    <summary>{t('Add a webhook')}</summary>
    <form method="post" action={action} class="narrow">
      <Csrf token={context.csrf} />
      <InputRow
        name="url"
        label={t('Address')}
        hint={t('An https or http URL. It begins with the next change.')}
        autocomplete="off"
        required
      />
      <div class="field">
        <label for="kind">{t('Changes of')}</label>
        <select id="kind" name="kind">
          <option value="">{t('all records')}</option>
          {resourceNames.map((name) => (
            <option key={name} value={name}>
              {nounText(name, 2)}
            </option>
          ))}
        </select>
      </div>
      <button name="do" value="webhook">
        {t('Add webhook')}
      </button>
    </form>
  </details>
)
