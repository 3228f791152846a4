// The page that shows an error to a browser, with a search and a way back. How it looks is left to
// views/error-page.tsx.

import { message } from '../message.js'
import { ErrorPage } from '../views/error-page.js'
import type { RequestContext } from './context.js'
import { type ErrorResponse, messageOf } from './errors.js'
import { rememberLanguage } from './language.js'
import type { BrowserSessions } from './request/session-cookies.js'
import { type AssetUrls, pageContext, sendPage } from './response/html.js'

type SendErrorPage = (ctx: Pick<RequestContext, 'state'>, response: ErrorResponse) => void

export const createErrorPage =
  (assets: AssetUrls, sessionOf: BrowserSessions['sessionOf']): SendErrorPage =>
  (koaContext, { status, body }) => {
    // The router adds its members, which pages can do without: an error may come before it.
    const ctx = koaContext as RequestContext
    ctx.state.session ??= sessionOf(ctx)
    rememberLanguage(ctx)
    const [title, text] = texts.get(status) ?? [message('That did not work'), messageOf(body)]
    sendPage(
      ctx,
      <ErrorPage context={pageContext(ctx, assets)} title={title} message={text} />,
      status,
    )
  }

const texts: ReadonlyMap<number, readonly [title: string, message: string]> = new Map([
  [
    404,
    [
      message('Not found'),
      message('There is no page here. It may have been deleted, or the address is wrong.'),
    ],
  ],
  [
    500,
    [
      message('Something went wrong'),
      message('The service failed. The error was logged; please try again later.'),
    ],
  ],
])
