// The pages of the history of records, where versions are restored and changes are undone, and the
// list of deleted records. How they look is left to features/history/history-page.tsx.

import type { Account } from '../../accounts/accounts.js'
import { mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { UndoConflictError } from '../../catalogue/errors.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import { fieldsThatDiffer } from '../../catalogue/history/value-differences.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { RestoreAttempt } from '../../catalogue/writes/restores.js'
import type { Imports } from '../imports/imports.js'
import { resourceNames } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import { type Reference, referencesOfField } from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes, recordPath } from '../../views/links.js'
import {
  leaveOutParam,
  DeletedPage,
  HistoryPage,
  NotRestored,
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
import { historyPageLinks } from './version-parts.js'

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
        const notice = await noticeOf(dependencies, resource, { id, how: howOf(form) }, error)
        if (!notice) throw error
        request.ctx.status = 409
        return historyPage(dependencies, resource, request, notice)
      }
    },
  })
}

type How = RestoreAttempt['how']

const howOf = (form: SubmittedForm): How => (form.get('action') === 'undo' ? 'undo' : 'restore')

/** Restores a version or undoes a change, as the form says. */
async function takeBack(
  { catalogue }: HistoryPagesDependencies,
  { target: name, id }: Reference,
  account: Account,
  form: SubmittedForm,
): Promise<Redirect> {
  const version = Number(form.get('version'))
  const how = howOf(form)
  const request = takingBack(account, how)
  await catalogue[how === 'undo' ? 'undoVersion' : 'restoreVersion'](name, id, version, request)
  const exists = await existsFor(catalogue, account, { target: name, id })
  return {
    to: exists ? recordPath(name, id) : editingLinks.history(name, id),
    done: how === 'undo' ? 'undone' : 'restored',
  }
}

const takingBack = ({ name }: Account, how: How) =>
  ({ withPrivate: false, source: { account: name, how } }) as const

/** What to say of an error that the user can do something about. */
async function noticeOf(
  { catalogue, resources }: HistoryPagesDependencies,
  resource: Resource,
  { id, how }: { readonly id: string; readonly how: How },
  error: unknown,
): Promise<Notice | undefined> {
  const isConflict = error instanceof UndoConflictError
  if (!isConflict && !(error instanceof ValidationError)) return undefined
  const lookup = await catalogue.find(isConflict ? [error.reference] : [])
  const text = <NotRestored {...{ how, error, resource, resources, id, lookup }} />
  return { tone: 'wrong', text }
}

async function historyPage(
  { catalogue, resources, imports }: HistoryPagesDependencies,
  resource: Resource,
  { ctx, context, account }: SignedInRequest,
  notice?: Notice,
) {
  const { name } = resource
  const id = recordIdParam(ctx)
  const reference = { target: name, id }
  const versions = [...(await shownHistory(catalogue, account, reference))].reverse()
  const query = parsePageQuery(ctx)
  const { count, results } = paginate(versions, query)
  const rows = await findRows(imports, account, reference, results)
  const exists = await existsFor(catalogue, account, reference)
  const attempts = results.flatMap((version): readonly RestoreAttempt[] => {
    const { version: number, after, sequence } = version
    const isCurrent = exists && version === versions[0]
    return [
      ...(after && !isCurrent ? [{ number, how: 'restore' } as const] : []),
      ...(sequence === undefined ? [] : [{ number, how: 'undo' } as const]),
    ]
  })
  const errors = await catalogue.obstacles(reference, attempts, takingBack(account, 'undo'))
  const actions = attempts.map((attempt, index) => ({ ...attempt, error: errors[index] }))
  const shown = results.map((version) => ({
    ...version,
    changed: changedFields(resource, version),
    row: version.batch === undefined ? undefined : rows.get(version.batch),
    actions: actions.filter(({ number }) => number === version.version),
  }))
  const lookup = await catalogue.find([
    ...shown.flatMap(({ before = {}, after = {}, changed }) =>
      changed.flatMap((field) => [
        ...referencesOfField(field, before),
        ...referencesOfField(field, after),
      ]),
    ),
    reference,
  ])
  const last = versions.find(({ after, before }) => after ?? before)
  return (
    <HistoryPage
      {...{ context, resource, resources, id, exists, lookup, notice }}
      title={titleIn(resource, last?.after ?? last?.before, id)}
      versions={shown}
      pages={historyPageLinks(query, count)}
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
    const row = await imports.rowOf(id, recordKey(reference))
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
      const byHand = writable.filter((reference) => !undone.has(recordKey(reference)))
      const leavesOut = queryParam(ctx, leaveOutParam) !== ''
      const { count, results } = paginate(leavesOut ? byHand : writable, query)
      const deletions = await catalogue.deletionsOf(results)
      const lookup = await catalogue.find(results)
      const request = takingBack(account, 'undo')
      const obstacleToUndo = async ({ version: number }: RecordVersion, reference: Reference) =>
        (await catalogue.obstacles(reference, [{ number, how: 'undo' }], request))[0]
      const records = await Promise.all(
        deletions.map(async ({ reference, deletion }) => {
          const { target: name, id } = reference
          const { at = '', account: by, version, before } = deletion ?? {}
          const error = deletion && (await obstacleToUndo(deletion, reference))
          const resource = resources[name]
          const title = titleIn(resource, before, id)
          return { resource, id, title, at, account: by, version, error }
        }),
      )
      return (
        <DeletedPage
          {...{ context, resources, records, lookup, leavesOut }}
          ofUndoneImports={writable.length - byHand.length}
          pages={historyPageLinks(query, count)}
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
      .map(({ reference }) => recordKey(reference)),
  )
}

function titleIn({ title }: Resource, values: RecordValues | undefined, id: string): string {
  const text = title && values ? textValue(values, title.name) : ''
  return text === '' ? id : text
}
