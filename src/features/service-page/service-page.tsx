// The page for administrators that says how the service is.

import type { ComponentChildren } from 'preact'

import type { Webhook } from '../webhooks/webhooks.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { Form } from '../../views/form.js'
import { FormPage, NoticeBox } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks } from '../../views/links.js'
import { dateText, message, numberText, plural, t } from '../../views/translate.js'
import type { BackupInfo, BackupStatus, FailureReason } from './backups.js'
import type { EventCount, EventKind } from './recent-events.js'
import type { CheckResult, CheckStatus } from './service-check.js'

/** In bytes. */
export type Measures = {
  readonly disk: { readonly free: number; readonly size: number; readonly used: number }
  readonly memory: { readonly used: number; readonly limit: number }
}

/** What is begun and not done. */
export type OpenWork = {
  readonly requests: number
  readonly openImports: number
  readonly removals: number
}

type ServicePageProps = Measures &
  OpenWork & {
    readonly context: PageContext
    readonly version: string
    readonly backup: BackupStatus
    readonly check: CheckStatus
    readonly events: readonly EventCount[]
    readonly webhooks: readonly Webhook[]
  }

export const ServicePage = (props: ServicePageProps) => (
  <FormPage context={props.context} title={t('Service')}>
    <State {...props} />
    <BackupPanel context={props.context} backup={props.backup} />
    <CheckPanel context={props.context} check={props.check} />
    <Events events={props.events} />
    {props.webhooks.length > 0 && <WebhookTable webhooks={props.webhooks} />}
  </FormPage>
)

const State = ({
  version,
  disk,
  memory,
  requests,
  openImports,
  removals,
}: Omit<ServicePageProps, 'context'>) => (
  <Panel title={t('State')}>
    <dl class="fields">
      <Fact label={t('Version|program')}>{version}</Fact>
      <Fact label={t('Disk')}>
        {t('{free} free of {size}. The data take {used}.', {
          free: sizeText(disk.free),
          size: sizeText(disk.size),
          used: sizeText(disk.used),
        })}
      </Fact>
      <Fact label={t('Memory')}>
        {t('{used} of {size}', { used: sizeText(memory.used), size: sizeText(memory.limit) })}
      </Fact>
      <Fact label={t('Open requests')}>
        <a href={editingLinks.changeRequests()}>{numberText(requests)}</a>
      </Fact>
      <Fact label={t('Imports that are not done')}>
        <a href={editingLinks.imports}>{numberText(openImports)}</a>
      </Fact>
      <Fact label={t('Deletions that are not done')}>
        {removals === 0
          ? numberText(0)
          : t('{count}. The service goes on with them at its next start.', {
              count: numberText(removals),
            })}
      </Fact>
    </dl>
  </Panel>
)

