// What those ask who watch the service: whether it lives, whether it can be used, and its figures. No
// account, no throttle, no format.

import type { Context, Middleware } from 'koa'

import type { Config } from '../../config.js'
import type { Authenticate } from '../request/authentication.js'
import type { RequestState } from '../endpoint.js'
import { httpErrors } from '../response/http-errors.js'

/** Why the service cannot be used; the first is told before there is a counter. */
export const notReadyReasons = ['starting', 'stopping', 'disk full', 'disk failed'] as const

export type NotReadyReason = (typeof notReadyReasons)[number]

export const healthPaths = ['/healthz', '/readyz', '/metrics'] as const

export type HealthPath = (typeof healthPaths)[number]

export type HealthChecks = {
  /** Undefined when it can be used. */
  readonly trouble: () => Promise<NotReadyReason | undefined>
  /** The figures, as Prometheus reads them. */
  readonly figures: () => Promise<{ readonly type: string; readonly text: string }>
}

/** Always ready, and without figures. */
export const alwaysHealthy: HealthChecks = {
  trouble: () => Promise.resolve(undefined),
  figures: () => Promise.reject(httpErrors.notFound()),
}

type HealthReport = HealthChecks & {
  readonly metrics: Config['metrics']
  readonly authenticate: Authenticate
}

export function serveHealth({
  trouble,
  figures,
  metrics,
  authenticate,
}: HealthReport): Middleware<RequestState> {
  const answers: Readonly<Record<HealthPath, (ctx: Context) => Promise<void> | void>> = {
    '/healthz': (ctx) => {
      ctx.body = { status: 'ok' }
    },
    '/readyz': async (ctx) => {
      const why = await trouble()
      ctx.status = why === undefined ? 200 : 503
      ctx.body = { status: why ?? 'ready' }
    },
    '/metrics': async (ctx) => {
      // They name nobody, but how much a service is used is not everybody's business.
      const may =
        metrics === 'open' || (metrics === 'local' && (isLocal(ctx) || (await authenticate(ctx))))
      if (!may) throw httpErrors.notFound()
      const { type, text } = await figures()
      ctx.set('Content-Type', type)
      ctx.body = text
    },
  }
  const paths = new Map<string, (typeof answers)[HealthPath]>(Object.entries(answers))
  return (ctx, next) => {
    const answer = paths.get(ctx.path)
    if (!answer || !['GET', 'HEAD'].includes(ctx.method)) return next()
    ctx.state.route = ctx.path
    ctx.set('Cache-Control', 'no-store')
    return answer(ctx)
  }
}

// What a proxy on the same machine passes on comes from this machine too. Those that say for whom they
// ask are known by that, the others by the host, which is then seldom this one's own name.
function isLocal(ctx: Context): boolean {
  const isPassedOn = forwarding.some((name) => ctx.get(name) !== '')
  const address = ctx.req.socket.remoteAddress ?? ''
  return (
    !isPassedOn &&
    /^(?:::ffff:)?127\.|^::1$/.test(address) &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(ctx.get('Host'))
  )
}

const forwarding = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Forwarded',
  'Via',
  'X-Real-IP',
]
