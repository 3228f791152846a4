// The pages of the history: the versions of a record with what each changed, and the deleted
// records.

import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { RecordMessages } from '../../views/components/error-messages.js'
import { Time, valueTexts } from '../../views/components/field-value.js'
import { TextDifference } from './text-difference.js'
import { Form } from '../../views/form.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import { OriginalRow } from '../imports/import-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, recordPath, withParameters } from '../../views/links.js'
import { fieldText, kindTitle, message, rich, t, tKind } from '../../views/translate.js'

/** A version, with the fields that it changed. */
type ShownVersion = RecordVersion & {
  readonly changed: readonly Field[]
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

/** The numbers of the other pages; undefined where there is none. */
export type PageLinksOfHistory = {
  readonly newer: number | undefined
  readonly older: number | undefined
}

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
  const { change, turned, at, account, how, before, after, changed, redacted, sequence } = version
  const textOf = (field: Field, values: RecordValues = {}): string =>
    valueTexts(field, values, { resources, lookup }).join('\n')
  return (
    <article class="version">
      <h2>
        {t(changeTitles[turned ?? change ?? 'first'])} <Time value={at} />
      </h2>
      <p class="made">
        {account === undefined ? t('Not known by whom') : t('By {account}', { account })}
        {how !== undefined && ` · ${t(methodTitles[how] ?? how)}`}
      </p>
      {redacted.length > 0 && (
        <p class="made">
          {t('A value was removed for good: {redacted}.', {
            redacted: redacted.map((name) => fieldText(resource, name)).join(', '),
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
        {after && (
          <button class="quiet" name="action" value="restore">
            {t('Restore this version')}
          </button>
        )}
        {sequence !== undefined && (
          <button class="quiet" name="action" value="undo">
            {t('Undo this change')}
          </button>
        )}
      </Form>
    </article>
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

const changeTitles = {
  created: message('Created'),
  updated: message('Changed'),
  deleted: message('Deleted'),
  merged: message('Merged'),
  hidden: message('Hidden from the public'),
  shown: message('Shown to the public'),
  first: message('The history begins here'),
} as const

/** How a change came, in the words of pages. */
const methodTitles: Readonly<Record<string, string>> = {
  api: message('through the API'),
  page: message('in the browser'),
  load: message('loaded from a file'),
  import: message('by an import'),
  batch: message('together with others'),
  merge: message('by merging'),
  restore: message('by restoring a version'),
  undo: message('by undoing a change'),
  redaction: message('something was removed for good'),
}

/** A notice on the page where a version was to be restored, or a change undone. */
export const NotRestored = ({
  isUndo,
  ...props
}: Parameters<typeof RecordMessages>[0] & { readonly isUndo: boolean }) => (
  <>
    {isUndo ? t('Not undone.') : t('Not restored.')} <RecordMessages {...props} />
  </>
)

export type DeletedPageProps = {
  readonly context: PageContext
  readonly records: readonly DeletedRecordSummary[]
  readonly pages: PageLinksOfHistory
}

type DeletedRecordSummary = {
  readonly name: ResourceName
  readonly id: string
  readonly title: string
  readonly at: string
  readonly account: string | undefined
  /** The version that the deletion made. */
  readonly version: number
}

export const DeletedPage = ({ context, records, pages }: DeletedPageProps) => (
  <FormPage context={context} title={t('Recently deleted')}>
    {records.length === 0 && <p class="lead">{t('Nothing was deleted.')}</p>}
    <ul class="records">
      {records.map(({ name, id, title, at, account, version }) => (
        <li key={`${name}/${id}`}>
          <p>
            <a href={editingLinks.history(name, id)}>{title}</a>
          </p>
          <p class="made">
            {rich('{kind} · {id} · deleted {date}', {
              kind: kindTitle(name),
              id: <code>{id}</code>,
              date: <Time value={at} />,
            })}
            {account !== undefined && ` ${t('by {account}', { account })}`}
          </p>
          <Form context={context} action={editingLinks.history(name, id)} class="actions">
            <input type="hidden" name="version" value={version} />
            <button class="quiet" name="action" value="undo">
              {t('Restore, with what went with it')}
            </button>
          </Form>
        </li>
      ))}
    </ul>
    <PageLinks path={editingLinks.deleted} {...pages} />
  </FormPage>
)

const PageLinks = ({ path, newer, older }: PageLinksOfHistory & { readonly path: string }) => (
  <nav class="pages" aria-label={t('Pages')}>
    {newer !== undefined && <a href={pagePath(path, newer)}>{t('Newer')}</a>}
    {older !== undefined && <a href={pagePath(path, older)}>{t('Older')}</a>}
  </nav>
)

const pagePath = (path: string, page: number): string =>
  withParameters(path, '', { page: page > 1 ? String(page) : undefined })
