// The pages of batches: edit many records of a list at once, and undo batches. How they look is
// left to features/batches/batches-page.tsx.

import type { VNode } from 'preact'

import { message } from '../../message.js'
import type { Account } from '../../accounts/accounts.js'
import { mayWrite, mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import {
  noSuchPage,
  PreconditionFailedError,
  type UndoConflict,
  UndoConflictsError,
} from '../../catalogue/errors.js'
import type {
  BatchRequest,
  BatchResult,
  BatchSelection,
  LineResult,
} from '../../catalogue/writes/batches.js'
import type { FieldEdit, FieldEdits } from '../../catalogue/writes/field-edits.js'
import type { JobStatus, Jobs } from '../../lib/jobs.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { type RecordLookup, type Reference, referencesOfField } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { messagesByField } from '../../views/components/error-messages.js'
import { MessagePage, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes, listPath, titleCase } from '../../views/links.js'
import {
  type BatchEditInput,
  type ChosenEdit,
  BatchEditPage,
  BatchPage,
  BatchPreviewPage,
  BatchProgressPage,
  BatchesPage,
  type EditDifference,
  type EditAction,
  type EditFailure,
  actionsFor,
  editableFields,
  maxShown,
} from './batches-page.js'
import { type ChosenVisibility, readChosenVisibility } from '../records/visibility.js'
import { writeBatchAsJob } from './batch-job.js'
import { BatchVisibilityPage } from './batch-visibility-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { parseListQueryText, recordIdParam } from '../../http/request/list-query.js'
import { paginate, parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { findFor } from '../../http/request/record-rights.js'
import { toErrorResponse } from '../../http/response/http-errors.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import { resolveField } from '../../http/request/typed-values.js'
import { rich, t } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

type BatchPagesDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly jobs: Jobs
}

export const batchPageEndpoints = (dependencies: BatchPagesDependencies): Endpoint[] => [
  ...resourceNames.map((name) => batchEditEndpoint(dependencies, dependencies.resources[name])),
  batchesEndpoint(dependencies),
  batchEndpoint(dependencies),
]

function batchEditEndpoint(dependencies: BatchPagesDependencies, resource: Resource): Endpoint {
  const { name } = resource
  const pages = new BatchEditPages(dependencies, resource)
  return createFormEndpoint(dependencies, {
    path: editingRoutes.batchEdit(name),
    name: `Batch Edit of ${titleCase(name)}`,
    description: 'A form that edits many records at once, with a preview.',
    isAllowed: (account) => mayWrite(account, name),
    render: (request) =>
      pages.edit(request, {
        query: request.ctx.querystring,
        ids: [],
        earlier: [],
        field: undefined,
        action: 'add',
        old: '',
        value: '',
      }),
    async submit(request, form) {
      const input = await withTypedValues(dependencies, request, readInput(resource, form))
      // Without a query and identifiers all records would be meant.
      if (!form.has('query') && tickedList(form) === null && input.ids.length === 0)
        return <NothingTicked context={request.context} resource={resource} />
      if (form.get('do') === 'visibility')
        return pages.visibility(request, input, readChosenVisibility(form))
      if (form.get('do') === 'set-visibility') return pages.setVisibility(request, input, form)
      // Another field was chosen than that which the values are of.
      const isOtherField = form.has('chosen') && form.get('chosen') !== input.field?.name
      if (isOtherField) return pages.edit(request, withoutValues(input))
      const edits = editsIn(input, form.has('chosen'))
      if (form.has('drop')) return pages.edit(request, input)
      const action = form.get('do') ?? ''
      if (!edits) {
        const notice = needsEdits.has(action) ? incomplete : undefined
        return pages.edit(request, input, notice)
      }
      if (action === 'another')
        return pages.edit(request, {
          ...withoutValues(input),
          earlier: edits,
          field: undefined,
        })
      const step = steps.get(action)
      if (!step || edits.length === 0) return pages.edit(request, input)
      const chosen = form.has('chosen') ? input : { ...input, field: undefined }
      return step(pages, request, { ...chosen, edits }, form)
    },
  })
}

/** A batch edit that can be made. */
type CompleteInput = BatchEditInput & { readonly edits: readonly ChosenEdit[] }

/** All that was chosen; undefined if the last of it is not complete. */
function editsIn(input: BatchEditInput, hasLast: boolean): readonly ChosenEdit[] | undefined {
  const { earlier, field, action, old, value } = input
  if (!hasLast) return earlier
  return field && !isIncomplete(input) ? [...earlier, { field, action, old, value }] : undefined
}

type Step = (
  pages: BatchEditPages,
  request: SignedInRequest,
  input: CompleteInput,
  form: SubmittedForm,
) => Promise<VNode | Redirect>

const steps: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['preview', (pages, request, input) => pages.preview(request, input)],
  ['write', (pages, request, input, form) => pages.write(request, input, form)],
])

