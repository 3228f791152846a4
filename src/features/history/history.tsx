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
  leaveOutParam,
  DeletedPage,
  HistoryPage,
  NotRestored,
  type PageLinksOfHistory,
  type VersionRow,
} from './history-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { queryParam } from '../../http/request/url.js'
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
  const request = takingBack(account, how)
  await catalogue[isUndo(form) ? 'undoVersion' : 'restoreVersion'](name, id, version, request)
  const exists = await existsFor(catalogue, account, { target: name, id })
  return {
    to: exists ? recordPath(name, id) : editingLinks.history(name, id),
    done: isUndo(form) ? 'undone' : 'restored',
  }
}

const takingBack = ({ name }: Account, how: 'restore' | 'undo') =>
  ({ withPrivate: false, source: { account: name, how } }) as const

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
  const exists = await existsFor(catalogue, account, { target: name, id })
  const last = versions.find(({ after, before }) => after ?? before)
  const attempts = results.flatMap((version) => {
    const { version: number, after, sequence } = version
    const isCurrent = exists && version === versions[0]
    return [
      ...(after && !isCurrent ? [{ number, how: 'restore' as const }] : []),
      ...(sequence === undefined ? [] : [{ number, how: 'undo' as const }]),
    ]
  })
  const reference = { target: name, id }
  const errors = await catalogue.obstacles(reference, attempts, takingBack(account, 'undo'))
  const actions = attempts.map((attempt, index) => ({ ...attempt, error: errors[index] }))
  const lookup = await catalogue.find([
    ...shown.flatMap(({ before = {}, after = {}, changed }) =>
      changed.flatMap((field) => [
        ...referencesOfField(field, before),
        ...referencesOfField(field, after),
      ]),
    ),
    { target: name, id },
  ])
  return (
    <HistoryPage
      {...{ context, resource, resources, id, exists, lookup, actions, notice }}
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
      const undone = await recordsOfUndoneImports(catalogue)
      const kept = writable.filter(({ target, id }) => !undone.has(`${target}/${id}`))
      const leavesOut = queryParam(ctx, leaveOutParam) !== ''
      const { count, results } = paginate(leavesOut ? kept : writable, query)
      const deletions = await catalogue.deletionsOf(results)
      const lookup = await catalogue.find(results)
      const records = await Promise.all(
        deletions.map(async ({ reference, deletion }) => {
          const { target: name, id } = reference
          const { at = '', account: by, version = 1, before } = deletion ?? {}
          const attempt = { number: version, how: 'undo' } as const
          const [error] = deletion
            ? await catalogue.obstacles(reference, [attempt], takingBack(account, 'undo'))
            : []
          const resource = resources[name]
          const title = titleIn(resource, before, id)
          const undo = deletion && { ...attempt, error }
          return { resource, id, title, at, account: by, version, undo }
        }),
      )
      return (
        <DeletedPage
          {...{ context, resources, records, lookup, leavesOut }}
          ofUndoneImports={writable.length - kept.length}
          pages={pageLinksOf(query, count)}
        />
      )
    },
    submit: () => Promise.resolve({ to: editingLinks.deleted }),
  })
}

/** The keys of the records that were deleted because their import was undone. */
async function recordsOfUndoneImports(
  catalogue: Pick<Catalogue, 'batches' | 'batchRecords'>,
): Promise<ReadonlySet<string>> {
  const batches = await catalogue.batches()
  const imports = new Set(batches.filter(({ how }) => how === 'import').map(({ id }) => id))
  const undoing = batches.filter(({ undoes }) => undoes !== undefined && imports.has(undoes))
  const changes = await Promise.all(
    undoing.map((batch) =>
      catalogue.batchRecords(batch, { kind: undefined, offset: 0, limit: batch.count }),
    ),
  )
  return new Set(
    changes
      .flat()
      .filter(({ change }) => change === 'deleted')
      .map(({ reference: { target, id } }) => `${target}/${id}`),
  )
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
