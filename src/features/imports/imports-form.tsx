// The pages of all imports: the list with the form of a new one, and what leads to the step where
// an import is. The steps have files of their own.

import { Readable } from 'node:stream'

import type { VNode } from 'preact'

import { type Message, message } from '../../message.js'
import { InvalidError, TooLargeError } from '../../errors.js'
import { mayWriteSomething } from '../../accounts/rights.js'
import { csv } from '../../formats/csv.js'
import { allProfiles, findProfile } from './known-profiles.js'
import { maxSourceBytes } from './import-files.js'
import { type Import, rulesOf } from './import-state.js'
import { reportLines } from './report.js'
import type { Notice } from '../../views/form-layout.js'
import { type ImportStep, editingLinks, editingRoutes } from '../../views/links.js'
import { ImportsPage } from './imports-page.js'
import type { Account } from '../../accounts/accounts.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { paginate, parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { readUpload } from '../../http/request/upload.js'
import type { Imports } from './imports.js'
import { findVisibleImport, visibleImports } from './visible-imports.js'
import { contentType } from '../../http/response/conditional.js'
import { pageContext } from '../../http/response/html.js'
import {
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  createPageEndpoint,
  send,
  withErrorPage,
  notAllowedMessage,
  refusedUpload,
  signedOutMessage,
  withUpload,
} from '../../http/form-endpoint.js'
import { importFieldsEndpoint } from './import-fields.js'
import { importFileEndpoint } from './import-file.js'
import { importNamesEndpoint } from './import-names.js'
import { importPreviewEndpoint } from './import-preview.js'
import { importResultEndpoint } from './import-result.js'
import { type ImportPagesDependencies, importRequestOf, stepStatuses } from './import-step.js'
import { importTermsEndpoint } from './import-terms.js'

export const importPageEndpoints = (dependencies: ImportPagesDependencies): Endpoint[] => [
  new ImportsForm(dependencies).endpoint(),
  importEndpoint(dependencies),
  importFileEndpoint(dependencies),
  importFieldsEndpoint(dependencies),
  importNamesEndpoint(dependencies),
  importTermsEndpoint(dependencies),
  importPreviewEndpoint(dependencies),
  importResultEndpoint(dependencies),
  importProfileEndpoint(dependencies),
  importReportEndpoint(dependencies),
]

/** The list of imports, with the forms of a new one. */
/** The page of all imports, and what its form and its files do. */
class ImportsForm {
  readonly #dependencies: ImportPagesDependencies
  readonly #imports: Imports

  constructor(dependencies: ImportPagesDependencies) {
    this.#dependencies = dependencies
    this.#imports = dependencies.imports
  }

  endpoint(): Endpoint {
    const endpoint = createFormEndpoint(this.#dependencies, {
      path: editingRoutes.imports,
      name: 'Imports',
      description: 'The imports so far, and a form that begins a new one.',
      isAllowed: mayWriteSomething,
      render: (request) => this.#page(request),
      submit: (request, form) => this.#submit(request, form),
    })
    return withUpload(endpoint, (ctx) => this.#upload(ctx))
  }

  async #page({ ctx, context, account }: SignedInRequest, notice?: Notice): Promise<VNode> {
    const query = parsePageQuery(ctx)
    const { count, results } = paginate(await visibleImports(this.#imports, account), query)
    const links = setPageLinks(ctx, query, count)
    const shown = { number: query.page, size: query.pageSize }
    const profiles = (await allProfiles(this.#dependencies)).map(({ name }) => name)
    return (
      <ImportsPage
        {...{ context, count, links, profiles, notice }}
        imports={results}
        page={shown}
      />
    )
  }

  async #submit(request: SignedInRequest, form: SubmittedForm): Promise<VNode | Redirect> {
    const text = (name: string): string => (form.get(name) ?? '').trim()
    const url = text('url')
    if (url === '') return this.#refused(request, message('Choose a file, or give an address.'))
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      return this.#refused(request, message('The address begins with http:// or https://.'))
    const set = text('set')
    const { id } = await this.#imports.harvest({
      account: request.account.name,
      profile: await findProfile(this.#dependencies, text('profile')),
      address: {
        url,
        metadataPrefix: text('prefix') || 'oai_dc',
        ...(set === '' ? {} : { set }),
      },
    })
    return { to: editingLinks.importOf(id) }
  }

  #refused(request: SignedInRequest, text: Message): Promise<VNode> {
    request.ctx.status = 400
    return this.#page(request, { tone: 'wrong', text })
  }

