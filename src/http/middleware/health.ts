// Answers /healthz, /readyz and /metrics (docs/reference/settings.md, "Health and metrics"). They
// need no account, are never throttled and have one format. What is checked is given by
// app/service.ts.

import type { Context, Middleware } from 'koa'

import { NotFoundError } from '../../errors.js'
import type { Config } from '../../config.js'
import type { RequestState } from '../context.js'
import type { Authenticate } from '../request/authentication.js'
import type { HealthPath, NotReadyReason } from '../response/health-status.js'
import { checkReadOnly } from '../response/read-only.js'

export type HealthChecks = {
  /** Why the service cannot be used; undefined if it can. */
  readonly notReadyReason: () => Promise<NotReadyReason | undefined>
  /** The metrics in the text format of Prometheus, with their media type. */
  readonly renderMetrics: () => Promise<{ readonly type: string; readonly text: string }>
}

/** Always ready and without metrics, for an application without these checks. */
export const alwaysHealthy: HealthChecks = {
  notReadyReason: () => Promise.resolve(undefined),
  renderMetrics: () => Promise.reject(new NotFoundError()),
}

type HealthOptions = HealthChecks & {
  /** Who may read the metrics. */
  readonly access: Config['metrics']
  readonly authenticate: Authenticate
}

export function serveHealth(options: HealthOptions): Middleware<RequestState> {
  const { notReadyReason, renderMetrics } = options
  const handlers: Readonly<Record<HealthPath, (ctx: Context) => Promise<void> | void>> = {
    '/healthz': (ctx) => {
      if (checkReadOnly(ctx)) ctx.body = { status: 'ok' }
    },
    '/readyz': async (ctx) => {
      if (!checkReadOnly(ctx)) return
      const reason = await notReadyReason()
      ctx.status = reason === undefined ? 200 : 503
      ctx.body = { status: reason ?? 'ready' }
    },
    '/metrics': async (ctx) => {
      // Not for scripts of other sites, which a browser on this machine may run.
      ctx.remove('Access-Control-Allow-Origin')
      ctx.remove('Access-Control-Expose-Headers')
      if (!(await mayReadMetrics(ctx, options))) throw new NotFoundError()
      if (!checkReadOnly(ctx)) return
      const { type, text } = await renderMetrics()
      ctx.set('Content-Type', type)
      ctx.body = text
    },
  }
  const handlerByPath = new Map<string, (typeof handlers)[HealthPath]>(Object.entries(handlers))
  return (ctx, next) => {
    const handler = handlerByPath.get(ctx.path)
    if (!handler) return next()
    ctx.state.route = ctx.path
    ctx.set('Cache-Control', 'no-store')
    return handler(ctx)
  }
}

// The metrics name nobody, but how much a service is used is not public by default.
async function mayReadMetrics(
  ctx: Context,
  { access, authenticate }: HealthOptions,
): Promise<boolean> {
  if (ctx.get('Origin') !== '') return false
  if (access === 'open') return true
  if (access !== 'local') return false
  return isLocal(ctx) || (await authenticate(ctx)) !== undefined
}

// Requests through a proxy on this machine come from this machine too. Most proxies add a
// forwarding header; the others send a Host that is seldom a name of this machine.
function isLocal(ctx: Context): boolean {
  const isForwarded = forwardingHeaders.some((name) => ctx.get(name) !== '')
  const address = ctx.req.socket.remoteAddress ?? ''
  return (
    !isForwarded &&
    /^(?:::ffff:)?127\.|^::1$/.test(address) &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(ctx.get('Host'))
  )
}

const forwardingHeaders = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Forwarded',
  'Via',
  'X-Real-IP',
]
