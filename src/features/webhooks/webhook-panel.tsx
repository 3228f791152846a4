// The webhooks of an account: how far each of them has got, and a form for another one.

import { Form } from '../../views/form.js'
import { InputRow } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { Time } from '../../views/components/field-value.js'
import { ShownOnce } from '../../views/components/shown-once.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { SelectRow } from '../../views/components/select.js'
import { labelled, nounText, rich, t } from '../../views/translate.js'
import { type WebhookKind, webhookKinds } from './webhooks.js'

/** A webhook as the pages show it. */
type WebhookView = {
  readonly id: string
  readonly url: string
  readonly kind: WebhookKind | undefined
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
    <Panel title={t('Webhooks')}>
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
    </Panel>
  )

const WebhookTable = ({ context, action, webhooks }: WebhookPanelProps) => (
  <DataTable
    label={t('Webhooks')}
    columns={[
      t('Address'),
      t('Changes of'),
      t('Sent up to'),
      t('State'),
      <span class="visually-hidden">{t('Change')}</span>,
    ]}
  >
    {webhooks.map((webhook) => (
      <tr key={webhook.id}>
        <th scope="row">{webhook.url}</th>
        <td>{kindText(webhook.kind)}</td>
        <td>
          {webhook.kind !== 'tasks' && webhook.since}
          {webhook.lastDelivery && (
            <>
              {webhook.kind !== 'tasks' && ', '}
              <Time value={webhook.lastDelivery} />
            </>
          )}
        </td>
        <td>
          <State {...webhook} />
        </td>
        <td>
          <Form context={context} action={action}>
            <input type="hidden" name="webhook" value={webhook.id} />
            {webhook.state === 'active' ? (
              <WebhookButton action="disable" text={t('Disable')} url={webhook.url} />
            ) : (
              <WebhookButton action="enable" text={t('Enable')} url={webhook.url} />
            )}{' '}
            <WebhookButton action="remove" text={t('Remove')} url={webhook.url} />
          </Form>
        </td>
      </tr>
    ))}
  </DataTable>
)

function kindText(kind: WebhookKind | undefined): string {
  if (kind === undefined) return t('all records')
  return kind === 'tasks' ? t('open tasks') : nounText(kind, 2)
}

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
    <Form context={context} action={action} class="narrow">
      <InputRow
        name="url"
        label={t('Address')}
        hint={t('An https or http URL. It begins with the next change.')}
        autocomplete="off"
        required
      />
      <SelectRow
        name="kind"
        label={t('Changes of')}
        options={[
          ['', t('all records')],
          ...webhookKinds.map((kind) => [kind, kindText(kind)] as const),
        ]}
      />
      <button name="do" value="webhook">
        {t('Add webhook')}
      </button>
    </Form>
  </details>
)
