// Limits the requests of one client in a sliding window, as DRF's throttles do
// (docs/reference/requests.md, "Throttling"). A client is an account, or the network of requests
// without one.

import type { ParameterizedContext } from 'koa'

import { ThrottledError } from '../../errors.js'
import type { Config, Rate } from '../../config.js'
import { networkOf } from '../../lib/network.js'
import type { RequestState } from '../context.js'
import { requestOrigin } from '../origin.js'

/**
 * Counts a request, and sets the headers that tell the client its limit, if it has one.
 * @throws HttpError 429 if the client has sent too many
 */
export type Throttle = (ctx: ParameterizedContext<RequestState>) => void

/** @param now the time in milliseconds */
export function createThrottle(
  { anon, user }: Config['throttle'],
  now: () => number = () => performance.now(),
): Throttle {
  const countNetwork = createSlidingWindow(anon, now)
  const countAccount = createSlidingWindow(user, now)
  return (ctx) => {
    const { account } = ctx.state
    const budget = account ? countAccount?.(account.name) : countNetwork?.(networkOf(ctx.ip))
    if (!budget) return
    const policy = account ? 'account' : 'anonymous'
    ctx.set(limitHeaders(policy, budget))
    if (!budget.isExceeded) return
    ctx.append('Link', inOneRequest(requestOrigin(ctx)))
    throw new ThrottledError(Math.ceil(budget.resetSeconds), policy)
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10, and those that most clients know. */
const limitHeaders = (
  policy: string,
  { limit, windowSeconds, remaining, resetSeconds }: Budget,
): Readonly<Record<string, string>> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000 + resetSeconds)),
  'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
  RateLimit: `"${policy}";r=${remaining};t=${Math.ceil(resetSeconds)}`,
})

/** Where everything is in one request, for a client that reads it record by record. */
const inOneRequest = (origin: string): string[] => [
  `<${origin}/dumps/catalogue.nt.gz>; rel="alternate"; title="Everything in one file"`,
  `<${origin}/api/zines/export/>; rel="alternate"; title="All zines, or those of a list, in one file"`,
]

/** What a client has left after a request. */
type Budget = {
  /** The requests that a client may send in a window. */
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number
  /** The time until the oldest counted request leaves the window, so that one more is possible. */
  readonly resetSeconds: number
  /** Whether the request was one too many. It is not counted then. */
  readonly isExceeded: boolean
}

/** Creates a function that counts one request of a client; undefined if there is no limit. */
export function createSlidingWindow(rate: Rate | undefined, now: () => number) {
  if (!rate) return undefined
  const windowMs = rate.seconds * 1000
  /** The times of each client's requests, oldest first. The client of the last request is last. */
  const requestTimes = new Map<string, number[]>()

  return (client: string): Budget => {
    const time = now()
    forgetIdleClients(time - windowMs)
    const times = (requestTimes.get(client) ?? []).filter((past) => past > time - windowMs)
    const isExceeded = times.length >= rate.requests
    const counted = isExceeded ? times : [...times, time]
    if (!isExceeded) {
      requestTimes.delete(client)
      requestTimes.set(client, counted)
    }
    return {
      limit: rate.requests,
      windowSeconds: rate.seconds,
      remaining: rate.requests - counted.length,
      resetSeconds: ((counted[0] ?? time) + windowMs - time) / 1000,
      isExceeded,
    }
  }

  // Clients without a request for a whole window are at the front of the map.
  function forgetIdleClients(before: number): void {
    for (const [client, times] of requestTimes) {
      if ((times.at(-1) ?? 0) > before) return
      requestTimes.delete(client)
    }
  }
}
