// Redirects a path without its last slash to the endpoint that has it: 301 for GET and HEAD, 308
// for other methods. Every other path that no endpoint has is answered 404.

import type Router from '@koa/router'
import type { Middleware } from 'koa'

import { NotFoundError } from '../../errors.js'
import type { RequestState } from '../context.js'
import { requestOrigin } from '../origin.js'

export function redirectToTrailingSlash(router: Router<RequestState>): Middleware<RequestState> {
  return (ctx) => {
    if (!router.match(`${ctx.path}/`, 'GET').route) throw new NotFoundError()
    ctx.status = ['GET', 'HEAD'].includes(ctx.method) ? 301 : 308
    ctx.set('Location', `${requestOrigin(ctx)}${ctx.path}/${ctx.search}`)
    ctx.body = ''
  }
}