/** The buttons that are of use only when all that was chosen is complete. */
const needsEdits: ReadonlySet<string> = new Set(['another', ...steps.keys()])

/** The query of the list of which all records are ticked, on its other pages too. */
const tickedList = (form: SubmittedForm): string | null =>
  form.get('all') === 'yes' ? form.get('list') : null

function readInput(resource: Resource, form: SubmittedForm): BatchEditInput {
  const dropped = form.get('drop')
  const earlier = form
    .getAll('edit')
    .filter((_, index) => String(index) !== dropped)
    .map((text) => readEdit(resource, parseEarlier(text)))
  const list = tickedList(form)
  return {
    query: list ?? form.get('query') ?? '',
    // A record may be ticked in several groups of likely duplicates.
    ids: list === null ? [...new Set(form.getAll('id'))] : [],
    earlier: earlier.flatMap((edit) =>
      edit.field && !isIncomplete(edit) ? [{ ...edit, field: edit.field }] : [],
    ),
    ...readEdit(resource, form),
  }
}

/**
 * The input with the code or identifier of a value that was typed by its label or title. One that
 * is removed or replaced stays as it is: records may still have the identifier of a deleted record,
 * which another one has as its name.
 */
async function withTypedValues(
  dependencies: BatchPagesDependencies,
  { context: { translator } }: SignedInRequest,
  input: BatchEditInput,
): Promise<BatchEditInput> {
  const { field } = input
  if (!field) return input
  const [value = ''] = await resolveField(dependencies, translator, field, [input.value])
  return { ...input, value }
}

type EditInput = Omit<ChosenEdit, 'field'> & { readonly field: Field | undefined }

function readEdit(resource: Resource, form: Pick<SubmittedForm, 'get'>): EditInput {
  const field = editableFields(resource).find(({ name }) => name === form.get('field'))
  const action = form.get('action') ?? ''
  const textOf = (name: string) => (form.get(name) ?? '').trim().replace(/\r\n?/g, '\n')
  return {
    field,
    action: (field && actionsFor(field).find((known) => known === action)) ?? 'add',
    old: textOf('old'),
    value: textOf('value'),
  }
}

/** What the form has of an earlier edit, as its own fields. What is no such text has none. */
function parseEarlier(text: string): Pick<SubmittedForm, 'get'> {
  try {
    const members = Object.entries(JSON.parse(text) as object)
    return new URLSearchParams(members.map(([name, value]) => [name, String(value)]))
  } catch {
    return new URLSearchParams()
  }
}

const withoutValues = (input: BatchEditInput): BatchEditInput => ({ ...input, old: '', value: '' })

const needsOld: readonly EditAction[] = ['remove', 'replace']
const needsValue: readonly EditAction[] = ['add', 'replace', 'set']

const isIncomplete = ({ field, action, old, value }: EditInput): boolean =>
  (needsOld.includes(action) && old === '') ||
  (needsValue.includes(action) && value === '') ||
  !field ||
  !actionsFor(field).includes(action)

/** The pages of an edit of many records of one kind. */
class BatchEditPages {
  readonly #catalogue: Catalogue
  readonly #resources: Resources
  readonly #jobs: Jobs
  readonly #resource: Resource

  constructor({ catalogue, resources, jobs }: BatchPagesDependencies, resource: Resource) {
    this.#catalogue = catalogue
    this.#resources = resources
    this.#jobs = jobs
    this.#resource = resource
  }

