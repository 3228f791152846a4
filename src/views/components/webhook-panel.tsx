// The webhooks of an account: how far each of them has got, and a form for another one.

import { type ResourceName, resourceNames } from '../../model/iris.js'
import { Csrf, type PageContext } from '../layout.js'
import { InputRow } from '../form-layout.js'
import { nounFor } from '../links.js'
import { Time } from './field-value.js'

/** A webhook as the pages show it. */
export type WebhookView = {
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
      <h2>Webhooks</h2>
      <p>Each change of a record is sent to these addresses, signed with their secrets.</p>
      {props.added && (
        <div class="notice look" role="status">
          <p>
            The secret of <strong>{props.added.url}</strong>. Copy it now: it is not shown again.
          </p>
          <p>
            <code>{props.added.secret}</code>
          </p>
        </div>
      )}
      {props.webhooks.length > 0 && <WebhookTable {...props} />}
      {props.mayAdd && <NewWebhookForm {...props} />}
    </section>
  )

const WebhookTable = ({ context, action, webhooks }: WebhookPanelProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Webhooks">
    <table>
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">Changes of</th>
          <th scope="col">Sent up to</th>
          <th scope="col">State</th>
          <th scope="col">
            <span class="visually-hidden">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <th scope="row">{webhook.url}</th>
            <td>{webhook.kind ? nounFor(webhook.kind, 2) : 'all records'}</td>
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
                  <button class="quiet" name="do" value="webhook-disable">
                    Disable<span class="visually-hidden"> the webhook {webhook.url}</span>
                  </button>
                ) : (
                  <button class="quiet" name="do" value="webhook-enable">
                    Enable<span class="visually-hidden"> the webhook {webhook.url}</span>
                  </button>
                )}{' '}
                <button class="quiet" name="do" value="webhook-remove">
                  Remove<span class="visually-hidden"> the webhook {webhook.url}</span>
                </button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const State = ({ state, reason, failure }: WebhookView) => {
  if (state === 'disabled') return <>disabled{reason && `: ${reason}`}</>
  if (!failure) return <>active</>
  return (
    <>
      failing: {failure.message} It is tried again at <Time value={failure.retryAt} />.
    </>
  )
}

const NewWebhookForm = ({ context, action }: WebhookPanelProps) => (
  <details>
    <summary>Add a webhook</summary>
    <form method="post" action={action} class="narrow">
      <Csrf token={context.csrf} />
      <InputRow
        name="url"
        label="Address"
        hint="An https or http URL. It begins with the next change."
        autocomplete="off"
        required
      />
      <div class="field">
        <label for="kind">Changes of</label>
        <select id="kind" name="kind">
          <option value="">all records</option>
          {resourceNames.map((name) => (
            <option key={name} value={name}>
              {nounFor(name, 2)}
            </option>
          ))}
        </select>
      </div>
      <button name="do" value="webhook">
        Add webhook
      </button>
    </form>
  </details>
)
