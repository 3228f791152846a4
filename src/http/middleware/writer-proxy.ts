// The reader's side and the writer's side of a read-only process (docs/remote-store.md, "One writer,
// many readers"): it passes writes on to the writing process, and asks that process who a token is.

import { createHash } from 'node:crypto'
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestOverHttp,
} from 'node:http'
import { request as requestOverHttps } from 'node:https'

import type { Middleware } from 'koa'

import type { Account } from '../../accounts/accounts.js'
import {
  StoreUnavailableError,
  WriteRejectedError,
  WriteUnconfirmedError,
} from '../../catalogue/errors.js'
import type { RequestState } from '../context.js'
import { HttpError } from '../errors.js'
import { type Authenticate, tokenFromHeader } from '../request/authentication.js'
import { queryParam } from '../request/url.js'

/** The writing process, as a reader knows it. */
export type Writer = {
  /** Its scheme and host. */
  readonly origin: string
  /** The longest wait for a response, in seconds. */
  readonly timeoutSeconds: number
}

/** Passes requests on that only the writer can answer, and sends its response. */
export function proxyToWriter(writer: Writer): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!isForWriter(ctx)) {
      await next()
      return
    }
    const response = await forward(ctx, writer)
    ctx.status = response.statusCode ?? 502
    // Koa removes Content-Length when the body is set to a stream, so the headers are set after it.
    ctx.body = [204, 304].includes(ctx.status) ? null : response
    if (ctx.body === null) response.resume()
    const headers = endToEndHeaders(response)
    for (const [name, values] of Object.entries(headers)) ctx.set(name, values)
  }
}

type KoaContext = Parameters<Middleware<RequestState>>[0]

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Writes, and what only the writer knows: private fields, batches, and pages for signed-in browsers. */
function isForWriter(ctx: KoaContext): boolean {
  if (!readMethods.has(ctx.method)) return ctx.path !== '/sparql'
  const isPrivate = ctx.get('Authorization') !== '' && queryParam(ctx, 'private') === 'true'
  const isSignedIn =
    /\bzine_session=/.test(ctx.get('Cookie')) && ctx.accepts('json', 'html') === 'html'
  return isPrivate || isSignedIn || ctx.path.startsWith('/api/batches/')
}

function forward(ctx: KoaContext, { origin, timeoutSeconds }: Writer): Promise<IncomingMessage> {
  const open = origin.startsWith('https:') ? requestOverHttps : requestOverHttp
  return new Promise((resolve, reject) => {
    const request = open(origin + ctx.url, {
      method: ctx.method,
      headers: {
        ...endToEndHeaders(ctx.req),
        // The host that the client used, for the URLs in the response.
        host: ctx.get('Host'),
        'x-forwarded-for': ctx.ip,
        'x-forwarded-host': ctx.host,
        'x-forwarded-proto': ctx.protocol,
      },
      timeout: timeoutSeconds * 1000,
    })
    request.on('response', resolve)
    request.on('timeout', () => request.destroy(new Error('the writer takes too long')))
    request.on('error', (cause: NodeJS.ErrnoException) => reject(toStoreError(ctx, cause)))
    ctx.req.on('aborted', () => request.destroy())
    ctx.req.pipe(request)
  })
}

/** The error that says for certain what happened when the writer did not answer. */
function toStoreError({ method }: KoaContext, cause: NodeJS.ErrnoException): Error {
  if (readMethods.has(method))
    return new StoreUnavailableError('the writer does not answer', { cause })
  return cause.code === 'ECONNREFUSED' || cause.code === 'ENOTFOUND'
    ? new WriteRejectedError('the writer is not there', { cause })
    : new WriteUnconfirmedError('the writer did not answer', { cause })
}

/** Headers that concern one connection only (RFC 9110, 7.6.1). */
const hopByHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function endToEndHeaders(message: IncomingMessage): Record<string, string[]> {
  const namedByConnection = (message.headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const isEndToEnd = (name: string): boolean =>
    !hopByHopHeaders.has(name) && !namedByConnection.includes(name)
  return Object.fromEntries(
    Object.entries(message.headersDistinct).flatMap(([name, values]) =>
      values && isEndToEnd(name) ? [[name, values] as const] : [],
    ),
  ) satisfies OutgoingHttpHeaders
}

/** The path at which a reader asks the writer for the account of a token. */
const accountPath = '/readers/account'

/** Answers readers. The path has no formats, and no throttle, since the reader throttles its clients. */
export const serveReaderAuthentication =
  (authenticate: Authenticate): Middleware<RequestState> =>
  async (ctx, next) => {
    if (ctx.path !== accountPath || ctx.method !== 'GET') {
      await next()
      return
    }
    const account = await authenticate(ctx)
    ctx.set('Cache-Control', 'no-store')
    if (account) ctx.body = account
    else ctx.status = 204
  }

/** How long the account of a token is cached, in milliseconds, and how many of them. */
const authCache = { maxAgeMs: 1_000, maxEntries: 10_000 }

type CachedAccount = { readonly expires: number; readonly account: Account }

/** Creates an authentication that asks the writer who a token is. */
export function authenticateWithWriter({ origin, timeoutSeconds }: Writer): Authenticate {
  const cachedAccounts = new Map<string, CachedAccount>()

  async function fetchAccount(authorization: string): Promise<Account> {
    const response = await fetch(origin + accountPath, {
      headers: { authorization },
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    }).catch((cause: unknown) => {
      throw new StoreUnavailableError('the writer does not answer', { cause })
    })
    const body = (await response.json()) as object
    if (response.status === 200) return body as Account
    const challenge = response.headers.get('www-authenticate')
    throw new HttpError({
      status: response.status,
      body,
      ...(challenge === null ? {} : { headers: { 'WWW-Authenticate': challenge } }),
    })
  }

  return async (ctx) => {
    const token = tokenFromHeader(ctx)
    if (token === undefined) return undefined
    const now = performance.now()
    const hash = createHash('sha256').update(token).digest('base64')
    const cached = cachedAccounts.get(hash)
    if (cached && cached.expires > now) return cached.account
    const account = await fetchAccount(`Token ${token}`)
    if (cachedAccounts.size >= authCache.maxEntries) cachedAccounts.clear()
    cachedAccounts.set(hash, { expires: now + authCache.maxAgeMs, account })
    return account
  }
}
