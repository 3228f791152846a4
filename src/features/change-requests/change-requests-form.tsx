// Requests for changes: the form with which visitors ask for one, and the pages on which editors
// answer it. How they look is left to features/change-requests/change-requests-page.tsx.

import type { VNode } from 'preact'

import { type Message, message } from '../../message.js'
import { ConflictError, ForbiddenError, NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { RecordMergedError, noSuchPage } from '../../catalogue/errors.js'
import {
  type ChangeRequest,
  type ChangeRequestKind,
  type ChangeRequests,
  type NewChangeRequest,
  changeRequestKinds,
  changeRequestOutcomes,
  changeRequestTopics,
} from './change-requests.js'
import type { Resources } from '../../model/resources.js'
import { recordHeading } from '../../views/components/record-summary.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes, requestPath, requestRoute } from '../../views/links.js'
import {
  type ChangeRequestErrors,
  type ChangeRequestInfo,
  type ChangeRequestInput,
  ChangeRequestFormPage,
  ChangeRequestPage,
  ChangeRequestSentPage,
  ChangeRequestsPage,
} from './change-requests-page.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { readForm } from '../../http/request/body.js'
import { queryParam } from '../../http/request/url.js'
import { mayWriteRecord, readFor, seesHidden } from '../../http/request/record-rights.js'
import { pageContext, sendPage } from '../../http/response/html.js'
import type { LimitChangeRequests } from './change-request-limit.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  createPageEndpoint,
  editingEndpoint,
  isForgedForm,
  redirect,
  sourceOf,
  withErrorPage,
} from '../../http/form-endpoint.js'

type ChangeRequestDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly changeRequests: ChangeRequests
  readonly limitChangeRequests: LimitChangeRequests
}

export const changeRequestEndpoints = (dependencies: ChangeRequestDependencies): Endpoint[] => [
  newRequestEndpoint(dependencies),
  requestsEndpoint(dependencies),
  new ChangeRequestForm(dependencies).endpoint(),
]

/** The number of open requests that the account may answer; undefined if it may answer none. */
export function countOpenRequests(
  changeRequests: ChangeRequests,
  account: Account,
): number | undefined {
  const kinds = answeredKinds(account)
  return kinds.length === 0 ? undefined : changeRequests.countOpen(kinds)
}

/** The kinds of records about which the account answers requests. */
export const answeredKinds = (account: Account): readonly ChangeRequestKind[] =>
  changeRequestKinds.filter((kind) => mayWrite(account, kind))

const maySeeRequests = (account: Account): boolean => answeredKinds(account).length > 0

/** The longest texts, in code points. */
const maxLengths = { text: 5000, answer: 200, note: 5000 } as const

/** The record that a form is about. @throws NotFoundError */
async function requireSubject(
  { catalogue, resources }: ChangeRequestDependencies,
  ctx: RequestContext,
) {
  const kindParam = queryParam(ctx, 'kind')
  const kind = changeRequestKinds.find((candidate) => candidate === kindParam)
  if (!kind) throw new NotFoundError()
  const id = queryParam(ctx, 'id')
  const { record } = await catalogue.read(kind, id)
  return { kind, id, title: recordHeading(record, resources) }
}

function newRequestEndpoint(dependencies: ChangeRequestDependencies): Endpoint {
  const { assets, browsers, changeRequests, limitChangeRequests } = dependencies

  async function sendForm(
    ctx: RequestContext,
    input: ChangeRequestInput,
    { status = 200, errors = {}, notice }: FormState = {},
  ): Promise<void> {
    const subject = await requireSubject(dependencies, ctx)
    const context = { ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }
    const page = (
      <ChangeRequestFormPage
        {...{ context, subject, input, errors, notice }}
        topics={changeRequestTopics}
      />
    )
    sendPage(ctx, page, status)
  }

  async function sendSent(ctx: RequestContext, number: number): Promise<void> {
    const subject = await requireSubject(dependencies, ctx)
    sendPage(
      ctx,
      <ChangeRequestSentPage {...{ context: pageContext(ctx, assets), subject, number }} />,
    )
  }

  return {
    ...editingEndpoint({
      path: requestRoute,
      name: 'Ask for a change',
      description: 'A form with which anybody asks the editors to change a record.',
    }),
    methods: {
      GET: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const sent = /^[1-9]\d{0,11}$/.exec(queryParam(ctx, 'sent'))
          if (sent) await sendSent(ctx, Number(sent[0]))
          else await sendForm(ctx, emptyInput)
        }),
      POST: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const form = await readForm(ctx)
          const input = readInput(form)
          if (isForgedForm(browsers, ctx, form)) {
            // A form of another site is never shown, since its input is not the visitor's.
            if (!browsers.isOwnPage(ctx)) throw httpErrors.forged()
            await sendForm(ctx, input, { status: 403, notice: tooOld })
            return
          }
          const { kind, id } = await requireSubject(dependencies, ctx)
          const { request, errors } = checkInput(input)
          if (!request) {
            await sendForm(ctx, input, { status: 400, errors })
            return
          }
          const seconds = limitChangeRequests(ctx.ip)
          if (seconds !== undefined) {
            ctx.set('Retry-After', String(seconds))
            await sendForm(ctx, input, { status: 429, notice: tooMany(seconds) })
            return
          }
          const number = await changeRequests.add({ ...request, kind, id })
          redirect(ctx, requestPath(kind, id, { sent: String(number) }))
        }),
    },
  }
}

