// Endpoints and the steps that every request to one takes, in the order of
// docs/reference/requests.md, "Order of checks": format, credentials, permission, throttle, method,
// and then the handler.

import type { RouterContext } from '@koa/router'
import type { Middleware } from 'koa'

import { ForbiddenError } from '../errors.js'
import type { Account } from '../accounts/accounts.js'
import { mayWrite, mayWriteSomething } from '../accounts/rights.js'
import { curatedListFilter } from '../catalogue/list-conditions.js'
import { html, json } from '../formats/common-formats.js'
import type { Format } from '../formats/serializer.js'
import type { ResourceName } from '../model/iris.js'
import type { RequestAddress } from './address.js'
import type { Answer, Handler, Method, RequestContext, RequestState } from './context.js'
import { httpErrors } from './errors.js'
import type { Authenticate } from './request/authentication.js'
import { isIndifferent, negotiate, tryNegotiate } from './request/content-negotiation.js'
import { rememberLanguage } from './language.js'
import type { OperationDescription } from './operation.js'
import type { BrowserSessions } from './request/session-cookies.js'
import type { Throttle } from './request/throttle.js'
import { queryParam } from './request/url.js'
import { setLinkHeaders } from './response/link-headers.js'

export type Endpoint = {
  /** In the router's form; under `/api/` with a slash at the end. */
  readonly path: string
  /** Whether a request is for this endpoint; if not, the next one with a matching path is tried. */
  readonly matches?: (ctx: RequestContext) => Promise<boolean>
  /** The name and description that OPTIONS answers with. */
  readonly name: string
  readonly description: string
  /** The formats of responses; the first is the default. */
  readonly formats: readonly Format[]
  /** Further formats, in which only reads are answered. */
  readonly readOnlyFormats?: readonly Format[]
  /**
   * Set if the answer is the same whatever the client accepts, such as a redirect: Accept is then
   * no reason for 406.
   */
  readonly ignoresAccept?: true
  /**
   * Changes the value of the `format` parameter to the name of a format; '' leaves it to Accept.
   */
  readonly formatName?: (value: string) => string
  /** The media types of request bodies, if not only JSON. */
  readonly consumes?: readonly string[]
  /**
   * Set if a write is answered in the type that was sent, unless the client asks for another one.
   */
  readonly answersInSentType?: true
  readonly methods: Partial<Record<Method, Handler>>
  /** What the OpenAPI document says of the methods, besides what follows from the rest. */
  readonly operations?: Partial<Record<Method, OperationDescription>>
  /**
   * The answer to a GET of JSON without credentials, cookies and conditions, as the handler in
   * `methods` makes it; it is sent before Koa (fast-path.ts). Undefined, or a promise that is
   * rejected, where the handler has to answer.
   */
  readonly answerPlainly?: (address: RequestAddress) => Answer | Promise<Answer> | undefined
  /** Answers requests for HTML, in place of the handler in `methods`. */
  readonly htmlHandler?: Handler
  /** The resource whose records are written here. */
  readonly resource?: ResourceName
  /**
   * Set if reading needs the right to write: these records, or where no resource is written, any.
   */
  readonly readsNeedRights?: true
  /**
   * Set if every method needs an account, and no more than that: what is here belongs to the
   * account.
   */
  readonly needsAccount?: true
  /** Set if writing needs no account, such as for a token request. */
  readonly anonymousWrite?: true
  /**
   * The methods that are not counted by the throttle without an account: those by which one signs
   * in. Who has used up what is allowed without an account can still sign in.
   */
  readonly signsIn?: readonly string[]
}

/** The checks of who sent a request, and of how many requests they may send. */
export type RequestGuards = {
  readonly authenticate: Authenticate
  readonly sessionOf: BrowserSessions['sessionOf']
  readonly throttle: Throttle
}

/** Creates the router's middleware for an endpoint. */
export function createEndpointMiddleware(
  endpoint: Endpoint,
  { authenticate, sessionOf, throttle }: RequestGuards,
): Middleware<RequestState, RouterContext<RequestState>> {
  const allow = allowHeader(endpoint)
  // Responses to a write have no HTML form.
  const readFormats = formatsOf(endpoint)
  return async (ctx, next) => {
    if (endpoint.matches && !(await endpoint.matches(ctx))) {
      await next()
      return
    }
    ctx.state.route = endpoint.path
    // Only `Vary: Origin` can have been set before, by middleware/cors.ts.
    if (ctx.res.hasHeader('Vary')) ctx.vary('Accept')
    else ctx.set('Vary', 'Accept')
    const offered = readMethods.has(ctx.method) ? readFormats : endpoint.formats
    ctx.state.format =
      (endpoint.answersInSentType ? formatOfBody(ctx, offered) : undefined) ??
      formatOf(ctx, endpoint, offered)
    ctx.state.account = await authenticate(ctx)
    // Session cookies count for pages only: a browser sends them with requests of other sites too.
    if (ctx.state.format === html) {
      ctx.state.session = sessionOf(ctx)
      ctx.state.account ??= ctx.state.session?.account
    }
    checkPermission(endpoint, ctx.method, ctx.state.account)
    if (!isUnthrottled(ctx, endpoint)) throttle(ctx)
    if (ctx.method === 'OPTIONS') {
      sendOptions(ctx, endpoint, allow)
      return
    }
    if (redirectsToLanguage(ctx)) return
    const handler = findHandler(endpoint, ctx)
    if (!handler) throw httpErrors.notAllowed(ctx.method, allow)
    await handler(ctx)
    keepListsOfEditorsOutOfCaches(ctx)
    setLinkHeaders(ctx, ctx.state.offered ?? offered)
  }
}

