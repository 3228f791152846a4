// Answers errors that are thrown while a request is handled. Which status and body an error has is
// decided in response/http-errors.ts.

import type { Middleware, ParameterizedContext } from 'koa'

import type { RequestState } from '../context.js'
import type { ErrorResponse } from '../errors.js'
import { prefersErrorPage } from '../request/content-negotiation.js'
import { serverError, toErrorResponse } from '../response/http-errors.js'
import { problemOf, problemType, wantsProblem } from '../response/problem-details.js'

/** Called with an unexpected error, the method and path, and the identifier of the request. */
export type OnError = (error: unknown, request: string, id: string) => void

/** Sends an error as a page. */
export type SendErrorPage = (
  ctx: ParameterizedContext<RequestState>,
  response: ErrorResponse,
) => void

/** The headers of every response. */
export const headersOfAll = {
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`: then no browser would say which site a form comes from.
  'Referrer-Policy': 'same-origin',
}

/**
 * Sends the response to every error: as a page to a GET or HEAD that prefers HTML, else as JSON, as
 * problem details where the client names them.
 * Unexpected errors are answered 500 and reported.
 */
export function sendErrorResponses(
  onError: OnError,
  sendErrorPage?: SendErrorPage,
): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.set(headersOfAll)
    try {
      await next()
    } catch (error) {
      const expected = toErrorResponse(error)
      if (!expected) onError(error, `${ctx.method} ${ctx.path}`, ctx.state.id)
      const response = expected ?? serverError
      const { status, body, headers = {} } = response
      ctx.status = status
      ctx.remove('ETag')
      ctx.set(headers)
      ctx.vary('Accept')
      if (sendErrorPage && prefersErrorPage(ctx.req)) {
        sendErrorPage(ctx, response)
        return
      }
      const isProblem = wantsProblem(ctx.req)
      ctx.type = isProblem ? problemType : 'application/json'
      ctx.body = JSON.stringify(isProblem ? problemOf(response, error) : body)
    }
  }
}
