// What all pages for editing have in common: they need a signed-in browser and a form with a valid
// CSRF token, and show errors on a page. Throttling and such are done by ../endpoint.ts as for all
// endpoints.

import type { Readable } from 'node:stream'

import type { VNode } from 'preact'

import { type Message, message } from '../message.js'
import { ForbiddenError } from '../errors.js'
import type { Account } from '../accounts/accounts.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { ChangeSource } from '../catalogue/writes/committer.js'
import type { ResourceName } from '../model/iris.js'
import { editingLinks, withParameters } from '../views/links.js'
import { MessagePage } from '../views/form-layout.js'
import type { PageContext } from '../views/layout.js'
import { readForm } from './request/body.js'
import { recordIdParam } from './request/list-query.js'
import { mayWriteRecord } from './request/record-rights.js'
import { uploadType } from './request/upload.js'
import type { Endpoint } from './endpoint.js'
import type { RequestContext } from './context.js'
import { html } from '../formats/common-formats.js'
import type { Format } from '../formats/serializer.js'
import { toErrorResponse } from './response/http-errors.js'
import { HttpError, messageOf } from './errors.js'
import { contentType } from './response/conditional.js'
import type { BrowserSessions } from './request/session-cookies.js'
import { type DoneNotice, setDone } from './response/done-notice.js'
import { type AssetUrls, pageContext, sendPage } from './response/html.js'
import { redirectToOther } from './response/redirect.js'

export type FormDependencies = {
  readonly assets: AssetUrls
  readonly browsers: BrowserSessions
  readonly catalogue: Pick<Catalogue, 'mayWriteRecord' | 'isHidden'>
}

/** A request of a signed-in browser. */
export type SignedInRequest = {
  readonly ctx: RequestContext
  readonly account: Account
  readonly context: PageContext
}

export type SubmittedForm = URLSearchParams

/** Who writes by a form. */
export const sourceOf = ({ account }: Pick<SignedInRequest, 'account'>): ChangeSource => ({
  account: account.name,
  how: 'page',
})

/**
 * Who may use a page: accounts that may write its record, or those of which something else is
 * asked.
 */
type PageRights =
  | {
      /** The resource of the record that the page changes; its identifier is in the path. */
      readonly record: ResourceName
    }
  | { readonly isAllowed: (account: Account) => boolean }

export type PageDefinition = PageRights & {
  readonly path: string
  readonly name: string
  readonly description: string
  /** Returns the page to show, or where to redirect to. */
  readonly render: (request: SignedInRequest) => VNode | Redirect | Promise<VNode | Redirect>
}

export type FormDefinition = PageDefinition & {
  /** Handles the form; returns the page to show, where to redirect to, or a file. */
  readonly submit: (
    request: SignedInRequest,
    form: SubmittedForm,
  ) => Promise<VNode | Redirect | FileAnswer>
  /**
   * Renders the form with its input again for a browser that was signed out in the meantime. Absent
   * for forms without input that would be missed; they are answered 403.
   */
  readonly renderSignedOut?: (
    request: Pick<SignedInRequest, 'ctx' | 'context'>,
    form: SubmittedForm,
  ) => Promise<VNode>
}

/** The path to redirect to, what was done, and the path of the form that undoes it. */
export type Redirect = { readonly to: string; readonly done?: DoneNotice; readonly undo?: string }

/** A file for the sender alone. */
export type FileAnswer = {
  readonly fileName: string
  readonly format: Format
  readonly content: string | Readable
}

export const notAllowedMessage = message(
  'Your account is not allowed to do this. Ask an administrator of the catalogue.',
)
export const signedOutMessage = message(
  'You were signed out meanwhile, or this form is too old. Sign in and try again.',
)

/** Refuses a file, which is not read. */
export function refusedUpload(ctx: RequestContext, text: Message): ForbiddenError {
  ctx.set('Connection', 'close')
  return new ForbiddenError(text)
}

const formType = 'application/x-www-form-urlencoded'

/** The endpoint of a page for editing, without its methods. */
export const editingEndpoint = ({
  path,
  name,
  description,
}: Pick<PageDefinition, 'path' | 'name' | 'description'>): Omit<Endpoint, 'methods'> => ({
  path,
  name,
  description,
  formats: [html],
  consumes: [formType],
  // No token is needed: the form endpoint checks the session itself.
  anonymousWrite: true,
})

/** Creates the endpoint of a page without a form, for signed-in accounts that may see it. */
export const createPageEndpoint = (
  dependencies: FormDependencies,
  definition: PageDefinition,
): Endpoint => ({
  ...editingEndpoint(definition),
  methods: {
    GET: (ctx) =>
      withErrorPage(ctx, dependencies, async () => {
        const context = pageContext(ctx, dependencies.assets)
        const account = ctx.state.session?.account
        if (!account) {
          redirect(ctx, loginPath(ctx))
          return
        }
        await checkAllowed(dependencies, definition, { ctx, account })
        send(ctx, await definition.render({ ctx, account, context }))
      }),
  },
})

