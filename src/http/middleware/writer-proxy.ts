// The reader's side and the writer's side of a read-only process (docs/explanation/remote-store.md,
// "One writer, many readers"): it passes writes on to the writing process, and asks that process
// who a token is and where its log of changes ends.

import { createHash } from 'node:crypto'
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestOverHttp,
} from 'node:http'
import { request as requestOverHttps } from 'node:https'

import type { Middleware } from 'koa'

import { NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { createCache } from '../../lib/cache.js'
import {
  StoreUnavailableError,
  WriteRejectedError,
  WriteUnconfirmedError,
} from '../../catalogue/errors.js'
import { curatedListFilter } from '../../catalogue/list-conditions.js'
import type { ChangeFeed, LogPosition } from '../../catalogue/history/change-feed.js'
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
  /** Aborted when this process stops: it passes on no request that waits for a change. */
  readonly stopping: AbortSignal
  /** Learns of what the writing process committed. */
  readonly catchUp: () => Promise<void>
}

/** Passes requests on that only the writer can answer, and sends its response. */
export function proxyToWriter(writer: Writer): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!isForWriter(ctx))
      try {
        await next()
        return
      } catch (error) {
        // Only the writer knows what was deleted, and has what is hidden.
        const mayBeThere = ctx.path.startsWith('/id/') || ctx.get('Authorization') !== ''
        if (!(error instanceof NotFoundError && mayBeThere)) throw error
      }
    const response = await forwardWait(ctx, writer)
    // Who wrote through this process finds it here with the next request.
    if (!readMethods.has(ctx.method)) await writer.catchUp()
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

/** The changes of all records. */
const changePaths = /^\/(?:api\/changes|activity|ldes)(?:\/|$)/

/**
 * Paths of what only the writer has: the log of changes, requests for changes, pictures,
 * invitations, the first account, feeds of tasks, lists of editors, named queries, and the index of
 * names.
 */
const writerPaths = [
  changePaths,
  /^\/api\/(?:batches|deleted|deleted-lists|imports|import-profiles|webhooks)\//,
  /^\/api\/[a-z]+\/[^/]+\/(?:history|pictures)\//,
  /^\/(?:api|id|manage)\/lists(?:\/|$)/,
  /^\/booklet\/./,
  /^\/queries\//,
  /^\/iiif\//,
  /^\/oai$/,
  /^(?:\/manage)?\/requests(?:\/|$)/,
  /^\/reconcile(?:\/|$)/,
  /^\/manage\/(?:invitation|first-run)$/,
  /^(?:\/api\/auth)?\/feeds\//,
]

/**
 * Writes, and what only the writer knows, such as private fields, and pages for signed-in browsers.
 */
function isForWriter(ctx: KoaContext): boolean {
  if (!readMethods.has(ctx.method)) return ctx.path !== '/sparql'
  const isPrivate = ctx.get('Authorization') !== '' && queryParam(ctx, 'private') === 'true'
  const isSignedIn =
    /\bzine_session=/.test(ctx.get('Cookie')) && ctx.accepts('json', 'html') === 'html'
  const isOfList = queryParam(ctx, curatedListFilter) !== ''
  return isPrivate || isSignedIn || isOfList || writerPaths.some((path) => path.test(ctx.path))
}

/**
 * Forwards a request. One that waits for a change is answered without waiting when this process
 * stops.
 */
async function forwardWait(ctx: KoaContext, writer: Writer): Promise<IncomingMessage> {
  const { stopping } = writer
  if (!changePaths.test(ctx.path) || queryParam(ctx, 'wait') === '') return forward(ctx, writer)
  try {
    if (!stopping.aborted) return await forward(ctx, writer, { signal: stopping })
  } catch (error) {
    if (!stopping.aborted) throw error
  }
  return forward(ctx, writer, { headers: { prefer: 'wait=0' } })
}

type ForwardOptions = {
  /** Ends the request. */
  readonly signal?: AbortSignal
  /** Sent besides those of the client. */
  readonly headers?: OutgoingHttpHeaders
}

function forward(
  ctx: KoaContext,
  { origin, timeoutSeconds }: Writer,
  { headers = {}, ...options }: ForwardOptions = {},
): Promise<IncomingMessage> {
  const open = origin.startsWith('https:') ? requestOverHttps : requestOverHttp
  return new Promise((resolve, reject) => {
    const request = open(origin + ctx.url, {
      ...options,
      method: ctx.method,
      headers: {
        ...endToEndHeaders(ctx.req),
        // The host that the client used, for the URLs in the response.
        host: ctx.get('Host'),
        'x-forwarded-for': ctx.ip,
        'x-forwarded-host': ctx.host,
        'x-forwarded-proto': ctx.protocol,
        ...headers,
      },
      timeout: timeoutSeconds * 1000,
    })
    request.on('response', resolve)
    request.on('timeout', () => request.destroy(new Error('the writer takes too long')))
    request.on('error', (cause: NodeJS.ErrnoException) => reject(toStoreError(ctx, cause)))
    ctx.req.on('aborted', () => request.destroy())
    // A request without a body is not aborted when its client hangs up.
    if (readMethods.has(ctx.method)) ctx.res.once('close', () => request.destroy())
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

/** The path at which a reader asks the writer for the end of its log. */
const logPath = '/readers/log'

type ReaderServices = {
  readonly authenticate: Authenticate
  readonly logPosition: ChangeFeed['position']
}

/**
 * Answers readers. The paths have no formats, and no throttle, since readers throttle their
 * clients.
 */
export const serveReaders =
  ({ authenticate, logPosition }: ReaderServices): Middleware<RequestState> =>
  async (ctx, next) => {
    if (![accountPath, logPath].includes(ctx.path) || ctx.method !== 'GET') {
      await next()
      return
    }
    const body = await (ctx.path === accountPath ? authenticate(ctx) : logPosition())
    ctx.set('Cache-Control', 'no-store')
    if (body) ctx.body = body
    else ctx.status = 204
  }

/** How long a reader waits for the end of the log, in milliseconds. */
const logTimeoutMs = 2_000

/**
 * Creates the function that asks the writer. Without an answer, exports go on and do not say their
 * place.
 */
export const askWriterForLogPosition =
  ({ origin }: Writer): ChangeFeed['position'] =>
  async () => {
    try {
      const response = await fetch(origin + logPath, { signal: AbortSignal.timeout(logTimeoutMs) })
      // The cast: `serveReaders` of the writer made it.
      return response.status === 200 ? ((await response.json()) as LogPosition) : undefined
    } catch {
      return undefined
    }
  }

/** How long the account of a token is cached, in milliseconds. */
const maxAgeMs = 1_000

/** How much the accounts that are cached may weigh together, in bytes: some 10,000. */
const maxWeight = 5 * 1024 * 1024
const typicalWeight = 400

/** Creates an authentication that asks the writer who a token is. */
export function authenticateWithWriter({ origin, timeoutSeconds }: Writer): Authenticate {
  const accounts = createCache<Account>(maxWeight, () => typicalWeight)

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
    const hash = createHash('sha256').update(token).digest('base64')
    const cached = accounts.get(hash)
    if (cached) return cached
    const expires = performance.now() + maxAgeMs
    const account = await fetchAccount(`Token ${token}`)
    accounts.set(hash, account, () => performance.now() < expires)
    return account
  }
}
