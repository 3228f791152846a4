// The fifth step of an import: what it would do, with duplicates to decide. From here it is written.

import type { Import } from '../../imports/import-state.js'
import type { PreviewedRow } from '../../imports/preview.js'
import { type DuplicateDecision, duplicateDecisions } from '../../imports/profile.js'
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
} from '../../views/pages/import-preview.js'
import type { Endpoint } from '../endpoint.js'
import type { Redirect, SubmittedForm } from './form-endpoint.js'
import {
  type ImportPagesDependencies,
  type StepRequest,
  createStepEndpoint,
  importRequestOf,
  pageNumber,
  queryOf,
} from './import-step.js'

export const importPreviewEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { resources } = dependencies
  return createStepEndpoint(dependencies, {
    step: 'preview',
    name: 'Preview of an Import',
    description: 'What an import would do, from where it is written.',
    async render(request) {
      const { one, ctx } = request
      if (!one.preview)
        return <ImportPreviewPage {...request} resources={resources} shown={undefined} />
      const wanted = previewTabs.find((name) => name === queryOf(ctx).get('show'))
      const found = await readPreview(dependencies, one, wanted, pageNumber(ctx))
      return <ImportPreviewPage {...request} resources={resources} shown={found} />
    },
    submit: (request, form) => act(dependencies, request, form),
  })
}

/** Finds a tab of the preview: the rows of a page of it, with the records that they name. */
async function readPreview(
  { imports, catalogue, resources }: ImportPagesDependencies,
  one: Import,
  wanted: PreviewTab | undefined,
  page: number,
) {
  const counts: Record<PreviewTab, number> = { samples: 0, refused: 0, duplicates: 0, notes: 0 }
  const rows: Record<Exclude<PreviewTab, 'notes'>, PreviewedRow[]> = {
    samples: [],
    refused: [],
    duplicates: [],
  }
  const groups = new Map<string, NoteGroup & { count: number; rows: number[] }>()
  const first = (page - 1) * rowsPerPage
  const take = (tab: Exclude<PreviewTab, 'notes'>, row: PreviewedRow): void => {
    if (counts[tab] >= first && counts[tab] < first + rowsPerPage) rows[tab].push(row)
    counts[tab] += 1
  }
  for await (const row of imports.previewedRows(one.id)) {
    if (row.records) take('samples', row)
    if (row.outcome === 'refused') take('refused', row)
    if (row.duplicates.length > 0) take('duplicates', row)
    if (row.outcome === 'written') addNotes(groups, row)
  }
  counts.notes = groups.size
  const tab =
    wanted ??
    previewTabs.find((name) => name !== 'samples' && name !== 'notes' && counts[name] > 0) ??
    'samples'
  const shown = tab === 'notes' ? [] : rows[tab]
  return {
    tab,
    page,
    counts: counts satisfies PreviewCounts,
    rows: shown,
    notes: [...groups.values()].sort((a, b) => b.count - a.count).slice(0, maxNoteGroups),
    lookup: await findNamed(catalogue, shown, resources),
    newAgents: namesOfNewAgents(await imports.analyse(one.id)),
  }
}

const maxNoteGroups = 300
const maxNoteRows = 20

/** Counts what is left out or changed, by what is said of it. */
function addNotes(
  groups: Map<string, NoteGroup & { count: number; rows: number[] }>,
  { notes, number }: PreviewedRow,
): void {
  for (const text of notes) {
    const group = groups.get(text) ?? { text, count: 0, rows: [] }
    groups.set(text, group)
    group.count += 1
    if (group.rows.length < maxNoteRows) group.rows.push(number)
  }
}

/** The records of the catalogue that the rows refer to. */
function findNamed(
  catalogue: ImportPagesDependencies['catalogue'],
  rows: readonly PreviewedRow[],
  resources: Resources,
): Promise<RecordLookup> {
  return catalogue.find(
    rows.flatMap(({ records = [], duplicates }): Reference[] => [
      ...duplicates.flatMap((one) =>
        'zine' in one ? [{ target: 'zines', id: one.zine } as const] : [],
      ),
      ...records.flatMap(({ kind, body }) => {
        const name = resourceNames.find((one) => one === kind)
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
  { one, account, ctx }: StepRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const request = importRequestOf(account)
  const query = queryOf(ctx)
  const here = `${editingLinks.importStep(one.id, 'preview')}${query.size > 0 ? `?${query.toString()}` : ''}`
  const action = form.get('do')
  if (action === 'write') {
    await imports.commit(one.id, request, form.get('hash') ?? '')
    await imports.settled(one.id, 1000)
    return { to: editingLinks.importStep(one.id, 'result') }
  }
  if (action === 'duplicates')
    await imports.change(one.id, new Map([['duplicates', readDuplicates(form)]]), one.revision)
  await imports.preview(one.id, request)
  await imports.settled(one.id, 1000)
  return { to: action === 'duplicates' ? here : editingLinks.importStep(one.id, 'preview') }
}

/** What is decided about duplicates: about all, and about single rows. */
function readDuplicates(form: SubmittedForm) {
  const decisionAt = (name: string): DuplicateDecision | undefined =>
    duplicateDecisions.find((one) => one === form.get(name))
  const catalogue = decisionAt('catalogue')
  const source = decisionAt('source')
  const rows = form.getAll('row').map((row) => [row, decisionAt(`do.${row}`) ?? 'none'] as const)
  return {
    ...(catalogue ? { catalogue } : {}),
    ...(source ? { source } : {}),
    rows: Object.fromEntries(rows),
  }
}
