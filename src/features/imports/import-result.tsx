// The last step of an import: what was made, which rows were refused, and what takes it back.

import { NotFoundError } from '../../errors.js'
import { editingLinks } from '../../views/links.js'
import {
  ImportResultPage,
  type RefusedRow,
  maxCovers,
  maxKept,
  rowsPerResultPage,
} from './import-result-page.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { findFor } from '../../http/request/record-rights.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { Redirect, SubmittedForm } from '../../http/form-endpoint.js'
import {
  type ImportPagesDependencies,
  type StepRequest,
  createStepEndpoint,
  importRequestOf,
  pageNumber,
} from './import-step.js'

export const importResultEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { catalogue, resources, pictures: covers } = dependencies
  return createStepEndpoint(dependencies, {
    step: 'result',
    name: 'Result of an Import',
    description: 'What an import made, with what takes it back.',
    async render(request) {
      const { job, ctx } = request
      const page = pageNumber(ctx)
      const { refused, count, notes } = await refusedRows(dependencies, job.id, page)
      const conflicts = (job.kept ?? []).slice(0, maxKept)
      const lookup = await findFor(
        catalogue,
        request.account,
        conflicts.map(({ reference }) => reference),
      )
      const zines = await writtenZines(dependencies, request)
      return (
        <ImportResultPage
          {...request}
          {...{ resources, refused, count, notes, page, lookup, zines, covers }}
        />
      )
    },
    submit: (request, form) => act(dependencies, request, form),
  })
}

/** The first zines that an import wrote and that are still there. */
async function writtenZines(
  { catalogue, resources }: ImportPagesDependencies,
  { job, account }: StepRequest,
): Promise<readonly ResolvedRecord[]> {
  if (job.batch === undefined || job.state === 'undone') return []
  try {
    const batch = await catalogue.batch(job.batch)
    const part = { kind: 'zines', offset: 0, limit: maxCovers } as const
    const changes = await catalogue.batchRecords(batch, part)
    const references = changes.map(({ reference }) => reference)
    const lookup = await findFor(catalogue, account, references)
    return references.flatMap((reference) => {
      const values = lookup(reference)
      return values ? [{ resource: resources.zines, values, lookup }] : []
    })
  } catch (error) {
    // There is no batch where all rows were refused, nor once the history has forgotten it.
    if (error instanceof NotFoundError) return []
    throw error
  }
}

/** The refused rows of a page, how many there are in all, and how many rows have notes. */
async function refusedRows({ imports }: ImportPagesDependencies, id: string, page: number) {
  const refused: RefusedRow[] = []
  const first = (page - 1) * rowsPerResultPage
  let count = 0
  let notes = 0
  for await (const row of imports.reportedRows(id)) {
    if (row.notes) notes += 1
    if (!row.refused) continue
    if (count >= first && count < first + rowsPerResultPage)
      refused.push({ number: row.number, fields: row.fields, reasons: row.refused })
    count += 1
  }
  return { refused, count, notes }
}

async function act(
  { imports }: ImportPagesDependencies,
  { job, account }: StepRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const here = editingLinks.importStep(job.id, 'result')
  const action = form.get('do')
  if (action === 'remove') {
    await imports.remove(job.id)
    return { to: editingLinks.imports, done: 'deleted' }
  }
  if (action === 'again' && job.harvest) {
    const { harvestedAt: from, ...address } = job.harvest
    const { id } = await imports.harvest({
      address: { ...address, from },
      sourceName: job.sourceName,
      profile: job.profile,
      account: account.name,
    })
    return { to: editingLinks.importStep(id, 'file') }
  }
  if (action !== 'undo') return { to: here }
  await imports.undo(job.id, importRequestOf(account))
  await imports.settled(job.id, 1000)
  return { to: here }
}
