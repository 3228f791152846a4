// Answers that hold for everybody are kept, with their headers, and given again as long as they hold: to
// who asks the same in the same words. Whatever is out of the ordinary goes the whole way.

import type { Middleware } from 'koa'

import { openKept } from '../catalogue/kept.js'
import type { Holds } from '../catalogue/prints.js'
import type { Checks, State } from './endpoint.js'
import { hasOneHost, originOf } from './query.js'

type Reply = {
  readonly route: string | undefined
  /** All that were not there before this stage. */
  readonly headers: readonly (readonly [name: string, value: string | string[]])[]
  readonly body: string | Buffer
  readonly holds: Holds
}

type Context = Parameters<Middleware<State>>[0]

/** How much is kept, in bytes: some ten thousand records, or a thousand pages of lists. */
const room = 64 * 1024 * 1024

export function repeat({ authenticate, throttle }: Omit<Checks, 'sessionOf'>): Middleware<State> {
  const replies = openKept<Reply>(room, ({ body }) => body.length + 3000)

  return async (ctx, next) => {
    if (!isOrdinary(ctx)) {
      await next()
      return
    }
    const question = questionOf(ctx)
    const reply = replies.get(question)
    if (reply?.holds()) {
      ctx.state.route = reply.route
      ctx.state.account = await authenticate(ctx)
      throttle(ctx)
      give(ctx, reply)
      return
    }
    const before = new Set(ctx.res.getHeaderNames())
    await next()
    const { holds, route } = ctx.state
    if (!holds || ctx.status !== 200 || typeof ctx.body !== 'string') return
    const headers = Object.entries(ctx.res.getHeaders()).flatMap(([name, value]) =>
      before.has(name) || value === undefined
        ? []
        : [[name, typeof value === 'number' ? String(value) : value] as const],
    )
    replies.keep(question, { route, headers, body: packed(ctx.body), holds })
  }
}

/** A short text goes out in one piece with its head, a long one sooner as the bytes that it is. */
const packed = (text: string): string | Buffer => (text.length < 8192 ? text : Buffer.from(text))

/** Pages and conditions are for who asks; and what has two hosts is refused. */
const isOrdinary = ({ method, req }: Context): boolean =>
  method === 'GET' &&
  req.headers.cookie === undefined &&
  req.headers['if-none-match'] === undefined &&
  hasOneHost(req)

/** All that tells one answer from another, but for who asks. */
const questionOf = (ctx: Context): string =>
  `${originOf(ctx)} ${ctx.url} ${ctx.get('Accept')} ${ctx.get('Origin')}`

/** Past Koa, which would weigh and measure the body anew. */
function give(ctx: Context, { headers, body }: Reply): void {
  ctx.respond = false
  ctx.res.statusCode = 200
  for (const [name, value] of headers) ctx.res.setHeader(name, value)
  ctx.res.end(body)
}
