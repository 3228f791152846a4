// What is told of every request once it is over, to the log and to whoever counts: what was asked, how
// it ended and how long it took. Never what was in it: no header, no body, no value of a parameter.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Middleware, ParameterizedContext } from 'koa'

import type { RequestState } from '../endpoint.js'

export type AccessLogEntry = {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The names of the parameters. */
  readonly query: readonly string[]
  /** The pattern of the address; undefined where there is none. */
  readonly route: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** What went out, head included. */
  readonly bytes: number
  /** The name of the account. */
  readonly account: string | undefined
  /** Whether the client went before it had its answer. */
  readonly aborted: boolean
}

/** What is known of it before it is over. */
export type RequestInfo = Pick<AccessLogEntry, 'method' | 'path' | 'query' | 'route' | 'account'>

export type OnRequestDone = (exchange: AccessLogEntry) => void

/** Gives every request an identifier, and tells of it in the end. */
export function logAccess(told: OnRequestDone): Middleware<RequestState> {
  return (ctx, next) => {
    const id = requestId(ctx.req)
    ctx.state.id = id
    ctx.set('X-Request-Id', id)
    onResponseClose(ctx.req, ctx.res, { id, told, asked: () => requestInfo(ctx) })
    return next()
  }
}

type Following = {
  readonly id: string
  readonly told: OnRequestDone
  readonly asked: () => RequestInfo
}

/** Tells of a request once it is over. */
export function onResponseClose(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { id, told, asked }: Following,
): void {
  const started = performance.now()
  const before = socket.bytesWritten
  response.once('close', () => {
    const { method, path, query, route, account } = asked()
    told({
      id,
      method,
      path,
      query,
      route,
      account,
      status: response.statusCode,
      milliseconds: performance.now() - started,
      bytes: socket.bytesWritten - before,
      aborted: !response.writableFinished,
    })
  })
}

export const requestInfo = (ctx: ParameterizedContext<RequestState>): RequestInfo => ({
  method: methods.has(ctx.method) ? ctx.method : 'other',
  path: ctx.path.slice(0, longest),
  query: parametersIn(ctx.querystring),
  route: ctx.state.route,
  account: ctx.state.account?.name,
})

const longest = 500

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The client's own, where it names one. */
export function requestId({ headers }: IncomingMessage): string {
  const sent = String(headers['x-request-id'] ?? '')
  return /^[\w.:-]{8,128}$/.test(sent) ? sent : randomUUID()
}

// A name that is none of a parameter's may be anything, such as a token behind a question mark.
function parametersIn(querystring: string): readonly string[] {
  if (querystring === '') return []
  const names = new Set(new URLSearchParams(querystring.slice(0, longest)).keys())
  return [...names].map((name) => (/^[a-z_-]{1,30}$/.test(name) ? name : '?'))
}
