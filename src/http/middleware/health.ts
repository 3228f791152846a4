// What those ask who watch the service: whether it lives, whether it can be used, and its figures. No
// account, no throttle, no format.

import type { Context, Middleware } from 'koa'

import type { Config } from '../../config.js'
import type { Authenticate } from '../request/authentication.js'
import type { State } from '../endpoint.js'
import { refusals } from '../response/http-errors.js'

/** Why the service cannot be used; the first is told before there is a counter. */
export const troubles = ['starting', 'stopping', 'disk full', 'disk failed'] as const

export type Trouble = (typeof troubles)[number]

export const watchedPaths = ['/healthz', '/readyz', '/metrics'] as const

export type WatchedPath = (typeof watchedPaths)[number]

export type Watch = {
  /** Undefined when it can be used. */
  readonly trouble: () => Promise<Trouble | undefined>
  /** The figures, as Prometheus reads them. */
  readonly figures: () => Promise<{ readonly type: string; readonly text: string }>
}

/** Always ready, and without figures. */
export const unwatched: Watch = {
  trouble: () => Promise.resolve(undefined),
  figures: () => Promise.reject(refusals.notFound()),
}

type Watched = Watch & {
  readonly metrics: Config['metrics']
  readonly authenticate: Authenticate
}

export function answerWatchers({
  trouble,
  figures,
  metrics,
  authenticate,
}: Watched): Middleware<State> {
  const answers: Readonly<Record<WatchedPath, (ctx: Context) => Promise<void> | void>> = {
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
      if (!may) throw refusals.notFound()
      const { type, text } = await figures()
      ctx.set('Content-Type', type)
      ctx.body = text
    },
  }
  const paths = new Map<string, (typeof answers)[WatchedPath]>(Object.entries(answers))
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
