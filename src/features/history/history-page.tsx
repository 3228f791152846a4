// The pages of the history: the versions of a record with what each changed, and the deleted
// records.

import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { RestoreAttempt } from '../../catalogue/writes/restores.js'
import type { RecordValues } from '../../model/record/values.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { ForbiddenError } from '../../errors.js'
import { UndoConflictError } from '../../catalogue/errors.js'
import { ValidationError } from '../../model/record/input.js'
import { messagesByField, RecordMessages } from '../../views/components/error-messages.js'
import { UndoConflictText } from '../../views/components/undo-conflict.js'
import { Time, valueTexts } from '../../views/components/field-value.js'
import { TextDifference } from './text-difference.js'
import { PageLinks, type PageLinksOfHistory, VersionHead } from './version-parts.js'
import { Form } from '../../views/form.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import { OriginalRow } from '../imports/import-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, recordPath, withParameters } from '../../views/links.js'
import { fieldText, kindTitle, numberText, rich, t, tKind } from '../../views/translate.js'

/** A version, with the fields that it changed, and what can be done with it. */
type ShownVersion = RecordVersion & {
  readonly changed: readonly Field[]
  readonly actions: readonly Action[]
  /** The row of the import that made it. */
  readonly row?: VersionRow | undefined
}

/** A row of an import as the source had it. */
export type VersionRow = {
  readonly importId: string
  /** The name of the file. */
  readonly source: string
  readonly number: number
  readonly fields: readonly (readonly [name: string, text: string])[]
}

export type HistoryPageProps = {
  readonly context: PageContext
  readonly resource: Resource
  readonly resources: Resources
  readonly id: string
  readonly title: string
  readonly exists: boolean
  /** The newest first. */
  readonly versions: readonly ShownVersion[]
  readonly lookup: RecordLookup
  readonly pages: PageLinksOfHistory
  readonly notice?: Notice | undefined
}

/** What can be done with a version, unless an error is in the way. */
type Action = RestoreAttempt & { readonly error: Error | undefined }

export const HistoryPage = (props: HistoryPageProps) => {
  const { context, resource, id, title, exists, versions, pages, notice } = props
  const path = editingLinks.history(resource.name, id)
  return (
    <FormPage context={context} title={t('History of {title}', { title })} notice={notice}>
      <p class="lead">
        {exists ? (
          <a href={recordPath(resource.name, id)}>{tKind(resource.name, 'current')}</a>
        ) : (
          tKind(resource.name, 'deleted')
        )}
        {exists && (resource.name === 'agents' || resource.name === 'zines') && (
          <>
            {' · '}
            <a href={editingLinks.removeName(resource.name, id)}>{t('Remove a name')}</a>
          </>
        )}
      </p>
      <ol class="history" reversed>
        {versions.map((version) => (
          <li key={version.version} value={version.version} id={`version-${version.version}`}>
            <VersionBox {...props} version={version} />
          </li>
        ))}
      </ol>
      <PageLinks path={path} {...pages} />
    </FormPage>
  )
}

