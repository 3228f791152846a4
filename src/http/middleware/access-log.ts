// Gives every request an identifier and reports it once it is done, for the log and the metrics. An
// entry holds no header, no body and no parameter value, since these may be secret.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Middleware, ParameterizedContext } from 'koa'

import type { RequestState } from '../context.js'

export type AccessLogEntry = {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The names of the query parameters. */
  readonly query: readonly string[]
  /** The path of the endpoint in the router's form; undefined if no endpoint was found. */
  readonly route: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** The bytes that were sent, headers included. */
  readonly bytes: number
  /** The name of the account. */
  readonly account: string | undefined
  /** Whether the client disconnected before it had the whole response. */
  readonly aborted: boolean
}

/** The part of an entry that is known before the response is sent. */
export type RequestInfo = Pick<AccessLogEntry, 'method' | 'path' | 'query' | 'route' | 'account'>

export type OnRequestDone = (entry: AccessLogEntry) => void

/**
 * Sets the identifier of each request and its `X-Request-Id` header, and calls back once it is
 * done.
 */
export function logAccess(onRequestDone: OnRequestDone): Middleware<RequestState> {
  return (ctx, next) => {
    const id = requestId(ctx.req)
    ctx.state.id = id
    ctx.set('X-Request-Id', id)
    onResponseClose(ctx.req, ctx.res, { id, onRequestDone, getInfo: () => requestInfo(ctx) })
    return next()
  }
}

type ResponseCloseOptions = {
  readonly id: string
  readonly onRequestDone: OnRequestDone
  /** Called once the response is closed. */
  readonly getInfo: () => RequestInfo
}

/**
 * Calls back with the entry of a request once its response is closed.
 * @returns a function that forgets the request
 */
export function onResponseClose(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { id, onRequestDone, getInfo }: ResponseCloseOptions,
): () => void {
  const startTime = performance.now()
  const bytesBefore = socket.bytesWritten
  const report = (): void => {
    const { method, path, query, route, account } = getInfo()
    onRequestDone({
      id,
      method,
      path,
      query,
      route,
      account,
      status: response.statusCode,
      milliseconds: performance.now() - startTime,
      bytes: socket.bytesWritten - bytesBefore,
      aborted: !response.writableFinished,
    })
  }
  response.once('close', report)
  return () => void response.off('close', report)
}

export const requestInfo = (ctx: ParameterizedContext<RequestState>): RequestInfo => ({
  method: methods.has(ctx.method) ? ctx.method : 'other',
  path: ctx.path.slice(0, maxLoggedLength),
  query: parameterNames(ctx.querystring),
  route: ctx.state.route,
  account: ctx.state.account?.name,
})

/** The most characters of a path or query that are looked at. */
export const maxLoggedLength = 500

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The `X-Request-Id` that the client sent, if it is well formed; else a new identifier. */
export function requestId({ headers }: IncomingMessage): string {
  const sent = String(headers['x-request-id'] ?? '')
  return /^[\w.:-]{8,128}$/.test(sent) ? sent : randomUUID()
}

// What does not look like a parameter name may be anything, such as a token after a question mark.
export function parameterNames(querystring: string): readonly string[] {
  if (querystring === '') return []
  const names = new Set(new URLSearchParams(querystring.slice(0, maxLoggedLength)).keys())
  return [...names].map((name) => (/^[a-z_-]{1,30}$/.test(name) ? name : '?'))
}
