// Limits how many requests for changes are accepted: in an hour from one network, and in all.
// Nothing of this is stored.

import type { Rate } from '../../config.js'
import { networkOf } from '../../lib/network.js'
import { createSlidingWindow } from '../../http/request/throttle.js'

/** How many requests are accepted in an hour. */
export type ChangeRequestLimits = { readonly fromNetwork: number; readonly inAll: number }

const defaultLimits: ChangeRequestLimits = { fromNetwork: 5, inAll: 100 }

/**
 * Counts one request of an address.
 * @returns the seconds until another one is accepted; undefined if this one is
 */
export type LimitChangeRequests = (address: string) => number | undefined

/** @param now the time in milliseconds */
export function createChangeRequestLimit(
  { fromNetwork, inAll }: ChangeRequestLimits = defaultLimits,
  now: () => number = () => performance.now(),
): LimitChangeRequests {
  const countNetwork = createSlidingWindow(perHour(fromNetwork), now)
  const countAll = createSlidingWindow(perHour(inAll), now)
  return (address) => {
    for (const [count, client] of [
      [countNetwork, networkOf(address)],
      [countAll, 'all'],
    ] as const) {
      const budget = count?.(client)
      if (budget?.isExceeded) return Math.ceil(budget.resetSeconds)
    }
    return undefined
  }
}

const perHour = (requests: number): Rate => ({ requests, seconds: 3600, text: `${requests}/hour` })
