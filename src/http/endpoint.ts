// An address and what can be done there. Every request to one passes the same stages, in the order
// that decisions.md gives: format, credentials, permission, throttle, method; then its handler.

import type { RouterContext } from '@koa/router'
import type { Middleware } from 'koa'

import type { Account } from '../accounts/accounts.js'
import type { Session } from '../accounts/sessions.js'
import { mayWrite } from '../accounts/rights.js'
import type { IsCurrent } from '../cache.js'
import type { ResourceName } from '../model/iris.js'
import { setAlternateLinks } from './response/alternate-links.js'
import type { Authenticate } from './request/authentication.js'
import type { Format } from '../formats/serializer.js'
import { html, negotiate } from './request/content-negotiation.js'
import { httpErrors } from './response/http-errors.js'
import type { BrowserSessions } from './request/session-cookies.js'
import type { Throttle } from './request/throttle.js'

export type RequestState = {
  /** Of the request, for the log. */
  id: string
  /** The pattern of the address, once it is known. */
  route: string | undefined
  account: Account | undefined
  format: Format
  /** Of who is signed in by a browser; pages alone know of it. */
  session: Session | undefined
  /** Whether the answer still holds; undefined where it was made for who asked, or for this once. */
  isCurrent: IsCurrent | undefined
}

export type RequestContext = RouterContext<RequestState>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Handler = (ctx: RequestContext) => Promise<void> | void

export type Endpoint = {
  /** In the router's form; under `/api/` with a slash at its end. */
  readonly path: string
  /** Whether a request is for this endpoint; else it is for the next one that its address fits. */
  readonly matches?: (ctx: RequestContext) => Promise<boolean>
  /** What OPTIONS says of it. */
  readonly name: string
  readonly description: string
  /** What it can be shown as; the first is shown to those who do not mind. */
  readonly formats: readonly Format[]
  /** The types of body that it takes, where that is not JSON. */
  readonly consumes?: readonly string[]
  readonly methods: Partial<Record<Method, Handler>>
  /** What a browser is shown here in place of what GET answers. */
  readonly htmlHandler?: Handler
  /** The resource that is written here. */
  readonly resource?: ResourceName
  /** Whether writing needs no account, as a request for a token does. */
  readonly anonymousWrite?: true
}

/** Who asks, and how often they may. */
export type RequestGuards = {
  readonly authenticate: Authenticate
  readonly sessionOf: BrowserSessions['sessionOf']
  readonly throttle: Throttle
}

/** The stages of an endpoint, for the router. */
export function createEndpointMiddleware(
  endpoint: Endpoint,
  { authenticate, sessionOf, throttle }: RequestGuards,
): Middleware<RequestState, RouterContext<RequestState>> {
  const allow = allowed(endpoint)
  // What is written is answered as data.
  const readable = formatsOf(endpoint)
  return async (ctx, next) => {
    if (endpoint.matches && !(await endpoint.matches(ctx))) {
      await next()
      return
    }
    ctx.state.route = endpoint.path
    // Nothing else varies, but for origins, where they are listed.
    if (ctx.res.hasHeader('Vary')) ctx.vary('Accept')
    else ctx.set('Vary', 'Accept')
    const offered = reading.has(ctx.method) ? readable : endpoint.formats
    ctx.state.format = negotiate(ctx, offered)
    ctx.state.account = await authenticate(ctx)
    // Pages alone are for who is signed in by a cookie, which a browser sends along unasked.
    if (ctx.state.format === html) {
      ctx.state.session = sessionOf(ctx)
      ctx.state.account ??= ctx.state.session?.account
    }
    permit(endpoint, ctx.method, ctx.state.account)
    throttle(ctx)
    if (ctx.method === 'OPTIONS') {
      describe(ctx, endpoint, allow)
      return
    }
    const isPage = endpoint.htmlHandler && ctx.state.format === html
    const method = (ctx.method === 'HEAD' ? 'GET' : ctx.method) as Method
    const handler = isPage ? endpoint.htmlHandler : endpoint.methods[method]
    if (!handler) throw httpErrors.notAllowed(ctx.method, allow)
    await handler(ctx)
    setAlternateLinks(ctx, offered)
  }
}

/** All that an address can be read as. */
export const formatsOf = ({ formats, htmlHandler }: Endpoint): readonly Format[] =>
  htmlHandler ? [...formats, html] : formats

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

function permit(endpoint: Endpoint, method: string, account: Account | undefined): void {
  if (reading.has(method) || endpoint.anonymousWrite) return
  if (!account) throw httpErrors.noCredentials()
  // Where nothing can be written, whoever may write anything at all is told so by a 405.
  const may = endpoint.resource ? mayWrite(account, endpoint.resource) : account.role !== 'viewer'
  if (!may) throw httpErrors.noPermission()
}

function allowed({ methods }: Endpoint): string {
  const own = Object.keys(methods)
  return [...own, ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function describe(ctx: RequestContext, endpoint: Endpoint, allow: string): void {
  const { name, description, consumes = [json] } = endpoint
  ctx.set('Allow', allow)
  ctx.body = {
    name,
    description,
    renders: [...new Set(formatsOf(endpoint).map(({ type }) => type))],
    parses: consumes,
  }
}

const json = 'application/json'