const Fact = ({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const BackupPanel = ({
  context,
  backup: { settings, last, running, failure, next },
}: Pick<ServicePageProps, 'context' | 'backup'>) => (
  <Panel title={t('Backups')}>
    {failure && (
      <NoticeBox
        notice={{
          tone: 'wrong',
          text: t('The backup of {time} failed. {reason}', {
            time: momentText(failure.at),
            reason: t(failureTexts[failure.reason]),
          }),
        }}
      />
    )}
    {settings ? (
      <dl class="fields">
        <Fact label={t('Last backup')}>
          {last ? <LastBackup {...last} /> : t('There is none yet.')}
        </Fact>
        {next !== undefined && <Fact label={t('Next backup')}>{momentText(next)}</Fact>}
        <Fact label={t('Folder')}>{settings.directory}</Fact>
      </dl>
    ) : (
      <p class="hint">
        {t('With the setting BACKUP_DIR the service makes backups by itself, into a folder.')}
      </p>
    )}
    {running && (
      <Progress
        context={context}
        text={t('A backup is being made: {size} so far.', { size: sizeText(running.bytes) })}
      />
    )}
    <p class="hint">
      {t('A backup has everything, also what is private and the key of all tokens. Keep it safe.')}
    </p>
    <div class="actions">
      {settings && !running && (
        <Action context={context} action="backup" text={t('Make a backup')} />
      )}
      <Action context={context} action="download" text={t('Download a backup')} />
    </div>
  </Panel>
)

const LastBackup = ({ name, at, bytes }: BackupInfo) => (
  <>
    {momentText(at)}, {sizeText(bytes)}
    <br />
    {name}
  </>
)

const failureTexts: Readonly<Record<FailureReason, string>> = {
  full: message('The disk is full.'),
  denied: message('The service may not write in the folder.'),
  missing: message('The folder is not there.'),
  other: message('The log says why.'),
}

const CheckPanel = ({
  context,
  check: { running, last },
}: Pick<ServicePageProps, 'context' | 'check'>) => (
  <Panel title={t('Check of the data')}>
    {last && <Result result={last} />}
    <p class="hint">{t('Everything is read, and nothing is changed.')}</p>
    {running ? (
      <Progress
        context={context}
        text={plural(
          running.entries,
          'The data are being checked: {count} entry so far.',
          'The data are being checked: {count} entries so far.',
        )}
      />
    ) : (
      <div class="actions">
        <Action context={context} action="check" text={t('Check')} />
      </div>
    )}
  </Panel>
)

const Result = ({ result }: { readonly result: CheckResult }) => {
  if (result.failed)
    return (
      <NoticeBox
        notice={{
          tone: 'wrong',
          text: t('The check of {time} did not reach its end. The log says why.', {
            time: momentText(result.at),
          }),
        }}
      />
    )
  const { at, records, errors, notes, findings } = result
  return (
    <>
      <NoticeBox
        notice={{
          tone: errors > 0 ? 'wrong' : 'done',
          text: t('{time}: {records} records checked, {errors} errors, {notes} notes.', {
            time: momentText(at),
            records: numberText(records),
            errors: numberText(errors),
            notes: numberText(notes),
          }),
        }}
      />
      {findings.length > 0 && (
        <ul class="findings" lang="en">
          {findings.map(({ level, key, field, what }) => (
            <li key={`${key}${field}${what}`}>
              {[level, key, field, what].filter((part) => part !== undefined).join(': ')}
            </li>
          ))}
        </ul>
      )}
      {findings.length < errors + notes && (
        <p class="hint">{t('These are the first. The command “doctor” prints all.')}</p>
      )}
    </>
  )
}

const Progress = ({ context, text }: { readonly context: PageContext; readonly text: string }) => (
  <div class="progress" role="status">
    <p>{text}</p>
    <progress aria-label={t('Progress')} />
    <p class="hint">
      {t('This page reloads every two seconds. You can leave; the work continues.')}{' '}
      <a href={context.path}>{t('Reload')}</a>
    </p>
  </div>
)

const Action = ({
  context,
  action,
  text,
}: {
  readonly context: PageContext
  readonly action: string
  readonly text: string
}) => (
  <Form context={context} action={editingLinks.service}>
    <button name="do" value={action} class={action === 'download' ? 'quiet' : undefined}>
      {text}
    </button>
  </Form>
)

const Events = ({ events }: Pick<ServicePageProps, 'events'>) => (
  <Panel title={t('The last 24 hours')}>
    {events.length === 0 ? (
      <p>{t('No errors and no failed logins.')}</p>
    ) : (
      <DataTable
        label={t('The last 24 hours')}
        columns={[t('What happened'), t('How often'), t('Last time')]}
      >
        {events.map(({ kind, count, last }) => (
          <tr key={kind}>
            <th scope="row">{t(eventTexts[kind])}</th>
            <td>{numberText(count)}</td>
            <td>{momentText(last)}</td>
          </tr>
        ))}
      </DataTable>
    )}
    <p class="hint">
      {t('Counted from the start of the service. The log has the details of each error.')}
    </p>
  </Panel>
)

const eventTexts: Readonly<Record<EventKind, string>> = {
  request: message('A request was answered with an error of the service'),
  connection: message('A connection ended with an error'),
  job: message('A long piece of work failed'),
  import: message('An import failed'),
  backup: message('A backup failed'),
  webhook: message('A delivery to a webhook could not be made'),
  sparql: message('A SPARQL query failed in the service'),
  command: message('A command failed'),
  removal: message('A permanent deletion could not be finished'),
  other: message('Another error'),
  login: message('A login failed'),
}

const WebhookTable = ({ webhooks }: Pick<ServicePageProps, 'webhooks'>) => (
  <Panel title={t('Webhooks')}>
    <DataTable
      label={t('Webhooks')}
      columns={[t('Account'), t('Host|address'), t('Last delivery'), t('Failures since then')]}
    >
      {webhooks.map(({ id, account, url, state, lastDelivery, failure }) => (
        <tr key={id}>
          <th scope="row">
            <a href={editingLinks.accountOf(account)}>{account}</a>
          </th>
          {/* The rest of the address may be a secret. */}
          <td>{new URL(url).host}</td>
          <td>{lastDelivery === undefined ? t('none yet') : momentText(lastDelivery)}</td>
          <td>
            {numberText(failure?.count ?? 0)}
            {state === 'disabled' && `, ${t('disabled')}`}
          </td>
        </tr>
      ))}
    </DataTable>
  </Panel>
)

/** The day and the minute of an ISO 8601 time. */
const momentText = (time: string): string => `${dateText(time)}, ${time.slice(11, 16)} UTC`

const sizeText = (bytes: number): string =>
  bytes < 1e9
    ? t('{size} MB', { size: numberText(Math.ceil(bytes / 1e6)) })
    : t('{size} GB', { size: numberText(Math.round(bytes / 1e8) / 10) })
