// What all pages of an import have in common: the import is found, its rows are analysed, the steps
// are told apart by what is still to decide; a page waits while work goes on, and a form of an
// outdated page is refused.

import { setTimeout as sleep } from 'node:timers/promises'

import type { VNode } from 'preact'

import { type Message, message } from '../../message.js'
import { ConflictError, InvalidError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { mayWrite, mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ImportRequest } from '../../catalogue/writes/import-writes.js'
import type { Covers } from '../covers/cover.js'
import type { Analysis, AnalysedName, AnalysedTerm } from './analysis.js'
import { ImportChangedError, wrongState } from './errors.js'
import { type Import, rulesOf } from './import-state.js'
import type { Imports } from './imports.js'
import { ProfileError } from './mapping/profile-parser.js'
import { unusedFields } from './mapping/source-fields.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { Notice } from '../../views/form-layout.js'
import {
  ImportConflictPage,
  ImportWorkPage,
  ProfileMistake,
  type StepStatuses,
} from './import-layout.js'
import { type ImportStep, editingLinks, editingRoutes, importSteps } from '../../views/links.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { findVisibleImport } from './visible-imports.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'

export type ImportPagesDependencies = FormDependencies & {
  readonly imports: Imports
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<string, Vocabulary>>
  readonly pictures: Covers
}

/** A request for a page of an import, which nothing is being done to. */
export type StepRequest = SignedInRequest & { readonly job: Import }

/** The same for a page that shows what all rows have. */
export type AnalysedRequest = StepRequest & { readonly analysis: Analysis }

/** A request that is answered with the page of a step. */
export type Shown<Request extends StepRequest> = Request & {
  readonly steps: StepStatuses
  readonly notice?: Notice | undefined
}

type MissingDefaults = Awaited<ReturnType<Analysis['missing']>>

type StepDefinition<Request extends StepRequest> = {
  readonly step: ImportStep
  readonly name: string
  readonly description: string
  readonly render: (request: Shown<Request>) => Promise<VNode | Redirect>
  readonly submit: (request: Request, form: SubmittedForm) => Promise<VNode | Redirect>
}

/** How long a page waits for work before it says that it goes on, in milliseconds. */
export const maxWaitMs = 1500

/** How long a page waits for work that it can be shown without, in milliseconds. */
const shortWaitMs = 50

/** The page of a step for which the rows need not be analysed. */
export const createStepEndpoint = (
  dependencies: ImportPagesDependencies,
  definition: StepDefinition<StepRequest>,
): Endpoint =>
  createEndpoint(dependencies, definition, shortWaitMs, (request, job, handle) =>
    handle({ ...request, job }),
  )

/** The page of a step that shows what all rows have. */
export const createAnalysedEndpoint = (
  dependencies: ImportPagesDependencies,
  definition: StepDefinition<AnalysedRequest>,
): Endpoint =>
  createEndpoint(dependencies, definition, maxWaitMs, async (request, job, handle) => {
    // A form is not sent again by itself, so it waits.
    const wait = request.ctx.method === 'POST' ? undefined : maxWaitMs
    const analysis = await analysisOf(dependencies, request.account, job, wait)
    if (!analysis) return waitingPage(request, job)
    return handle({ ...request, job, analysis })
  })

/** Finds what a request needs, and has it handled. */
type Prepare<Request> = (
  request: SignedInRequest,
  job: Import,
  handle: (request: Request) => Promise<VNode | Redirect>,
) => Promise<VNode | Redirect>

/** @param waitMs how long a page waits for what its steps have left to decide */
function createEndpoint<Request extends StepRequest>(
  dependencies: ImportPagesDependencies,
  { step, name, description, render, submit }: StepDefinition<Request>,
  waitMs: number,
  prepare: Prepare<Request>,
): Endpoint {
  const { imports } = dependencies

  async function show(request: SignedInRequest, notice?: Notice): Promise<VNode | Redirect> {
    const job = await findVisibleImport(imports, recordIdParam(request.ctx), request.account)
    if (rulesOf(job).work) return waitingPage(request, job)
    if (job.state === 'failed' && step !== 'file') return conflict(request, job.message ?? '')
    return prepare(request, job, async (prepared) =>
      render({
        ...prepared,
        steps: await findStatuses(dependencies, request.account, job, waitMs),
        notice,
      }),
    )
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.importStep(step),
    name,
    description,
    isAllowed: mayWriteSomething,
    render: (request) => show(request),
    async submit(request, form) {
      try {
        const job = await findVisibleImport(imports, recordIdParam(request.ctx), request.account)
        if (form.get('.revision') !== String(job.revision)) throw new ImportChangedError()
        if (rulesOf(job).work) throw wrongState(job.state)
        return await prepare(request, job, async (prepared) => {
          const result = await submit(prepared, form)
          const to = 'to' in result ? stepAt(job, form.get('.to')) : undefined
          if (to === undefined) return result
          const isChanged = (await imports.get(job.id)).revision !== job.revision
          return isChanged ? { to, done: 'saved' } : { to }
        })
      } catch (error) {
        const why = conflictOf(error)
        if (why !== undefined) return conflict(request, why)
        const notice = noticeOf(error)
        if (!notice) throw error
        request.ctx.status = 400
        return show(request, notice)
      }
    },
  })
}

/**
 * The address of a step, as a button has it that saves before it leads there; undefined for any
 * other address.
 */
