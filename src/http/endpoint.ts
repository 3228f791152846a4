// An address and what can be done there. Every request to one passes the same stages, in the order
// that decisions.md gives: format, credentials, permission, throttle, method; then its handler.

import type { RouterContext } from '@koa/router'
import type { Middleware } from 'koa'

import type { Account } from '../accounts/accounts.js'
import { mayWrite } from '../accounts/rights.js'
import type { ResourceName } from '../model/addresses.js'
import { tellAlternates } from './alternates.js'
import type { Authenticate } from './credentials.js'
import type { Format } from '../formats/press.js'
import { negotiate } from './negotiate.js'
import { refusals } from './refused.js'
import type { Throttle } from './throttle.js'

export type State = { account: Account | undefined; format: Format }

export type Context = RouterContext<State>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Handler = (ctx: Context) => Promise<void> | void

export type Endpoint = {
  /** In the router's form; under `/api/` with a slash at its end. */
  readonly path: string
  /** Whether a request is for this endpoint; else it is for the next one that its address fits. */
  readonly applies?: (ctx: Context) => Promise<boolean>
  /** What OPTIONS says of it. */
  readonly name: string
  readonly description: string
  /** What it can be shown as; the first is shown to those who do not mind. */
  readonly formats: readonly Format[]
  /** The types of body that it takes, where that is not JSON. */
  readonly takes?: readonly string[]
  readonly methods: Partial<Record<Method, Handler>>
  /** The resource that is written here. */
  readonly writes?: ResourceName
  /** Whether writing needs no account, as a request for a token does. */
  readonly open?: true
}

/** The stages of an endpoint, for the router. */
export function stagesOf(
  endpoint: Endpoint,
  { authenticate, throttle }: { authenticate: Authenticate; throttle: Throttle },
): Middleware<State, RouterContext<State>> {
  const allow = allowed(endpoint)
  return async (ctx, next) => {
    if (endpoint.applies && !(await endpoint.applies(ctx))) {
      await next()
      return
    }
    // Nothing else varies, but for origins, where they are listed.
    if (ctx.res.hasHeader('Vary')) ctx.vary('Accept')
    else ctx.set('Vary', 'Accept')
    ctx.state.format = negotiate(ctx, endpoint.formats)
    ctx.state.account = authenticate(ctx)
    permit(endpoint, ctx.method, ctx.state.account)
    throttle(ctx)
    if (ctx.method === 'OPTIONS') {
      describe(ctx, endpoint, allow)
      return
    }
    const handler = endpoint.methods[(ctx.method === 'HEAD' ? 'GET' : ctx.method) as Method]
    if (!handler) throw refusals.notAllowed(ctx.method, allow)
    await handler(ctx)
    tellAlternates(ctx, endpoint.formats)
  }
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

function permit(endpoint: Endpoint, method: string, account: Account | undefined): void {
  if (safe.has(method) || endpoint.open) return
  if (!account) throw refusals.noCredentials()
  // Where nothing can be written, whoever may write anything at all is told so by a 405.
  const may = endpoint.writes ? mayWrite(account, endpoint.writes) : account.role !== 'viewer'
  if (!may) throw refusals.noPermission()
}

function allowed({ methods }: Endpoint): string {
  const own = Object.keys(methods)
  return [...own, ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function describe(ctx: Context, endpoint: Endpoint, allow: string): void {
  const { name, description, formats, takes = [json] } = endpoint
  ctx.set('Allow', allow)
  ctx.body = {
    name,
    description,
    renders: [...new Set(formats.map(({ type }) => type))],
    parses: takes,
  }
}

const json = 'application/json'
