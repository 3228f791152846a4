// What a process that only reads passes on to the one that writes, and how it asks who a token is.

import { createHash } from 'node:crypto'
import { type IncomingMessage, type OutgoingHttpHeaders, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

import type { Middleware } from 'koa'

import type { Account } from '../../accounts/accounts.js'
import {
  WriteRejectedError,
  StoreUnavailableError,
  WriteUnconfirmedError,
} from '../../catalogue/errors.js'
import { type Authenticate, tokenFromHeader } from '../request/authentication.js'
import type { RequestState } from '../endpoint.js'
import { queryParam } from '../request/url.js'
import { HttpError } from '../response/http-errors.js'

export type Writer = {
  /** Its origin. */
  readonly origin: string
  /** How long it may take to answer, in seconds. */
  readonly patience: number
}

/** Answers what is the writer's to answer with what it answers. */
export function proxyToWriter(writer: Writer): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!isForWriter(ctx)) {
      await next()
      return
    }
    const answer = await passOn(ctx, writer)
    ctx.status = answer.statusCode ?? 502
    // Koa drops the length when it is given a stream, so the headers come after it.
    ctx.body = [204, 304].includes(ctx.status) ? null : answer
    if (ctx.body === null) answer.resume()
    const headers = endToEnd(answer)
    for (const [name, values] of Object.entries(headers)) ctx.set(name, values)
  }
}

type Context = Parameters<Middleware<RequestState>>[0]

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** All that may write, and what only the writer knows: private fields, and pages for who is signed in. */
function isForWriter(ctx: Context): boolean {
  if (!reading.has(ctx.method)) return ctx.path !== '/sparql'
  const isPrivate = ctx.get('Authorization') !== '' && queryParam(ctx, 'private') === 'true'
  const isSignedIn =
    /\bzine_session=/.test(ctx.get('Cookie')) && ctx.accepts('json', 'html') === 'html'
  return isPrivate || isSignedIn
}

function passOn(ctx: Context, { origin, patience }: Writer): Promise<IncomingMessage> {
  const open = origin.startsWith('https:') ? overHttps : overHttp
  return new Promise((done, failed) => {
    const passed = open(origin + ctx.url, {
      method: ctx.method,
      headers: {
        ...endToEnd(ctx.req),
        // Where the client thinks it is, for the addresses in the answer.
        host: ctx.get('Host'),
        'x-forwarded-for': ctx.ip,
        'x-forwarded-host': ctx.host,
        'x-forwarded-proto': ctx.protocol,
      },
      timeout: patience * 1000,
    })
    passed.on('response', done)
    passed.on('timeout', () => passed.destroy(new Error('the writer takes too long')))
    passed.on('error', (cause: NodeJS.ErrnoException) => failed(failureOf(ctx, cause)))
    ctx.req.on('aborted', () => passed.destroy())
    ctx.req.pipe(passed)
  })
}

/** What the client may know for certain when the writer gave no answer. */
function failureOf({ method }: Context, cause: NodeJS.ErrnoException): Error {
  if (reading.has(method)) return new StoreUnavailableError('the writer does not answer', { cause })
  return cause.code === 'ECONNREFUSED' || cause.code === 'ENOTFOUND'
    ? new WriteRejectedError('the writer is not there', { cause })
    : new WriteUnconfirmedError('the writer did not answer', { cause })
}

/** Those that are about one connection alone (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
])

function endToEnd(message: IncomingMessage): Record<string, string[]> {
  const named = (message.headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return Object.fromEntries(
    Object.entries(message.headersDistinct).flatMap(([name, values]) =>
      values && !hopByHop.has(name) && !named.includes(name) ? [[name, values] as const] : [],
    ),
  ) satisfies OutgoingHttpHeaders
}

/** Where a process that only reads asks who a token is. */
const askedAt = '/readers/account'

/** Answers those processes: no format, and no throttle, since the client's request is one already. */
export const serveReaderAuthentication =
  (authenticate: Authenticate): Middleware<RequestState> =>
  async (ctx, next) => {
    if (ctx.path !== askedAt || ctx.method !== 'GET') {
      await next()
      return
    }
    const account = await authenticate(ctx)
    ctx.set('Cache-Control', 'no-store')
    if (account) ctx.body = account
    else ctx.status = 204
  }

/** For how long an answer is believed, in milliseconds, and how many of them. */
const believed = { milliseconds: 1_000, most: 10_000 }

/** Asks the writer who a token is. */
export function authenticateWithWriter({ origin, patience }: Writer): Authenticate {
  const known = new Map<string, { readonly until: number; readonly account: Account }>()

  async function ask(authorization: string): Promise<Account> {
    const response = await fetch(origin + askedAt, {
      headers: { authorization },
      signal: AbortSignal.timeout(patience * 1000),
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
    const kept = known.get(hash)
    if (kept && kept.until > now) return kept.account
    const account = await ask(`Token ${token}`)
    if (known.size >= believed.most) known.clear()
    known.set(hash, { until: now + believed.milliseconds, account })
    return account
  }
}
