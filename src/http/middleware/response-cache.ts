// Caches responses that are the same for everybody, with their headers and compressed as they were
// sent, and sends them again as long as they are current. Requests with cookies or conditions
// always go to the endpoint. Most requests without an account are answered earlier (fast-path.ts).

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Middleware } from 'koa'

import { createCache } from '../../lib/cache.js'
import type { RequestState } from '../context.js'
import { hasOneHost, originOfMessage } from '../origin.js'
import type { Authenticate } from '../request/authentication.js'
import { acceptedLanguage } from '../language.js'
import type { Throttle } from '../request/throttle.js'
import { acceptedCoding } from '../response/content-coding.js'
import { type RequestInfo, requestInfo } from './access-log.js'
import { compressResponse, isContent } from './compression.js'

export type CachedResponse = {
  readonly info: RequestInfo
  /** Names and values in turn: all headers but those of the first request alone. */
  readonly headers: readonly string[]
  readonly vary: string
  readonly body: string | Buffer
}

export type ResponseCacheOptions = {
  readonly authenticate: Authenticate
  readonly throttle: Throttle
  /** Whether forwarding headers are trusted. */
  readonly isProxied: boolean
}

/** The size of the cache in bytes: about 5,000 records or 1,000 pages of lists. */
const maxBytes = 32 * 1024 * 1024

/** What a response weighs besides its body, in bytes: its headers, mostly. */
const overheadBytes = 3000

export type ResponseCache = ReturnType<typeof createResponseCache>

export function createResponseCache({ authenticate, throttle, isProxied }: ResponseCacheOptions) {
  const responses = createCache<CachedResponse>(maxBytes, ({ body }) => body.length + overheadBytes)

  /** All that a response depends on, except the account. */
  const keyOf = (request: IncomingMessage): string => {
    const { accept = '', origin = '', 'accept-encoding': acceptEncoding } = request.headers
    const coding = acceptedCoding(acceptEncoding) ?? ''
    // Pages are kept in each language. Few other clients send languages, so that their answers are
    // rarely kept twice.
    const parts = [acceptedLanguage(request), originOfMessage(request, isProxied), accept, origin]
    // Neither a header nor an address has a line break.
    return [coding, request.url, ...parts].join('\n')
  }

  /** Answers from the cache, and fills it. */
  const middleware: Middleware<RequestState> = async (ctx, next) => {
    if (!isCacheable(ctx.req)) {
      await next()
      return
    }
    const key = keyOf(ctx.req)
    const cached = responses.get(key)
    if (cached) {
      ctx.state.route = cached.info.route
      // Also for the 401 or 429 that the next two lines may throw.
      ctx.set('Vary', cached.vary)
      ctx.state.account = await authenticate(ctx)
      throttle(ctx)
      // Sent past Koa, which would compute the headers of the body again.
      ctx.respond = false
      ctx.res.writeHead(200, [...cached.headers])
      ctx.res.end(cached.body)
      return
    }
    await next()
    const { isCurrent } = ctx.state
    if (!isCurrent || ctx.status !== 200 || !isContent(ctx.body)) return
    await compressResponse(ctx)
    const response = {
      info: { ...requestInfo(ctx), account: undefined },
      headers: headersOf(ctx.res),
      vary: ctx.response.get('Vary'),
      body: ctx.body,
    }
    responses.set(key, response, isCurrent)
  }

  return { keyOf, responses, middleware }
}

/**
 * Whether the cache may have the response. Cookies and conditions make a response one client's own.
 * Requests with two hosts are rejected later.
 */
export const isCacheable = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.cookie === undefined &&
  request.headers['if-none-match'] === undefined &&
  hasOneHost(request)

/**
 * The headers that differ for each request, in lower case: its identifier and its throttle's state.
 */
const isOfOneRequest = (name: string): boolean =>
  name === 'x-request-id' || /^(?:x-)?ratelimit/.test(name)

const headersOf = (response: ServerResponse): readonly string[] =>
  Object.entries(response.getHeaders()).flatMap(([name, value = '']) =>
    isOfOneRequest(name) ? [] : [name, [value].flat().join(', ')],
  )
