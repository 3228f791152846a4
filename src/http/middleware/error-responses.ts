// Answers errors that are thrown while a request is handled. Which status and body an error has is
// decided in response/http-errors.ts.

import type { Middleware } from 'koa'

import type { RequestState } from '../context.js'
import { serverError, toErrorResponse } from '../response/http-errors.js'

/** Called with an unexpected error, the method and path, and the identifier of the request. */
export type OnError = (error: unknown, request: string, id: string) => void

/** Sends the response to every error, as JSON. Unexpected errors are answered 500 and reported. */
export function sendErrorResponses(onError: OnError): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff')
    // Not `no-referrer`: then no browser would say which site a form comes from.
    ctx.set('Referrer-Policy', 'same-origin')
    try {
      await next()
    } catch (error) {
      const expected = toErrorResponse(error)
      if (!expected) onError(error, `${ctx.method} ${ctx.path}`, ctx.state.id)
      const { status, body, headers = {} } = expected ?? serverError
      ctx.status = status
      ctx.remove('ETag')
      ctx.set(headers)
      ctx.type = 'application/json'
      ctx.body = JSON.stringify(body)
    }
  }
}