const VersionBox = ({
  version,
  context,
  resource,
  resources,
  id,
  lookup,
}: HistoryPageProps & { readonly version: ShownVersion }) => {
  const { actions, change, turned, at, account, how, before, after, changed, redacted } = version
  const textOf = (field: Field, values: RecordValues = {}): string =>
    valueTexts(field, values, { resources, lookup }).join('\n')
  return (
    <article class="version">
      <VersionHead {...{ at, account, how }} change={turned ?? change} />
      {redacted.length > 0 && (
        <p class="made">
          {t('A value was deleted permanently: {fields}.', {
            fields: redacted.map((name) => fieldText(resource, name)).join(', '),
          })}
        </p>
      )}
      {changed.length > 0 && (
        <dl class="fields">
          {changed.map((field) => (
            <div key={field.name}>
              <dt>
                {t(field.label)}
                {field.private && <span class="private"> {t('not public')}</span>}
              </dt>
              <dd>
                <TextDifference before={textOf(field, before)} after={textOf(field, after)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {version.row && <SourceRow row={version.row} />}
      <Form context={context} action={editingLinks.history(resource.name, id)} class="actions">
        <input type="hidden" name="version" value={version.version} />
        {actions
          .filter(({ error }) => !error)
          .map((action) => (
            <button key={action.how} class="quiet" name="action" value={action.how}>
              {action.how === 'restore' ? t('Restore this version') : t('Undo this change')}
            </button>
          ))}
      </Form>
      {actions
        .filter(({ error }) => error)
        .map((action) => (
          <p key={action.how} class="hint">
            <Obstacle {...action} {...{ resource, resources, id, lookup }} />
          </p>
        ))}
    </article>
  )
}

type ObstacleProps = ReasonProps & Pick<Action, 'how'>

/** What keeps a version from being restored, or a change from being undone, in words. */
const Obstacle = ({ how, ...props }: ObstacleProps) => (
  <>
    {how === 'restore' ? t('Cannot be restored.') : t('Cannot be undone.')} <Reason {...props} />
  </>
)

type ReasonProps = Pick<Action, 'error'> &
  Pick<HistoryPageProps, 'resource' | 'resources' | 'id' | 'lookup'>

const Reason = ({ error, resource, resources, id, lookup }: ReasonProps) => {
  if (error instanceof UndoConflictError)
    return <UndoConflictText {...{ conflict: error, resources, lookup }} />
  if (error instanceof ValidationError)
    return (
      <RecordMessages
        {...{ resource, id }}
        messages={messagesByField(resource, error.fieldErrors)}
      />
    )
  return error instanceof ForbiddenError ? (
    <>{t('Your account may not change such a record.')}</>
  ) : (
    <>{t('The history does not say what it was.')}</>
  )
}

const SourceRow = ({ row: { importId, source, number, fields } }: { readonly row: VersionRow }) => (
  <details>
    <summary>{t('Row {number} of {source}', { number, source })}</summary>
    <OriginalRow fields={fields} />
    <p>
      <a href={editingLinks.importOf(importId)}>{t('The import')}</a>
    </p>
  </details>
)

/** A notice on the page where a version was to be restored, or a change undone. */
export const NotRestored = ({ how, ...props }: ObstacleProps) => (
  <>
    {how === 'restore' ? t('Not restored.') : t('Not undone.')} <Reason {...props} />
  </>
)

/** The parameter that leaves out what was deleted because an import was undone. */
export const leaveOutParam = 'without_imports'

export type DeletedPageProps = Pick<HistoryPageProps, 'context' | 'resources' | 'lookup'> & {
  /** How many were deleted because an import was undone, and whether they are left out. */
  readonly ofUndoneImports: number
  readonly leavesOut: boolean
  readonly records: readonly DeletedRecordSummary[]
  readonly pages: PageLinksOfHistory
}

type DeletedRecordSummary = {
  readonly resource: Resource
  readonly id: string
  readonly title: string
  readonly at: string
  readonly account: string | undefined
  /** The version that the deletion made; undefined where the history does not say. */
  readonly version: number | undefined
  /** What keeps the deletion from being undone. */
  readonly error: Error | undefined
}

export const DeletedPage = ({ context, records, pages, ...props }: DeletedPageProps) => (
  <FormPage context={context} title={t('Recently deleted')}>
    {props.ofUndoneImports > 0 && <LeaveOut {...props} />}
    {records.length === 0 && <p class="lead">{t('Nothing was deleted.')}</p>}
    <ul class="records">
      {records.map(({ resource, id, title, at, account, version, error }) => (
        <li key={`${resource.name}/${id}`}>
          <p>
            <a href={editingLinks.history(resource.name, id)}>{title}</a>
          </p>
          <p class="made">
            {rich('{kind} · {id} · deleted {date}', {
              kind: kindTitle(resource.name),
              id: <code>{id}</code>,
              date: <Time value={at} />,
            })}
            {account !== undefined && ` ${t('by {account}', { account })}`}
          </p>
          {version !== undefined && !error ? (
            <Form
              context={context}
              action={editingLinks.history(resource.name, id)}
              class="actions"
            >
              <input type="hidden" name="version" value={version} />
              <button class="quiet" name="action" value="undo">
                {resource.name === 'zines' || resource.name === 'repositories'
                  ? t('Restore (including its copies)')
                  : t('Restore')}
                <span class="visually-hidden"> {title}</span>
              </button>
            </Form>
          ) : (
            <p class="hint">
              <Obstacle how="restore" {...{ error, resource, id }} {...props} />
            </p>
          )}
        </li>
      ))}
    </ul>
    <PageLinks
      path={editingLinks.deleted}
      query={props.leavesOut ? `${leaveOutParam}=1` : ''}
      {...pages}
    />
  </FormPage>
)

const LeaveOut = ({
  ofUndoneImports,
  leavesOut,
}: Pick<DeletedPageProps, 'ofUndoneImports' | 'leavesOut'>) => {
  const count = numberText(ofUndoneImports)
  return (
    <p class="lead">
      {leavesOut ? (
        <a href={editingLinks.deleted}>
          {t('Show those of undone imports too ({count})', { count })}
        </a>
      ) : (
        <a href={withParameters(editingLinks.deleted, '', { [leaveOutParam]: '1' })}>
          {t('Leave out those of undone imports ({count})', { count })}
        </a>
      )}
    </p>
  )
}
