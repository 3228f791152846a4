// Answers that hold for everybody are kept, with their headers, and given again as long as they hold: to
// who asks the same in the same words. Whatever is out of the ordinary goes the whole way.

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Middleware } from 'koa'

import { openKept } from '../../cache.js'
import type { Holds } from '../../catalogue/records/json-cache.js'
import type { Checks, State } from '../endpoint.js'
import { type Asked, type Told, askedIn, follow, idOf } from './access-log.js'
import { hasOneHost, originIn } from '../request/url.js'

type Reply = {
  readonly asked: Asked
  /** Names and values in turn: all but the request's identifier. */
  readonly head: readonly string[]
  readonly body: string | Buffer
  readonly holds: Holds
}

export type Repeating = Omit<Checks, 'sessionOf'> & {
  readonly told: Told
  /** Whether proxies tell where a request comes from. */
  readonly isProxied: boolean
  /** Whether the requests of those without an account are counted. */
  readonly isCounted: boolean
}

/** How much is kept, in bytes: some five thousand records, or a thousand pages of lists. */
const room = 32 * 1024 * 1024

export function repeatBy({ authenticate, throttle, told, isProxied, isCounted }: Repeating) {
  const replies = openKept<Reply>(room, ({ body }) => body.length + 3000)

  /** All that tells one answer from another, but for who asks. */
  const questionOf = (request: IncomingMessage): string => {
    const { accept = '', origin = '' } = request.headers
    return `${originIn(request, isProxied)} ${request.url ?? ''} ${accept} ${origin}`
  }

  function find(question: string): Reply | undefined {
    const reply = replies.get(question)
    return reply?.holds() ? reply : undefined
  }

  /**
   * Answers who is nobody in particular, before anything else is done for a request.
   * @returns whether it did
   */
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (isCounted || request.headers.authorization !== undefined || !isOrdinary(request))
      return false
    const reply = find(questionOf(request))
    if (!reply) return false
    const id = idOf(request)
    follow(request, response, { id, told, asked: () => reply.asked })
    response.writeHead(200, [...reply.head, 'X-Request-Id', id])
    response.end(reply.body)
    return true
  }

  /** Answers all others that it can, and keeps what it could not. */
  const stage: Middleware<State> = async (ctx, next) => {
    if (!isOrdinary(ctx.req)) {
      await next()
      return
    }
    const question = questionOf(ctx.req)
    const reply = find(question)
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
    const { holds } = ctx.state
    if (!holds || ctx.status !== 200 || typeof ctx.body !== 'string') return
    replies.keep(question, {
      asked: { ...askedIn(ctx), account: undefined },
      head: headOf(ctx.res),
      body: packed(ctx.body),
      holds,
    })
  }

  return { answer, stage }
}

/** Pages and conditions are for who asks; and what has two hosts is refused. */
const isOrdinary = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.cookie === undefined &&
  request.headers['if-none-match'] === undefined &&
  hasOneHost(request)

const headOf = (response: ServerResponse): readonly string[] =>
  Object.entries(response.getHeaders()).flatMap(([name, value = '']) =>
    name === 'x-request-id' ? [] : [name, [value].flat().join(', ')],
  )

/** A short text goes out in one piece with its head, a long one sooner as the bytes that it is. */
const packed = (text: string): string | Buffer => (text.length < 8192 ? text : Buffer.from(text))