/** Creates the endpoint of a form for signed-in accounts that may use it. */
export function createFormEndpoint(
  dependencies: FormDependencies,
  definition: FormDefinition,
): Endpoint {
  const { assets, browsers } = dependencies
  const page = createPageEndpoint(dependencies, definition)
  return {
    ...page,
    methods: {
      ...page.methods,
      POST: (ctx) =>
        withErrorPage(ctx, dependencies, async () => {
          const form = await readForm(ctx)
          const account = ctx.state.session?.account
          const isForged = isForgedForm(browsers, ctx, form)
          // A form of another site is never shown, since its input is not the user's.
          if (isForged && !browsers.isOwnPage(ctx)) throw signedOut()
          if (!account || isForged) {
            if (!definition.renderSignedOut) throw signedOut()
            const context = { ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }
            sendPage(ctx, await definition.renderSignedOut({ ctx, context }, form), 403)
            return
          }
          await checkAllowed(dependencies, definition, { ctx, account })
          const request = { ctx, account, context: pageContext(ctx, assets) }
          send(ctx, await definition.submit(request, form))
        }),
    },
  }
}

/** @throws HttpError 403 unless the account may use the page */
async function checkAllowed(
  { catalogue }: FormDependencies,
  rights: PageRights,
  { ctx, account }: Pick<SignedInRequest, 'ctx' | 'account'>,
): Promise<void> {
  const isAllowed =
    'record' in rights
      ? await mayWriteRecord(catalogue, account, { target: rights.record, id: recordIdParam(ctx) })
      : rights.isAllowed(account)
  if (!isAllowed) throw notAllowed()
}

/** The endpoint of a form that takes files too, which `upload` does. */
export const withUpload = (
  endpoint: Endpoint,
  upload: (ctx: RequestContext) => Promise<void>,
): Endpoint => ({
  ...endpoint,
  consumes: [...(endpoint.consumes ?? []), uploadType],
  methods: {
    ...endpoint.methods,
    POST: (ctx) => (ctx.is(uploadType) ? upload(ctx) : endpoint.methods.POST?.(ctx)),
  },
})

/** Sends a page or a file, or redirects. */
export function send(ctx: RequestContext, result: VNode | Redirect | FileAnswer): void {
  if ('fileName' in result) sendDownload(ctx, result)
  else if ('to' in result) redirect(ctx, result.to, result.done, result.undo)
  else sendPage(ctx, result, statusOf(ctx))
}

function sendDownload(ctx: RequestContext, { fileName, format, content }: FileAnswer): void {
  ctx.status = 200
  ctx.attachment(fileName)
  ctx.set('Content-Type', contentType(format))
  ctx.set('Cache-Control', 'private, no-store')
  ctx.body = content
}

/**
 * The login page that leads back to the requested page, without its query if that is too long for a
 * header and for the next request.
 */
function loginPath({ path, url }: RequestContext): string {
  const next = [url, path].find((candidate) => candidate.length <= maxNextLength)
  return next === undefined ? editingLinks.login : withParameters(editingLinks.login, '', { next })
}

/** Encoding can make it three times as long; Node allows 16 KiB for all headers. */
const maxNextLength = 2000

/** The status that a handler has set; 200 if it has set none, which Koa shows as 404. */
const statusOf = ({ status }: RequestContext): number => (status === 404 ? 200 : status)

/**
 * Redirects with 303, so that reloading the next page does not send the form again (RFC 9110,
 * 15.4.4).
 */
export function redirect(ctx: RequestContext, to: string, done?: DoneNotice, undo?: string): void {
  if (done) setDone(ctx, done, undo)
  redirectToOther(ctx, to)
  ctx.set('Cache-Control', 'no-store')
}

export function isForgedForm(
  browsers: BrowserSessions,
  ctx: RequestContext,
  form: SubmittedForm,
): boolean {
  try {
    browsers.verifyCsrf(ctx, form)
    return false
  } catch (error) {
    if (error instanceof HttpError) return true
    throw error
  }
}

/** Runs a handler; expected errors are shown on a page with their status. */
export async function withErrorPage(
  ctx: RequestContext,
  { assets }: FormDependencies,
  handle: () => Promise<void>,
): Promise<void> {
  try {
    await handle()
  } catch (error) {
    const response = toErrorResponse(error)
    if (!response) throw error
    const { status, headers = {}, body } = response
    ctx.set(headers)
    const context = pageContext(ctx, assets)
    const { translator } = context
    const title = translator.t(titles[status] ?? message('That did not work'))
    const page = (
      <MessagePage context={context} title={title}>
        <p>{translator.message(messageOf(body))}</p>
      </MessagePage>
    )
    sendPage(ctx, page, status)
  }
}

const titles: Readonly<Record<number, string>> = {
  403: message('Not allowed'),
  404: message('Not found'),
  410: message('No longer here'),
  413: message('Too large'),
  429: message('Too many requests'),
}

const notAllowed = (): ForbiddenError => new ForbiddenError(notAllowedMessage)

const signedOut = (): ForbiddenError => new ForbiddenError(signedOutMessage)
