// The pages of the history of records, where versions are restored and changes are undone, and the
// list of deleted records. How they look is left to features/history/history-page.tsx.

import type { Account } from '../../accounts/accounts.js'
import { mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { UndoConflictError } from '../../catalogue/errors.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import { fieldsThatDiffer } from '../../catalogue/history/value-differences.js'
import type { Imports } from '../imports/imports.js'
import { resourceNames } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import { type Reference, referencesOfField } from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import { messagesByField } from '../../views/components/error-messages.js'
import { NotUndone } from '../../views/components/undo-conflict.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes, recordPath } from '../../views/links.js'
import {
  DeletedPage,
  HistoryPage,
  NotRestored,
  type PageLinksOfHistory,
  type VersionRow,
} from './history-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { paginate, parsePageQuery } from '../../http/request/pagination.js'
import { existsFor, writableRecords } from '../../http/request/record-rights.js'
import { visibleImports } from '../imports/visible-imports.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import { shownHistory } from './shown-history.js'

type HistoryPagesDependencies = FormDependencies & {
  readonly imports: Imports
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const historyPageEndpoints = (dependencies: HistoryPagesDependencies): Endpoint[] => [
  ...resourceNames.map((name) => historyEndpoint(dependencies, dependencies.resources[name])),
  deletedEndpoint(dependencies),
]

function historyEndpoint(dependencies: HistoryPagesDependencies, resource: Resource): Endpoint {
  const { name, noun } = resource
  return createFormEndpoint(dependencies, {
    path: editingRoutes.history(name),
    name: `History of a ${noun}`,
    description: `The versions of a ${noun.toLowerCase()}, where they are restored.`,
    record: name,
    render: (request) => historyPage(dependencies, resource, request),
    async submit(request, form) {
      const id = recordIdParam(request.ctx)
      try {
        return await takeBack(dependencies, { target: name, id }, request.account, form)
      } catch (error) {
        const notice = await noticeOf(dependencies, resource, { id, isUndo: isUndo(form) }, error)
        if (!notice) throw error
        request.ctx.status = 409
        return historyPage(dependencies, resource, request, notice)
      }
    },
  })
}

const isUndo = (form: SubmittedForm): boolean => form.get('action') === 'undo'

/** Restores a version or undoes a change, as the form says. */
async function takeBack(
  { catalogue }: HistoryPagesDependencies,
  { target: name, id }: Reference,
  account: Account,
  form: SubmittedForm,
): Promise<Redirect> {
  const version = Number(form.get('version'))
  const how = isUndo(form) ? 'undo' : 'restore'
  const request = { withPrivate: false, source: { account: account.name, how } } as const
  await catalogue[isUndo(form) ? 'undoVersion' : 'restoreVersion'](name, id, version, request)
  const exists = await existsFor(catalogue, account, { target: name, id })
  return {
    to: exists ? recordPath(name, id) : editingLinks.history(name, id),
    done: isUndo(form) ? 'undone' : 'restored',
  }
}

/** What to say of an error that the user can do something about. */
async function noticeOf(
  { catalogue, resources }: HistoryPagesDependencies,
  resource: Resource,
  { id, isUndo }: { readonly id: string; readonly isUndo: boolean },
  error: unknown,
): Promise<Notice | undefined> {
  if (error instanceof UndoConflictError) {
    const lookup = await catalogue.find([error.reference])
    return { tone: 'wrong', text: <NotUndone {...{ conflict: error, resources, lookup }} /> }
  }
  if (!(error instanceof ValidationError)) return undefined
  const messages = messagesByField(resource, error.fieldErrors)
  return { tone: 'wrong', text: <NotRestored {...{ resource, id, messages, isUndo }} /> }
}

async function historyPage(
  { catalogue, resources, imports }: HistoryPagesDependencies,
  resource: Resource,
  { ctx, context, account }: SignedInRequest,
  notice?: Notice,
) {
  const { name } = resource
  const id = recordIdParam(ctx)
  const versions = [...(await shownHistory(catalogue, account, { target: name, id }))].reverse()
  const query = parsePageQuery(ctx)
  const { count, results } = paginate(versions, query)
  const rows = await findRows(imports, account, { target: name, id }, results)
  const shown = results.map((version) => ({
    ...version,
    changed: changedFields(resource, version),
    row: version.batch === undefined ? undefined : rows.get(version.batch),
  }))
  const lookup = await catalogue.find(
    shown.flatMap(({ before = {}, after = {}, changed }) =>
      changed.flatMap((field) => [
        ...referencesOfField(field, before),
        ...referencesOfField(field, after),
      ]),
    ),
  )
  const exists = await existsFor(catalogue, account, { target: name, id })
  const last = versions.find(({ after, before }) => after ?? before)
  return (
    <HistoryPage
      {...{ context, resource, resources, id, exists, lookup, notice }}
      title={titleIn(resource, last?.after ?? last?.before, id)}
      versions={shown}
      pages={pageLinksOf(query, count)}
    />
  )
}

/**
 * The rows of the imports that made versions of a record, as far as the account sees them, by
 * batch.
 */
async function findRows(
  imports: Imports,
  account: Account,
  reference: Reference,
  versions: readonly RecordVersion[],
): Promise<ReadonlyMap<string, VersionRow>> {
  const batches = new Set(versions.flatMap(({ batch }) => batch ?? []))
  const rows = new Map<string, VersionRow>()
  if (batches.size === 0) return rows
  for (const { id, name, batch } of await visibleImports(imports, account)) {
    if (batch === undefined || !batches.has(batch)) continue
    const row = await imports.rowOf(id, `${reference.target}/${reference.id}`)
    if (row) rows.set(batch, { importId: id, source: name, number: row.number, fields: row.fields })
  }
  return rows
}

/** The fields that a version changed, where it was made by a change. */
const changedFields = (resource: Resource, { change, before, after }: RecordVersion) =>
  change ? fieldsThatDiffer(resource, before, after) : []

function deletedEndpoint(dependencies: HistoryPagesDependencies): Endpoint {
  const { catalogue, resources } = dependencies
  return createFormEndpoint(dependencies, {
    path: editingRoutes.deleted,
    name: 'Recently deleted',
    description: 'The records that were deleted and do not exist now.',
    isAllowed: mayWriteSomething,
    async render({ ctx, context, account }) {
      const query = parsePageQuery(ctx)
      const deleted = await catalogue.deletedRecords(resourceNames)
      const writable = await writableRecords(catalogue, account, deleted)
      const { count, results } = paginate(writable, query)
      const deletions = await catalogue.deletionsOf(results)
      const records = deletions.map(({ reference: { target: name, id }, deletion }) => {
        const { at = '', account: by, version = 1, before } = deletion ?? {}
        return { name, id, title: titleIn(resources[name], before, id), at, account: by, version }
      })
      return <DeletedPage context={context} records={records} pages={pageLinksOf(query, count)} />
    },
    submit: () => Promise.resolve({ to: editingLinks.deleted }),
  })
}

function titleIn({ title }: Resource, values: RecordValues | undefined, id: string): string {
  const text = title && values ? textValue(values, title.name) : ''
  return text === '' ? id : text
}

function pageLinksOf(
  { page, pageSize }: ReturnType<typeof parsePageQuery>,
  count: number,
): PageLinksOfHistory {
  return {
    newer: page > 1 ? page - 1 : undefined,
    older: page * pageSize < count ? page + 1 : undefined,
  }
}
