// The time that each client may occupy workers: half of the time of one worker. query-queue.ts
// rejects the queries of a client that used more.

import { tooManyQueries } from './errors.js'

const windowSeconds = 120

const maxSecondsPerWindow = 60

export type QueryBudget = {
  /** @throws RequestError when the client has used its time */
  readonly check: (client: string) => void
  /** Counts the seconds in which the client occupied a worker. */
  readonly spend: (client: string, seconds: number) => void
}

/** @param now the time in milliseconds */
export function createQueryBudget(now: () => number = () => performance.now()): QueryBudget {
  /** What each client has spent, oldest first. The client that spent last is the last. */
  const spendings = new Map<string, readonly { readonly at: number; readonly seconds: number }[]>()

  const recentOf = (client: string) =>
    (spendings.get(client) ?? []).filter(({ at }) => at > now() - windowSeconds * 1000)

  function forgetOld(): void {
    for (const [client, spent] of spendings) {
      if ((spent.at(-1)?.at ?? 0) > now() - windowSeconds * 1000) return
      spendings.delete(client)
    }
  }

  return {
    check(client) {
      const recent = recentOf(client)
      let used = recent.reduce((sum, { seconds }) => sum + seconds, 0)
      if (used < maxSecondsPerWindow) return
      // It may go on when enough of it is older than the window.
      for (const { at, seconds } of recent) {
        used -= seconds
        if (used < maxSecondsPerWindow)
          throw tooManyQueries(
            `Your queries took ${maxSecondsPerWindow} seconds within ${windowSeconds}.`,
            Math.ceil((at + windowSeconds * 1000 - now()) / 1000),
          )
      }
    },
    spend(client, seconds) {
      const recent = recentOf(client)
      spendings.delete(client)
      spendings.set(client, [...recent, { at: now(), seconds }])
      forgetOld()
    },
  }
}
