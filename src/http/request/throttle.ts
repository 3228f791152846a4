// Limits how often one client asks: by account, or by address for those without one. A window that
// slides, as DRF's throttles do.

import type { ParameterizedContext } from 'koa'

import type { Config, Rate } from '../../config.js'
import type { RequestState } from '../endpoint.js'
import { httpErrors } from '../response/http-errors.js'

/** @throws Refused 429 */
export type Throttle = (ctx: ParameterizedContext<RequestState>) => void

/** @param now the time in milliseconds */
export function createThrottle(
  { anon, user }: Config['throttle'],
  now: () => number = () => performance.now(),
): Throttle {
  const byAddress = createSlidingWindow(anon, now)
  const byAccount = createSlidingWindow(user, now)
  return (ctx) => {
    const { account } = ctx.state
    if (account) byAccount?.(account.name)
    else byAddress?.(ctx.ip)
  }
}

/** Counts one request of a client, or refuses it; undefined where nobody counts. */
function createSlidingWindow(rate: Rate | undefined, now: () => number) {
  if (!rate) return undefined
  const span = rate.seconds * 1000
  /** When each client's requests were let through, oldest first; clients in the order of their last. */
  const windows = new Map<string, number[]>()

  return (client: string): void => {
    const time = now()
    forgetBefore(time - span)
    const window = (windows.get(client) ?? []).filter((passed) => passed > time - span)
    const oldest = window[0]
    if (oldest !== undefined && window.length >= rate.requests)
      throw httpErrors.throttled(Math.ceil((oldest + span - time) / 1000))
    windows.delete(client)
    windows.set(client, [...window, time])
  }

  // Clients who have not asked for a whole span stand at the front.
  function forgetBefore(time: number): void {
    for (const [client, window] of windows) {
      if ((window.at(-1) ?? 0) > time) return
      windows.delete(client)
    }
  }
}
