// The fifth step of an import: what it would do, with duplicates to decide. From here it is
// written.

import { createRecentResults } from './recent-results.js'
import type { Import } from './import-state.js'
import type { PreviewedRow } from './preview.js'
import { type DuplicateDecision, type Profile, duplicateDecisions } from './profile.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { editingLinks } from '../../views/links.js'
import {
  ImportPreviewPage,
  type NoteGroup,
  type PreviewCounts,
  type PreviewTab,
  previewTabs,
  rowsPerPage,
} from './import-preview-page.js'
import type { Account } from '../../accounts/accounts.js'
import { findFor } from '../../http/request/record-rights.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { Redirect, SubmittedForm } from '../../http/form-endpoint.js'
import {
  type ImportPagesDependencies,
  type StepRequest,
  createStepEndpoint,
  hereOn,
  importRequestOf,
  pageNumber,
  queryOf,
} from './import-step.js'

export const importPreviewEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { resources } = dependencies
  const countPreview = createPreviewCounter(dependencies)
  return createStepEndpoint(dependencies, {
    step: 'preview',
    name: 'Preview of an Import',
    description: 'What an import would do, from where it is written.',
    async render(request) {
      const { job, ctx } = request
      if (!job.preview)
        return <ImportPreviewPage {...request} resources={resources} shown={undefined} />
      const tabFromQuery = previewTabs.find((name) => name === queryOf(ctx).get('show'))
      const page = pageNumber(ctx)
      const shownPreview = await readPreview(dependencies, request, await countPreview(job), {
        tabFromQuery,
        page,
      })
      return <ImportPreviewPage {...request} resources={resources} shown={shownPreview} />
    },
    submit: (request, form) => act(dependencies, request, form),
  })
}

/** What is counted of a preview. */
type CountedPreview = { readonly counts: PreviewCounts; readonly notes: readonly NoteGroup[] }

/** Counts a preview once; those of the last imports are remembered. */
function createPreviewCounter({ imports }: ImportPagesDependencies) {
  const results = createRecentResults<CountedPreview>()
  return ({ id, revision, preview }: Import): Promise<CountedPreview> =>
    results.get(`${id} ${revision} ${preview?.hash ?? ''} ${preview?.position ?? ''}`, () =>
      countRows(imports.previewedRows(id)),
    )
}

async function countRows(rows: AsyncIterable<PreviewedRow>): Promise<CountedPreview> {
  const counts = { samples: 0, refused: 0, duplicates: 0, changes: 0, notes: 0 }
  const groups: NoteGroups = new Map()
  for await (const row of rows) {
    for (const tab of rowTabs) if (isIn[tab](row)) counts[tab] += 1
    if (row.outcome === 'written') addNotes(groups, row)
  }
  const notes = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, maxNoteGroups)
  return { counts: { ...counts, notes: groups.size }, notes }
}

type RowTab = Exclude<PreviewTab, 'notes'>

const rowTabs: readonly RowTab[] = ['refused', 'duplicates', 'changes', 'samples']

/** Which rows a tab has. */
const isIn: Readonly<Record<RowTab, (row: PreviewedRow) => boolean>> = {
  samples: ({ records }) => records !== undefined,
  refused: ({ outcome }) => outcome === 'refused',
  duplicates: ({ duplicates }) => duplicates.length > 0,
  changes: ({ changes }) => changes.length > 0,
}

/** Finds a tab of the preview: the rows of a page of it, with the records that they name. */
async function readPreview(
  { imports, catalogue, resources }: ImportPagesDependencies,
  { account, job }: Pick<StepRequest, 'account' | 'job'>,
  { counts, notes }: CountedPreview,
  { tabFromQuery, page }: { readonly tabFromQuery: PreviewTab | undefined; readonly page: number },
) {
  const urgent = rowTabs.find((name) => name !== 'samples' && counts[name] > 0)
  const tab = tabFromQuery ?? urgent ?? 'samples'
  const rows = tab === 'notes' ? [] : await rowsOfPage(imports.previewedRows(job.id), tab, page)
  return {
    tab,
    page,
    counts,
    rows,
    notes,
    lookup: await findNamed({ catalogue, resources }, account, rows),
    newAgents: namesOfNewAgents(await imports.analyse(job.id, importRequestOf(account))),
  }
}

async function rowsOfPage(
  rows: AsyncIterable<PreviewedRow>,
  tab: RowTab,
  page: number,
): Promise<readonly PreviewedRow[]> {
  const shown: PreviewedRow[] = []
  let left = (page - 1) * rowsPerPage
  for await (const row of rows) {
    if (!isIn[tab](row)) continue
    if (left > 0) left -= 1
    else if (shown.push(row) === rowsPerPage) break
  }
  return shown
}