type FormState = {
  readonly status?: number
  readonly errors?: ChangeRequestErrors
  readonly notice?: Notice
}

const emptyInput: ChangeRequestInput = { topic: '', text: '', answer: '' }

const readInput = (form: SubmittedForm): ChangeRequestInput => ({
  topic: form.get('topic') ?? '',
  text: readText(form, 'text'),
  answer: readText(form, 'answer'),
})

/** A text as records have it: without spaces around it, in NFC, each line break one character. */
const readText = (form: SubmittedForm, name: string): string =>
  (form.get(name) ?? '').replace(/\r\n?/g, '\n').normalize('NFC').trim()

type CheckedInput = {
  /** Undefined if there are errors. */
  readonly request?: Pick<NewChangeRequest, 'topic' | 'text' | 'answer'>
  readonly errors: ChangeRequestErrors
}

function checkInput({ topic: chosen, text, answer }: ChangeRequestInput): CheckedInput {
  const topic = changeRequestTopics.find((candidate) => candidate === chosen)
  const messages = {
    topic: topic ? undefined : message('Choose what your request is about.'),
    text: text === '' ? message('Write what you ask for.') : tooLong(text, maxLengths.text),
    answer: tooLong(answer, maxLengths.answer),
  }
  const hasErrors = Object.values(messages).some((message) => message !== undefined)
  return topic && !hasErrors
    ? { request: { topic, text, answer }, errors: {} }
    : { errors: messages }
}

const tooLong = (text: string, max: number): Message | undefined =>
  Array.from(text).length > max
    ? message('This is too long. Use at most {count} characters.', {
        count: max.toLocaleString('en'),
      })
    : undefined

const tooOld: Notice = {
  tone: 'look',
  text: message('Not sent yet: the form was too old, or cookies are switched off. Send it again.'),
}

function tooMany(seconds: number): Notice {
  const count = Math.ceil(seconds / 60)
  const text =
    count === 1
      ? message('Not sent: there were too many requests in the last hour. Try again in a minute.')
      : message(
          'Not sent: there were too many requests in the last hour. Try again in {count} minutes.',
          { count },
        )
  return { tone: 'wrong', text }
}

const pageSize = 25

function requestsEndpoint(dependencies: ChangeRequestDependencies): Endpoint {
  const { changeRequests } = dependencies
  return createPageEndpoint(dependencies, {
    path: editingRoutes.changeRequests,
    name: 'Requests for changes',
    description: 'What visitors asked to change.',
    isAllowed: maySeeRequests,
    async render({ ctx, context, account }) {
      const page = readPage(queryParam(ctx, 'page'))
      const kinds = answeredKinds(account)
      const range = { first: (page - 1) * pageSize, count: pageSize }
      const { total, requests } = await changeRequests.list(kinds, range)
      if (page > 1 && requests.length === 0) throw noSuchPage()
      return (
        <ChangeRequestsPage
          context={context}
          requests={await Promise.all(
            requests.map((request) => toInfo(dependencies, account, request)),
          )}
          open={changeRequests.countOpen(kinds)}
          page={page}
          pages={Math.ceil(total / pageSize)}
        />
      )
    },
  })
}

/** @throws NotFoundError */
function readPage(text: string): number {
  if (text === '') return 1
  if (!/^[1-9]\d{0,6}$/.test(text)) throw noSuchPage()
  return Number(text)
}

/**
 * Adds the title of the record, where this was not deleted, and whether it is hidden. A request about
 * a record that was merged or renamed since is shown with the record that its identifier leads to.
 */
async function toInfo(
  dependencies: ChangeRequestDependencies,
  account: Account,
  request: ChangeRequest,
): Promise<ChangeRequestInfo> {
  const { catalogue, resources } = dependencies
  const { kind, id } = request
  try {
    const { record, hidden } = await readFor(catalogue, account, { target: kind, id })
    return { ...request, title: recordHeading(record, resources), isHidden: hidden !== undefined }
  } catch (error) {
    if (error instanceof RecordMergedError)
      return toInfo(dependencies, account, { ...request, id: error.into.id })
    if (!(error instanceof NotFoundError)) throw error
    return { ...request, title: undefined, isHidden: false }
  }
}

/** The page on which a request is answered. */
class ChangeRequestForm {
  readonly #dependencies: ChangeRequestDependencies
  readonly #catalogue: Catalogue
  readonly #changeRequests: ChangeRequests

