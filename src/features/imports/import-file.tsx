// The first step of an import: what the file was recognized as, and how it is read.

import { setTimeout as sleep } from 'node:timers/promises'

import { message } from '../../message.js'
import type { Import } from './import-state.js'
import { type SourceOptions, sourceTypes } from '../../lib/sources/source.js'
import { editingLinks } from '../../views/links.js'
import { ImportFilePage } from './import-file-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { HttpError } from '../../http/errors.js'
import type { SubmittedForm } from '../../http/form-endpoint.js'
import {
  type ImportPagesDependencies,
  createStepEndpoint,
  maxWaitMs,
  waitingPage,
} from './import-step.js'

export const importFileEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { imports } = dependencies
  return createStepEndpoint(dependencies, {
    step: 'file',
    name: 'File of an Import',
    description: 'What a file was recognized as, and how it is read.',
    async render(request) {
      const { job } = request
      if (job.state === 'failed') return <ImportFilePage {...request} report={undefined} />
      const report = await Promise.race([imports.describe(job.id), sleep(maxWaitMs, undefined)])
      return report ? <ImportFilePage {...request} report={report} /> : waitingPage(request, job)
    },
    async submit({ job }, form) {
      const changed = await imports.change(job.id, readOptions(job, form), {
        revision: job.revision,
      })
      // A small file is read again at once.
      await imports.settled(changed.id, 1000)
      return { to: editingLinks.importStep(job.id, 'file') }
    },
  })
}

type SourcePatch = { -readonly [Name in keyof SourceOptions]: SourceOptions[Name] | 'none' }

/** What the form changes. */
function readOptions({ profile }: Import, form: SubmittedForm): ReadonlyMap<string, unknown> {
  const source: SourcePatch = { repair: form.has('repair') }
  const type = sourceTypes.find((sourceType) => sourceType === form.get('type'))
  if (type !== undefined) source.type = type
  for (const name of ['encoding', 'sheet', 'delimiter'] as const) {
    const text = form.get(name)
    if (text !== null) source[name] = text === '' ? 'none' : text
  }
  const skipped = form.get('skipRows')
  if (skipped !== null) {
    if (!/^\d{1,6}$/.test(skipped.trim())) throw badNumber()
    // What was recognized of one sheet says nothing of another.
    if (Number(skipped) !== (profile.source.skipRows ?? 0)) source.skipRows = Number(skipped)
  }
  return new Map([['source', source]])
}

const badNumber = (): HttpError =>
  new HttpError({
    status: 400,
    body: { detail: message('The rows above the columns are a number.') },
  })