type NoteGroups = Map<string, NoteGroup & { count: number; rows: number[] }>

const maxNoteGroups = 300
const maxNoteRows = 20

/** Counts what is left out or changed, by what is said of it. */
function addNotes(groups: NoteGroups, { notes, number }: PreviewedRow): void {
  for (const text of notes) {
    const group = groups.get(text) ?? { text, count: 0, rows: [] }
    groups.set(text, group)
    group.count += 1
    if (group.rows.length < maxNoteRows) group.rows.push(number)
  }
}

/** The records of the catalogue that the rows refer to. */
function findNamed(
  { catalogue, resources }: Pick<ImportPagesDependencies, 'catalogue' | 'resources'>,
  account: Account,
  rows: readonly PreviewedRow[],
): Promise<RecordLookup> {
  return findFor(
    catalogue,
    account,
    rows.flatMap(({ records = [], duplicates, changes }): Reference[] => [
      ...changes.flatMap(({ kind, field, before, after }) => {
        const name = resourceNames.find((resourceName) => resourceName === kind)
        if (name === undefined) return []
        return [before, after].flatMap((value) => referencesIn(resources, name, { [field]: value }))
      }),
      ...duplicates.flatMap((duplicate) =>
        'zine' in duplicate ? [{ target: 'zines', id: duplicate.zine } as const] : [],
      ),
      ...records.flatMap(({ kind, body }) => {
        const name = resourceNames.find((resourceName) => resourceName === kind)
        return name === undefined ? [] : referencesIn(resources, name, body)
      }),
    ]),
  )
}

const referencesIn = (
  resources: Resources,
  name: ResourceName,
  body: Readonly<Record<string, unknown>>,
): readonly Reference[] =>
  resources[name].inputFields.flatMap(({ target, name: field }) =>
    target
      ? [body[field]]
          .flat()
          .filter((id) => typeof id === 'string')
          .map((id) => ({ target, id }))
      : [],
  )

/** The names of the agents that the import makes, by their identifiers. */
const namesOfNewAgents = ({
  names,
}: Awaited<ReturnType<ImportPagesDependencies['imports']['analyse']>>): ReadonlyMap<
  string,
  string
> =>
  new Map(
    names.flatMap(({ decision }) =>
      decision && 'create' in decision && decision.create.agent_id !== undefined
        ? [[decision.create.agent_id, decision.create.display_name] as const]
        : [],
    ),
  )

async function act(
  { imports }: ImportPagesDependencies,
  { job, account, ctx }: StepRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const request = importRequestOf(account)
  const action = form.get('do')
  if (action === 'write') {
    await imports.commit(job.id, request, form.get('hash') ?? '')
    await imports.settled(job.id, 1000)
    return { to: editingLinks.importStep(job.id, 'result') }
  }
  if (action === 'duplicates') {
    const { revision } = await imports.change(
      job.id,
      new Map([['duplicates', readDuplicates(form, job.profile)]]),
      { revision: job.revision },
    )
    // What led on without another decision needs no other preview.
    if (form.has('.to') && revision === job.revision) return { to: hereOn(ctx, job, 'preview') }
  }
  await imports.preview(job.id, request)
  await imports.settled(job.id, 1000)
  return {
    to:
      action === 'duplicates'
        ? hereOn(ctx, job, 'preview')
        : editingLinks.importStep(job.id, 'preview'),
  }
}

/** What is decided about duplicates: about all, and about single rows. */
function readDuplicates(form: SubmittedForm, { duplicates }: Profile) {
  const decisionAt = (name: string): DuplicateDecision | undefined =>
    duplicateDecisions.find((decision) => decision === form.get(name))
  const catalogue = decisionAt('catalogue')
  // The page shows what is done without a decision.
  const again =
    decisionAt('again') === (duplicates.again ?? 'skip') ? duplicates.again : decisionAt('again')
  const source = decisionAt('source')
  const different = decisionAt('different')
  const rows = form.getAll('row').map((row) => [row, decisionAt(`do.${row}`) ?? 'none'] as const)
  return {
    ...(catalogue ? { catalogue } : {}),
    ...(again ? { again } : {}),
    ...(source ? { source } : {}),
    ...(form.has('different') ? { different: different ?? 'none' } : {}),
    rows: Object.fromEntries(rows),
  }
}