  constructor(dependencies: ChangeRequestDependencies) {
    this.#dependencies = dependencies
    this.#catalogue = dependencies.catalogue
    this.#changeRequests = dependencies.changeRequests
  }

  endpoint(): Endpoint {
    return createFormEndpoint(this.#dependencies, {
      path: editingRoutes.changeRequest,
      name: 'Request for a change',
      description: 'What a visitor asked to change, and what became of it.',
      isAllowed: maySeeRequests,
      render: (signedIn) => this.#page(signedIn),
      submit: (signedIn, form) => this.#submit(signedIn, form),
    })
  }

  async #page(signedIn: SignedInRequest, state: { note?: string; notice?: Notice } = {}) {
    const { account } = signedIn
    const request = await this.#requireRequest(signedIn)
    const info = await toInfo(this.#dependencies, account, request)
    return (
      <ChangeRequestPage
        context={signedIn.context}
        request={info}
        mayHide={await this.#mayHide(account, info)}
        note={state.note ?? request.note}
        notice={state.notice}
        mayRemove={account.role === 'admin' && request.settled !== undefined}
      />
    )
  }

  async #submit(signedIn: SignedInRequest, form: SubmittedForm): Promise<Redirect | VNode> {
    const { ctx, account } = signedIn
    const request = await this.#requireRequest(signedIn)
    const note = readText(form, 'note')
    const mistake = tooLong(note, maxLengths.note)
    if (mistake !== undefined) {
      ctx.status = 400
      return this.#page(signedIn, {
        note,
        notice: { tone: 'wrong', text: `The note: ${String(mistake)}` },
      })
    }
    // The button "Undo" of a notice sends no fields.
    const action = ctx.querystring === 'undo' ? 'show' : form.get('do')
    try {
      if (action === 'hide' || action === 'show')
        return await this.#setVisibility(signedIn, request, action)
      if (action !== 'delete') return await this.#update(signedIn, request, form)
      if (account.role !== 'admin') throw new ForbiddenError()
      await this.#changeRequests.remove(request.number)
      return { to: editingLinks.changeRequests(), done: 'deleted' }
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      ctx.status = 409
      return this.#page(signedIn, { note, notice: { tone: 'look', text: error.text } })
    }
  }

  /** Hides the record and marks the request as done, or takes both back. */
  async #setVisibility(
    { account, context: { translator } }: SignedInRequest,
    request: ChangeRequest,
    action: 'hide' | 'show',
  ): Promise<Redirect> {
    const { number, version, note, at } = request
    const { kind, id } = await toInfo(this.#dependencies, account, request)
    const isHiding = action === 'hide'
    const reason = translator.t('At the request of the maker, {date}', { date: at.slice(0, 10) })
    const body = new Map([
      ['visibility', isHiding ? 'hidden' : 'public'],
      ['hidden_reason', isHiding ? reason : ''],
    ])
    const source = sourceOf({ account })
    await this.#catalogue.change(kind, id, body, { mayName: seesHidden(account), source })
    const outcome = isHiding ? 'done' : 'open'
    await this.#changeRequests.update(number, { version, note, outcome, account: account.name })
    const to = editingLinks.changeRequest(number)
    return isHiding ? { to, done: 'hidden', undo: `${to}?undo` } : { to, done: 'shown' }
  }

  async #update(
    { account }: SignedInRequest,
    { number }: ChangeRequest,
    form: SubmittedForm,
  ): Promise<Redirect> {
    const action = form.get('do') ?? ''
    const outcome = [...changeRequestOutcomes, 'open' as const].find(
      (candidate) => candidate === action,
    )
    const note = readText(form, 'note')
    const version = Number(form.get('.version'))
    await this.#changeRequests.update(number, { version, note, outcome, account: account.name })
    return outcome === 'done' || outcome === 'declined'
      ? { to: editingLinks.changeRequests(), done: outcome }
      : { to: editingLinks.changeRequest(number), done: 'saved' }
  }

  /**
   * The request in the path, if the account answers such requests.
   * @throws NotFoundError
   */
  async #requireRequest({ ctx, account }: SignedInRequest): Promise<ChangeRequest> {
    const number = Number(/^[1-9]\d{0,11}$/.exec(ctx.params.number ?? '')?.[0])
    const request = await this.#changeRequests.get(number)
    if (!request || !mayWrite(account, request.kind)) throw new NotFoundError()
    return request
  }

  /** Whether an open request may ask to hide its record, and the account may do so. */
  async #mayHide(
    account: Account,
    { kind, id, title, topic, settled, isHidden }: ChangeRequestInfo,
  ): Promise<boolean> {
    return (
      !settled &&
      topic !== 'correct' &&
      title !== undefined &&
      !isHidden &&
      (await mayWriteRecord(this.#catalogue, account, { target: kind, id }))
    )
  }
}
