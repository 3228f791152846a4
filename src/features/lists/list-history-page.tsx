// The page of the versions of a list: what each changed, and buttons that restore a version or undo
// a change.

import type { VNode } from 'preact'

import { recordKey } from '../../catalogue/records/record-cache.js'
import { ConflictError, NotFoundError, RequestError } from '../../errors.js'
import type { Endpoint } from '../../http/endpoint.js'
import {
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { paginate, parsePageQuery } from '../../http/request/pagination.js'
import { message, type Message } from '../../message.js'
import type { Resources } from '../../model/resources.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import { Form } from '../../views/form.js'
import type { PageContext } from '../../views/layout.js'
import { curatedListPath, editingLinks, editingRoutes } from '../../views/links.js'
import { messageText, t } from '../../views/translate.js'
import { TextDifference } from '../history/text-difference.js'
import {
  PageLinks,
  type PageLinksOfHistory,
  VersionHead,
  historyPageLinks,
} from '../history/version-parts.js'
import type { CuratedList, ListField, ListVersion } from './curated-lists.js'
import { type ListFormDependencies, labels } from './list-form.js'
import { planUndo } from './list-undo.js'
import { fieldsThatDiffer } from './list-versions.js'
import { type ShownListVersion, type ShownRecord, createVersionView } from './shown-versions.js'

export const listHistoryPageEndpoint = (dependencies: ListFormDependencies): Endpoint =>
  createFormEndpoint(dependencies, {
    path: editingRoutes.listHistory,
    name: 'History of a list',
    description: 'The versions of a list, where they are restored.',
    isAllowed: mayEditLists,
    render: (request) => historyPage(dependencies, request),
    async submit(request, form) {
      try {
        return await takeBack(dependencies, request, form)
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        request.ctx.status = 409
        return historyPage(dependencies, request, { tone: 'wrong', text: error.text })
      }
    },
  })

const slugOf = ({ ctx }: SignedInRequest): string => String(ctx.params.list)

/** Restores a version or undoes a change, as the form says. */
async function takeBack(
  { lists }: ListFormDependencies,
  request: SignedInRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const slug = slugOf(request)
  const how = form.get('action') === 'undo' ? 'undo' : 'restore'
  const source = { account: request.account.name, how } as const
  const list = await lists[how](slug, Number(form.get('version')), { withPrivate: false, source })
  return {
    to: list ? curatedListPath(slug) : editingLinks.listHistory(slug),
    done: how === 'undo' ? 'undone' : 'restored',
  }
}

/** A version, and what can be done with it. */
type VersionRow = ShownListVersion & {
  readonly mayBeRestored: boolean
  /** Why the change cannot be undone; undefined where it can. */
  readonly obstacle: Message | undefined
}

async function historyPage(
  { catalogue, lists, resources }: ListFormDependencies,
  request: SignedInRequest,
  notice?: Notice,
): Promise<VNode> {
  const { account, context, ctx } = request
  const slug = slugOf(request)
  const current = lists.find(slug)
  const versions = await lists.history(slug)
  const query = parsePageQuery(ctx)
  const { count, results } = paginate(versions.toReversed(), query)
  const show = createVersionView(catalogue, account)
  const rows: VersionRow[] = []
  for (const version of results)
    rows.push({
      ...(await show(version, versions[versions.indexOf(version) - 1])),
      mayBeRestored:
        version.list !== undefined && isTakenBack(fieldsThatDiffer(current, version.list)),
      obstacle: obstacleToUndo(versions, version, current),
    })
  const title = (current ?? lists.findDeleted(slug))?.title ?? slug
  const pages = historyPageLinks(query, count)
  return (
    <ListHistoryPage
      {...{ context, slug, title, rows, resources, pages, notice }}
      current={current}
    />
  )
}

/** Whether something differs that buttons take back. They publish nothing. */
const isTakenBack = (fields: readonly ListField[]): boolean =>
  fields.some((field) => field !== 'isPublic')

function obstacleToUndo(
  versions: readonly ListVersion[],
  { version }: ListVersion,
  current: CuratedList | undefined,
): Message | undefined {
  try {
    planUndo(versions, version, { current, withPrivate: false })
    return undefined
  } catch (error) {
    if (error instanceof NotFoundError) return message('The history does not say what it was.')
    if (error instanceof RequestError) return error.text
    throw error
  }
}

type ListHistoryPageProps = {
  readonly context: PageContext
  readonly slug: string
  readonly title: string
  readonly current: CuratedList | undefined
  /** The newest first. */
  readonly rows: readonly VersionRow[]
  readonly resources: Resources
  readonly pages: PageLinksOfHistory
  readonly notice: Notice | undefined
}

const ListHistoryPage = (props: ListHistoryPageProps) => {
  const { context, slug, title, current, rows, resources, pages, notice } = props
  const path = editingLinks.listHistory(slug)
  return (
    <FormPage context={context} title={t('History of {title}', { title })} notice={notice}>
      <p class="lead">
        {current ? (
          <a href={curatedListPath(slug)}>{t('The list as it is now')}</a>
        ) : (
          t('This list was deleted.')
        )}
      </p>
      <ol class="history" reversed>
        {rows.map((version) => (
          <li key={version.version} value={version.version} id={`version-${version.version}`}>
            <VersionBox {...{ context, path, version, resources }} />
          </li>
        ))}
      </ol>
      <PageLinks path={path} {...pages} />
    </FormPage>
  )
}

type VersionBoxProps = Pick<ListHistoryPageProps, 'context' | 'resources'> & {
  readonly path: string
  readonly version: VersionRow
}

const VersionBox = ({ context, path, version, resources }: VersionBoxProps) => {
  const { at, account, how, change, changed, redacted = [], mayBeRestored, obstacle } = version
  return (
    <article class="version">
      <VersionHead {...{ change, at, account, how }} />
      {redacted.length > 0 && (
        <p class="made">
          {t('A value was deleted permanently: {fields}.', {
            fields: redacted.map((field) => t(labelOf(field))).join(', '),
          })}
        </p>
      )}
      <Changes {...{ version, resources }} />
      <Form context={context} action={path} class="actions">
        <input type="hidden" name="version" value={version.version} />
        {mayBeRestored && (
          <button class="quiet" name="action" value="restore">
            {t('Restore this version')}
          </button>
        )}
        {isTakenBack(changed) && obstacle === undefined && (
          <button class="quiet" name="action" value="undo">
            {t('Undo this change')}
          </button>
        )}
      </Form>
      {isTakenBack(changed) && obstacle !== undefined && (
        <p class="hint">
          {t('Cannot be undone.')} {messageText(obstacle)}
        </p>
      )}
    </article>
  )
}

const labelOf = (field: ListField) => labels[field === 'isPublic' ? 'public' : field]

const Changes = ({ version, resources }: Pick<VersionBoxProps, 'version' | 'resources'>) => {
  const { before, after, changed } = version
  const textOf = (
    list: ShownListVersion['after'],
    field: Exclude<ListField, 'records'>,
  ): string => {
    const value = list?.[field] ?? ''
    return typeof value === 'string' ? value : value ? t('Yes') : t('No')
  }
  const shown = changed.filter((field) => hasValue(before, field) || hasValue(after, field))
  if (shown.length === 0) return null
  return (
    <dl class="fields">
      {shown.map((field) => (
        <div key={field}>
          <dt>{t(labelOf(field))}</dt>
          <dd>
            {field === 'records' ? (
              <RecordDifference
                before={recordLines(before?.records, resources)}
                after={recordLines(after?.records, resources)}
              />
            ) : (
              <TextDifference before={textOf(before, field)} after={textOf(after, field)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const hasValue = (list: ShownListVersion['after'], field: ListField): boolean =>
  list !== undefined && (field === 'isPublic' || list[field].length > 0)

/** A record of a list with its note; the key tells records with the same heading apart. */
type RecordLine = { readonly key: string; readonly text: string }

const recordLines = (
  records: readonly ShownRecord[] = [],
  resources: Resources,
): readonly RecordLine[] =>
  records.map(({ reference, record, note }) => {
    const heading = record ? recordHeading(record, resources) : recordKey(reference)
    return {
      key: `${recordKey(reference)} ${note}`,
      text: note === '' ? heading : `${heading}: ${note}`,
    }
  })

type RecordDifferenceProps = {
  readonly before: readonly RecordLine[]
  readonly after: readonly RecordLine[]
}

/** The records that only one of two versions has with this note, and whether others were moved. */
const RecordDifference = ({ before, after }: RecordDifferenceProps) => {
  const [removed, kept] = splitBy(before, after)
  const [added, stays] = splitBy(after, before)
  return (
    <>
      <ul class="difference">
        {removed.map(({ key, text }) => (
          <li key={`removed ${key}`} dir="auto">
            <del>{text}</del>
          </li>
        ))}
        {added.map(({ key, text }) => (
          <li key={`added ${key}`} dir="auto">
            <ins>{text}</ins>
          </li>
        ))}
      </ul>
      {kept.some(({ key }, index) => key !== stays[index]?.key) && (
        <p>{t('The order was changed.')}</p>
      )}
    </>
  )
}

/** @returns the lines that are not among others, and those that are */
function splitBy(
  lines: readonly RecordLine[],
  others: readonly RecordLine[],
): readonly [RecordLine[], RecordLine[]] {
  const keys = new Set(others.map(({ key }) => key))
  return [lines.filter(({ key }) => !keys.has(key)), lines.filter(({ key }) => keys.has(key))]
}
