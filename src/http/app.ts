// The counter: every request comes in here and every answer goes out, failures in words included.

import type { RequestListener } from 'node:http'

import Router from '@koa/router'
import Koa from 'koa'
import type { Context, Middleware } from 'koa'

import type { Config } from '../config.js'
import type { Assets } from './middleware/static-files.js'
import { type Endpoint, type RequestState, createEndpointMiddleware } from './endpoint.js'
import type { Authenticate } from './request/authentication.js'
import { type OnRequestDone, logAccess } from './middleware/access-log.js'
import { type Writer, serveReaderAuthentication, proxyToWriter } from './middleware/writer-proxy.js'
import { hasOneHost, requestOrigin } from './request/url.js'
import type { BrowserSessions } from './request/session-cookies.js'
import { toErrorResponse, httpErrors, serverError } from './response/http-errors.js'
import { createResponseCache } from './middleware/response-cache.js'
import { type Throttle, createThrottle } from './request/throttle.js'
import { type HealthChecks, serveHealth, alwaysHealthy } from './middleware/health.js'

export type HttpAppOptions = {
  readonly endpoints: readonly Endpoint[]
  readonly assets: Assets
  readonly authenticate: Authenticate
  readonly sessionOf: BrowserSessions['sessionOf']
  readonly config: Config
  /** The process that writes, where this one only reads. */
  readonly writer?: Writer | undefined
  /** Told of every failure that is ours. */
  readonly failed: (error: unknown, request: string, id: string) => void
  /** Told of every request once it is over. */
  readonly told?: OnRequestDone
  readonly watch?: HealthChecks
}

/** The whole HTTP side, ready to be given to a server. */
export function createHttpApp(counter: HttpAppOptions): RequestListener {
  const { endpoints, assets, authenticate, sessionOf, config, writer, failed } = counter
  const koa = new Koa<RequestState>({
    proxy: config.trustProxy,
    // The address that the nearest proxy saw: the only one that a client cannot write itself.
    maxIpsCount: 1,
  })
  const throttle: Throttle = createThrottle(config.throttle)
  const told = counter.told ?? (() => undefined)
  const repeating = createResponseCache({
    authenticate,
    throttle,
    told,
    isProxied: config.trustProxy,
    isCounted: config.throttle.anon !== undefined,
  })
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  for (const endpoint of endpoints)
    router.all(
      endpoint.path,
      createEndpointMiddleware(endpoint, { authenticate, sessionOf, throttle }),
    )

  koa.use(logAccess(told))
  koa.use(errorResponses(failed))
  koa.use(repeating.middleware)
  koa.use(allowOrigins(config.corsOrigins))
  koa.use(
    serveHealth({ ...(counter.watch ?? alwaysHealthy), authenticate, metrics: config.metrics }),
  )
  koa.use(checkHost)
  koa.use(assets.serve)
  koa.use(writer ? proxyToWriter(writer) : serveReaderAuthentication(authenticate))
  koa.use(router.routes())
  koa.use(redirectToSlash(router))
  // Clients who hang up, or speak no HTTP, are no fault of ours.
  koa.on('error', (error: Error & { code?: string }, ctx?: Context) => {
    if (!/^(?:HPE_|ECONN|EPIPE|ERR_STREAM_PREMATURE_CLOSE)/.test(error.code ?? ''))
      failed(
        error,
        'while answering',
        (ctx as { state?: RequestState } | undefined)?.state?.id ?? '',
      )
  })
  const answer = koa.callback()
  return (request, response) => {
    if (!repeating.tryServe(request, response)) void answer(request, response)
  }
}

/** The one place where a failure gets its status and body (specification: Errors). */
function errorResponses(failed: HttpAppOptions['failed']): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff')
    // Not `no-referrer`: then no browser says which site a form comes from.
    ctx.set('Referrer-Policy', 'same-origin')
    try {
      await next()
    } catch (error) {
      const answer = toErrorResponse(error)
      if (!answer) failed(error, `${ctx.method} ${ctx.path}`, ctx.state.id)
      const { status, body, headers = {} } = answer ?? serverError
      ctx.status = status
      ctx.set(headers)
      ctx.remove('ETag')
      ctx.type = 'application/json'
      ctx.body = JSON.stringify(body)
    }
  }
}

/** Cross-origin requests (specification: Endpoints, General). A preflight is an OPTIONS like any other. */
function allowOrigins(origins: readonly string[] | undefined): Middleware<RequestState> {
  return (ctx, next) => {
    if (!origins) ctx.set('Access-Control-Allow-Origin', '*')
    else {
      const origin = ctx.get('Origin')
      ctx.vary('Origin')
      if (origins.includes(origin)) ctx.set('Access-Control-Allow-Origin', origin)
    }
    ctx.set(
      'Access-Control-Expose-Headers',
      'ETag, Link, X-Total-Count, X-Request-Id, Location, Content-Location, Content-Disposition, Retry-After, Allow',
    )
    if (ctx.method === 'OPTIONS') {
      ctx.set('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
      ctx.set(
        'Access-Control-Allow-Headers',
        'Authorization, Content-Type, Accept, If-Match, If-None-Match',
      )
      ctx.set('Access-Control-Max-Age', '86400')
    }
    return next()
  }
}

/** Refuses what could be read in two ways: two hosts, a host that is none, a path that cannot be decoded. */
const checkHost: Middleware<RequestState> = (ctx, next) => {
  if (!hasOneHost(ctx.req) || !isOrigin(requestOrigin(ctx)))
    throw httpErrors.badRequest('Bad host.')
  try {
    if (ctx.path.includes('%')) decodeURIComponent(ctx.path)
  } catch {
    throw httpErrors.badRequest('Malformed percent-encoding in the path.')
  }
  return next()
}

/** The origin that was found to be one last: nearly all requests have the same. */
let lastOrigin = ''

function isOrigin(origin: string): boolean {
  if (origin === lastOrigin) return true
  const is = /^https?:\/\/[\w.:[\]-]+$/.test(origin) && URL.canParse(origin)
  if (is) lastOrigin = origin
  return is
}

/** An address without its last slash leads to the one that has it; every other is unknown. */
function redirectToSlash(router: Router<RequestState>): Middleware<RequestState> {
  return (ctx) => {
    if (!router.match(`${ctx.path}/`, 'GET').route) throw httpErrors.notFound()
    ctx.status = ['GET', 'HEAD'].includes(ctx.method) ? 301 : 308
    ctx.set('Location', `${requestOrigin(ctx)}${ctx.path}/${ctx.search}`)
    ctx.body = ''
  }
}
