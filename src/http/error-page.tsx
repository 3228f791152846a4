// The page that shows an error to a browser: what went wrong, a search, and a link to the home page.

import { type Message, message } from '../message.js'
import { Layout, type PageContext } from '../views/layout.js'
import { homePath } from '../views/links.js'
import { CatalogueSearch } from '../views/search-form.js'
import { messageText, t } from '../views/translate.js'
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
      <ErrorPage context={pageContext(ctx, assets)} title={title} text={text} />,
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

const ErrorPage = ({
  context,
  title,
  text,
}: {
  readonly context: PageContext
  readonly title: string
  readonly text: Message
}) => (
  <Layout context={context} title={t(title)}>
    <h1>{t(title)}</h1>
    <p class="lead">{messageText(text)}</p>
    <CatalogueSearch context={context} />
    <p>
      <a href={homePath}>{t('Go to the home page')}</a>
    </p>
  </Layout>
)
