// Limits the requests of one client in a sliding window, as DRF's throttles do (docs/api.md,
// "Throttling"). A client is an account, or the network of requests without one.

import type { ParameterizedContext } from 'koa'

import type { Config, Rate } from '../../config.js'
import { networkOf } from '../../network.js'
import type { RequestState } from '../context.js'
import { httpErrors } from '../errors.js'

/** Counts a request. @throws HttpError 429 if the client has sent too many */
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
    if (account) countAccount?.(account.name)
    else countNetwork?.(networkOf(ctx.ip))
  }
}

/** Creates a function that counts one request of a client; undefined if there is no limit. */
function createSlidingWindow(rate: Rate | undefined, now: () => number) {
  if (!rate) return undefined
  const windowMs = rate.seconds * 1000
  /** The times of each client's requests, oldest first. The client of the last request is last. */
  const requestTimes = new Map<string, number[]>()

  return (client: string): void => {
    const time = now()
    forgetIdleClients(time - windowMs)
    const times = (requestTimes.get(client) ?? []).filter((past) => past > time - windowMs)
    const oldest = times[0]
    if (oldest !== undefined && times.length >= rate.requests)
      throw httpErrors.throttled(Math.ceil((oldest + windowMs - time) / 1000))
    requestTimes.delete(client)
    requestTimes.set(client, [...times, time])
  }

  // Clients without a request for a whole window are at the front of the map.
  function forgetIdleClients(before: number): void {
    for (const [client, times] of requestTimes) {
      if ((times.at(-1) ?? 0) > before) return
      requestTimes.delete(client)
    }
  }
}
