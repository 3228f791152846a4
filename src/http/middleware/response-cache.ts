// Answers that hold for everybody are kept, with their headers, and given again as long as they hold: to
// who asks the same in the same words. Whatever is out of the ordinary goes the whole way.

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Middleware } from 'koa'

import { createCache } from '../../cache.js'
import type { RequestGuards, RequestState } from '../endpoint.js'
import {
  type RequestInfo,
  type OnRequestDone,
  requestInfo,
  onResponseClose,
  requestId,
} from './access-log.js'
import { hasOneHost, originOfMessage } from '../request/url.js'

type CachedResponse = {
  readonly asked: RequestInfo
  /** Names and values in turn: all but the request's identifier. */
  readonly head: readonly string[]
  readonly body: string | Buffer
}

export type ResponseCacheOptions = Omit<RequestGuards, 'sessionOf'> & {
  readonly told: OnRequestDone
  /** Whether proxies tell where a request comes from. */
  readonly isProxied: boolean
  /** Whether the requests of those without an account are counted. */
  readonly isCounted: boolean
}

/** How much is kept, in bytes: some five thousand records, or a thousand pages of lists. */
const room = 32 * 1024 * 1024

export function createResponseCache({
  authenticate,
  throttle,
  told,
  isProxied,
  isCounted,
}: ResponseCacheOptions) {
  const replies = createCache<CachedResponse>(room, ({ body }) => body.length + 3000)

  /** All that tells one answer from another, but for who asks. */
  const cacheKey = (request: IncomingMessage): string => {
    const { accept = '', origin = '' } = request.headers
    return `${originOfMessage(request, isProxied)} ${request.url ?? ''} ${accept} ${origin}`
  }

  /**
   * Answers who is nobody in particular, before anything else is done for a request.
   * @returns whether it did
   */
  function tryServe(request: IncomingMessage, response: ServerResponse): boolean {
    if (isCounted || request.headers.authorization !== undefined || !isCacheable(request))
      return false
    const reply = replies.get(cacheKey(request))
    if (!reply) return false
    const id = requestId(request)
    onResponseClose(request, response, { id, told, asked: () => reply.asked })
    response.writeHead(200, [...reply.head, 'X-Request-Id', id])
    response.end(reply.body)
    return true
  }

  /** Answers all others that it can, and keeps what it could not. */
  const middleware: Middleware<RequestState> = async (ctx, next) => {
    if (!isCacheable(ctx.req)) {
      await next()
      return
    }
    const question = cacheKey(ctx.req)
    const reply = replies.get(question)
    if (reply) {
      ctx.state.route = reply.asked.route
      ctx.state.account = await authenticate(ctx)
      throttle(ctx)
      // Past Koa, which would weigh and measure the body anew.
      ctx.respond = false
      ctx.res.writeHead(200, [...reply.head])
      ctx.res.end(reply.body)
      return
    }
    await next()
    const { isCurrent } = ctx.state
    if (!isCurrent || ctx.status !== 200 || typeof ctx.body !== 'string') return
    const response = {
      asked: { ...requestInfo(ctx), account: undefined },
      head: headOf(ctx.res),
      body: toBody(ctx.body),
    }
    replies.set(question, response, isCurrent)
  }

  return { tryServe, middleware }
}

/** Pages and conditions are for who asks; and what has two hosts is refused. */
const isCacheable = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.cookie === undefined &&
  request.headers['if-none-match'] === undefined &&
  hasOneHost(request)

const headOf = (response: ServerResponse): readonly string[] =>
  Object.entries(response.getHeaders()).flatMap(([name, value = '']) =>
    name === 'x-request-id' ? [] : [name, [value].flat().join(', ')],
  )

/** A short text goes out in one piece with its head, a long one sooner as the bytes that it is. */
const toBody = (text: string): string | Buffer => (text.length < 8192 ? text : Buffer.from(text))
