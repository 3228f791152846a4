// How the pages are reached on which people write: in a browser, signed in, by forms that came from
// here. What fails is told on a page.

import type { VNode } from 'preact'

import type { Account } from '../../accounts/accounts.js'
import { editingLinks, withParameters } from '../../views/links.js'
import { MessagePage } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { readText } from '../request/body.js'
import type { Endpoint } from '../endpoint.js'
import type { RequestContext } from '../context.js'
import { html } from '../../formats/common-formats.js'
import { toErrorResponse } from '../response/http-errors.js'
import { HttpError } from '../errors.js'
import type { BrowserSessions } from '../request/session-cookies.js'
import { type AssetUrls, pageContext, sendPage } from '../response/html.js'

export type FormDependencies = { readonly assets: AssetUrls; readonly browsers: BrowserSessions }

/** Who is at the desk, and what they sent. */
export type SignedInRequest = {
  readonly ctx: RequestContext
  readonly account: Account
  readonly visit: PageContext
}

export type SubmittedForm = URLSearchParams

export type FormDefinition = {
  readonly path: string
  readonly name: string
  readonly description: string
  /** Whether the account may be here at all. */
  readonly isAllowed: (account: Account) => boolean
  readonly render: (caller: SignedInRequest) => VNode | Promise<VNode>
  /** What a form does: it shows a page, or leads to another one. */
  readonly submit: (caller: SignedInRequest, form: SubmittedForm) => Promise<VNode | Redirect>
  /**
   * The page with all that the form has, when the form cannot be taken: its sender was signed out
   * meanwhile. Where it is absent, there is nothing in the form that would be missed.
   */
  readonly renderSignedOut?: (
    caller: Pick<SignedInRequest, 'ctx' | 'visit'>,
    form: SubmittedForm,
  ) => Promise<VNode>
}

/** The page to go to next, and what to say there. */
export type Redirect = { readonly to: string }

export const formType = 'application/x-www-form-urlencoded'

/** What every page of the desk has in common with the addresses of the API. */
export const editingEndpoint = ({
  path,
  name,
  description,
}: Pick<FormDefinition, 'path' | 'name' | 'description'>): Omit<Endpoint, 'methods'> => ({
  path,
  name,
  description,
  formats: [html],
  consumes: [formType],
  // Not by a token: a session is asked for by the room itself.
  anonymousWrite: true,
})

/** A room whose door is open to those who are signed in and may be there. */
export function createFormEndpoint(doors: FormDependencies, room: FormDefinition): Endpoint {
  const { assets, browsers } = doors
  return {
    ...editingEndpoint(room),
    methods: {
      GET: (ctx) =>
        withErrorPage(ctx, doors, async () => {
          const visit = pageContext(ctx, assets)
          const account = ctx.state.session?.account
          if (!account) {
            redirect(ctx, withParameters(editingLinks.login, '', { next: ctx.url }))
            return
          }
          if (!room.isAllowed(account)) throw notForYou()
          sendPage(ctx, await room.render({ ctx, account, visit }))
        }),
      POST: (ctx) =>
        withErrorPage(ctx, doors, async () => {
          const form = await readForm(ctx)
          const account = ctx.state.session?.account
          if (!account || isForged(browsers, ctx, form)) {
            if (!room.renderSignedOut) throw signedOut()
            const visit = { ...pageContext(ctx, assets), csrf: browsers.csrfOf(ctx) }
            sendPage(ctx, await room.renderSignedOut({ ctx, visit }, form), 403)
            return
          }
          if (!room.isAllowed(account)) throw notForYou()
          const answer = await room.submit({ ctx, account, visit: pageContext(ctx, assets) }, form)
          if ('to' in answer) redirect(ctx, answer.to)
          else sendPage(ctx, answer, statusOf(ctx))
        }),
    },
  }
}

/** A status that a handler chose; a page is a success otherwise. */
const statusOf = ({ status }: RequestContext): number => (status === 404 ? 200 : status)

export const readForm = async (ctx: RequestContext): Promise<SubmittedForm> =>
  new URLSearchParams(await readText(ctx, formType))

/** Leads the browser on, so that reloading the next page sends nothing again (RFC 9110, 15.4.4). */
export function redirect(ctx: RequestContext, to: string): void {
  ctx.status = 303
  ctx.set('Location', to)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = ''
}

function isForged(browsers: BrowserSessions, ctx: RequestContext, form: SubmittedForm): boolean {
  try {
    browsers.verifyCsrf(ctx, form)
    return false
  } catch (error) {
    if (error instanceof HttpError) return true
    throw error
  }
}

/** Does what a page does; what fails is told in words on a page of its own. */
export async function withErrorPage(
  ctx: RequestContext,
  { assets }: FormDependencies,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const answer = toErrorResponse(error)
    if (!answer) throw error
    const { status, headers = {} } = answer
    ctx.set(headers)
    const page = (
      <MessagePage visit={pageContext(ctx, assets)} title={titles[status] ?? 'That did not work'}>
        <p>{wordsIn(answer.body)}</p>
      </MessagePage>
    )
    sendPage(ctx, page, status)
  }
}

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
  429: 'Too many requests',
}

const wordsIn = (body: object): string =>
  'detail' in body && typeof body.detail === 'string'
    ? body.detail
    : Object.values(body).flat().join(' ')

const sendErrorPage = (status: number, detail: string): HttpError =>
  new HttpError({ status, body: { detail } })

const notForYou = (): HttpError =>
  sendErrorPage(
    403,
    'Your account is not allowed to do this. Ask an administrator of the catalogue.',
  )

const signedOut = (): HttpError =>
  sendErrorPage(
    403,
    'You were signed out meanwhile, or this form is too old. Sign in and try again.',
  )