function stepAt({ id }: Import, address: string | null): string | undefined {
  if (address === null || !URL.canParse(address, 'http://localhost')) return undefined
  const { pathname, search } = new URL(address, 'http://localhost')
  const isStep = importSteps.some((step) => pathname === editingLinks.importStep(id, step))
  return isStep ? pathname + search : undefined
}

/** The analysis of the rows; undefined if it takes longer. */
async function analysisOf(
  { imports }: ImportPagesDependencies,
  account: Account,
  job: Import,
  waitMs: number | undefined,
): Promise<Analysis | undefined> {
  if (job.state === 'failed') return undefined
  const analysis = imports.analyse(job.id, importRequestOf(account))
  return waitMs === undefined ? analysis : Promise.race([analysis, sleep(waitMs, undefined)])
}

/** What each step has left to decide, as far as it is known after this time. */
async function findStatuses(
  dependencies: ImportPagesDependencies,
  account: Account,
  job: Import,
  waitMs: number,
): Promise<StepStatuses> {
  const analysis = await analysisOf(dependencies, account, job, waitMs)
  const missing = analysis && (await Promise.race([analysis.missing(), sleep(waitMs, undefined)]))
  return stepStatuses(job, analysis, missing)
}

/** A page that is loaded again by itself. */
export function waitingPage({ ctx, context }: SignedInRequest, job: Import): VNode {
  ctx.set('Refresh', '2')
  return <ImportWorkPage context={context} job={job} />
}

function conflict({ ctx, context }: SignedInRequest, why: Message): VNode {
  ctx.status = 409
  return <ImportConflictPage context={context} id={recordIdParam(ctx)} why={why} />
}

/** Why a form cannot be taken; undefined for another error. */
function conflictOf(error: unknown): Message | undefined {
  if (error instanceof ImportChangedError)
    return message('The import was changed meanwhile, in another window or by somebody else.')
  if (error instanceof ConflictError) return error.text
  return undefined
}

/** What to say of a mistake in a form. */
function noticeOf(error: unknown): Notice | undefined {
  if (error instanceof ProfileError)
    return {
      tone: 'wrong',
      text: (
        <ul>
          {error.mistakes.map((mistake, index) => (
            <ProfileMistake key={index} mistake={mistake} />
          ))}
        </ul>
      ),
    }
  return error instanceof InvalidError ? { tone: 'wrong', text: error.text } : undefined
}

/** What the account may write, for the engine. */
export const importRequestOf = (account: Account): ImportRequest => ({
  account: account.name,
  mayWrite: (name) => mayWrite(account, name),
})

/**
 * What each step has left to decide.
 * @param analysis undefined where it is not known yet
 * @param missing the required fields that rows lack; undefined where they are not known yet
 */
export function stepStatuses(
  job: Import,
  analysis: Analysis | undefined,
  missing: MissingDefaults | undefined,
): StepStatuses {
  const fields =
    analysis && missing
      ? unusedFields(analysis.fields).length +
        missingFields(job, analysis, missing).length +
        analysis.shelves.filter(({ owned }) => owned === undefined).length
      : undefined
  const names = analysis?.names.filter(isNameOpen).length ?? 0
  const terms = analysis ? undecidedTerms(job, analysis).length : 0
  const isRead = job.recognized !== undefined && job.state !== 'failed'
  return {
    file: { isDone: isRead, open: 0 },
    fields: { isDone: fields === 0, open: fields ?? 0 },
    names: { isDone: analysis !== undefined && names === 0, open: names },
    terms: { isDone: analysis !== undefined && terms === 0, open: terms },
    preview: { isDone: job.preview !== undefined, open: 0 },
    result: { isDone: rulesOf(job).isWritten === true, open: 0 },
  }
}

/**
 * The required fields without a value: creators are asked for with the names, and subjects with the
 * terms.
 */
export function missingFields(
  job: Import,
  analysis: Analysis,
  missing: MissingDefaults,
): MissingDefaults {
  const open = new Set(undecidedTerms(job, analysis).map(({ field }) => field))
  if (analysis.names.some(isNameOpen)) open.add('creator')
  return missing.filter(({ field }) => !open.has(field.name))
}

/**
 * Whether a person has to look at a name: nothing is proposed, or a new agent is like one that is
 * there, or new too.
 */
export const isNameOpen = ({ decided, decision, match, sameAs }: AnalysedName): boolean =>
  decided === undefined &&
  (decision === undefined ||
    ('create' in decision && (match.similar.length > 0 || sameAs !== undefined)))

/** The terms about which nothing is decided, not even with all others. */
export const undecidedTerms = (job: Import, { terms }: Analysis): readonly AnalysedTerm[] =>
  terms.filter(
    ({ vocabulary, decision }) =>
      decision === undefined && job.profile.terms[vocabulary]?.['*'] === undefined,
  )

/** The number of the page that a query asks for. */
export function pageNumber(ctx: RequestContext): number {
  const page = Number(new URLSearchParams(ctx.querystring).get('page') ?? '1')
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The address of the page that a form is on. */
export function hereOn(ctx: RequestContext, job: Import, step: ImportStep): string {
  const path = editingLinks.importStep(job.id, step)
  return ctx.querystring === '' ? path : `${path}?${ctx.querystring}`
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const queryOf = (ctx: RequestContext): URLSearchParams =>
  new URLSearchParams(ctx.querystring)
