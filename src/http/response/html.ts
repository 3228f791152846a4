// Sends HTML pages with their security headers, and collects what every page needs to know of the
// request. The pages themselves are in views/.

import type { VNode } from 'preact'

import { navigation } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { renderPage } from '../../views/render.js'
import { english } from '../../messages/translator.js'
import { translatorOf } from '../language.js'
import { contentType, sendText } from './conditional.js'
import { takeDone } from './done-notice.js'
import type { InlineStyle, RequestContext } from '../context.js'
import { html } from '../../formats/common-formats.js'
import { requestOrigin } from '../origin.js'

// One page is made for the frames of others; it has neither scripts nor forms.
const framedPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self' data:",
  "form-action 'none'",
  'frame-ancestors *',
  "base-uri 'none'",
].join('; ')

// Only files of this service are loaded; no other site may frame a page or receive its forms.
const contentSecurityPolicy = (styles: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

type PageOptions = {
  /** The hashes of style sheets that a library inserts into the page. */
  readonly styles?: readonly string[]
  /** That of the record that the page shows. */
  readonly version?: string
}

/** Sends a page. Its content may depend on the session. */
export function sendPage(
  ctx: RequestContext,
  page: VNode,
  status = 200,
  { styles = [], version }: PageOptions = {},
): void {
  const translator = translatorOf(ctx)
  ctx.vary(['Cookie', 'Accept-Language', 'Sec-Fetch-Site'])
  ctx.set('Content-Language', translator.language)
  // The page of a session contains its form token, and may contain private fields.
  if (ctx.state.session) ctx.set('Cache-Control', 'private, no-store')
  else if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-cache')
  const text = renderPage(page, translator)
  const inlined = (ctx.state.inlineStyles ?? []).map(({ source }) => source)
  ctx.set('Content-Security-Policy', contentSecurityPolicy([...inlined, ...styles]))
  ctx.state.format = html
  if (status === 200) {
    sendText(ctx, text, version)
    return
  }
  // An error has no ETag.
  ctx.status = status
  ctx.set('Content-Type', contentType(html))
  ctx.body = text
}

/** Sends a page that other sites may show in a frame. It says the same to everybody, in English. */
export function sendFramedPage(ctx: RequestContext, page: VNode): void {
  ctx.set('Cache-Control', 'no-cache')
  ctx.set('Content-Security-Policy', framedPolicy)
  ctx.state.format = html
  sendText(ctx, renderPage(page, english))
}

/** Gives the URL of a style sheet, script or font by its file name, or a style sheet itself. */
export type AssetUrls = {
  readonly urlOf: (name: string) => string
  /** Undefined for one that is too large to be in pages. */
  readonly inlineStyleOf: (name: string) => InlineStyle | undefined
}

/**
 * Whether the browser comes from elsewhere, and may not have the style sheet yet. Waiting for it
 * would take as long again as waiting for the page.
 */
const comesFromElsewhere = (ctx: RequestContext): boolean =>
  ['none', 'cross-site', 'same-site'].includes(ctx.get('Sec-Fetch-Site'))

/** What every page is given: the request's URL, the session, the navigation, the assets. */
export function pageContext(ctx: RequestContext, assets: AssetUrls): PageContext {
  const { session, site } = ctx.state
  const areInline = comesFromElsewhere(ctx)
  return {
    siteName: site.name,
    logo: site.logo,
    hasAbout: site.hasAbout,
    origin: requestOrigin(ctx),
    path: ctx.path,
    query: ctx.querystring,
    account: session?.account,
    csrf: session?.csrf ?? '',
    contact: site.contact,
    openRequests: session && site.countOpenRequests(session.account),
    findsWords: site.findsWords,
    resetsAt: site.resetsAt,
    // The SPARQL endpoint may be switched off.
    sections: navigation.filter(([path]) => isRouted(ctx, path)),
    assetUrl: assets.urlOf,
    inlineStyle(name) {
      const style = areInline ? assets.inlineStyleOf(name) : undefined
      if (style) ctx.state.inlineStyles = [...(ctx.state.inlineStyles ?? []), style]
      return style?.css
    },
    done: takeDone(ctx),
    translator: translatorOf(ctx),
  }
}

/** Whether there is an endpoint at a path; assumed for an error that came before the router. */
function isRouted({ router }: Partial<Pick<RequestContext, 'router'>>, path: string): boolean {
  if (router === undefined) return true
  const known = routedPaths.get(router) ?? new Map<string, boolean>()
  routedPaths.set(router, known)
  const isKnown = known.get(path) ?? router.match(path, 'GET').route
  known.set(path, isKnown)
  return isKnown
}

/** Endpoints stay as they are at the start, and there are many of them to look through. */
const routedPaths = new WeakMap<RequestContext['router'], Map<string, boolean>>()
