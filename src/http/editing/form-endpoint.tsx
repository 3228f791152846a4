// How the pages are reached on which people write: in a browser, signed in, by forms that came from
// here. What fails is told on a page.

import type { VNode } from 'preact'

import type { Account } from '../../accounts/accounts.js'
import { desk, withParameters } from '../../views/links.js'
import { MessagePage } from '../../views/form-layout.js'
import type { Visit } from '../../views/layout.js'
import type { Assets } from '../middleware/static-files.js'
import { readText } from '../request/body.js'
import type { Context, Endpoint } from '../endpoint.js'
import { html } from '../request/content-negotiation.js'
import { answerTo, Refused } from '../response/http-errors.js'
import type { Browsers } from '../request/session-cookies.js'
import { showPage, visitOf } from '../response/html.js'

export type Doors = { readonly assets: Assets; readonly browsers: Browsers }

/** Who is at the desk, and what they sent. */
export type Caller = {
  readonly ctx: Context
  readonly account: Account
  readonly visit: Visit
}

export type Form = URLSearchParams

export type Room = {
  readonly path: string
  readonly name: string
  readonly description: string
  /** Whether the account may be here at all. */
  readonly may: (account: Account) => boolean
  readonly show: (caller: Caller) => VNode | Promise<VNode>
  /** What a form does: it shows a page, or leads to another one. */
  readonly take: (caller: Caller, form: Form) => Promise<VNode | Elsewhere>
  /**
   * The page with all that the form has, when the form cannot be taken: its sender was signed out
   * meanwhile. Where it is absent, there is nothing in the form that would be missed.
   */
  readonly keep?: (caller: Pick<Caller, 'ctx' | 'visit'>, form: Form) => Promise<VNode>
}

/** The page to go to next, and what to say there. */
export type Elsewhere = { readonly to: string }

export const formType = 'application/x-www-form-urlencoded'

/** What every page of the desk has in common with the addresses of the API. */
export const deskEndpoint = ({
  path,
  name,
  description,
}: Pick<Room, 'path' | 'name' | 'description'>): Omit<Endpoint, 'methods'> => ({
  path,
  name,
  description,
  formats: [html],
  takes: [formType],
  // Not by a token: a session is asked for by the room itself.
  open: true,
})

/** A room whose door is open to those who are signed in and may be there. */
export function openRoom(doors: Doors, room: Room): Endpoint {
  const { assets, browsers } = doors
  return {
    ...deskEndpoint(room),
    methods: {
      GET: (ctx) =>
        tellingFailures(ctx, doors, async () => {
          const visit = visitOf(ctx, assets)
          const account = ctx.state.session?.account
          if (!account) {
            lead(ctx, withParameters(desk.login, '', { next: ctx.url }))
            return
          }
          if (!room.may(account)) throw notForYou()
          showPage(ctx, await room.show({ ctx, account, visit }))
        }),
      POST: (ctx) =>
        tellingFailures(ctx, doors, async () => {
          const form = await readForm(ctx)
          const account = ctx.state.session?.account
          if (!account || isForged(browsers, ctx, form)) {
            if (!room.keep) throw signedOut()
            const visit = { ...visitOf(ctx, assets), csrf: browsers.csrfOf(ctx) }
            showPage(ctx, await room.keep({ ctx, visit }, form), 403)
            return
          }
          if (!room.may(account)) throw notForYou()
          const answer = await room.take({ ctx, account, visit: visitOf(ctx, assets) }, form)
          if ('to' in answer) lead(ctx, answer.to)
          else showPage(ctx, answer, statusOf(ctx))
        }),
    },
  }
}

/** A status that a handler chose; a page is a success otherwise. */
const statusOf = ({ status }: Context): number => (status === 404 ? 200 : status)

export const readForm = async (ctx: Context): Promise<Form> =>
  new URLSearchParams(await readText(ctx, formType))

/** Leads the browser on, so that reloading the next page sends nothing again (RFC 9110, 15.4.4). */
export function lead(ctx: Context, to: string): void {
  ctx.status = 303
  ctx.set('Location', to)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = ''
}

function isForged(browsers: Browsers, ctx: Context, form: Form): boolean {
  try {
    browsers.verifyForm(ctx, form)
    return false
  } catch (error) {
    if (error instanceof Refused) return true
    throw error
  }
}

/** Does what a page does; what fails is told in words on a page of its own. */
export async function tellingFailures(
  ctx: Context,
  { assets }: Doors,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const answer = answerTo(error)
    if (!answer) throw error
    const { status, headers = {} } = answer
    ctx.set(headers)
    const page = (
      <MessagePage visit={visitOf(ctx, assets)} title={titles[status] ?? 'That did not work'}>
        <p>{wordsIn(answer.body)}</p>
      </MessagePage>
    )
    showPage(ctx, page, status)
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

const refuse = (status: number, detail: string): Refused =>
  new Refused({ status, body: { detail } })

const notForYou = (): Refused =>
  refuse(403, 'Your account is not allowed to do this. Ask an administrator of the catalogue.')

const signedOut = (): Refused =>
  refuse(403, 'You were signed out meanwhile, or this form is too old. Sign in and try again.')
