// The Koa application: the middleware in its order, and the router with all endpoints. Each step
// has its own file in middleware/; the steps of an endpoint are in endpoint.ts.

import type { RequestListener } from 'node:http'

import Router from '@koa/router'
import Koa from 'koa'
import type { Context } from 'koa'

import type { ChangeFeed } from '../catalogue/history/change-feed.js'
import type { Config } from '../config.js'
import type { RequestState, SiteInfo } from './context.js'
import { type Endpoint, createEndpointMiddleware } from './endpoint.js'
import { FastPath } from './fast-path.js'
import { type OnRequestDone, logAccess } from './middleware/access-log.js'
import { compressResponses } from './middleware/compression.js'
import { setCorsHeaders } from './middleware/cors.js'
import {
  type OnError,
  type SendErrorPage,
  sendErrorResponses,
} from './middleware/error-responses.js'
import { type HealthChecks, alwaysHealthy, serveHealth } from './middleware/health.js'
import { limitDemo } from './middleware/demo-limits.js'
import { checkHost } from './middleware/host-check.js'
import { createResponseCache } from './middleware/response-cache.js'
import type { Assets } from './middleware/static-files.js'
import { redirectToTrailingSlash } from './middleware/trailing-slash.js'
import { type Writer, proxyToWriter, serveReaders } from './middleware/writer-proxy.js'
import type { Authenticate } from './request/authentication.js'
import type { BrowserSessions } from './request/session-cookies.js'
import { type Throttle, createThrottle } from './request/throttle.js'

export type HttpAppOptions = {
  readonly endpoints: readonly Endpoint[]
  readonly assets: Assets
  readonly authenticate: Authenticate
  readonly sessionOf: BrowserSessions['sessionOf']
  readonly config: Config
  /** The process that writes, if this one only reads. */
  readonly writer?: Writer | undefined
  /** The end of the log of changes; only a process that writes has one. */
  readonly logPosition?: ChangeFeed['position']
  /** Called with every error that is not the client's. */
  readonly onError: OnError
  /** Sends errors to browsers; without it they are JSON too. */
  readonly sendErrorPage?: SendErrorPage
  /** Called once each request is done. */
  readonly onRequestDone?: OnRequestDone
  readonly health?: HealthChecks
  /** The logo and the About page; without it, there are none. */
  readonly branding?: Pick<SiteInfo, 'logo' | 'hasAbout'>
  /** Without it, no request for a change is shown to anybody. */
  readonly countOpenRequests?: SiteInfo['countOpenRequests']
  /** Of a demonstration. */
  readonly resetsAt?: SiteInfo['resetsAt']
  /** Whether pages offer searches with `q`; not unless said. */
  readonly findsWords?: boolean
}

/** Creates the listener that answers all requests. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { endpoints, assets, authenticate, sessionOf, config, writer, onError } = options
  const { logPosition = () => Promise.resolve(undefined) } = options
  const koa = new Koa<RequestState>({
    proxy: config.trustProxy,
    // Only the address that the nearest proxy added: a client can write all the others itself.
    maxIpsCount: 1,
  })
  const throttle: Throttle = createThrottle(config.throttle)
  const onRequestDone = options.onRequestDone ?? (() => undefined)
  const isProxied = config.trustProxy
  const responseCache = createResponseCache({ authenticate, throttle, isProxied })
  const fastPath = new FastPath({
    cache: responseCache,
    // With a list of origins the headers depend on it.
    endpoints: config.corsOrigins ? [] : endpoints,
    onRequestDone,
    isProxied,
  })
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  const guards = { authenticate, sessionOf, throttle }
  for (const endpoint of endpoints)
    router.all(endpoint.path, createEndpointMiddleware(endpoint, guards))

  const site = {
    name: config.siteName,
    logo: options.branding?.logo,
    hasAbout: options.branding?.hasAbout ?? false,
    contact: config.contact,
    countOpenRequests: options.countOpenRequests ?? (() => undefined),
    findsWords: options.findsWords ?? false,
    resetsAt: options.resetsAt,
  }
  koa.use((ctx, next) => {
    ctx.state.site = site
    return next()
  })
  koa.use(logAccess(onRequestDone))
  koa.use(compressResponses)
  koa.use(sendErrorResponses(onError, options.sendErrorPage))
  // Before the cache, which answers 401 and 429 itself: pages of other origins may read these too.
  koa.use(setCorsHeaders(config.corsOrigins))
  koa.use(responseCache.middleware)
  koa.use(
    serveHealth({ ...(options.health ?? alwaysHealthy), authenticate, access: config.metrics }),
  )
  koa.use(checkHost)
  koa.use(assets.serve)
  if (config.demo) koa.use(limitDemo)
  koa.use(writer ? proxyToWriter(writer) : serveReaders({ authenticate, logPosition }))
  koa.use(router.routes())
  koa.use(redirectToTrailingSlash(router))
  koa.on('error', reportServerErrors(onError))

  const respond = koa.callback()
  return (request, response) => {
    const answerByKoa = (): Promise<void> => respond(request, response)
    // The throttle counts in Koa.
    const answer =
      (config.throttle.anon ? undefined : fastPath.tryAnswer(request, response, answerByKoa)) ??
      answerByKoa()
    // Koa answers errors itself. What is left would end the process.
    answer.catch((error: unknown) => {
      onError(error, 'while answering', '')
      response.destroy()
    })
  }
}

/**
 * Reports errors while a response is sent. A client that hangs up or speaks no HTTP is not an
 * error.
 */
const reportServerErrors =
  (onError: OnError) =>
  (error: Error & { readonly code?: string }, ctx?: Context): void => {
    if (/^(?:HPE_|ECONN|EPIPE|ERR_STREAM_PREMATURE_CLOSE)/.test(error.code ?? '')) return
    const state = ctx?.state as RequestState | undefined
    onError(error, 'while answering', state?.id ?? '')
  }