/**
 * Which lists of editors there are depends on who asks. The cache of responses does not, so it gets
 * none that is filtered by such a list.
 */
function keepListsOfEditorsOutOfCaches(ctx: RequestContext): void {
  if (queryParam(ctx, curatedListFilter) === '') return
  ctx.state.isCurrent = undefined
  if (ctx.state.account) ctx.set('Cache-Control', 'private, no-store')
}

/** Answers a link to a page in another language: it is remembered, and the page follows. */
function redirectsToLanguage(ctx: RequestContext): boolean {
  if (ctx.state.format !== html || !['GET', 'HEAD'].includes(ctx.method)) return false
  const address = rememberLanguage(ctx)
  if (address === undefined) return false
  ctx.status = 302
  ctx.set('Location', address)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = ''
  return true
}

/** All formats in which an endpoint can be read. */
export const formatsOf = ({
  formats,
  readOnlyFormats = [],
  htmlHandler,
}: Endpoint): readonly Format[] => [...formats, ...readOnlyFormats, ...(htmlHandler ? [html] : [])]

/** @throws HttpError 404, 406 */
function formatOf(
  ctx: RequestContext,
  { formats, formatName, ignoresAccept }: Endpoint,
  offered: readonly Format[],
): Format {
  const value = queryParam(ctx, 'format')
  const name = formatName?.(value) ?? value
  const format =
    ignoresAccept && name === '' ? (tryNegotiate(ctx, offered, name) ?? formats[0]) : undefined
  // OPTIONS is answered in JSON, whatever else the endpoint has.
  return format ?? negotiate(ctx, ctx.method === 'OPTIONS' ? [...offered, json] : offered, name)
}

/**
 * The format in which the body of a write is; undefined where the client asks for a format, or
 * sends none.
 */
const formatOfBody = (ctx: RequestContext, offered: readonly Format[]): Format | undefined =>
  readMethods.has(ctx.method) || !isIndifferent(ctx)
    ? undefined
    : offered.find(({ type }) => ctx.is(type) === type)

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

function findHandler(
  { htmlHandler, methods }: Endpoint,
  { method, state }: RequestContext,
): Handler | undefined {
  if (htmlHandler && state.format === html) return htmlHandler
  return methods[(method === 'HEAD' ? 'GET' : method) as Method]
}

/**
 * Whether a request is not counted. A CORS preflight is none that a page's author can avoid:
 * browsers send it before many requests, and it shows nothing (Fetch standard, "CORS-preflight
 * request").
 */
function isUnthrottled(ctx: RequestContext, { signsIn }: Endpoint): boolean {
  if (ctx.method === 'OPTIONS')
    return ctx.get('Origin') !== '' && ctx.get('Access-Control-Request-Method') !== ''
  return signsIn?.includes(ctx.method) === true && !ctx.state.account
}

/** Whether a method may be used without an account. OPTIONS says nothing that is not documented. */
function isOpen(endpoint: Endpoint, method: string): boolean {
  const { anonymousWrite, readsNeedRights, needsAccount } = endpoint
  if (method === 'OPTIONS' || anonymousWrite) return true
  return readMethods.has(method) && !readsNeedRights && !needsAccount
}

function checkPermission(endpoint: Endpoint, method: string, account: Account | undefined): void {
  if (isOpen(endpoint, method)) return
  if (!account) throw httpErrors.noCredentials()
  if (endpoint.needsAccount) return
  // Where nothing can be written, an account that may write something gets 405 instead of 403.
  const isAllowed = endpoint.resource
    ? mayWrite(account, endpoint.resource)
    : mayWriteSomething(account)
  if (!isAllowed) throw new ForbiddenError()
}

function allowHeader({ methods }: Endpoint): string {
  const methodNames = Object.keys(methods)
  return [...methodNames, ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function sendOptions(ctx: RequestContext, endpoint: Endpoint, allow: string): void {
  const { name, description, consumes = [json.type] } = endpoint
  ctx.set('Allow', allow)
  ctx.body = {
    name,
    description,
    renders: [...new Set(formatsOf(endpoint).map(({ type }) => type))],
    parses: consumes,
  }
}