  /**
   * Takes a file. It is read only if it comes from a page of this service and an account that may
   * write.
   */
  #upload(ctx: RequestContext): Promise<void> {
    const { browsers, assets } = this.#dependencies
    return withErrorPage(ctx, this.#dependencies, async () => {
      const account = ctx.state.session?.account
      if (!account || !browsers.isOwnPage(ctx)) throw refusedUpload(ctx, signedOutMessage)
      if (!mayWriteSomething(account)) throw refusedUpload(ctx, notAllowedMessage)
      const request = { ctx, account, context: pageContext(ctx, assets) }
      try {
        const { form, result } = await readUpload(ctx, {
          maxBytes: maxSourceBytes,
          check: (fields) => browsers.verifyCsrf(ctx, fields),
          receive: ({ name, bytes }) =>
            this.#imports.create({ name: name.slice(0, 200), bytes, account: account.name }),
        })
        send(
          ctx,
          result ? { to: editingLinks.importOf(result.id) } : await this.#submit(request, form),
        )
      } catch (error) {
        if (!(error instanceof InvalidError || error instanceof TooLargeError)) throw error
        send(ctx, await this.#refused(request, error.text))
      }
    })
  }
}

/** Leads to the step where an import is; its form removes it. */
function importEndpoint(dependencies: ImportPagesDependencies): Endpoint {
  const { imports } = dependencies
  return createFormEndpoint(dependencies, {
    path: editingRoutes.importOf,
    name: 'Import',
    description: 'Leads to the step where an import is.',
    isAllowed: mayWriteSomething,
    async render({ ctx, account }) {
      const job = await findVisibleImport(imports, recordIdParam(ctx), account)
      return { to: editingLinks.importStep(job.id, await currentStep(dependencies, account, job)) }
    },
    async submit({ ctx, account }, form) {
      const { id } = await findVisibleImport(imports, recordIdParam(ctx), account)
      if (form.get('do') !== 'remove') return { to: editingLinks.importOf(id) }
      await imports.remove(id)
      return { to: editingLinks.imports, done: 'deleted' }
    },
  })
}

/** The first step that has something to decide. */
async function currentStep(
  { imports }: ImportPagesDependencies,
  account: Account,
  job: Import,
): Promise<ImportStep> {
  const { step } = rulesOf(job)
  if (step) return step
  if (job.preview) return 'preview'
  if (job.revision === 1) return 'file'
  const analysis = await imports.analyse(job.id, importRequestOf(account))
  const steps = stepStatuses(job, analysis, await analysis.missing())
  return (['fields', 'names', 'terms'] as const).find((step) => !steps[step].isDone) ?? 'preview'
}

/** The profile of an import as a JSON file. */
const importProfileEndpoint = (dependencies: ImportPagesDependencies): Endpoint =>
  createDownloadEndpoint(dependencies, {
    path: editingRoutes.importProfile,
    name: 'Profile of an Import',
    description: 'The profile of an import with all decisions, as a JSON file.',
    send(ctx, { profile }) {
      ctx.attachment(`${profile.name || 'profile'}.json`)
      ctx.type = 'application/json'
      ctx.body = `${JSON.stringify(profile, null, 2)}\n`
    },
  })

/**
 * The report of an import as CSV: a session counts for pages only, so that of the API needs a
 * token.
 */
const importReportEndpoint = (dependencies: ImportPagesDependencies): Endpoint =>
  createDownloadEndpoint(dependencies, {
    path: editingRoutes.importReport,
    name: 'Report of an Import',
    description: 'What became of each row, as CSV.',
    send(ctx, job) {
      ctx.attachment(`import-${job.id}.csv`)
      ctx.type = contentType(csv)
      ctx.body = Readable.from(reportLines(job, dependencies.imports.reportedRows(job.id)), {
        objectMode: false,
      })
    },
  })

type Download = Pick<Endpoint, 'path' | 'name' | 'description'> & {
  readonly send: (ctx: RequestContext, job: Import) => void
}

/** A file for those who may write; others are answered as on pages. */
function createDownloadEndpoint(
  dependencies: ImportPagesDependencies,
  { send: sendFile, ...about }: Download,
): Endpoint {
  const page = createPageEndpoint(dependencies, {
    ...about,
    isAllowed: mayWriteSomething,
    render: () => ({ to: editingLinks.imports }),
  })
  return {
    ...page,
    methods: {
      GET(ctx) {
        const account = ctx.state.session?.account
        if (!account || !mayWriteSomething(account)) return page.methods.GET?.(ctx)
        return withErrorPage(ctx, dependencies, async () => {
          const job = await findVisibleImport(dependencies.imports, recordIdParam(ctx), account)
          ctx.set('Cache-Control', 'private, no-store')
          ctx.status = 200
          sendFile(ctx, job)
        })
      },
    },
  }
}