  async edit(
    { context, account }: SignedInRequest,
    input: BatchEditInput,
    notice?: Notice,
  ): Promise<VNode> {
    const [resource, resources] = [this.#resource, this.#resources]
    const lookup = await findFor(
      this.#catalogue,
      account,
      [...input.earlier, input].flatMap((edit) => {
        const target = edit.field?.target
        return target ? [edit.old, edit.value].map((id) => ({ target, id })) : []
      }),
    )
    return (
      <BatchEditPage
        {...{ context, resource, resources, input, lookup, notice }}
        count={await this.#countSelected(account, input)}
      />
    )
  }

  async preview(
    { context, account }: SignedInRequest,
    input: CompleteInput,
    notice?: Notice,
  ): Promise<VNode> {
    const [resource, resources] = [this.#resource, this.#resources]
    const { lines } = await this.#run(account, input, toEdits(input.edits), { isDryRun: true })
    const differences = lines.flatMap(differenceOf)
    const failures = lines.flatMap((line) => failureOf(resource, line))
    const shown = {
      differences: differences.slice(0, maxShown),
      failures: failures.slice(0, maxShown),
    }
    return (
      <BatchPreviewPage
        {...{ context, resource, resources, input, edits: input.edits, ...shown }}
        notice={notice}
        count={lines.length}
        changed={differences.length}
        failed={failures.length}
        lookup={await lookUp(this.#catalogue, account, input.edits, shown)}
      />
    )
  }

  /** Writes the edit, if it still changes as many records as the preview said. */
  async write(
    request: SignedInRequest,
    input: CompleteInput,
    form: SubmittedForm,
  ): Promise<VNode | Redirect> {
    const { account } = request
    const expected = Number(form.get('expected'))
    try {
      return await writeBatchAsJob(this.#jobs, account, async (options) => {
        const edits = toEdits(input.edits)
        const { batch } = await this.#run(account, input, edits, { ...options, expected })
        // Another number of records would have changed than the preview said.
        if (!batch) throw new PreconditionFailedError()
      })
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error
      return this.preview(request, input, changedMeanwhile)
    }
  }

  async visibility(
    { context, account }: SignedInRequest,
    input: BatchEditInput,
    chosen: ChosenVisibility,
    notice?: Notice,
  ): Promise<VNode> {
    return (
      <BatchVisibilityPage
        {...{ context, resource: this.#resource, input, chosen, notice }}
        count={await this.#countSelected(account, input)}
      />
    )
  }

  /** Hides the records or shows them, all or none. */
  async setVisibility(
    request: SignedInRequest,
    input: BatchEditInput,
    form: SubmittedForm,
  ): Promise<VNode | Redirect> {
    const { account, ctx } = request
    const chosen = readChosenVisibility(form)
    if (form.get('.count')?.trim() !== String(await this.#countSelected(account, input))) {
      ctx.status = 400
      return this.visibility(request, input, chosen, wrongCount)
    }
    const edits = new Map([
      ['visibility', { set: chosen.visibility }],
      ...(chosen.visibility === 'public'
        ? []
        : [['hidden_reason', { set: chosen.reason }] as const]),
    ])
    try {
      return await writeBatchAsJob(this.#jobs, account, async (options) => {
        const all = { ...options, mode: 'all' } as const
        const { batch, lines } = await this.#run(account, input, edits, all)
        const failed = lines.find((line) => 'error' in line)
        if (failed) throw failed.error
        if (!batch) throw new PreconditionFailedError()
      })
    } catch (error) {
      if (error instanceof PreconditionFailedError)
        return { to: listPath(this.#resource.name), done: 'unchanged' }
      const [text] = messagesOf(this.#resource, error).flatMap(({ texts }) => texts)
      if (text === undefined) throw error
      ctx.status = 400
      return this.visibility(request, input, chosen, { tone: 'wrong', text })
    }
  }

  /** Runs the edit; those that fail do not keep the others from being written. */
  #run(
    account: Account,
    input: BatchEditInput,
    edits: FieldEdits,
    options: Pick<BatchRequest, 'isDryRun' | 'id' | 'onProgress' | 'expected'> &
      Partial<Pick<BatchRequest, 'mode'>>,
  ): Promise<BatchResult> {
    const request: BatchRequest = {
      mode: 'each',
      ...options,
      withJson: false,
      account: account.name,
      mayWrite: (name) => mayWrite(account, name),
    }
    return this.#catalogue.editRecords(this.#selectionOf(account, input), edits, request)
  }

  async #countSelected(account: Account, input: BatchEditInput): Promise<number> {
    const { name, records } = this.#selectionOf(account, input)
    if ('ids' in records) return records.ids.length
    const page = { ...records.query, page: 1, pageSize: 1 }
    return (await this.#catalogue.list(name, page)).count
  }

  /** With identifiers, only these records are meant, whatever the query. */
  #selectionOf(account: Account, { ids, query }: BatchEditInput): BatchSelection {
    const resource = this.#resource
    const records =
      ids.length > 0 ? { ids } : { query: parseListQueryText(resource, query, account) }
    return { name: resource.name, records }
  }
}

const incomplete: Notice = {
  tone: 'wrong',
  text: message('A value is missing for what you chose.'),
}

const wrongCount: Notice = {
  tone: 'wrong',
  text: message('Nothing was changed: type the number of records exactly as it is shown below.'),
}

const NothingTicked = ({ context, resource }: { context: PageContext; resource: Resource }) => (
  <MessagePage context={context} title={t('Nothing is ticked')}>
    <p>
      {rich('Go back and tick what you want to edit, or go to {list}.', {
        list: <a href={listPath(resource.name)}>{t(kindTexts[resource.name].all)}</a>,
      })}
    </p>
  </MessagePage>
)

/** The edits by field. Those of a list are made together; of others the last one counts. */
function toEdits(edits: readonly ChosenEdit[]): ReadonlyMap<string, FieldEdit> {
  const byField = new Map<string, FieldEdit>()
  for (const chosen of edits) {
    const edit = toEdit(chosen)
    const before = byField.get(chosen.field.name)
    const joined = before && 'add' in before && 'add' in edit ? joinEdits(before, edit) : edit
    byField.set(chosen.field.name, joined)
  }
  return byField
}

type ListEdit = Extract<FieldEdit, { readonly add: unknown }>

const joinEdits = (edit: ListEdit, other: ListEdit): ListEdit => ({
  add: [...edit.add, ...other.add],
  remove: [...edit.remove, ...other.remove],
  replace: new Map([...edit.replace, ...other.replace]),
})

function toEdit({ action, old, value }: ChosenEdit): FieldEdit {
  const text = value.normalize('NFC')
  const former = old.normalize('NFC')
  if (action === 'set') return { set: text }
  if (action === 'clear') return { clear: true }
  return {
    add: action === 'add' ? [text] : [],
    remove: action === 'remove' ? [former] : [],
    replace: new Map(action === 'replace' ? [[former, text]] : []),
  }
}

function differenceOf(line: LineResult): readonly EditDifference[] {
  if ('error' in line) return []
  const [write] = line.writes
  return write?.before && write.after
    ? [{ reference: line.reference, before: write.before, after: write.after }]
    : []
}

const failureOf = (resource: Resource, line: LineResult): readonly EditFailure[] =>
  'error' in line ? [{ reference: line.reference, messages: messagesOf(resource, line.error) }] : []

function messagesOf(resource: Resource, error: unknown): EditFailure['messages'] {
  if (error instanceof ValidationError) return messagesByField(resource, error.fieldErrors)
  const { body = {} } = toErrorResponse(error) ?? {}
  return [{ field: undefined, texts: Object.values(body).map(String) }]
}

/** The records that a preview names. */
function lookUp(
  catalogue: Catalogue,
  account: Account,
  edits: readonly ChosenEdit[],
  {
    differences,
    failures,
  }: { differences: readonly EditDifference[]; failures: readonly EditFailure[] },
): Promise<RecordLookup> {
  return findFor(catalogue, account, [
    ...[...differences, ...failures].map(({ reference }) => reference),
    ...differences.flatMap(({ before, after }) =>
      edits.flatMap(({ field }) =>
        [before, after].flatMap((values) => referencesOfField(field, values)),
      ),
    ),
  ])
}

/** After how many seconds a browser asks again how far a batch is. */
const refreshSeconds = 2

const changedMeanwhile: Notice = {
  tone: 'look',
  text: message('Somebody else changed records meanwhile. Look again before you go on.'),
}

const batchesEndpoint = (dependencies: BatchPagesDependencies): Endpoint => {
  const { catalogue } = dependencies
  async function page({ ctx, context }: SignedInRequest): Promise<VNode> {
    const query = parsePageQuery(ctx)
    const { count, results } = paginate(await catalogue.batches(), query)
    const links = setPageLinks(ctx, query, count)
    const shown = { number: query.page, size: query.pageSize }
    return <BatchesPage {...{ context, batches: results, count, links, page: shown }} />
  }
  return createFormEndpoint(dependencies, {
    path: editingRoutes.batches,
    name: 'Batches',
    description: 'The batches that were written, the newest first.',
    isAllowed: mayWriteSomething,
    render: page,
    // The forms of the page lead to the page of each batch.
    submit: page,
  })
}

function batchEndpoint(dependencies: BatchPagesDependencies): Endpoint {
  const { catalogue, resources, jobs } = dependencies

  async function page(
    request: SignedInRequest,
    conflicts: readonly UndoConflict[] = [],
  ): Promise<VNode> {
    const { ctx, context, account } = request
    const job = jobs.status(recordIdParam(ctx))
    if (job) return progressPage(request, job)
    const batch = await catalogue.batch(recordIdParam(ctx))
    const kind = resourceNames.find((name) => name === queryParam(ctx, 'kind'))
    const count = countOf(batch, kind)
    const query = parsePageQuery(ctx)
    const { page: number, pageSize: size } = query
    const changes = await catalogue.batchRecords(batch, {
      kind,
      offset: (number - 1) * size,
      limit: size,
    })
    if (number > 1 && changes.length === 0) throw noSuchPage()
    const named: readonly Reference[] = [...changes, ...conflicts.slice(0, maxShown)].map(
      ({ reference }) => reference,
    )
    return (
      <BatchPage
        {...{ context, resources, batch, kind, count, changes, conflicts }}
        page={{ number, size }}
        links={setPageLinks(ctx, query, count)}
        lookup={await findFor(catalogue, account, named)}
        mayUndo={mayWriteAll(account, Object.keys(batch.kinds) as ResourceName[])}
      />
    )
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.batch,
    name: 'Batch',
    description: 'What a batch changed, with a button that undoes it.',
    isAllowed: mayWriteSomething,
    render: (request) => page(request),
    async submit(request, form) {
      const { account, ctx } = request
      if (form.get('do') !== 'undo') return page(request)
      try {
        const { id } = await catalogue.undoBatch(recordIdParam(ctx), {
          account: account.name,
          mayWrite: (name) => mayWrite(account, name),
          withPrivate: form.get('private') === 'true',
        })
        return { to: editingLinks.batch(id), done: 'undone' }
      } catch (error) {
        if (!(error instanceof UndoConflictsError)) throw error
        ctx.status = 409
        return page(request, error.conflicts)
      }
    },
  })
}

function progressPage({ ctx, context }: SignedInRequest, job: JobStatus): VNode {
  // A header, since it works without scripts.
  if (!job.error) ctx.set('Refresh', String(refreshSeconds))
  const isChanged = job.error instanceof PreconditionFailedError
  return <BatchProgressPage {...{ context, job, isChanged }} />
}

/** How many records of a kind a batch changed, or of all. */
const countOf = (
  { kinds, count }: Awaited<ReturnType<Catalogue['batch']>>,
  kind: ResourceName | undefined,
): number =>
  kind === undefined
    ? count
    : Object.values(kinds[kind] ?? {}).reduce((sum, number) => sum + number, 0)

const mayWriteAll = (account: Account, names: readonly ResourceName[]): boolean =>
  names.every((name) => mayWrite(account, name))
