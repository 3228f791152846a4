// Limits how often one client may send queries that are rejected: each takes the time of a worker.
// How a query is checked: precheck.ts and query-checks.ts.

import { InvalidError } from '../../errors.js'
import { tooManyQueries } from './errors.js'
import type { QueryRunner } from './worker-pool.js'

/** The most rejected queries of a client in a window. */
const maxRejections = 60
const windowMs = 60_000
/** The most clients that are counted; the one that was rejected least recently is forgotten. */
const maxClients = 10_000

/**
 * A pool that answers no further query of a client with too many rejected ones.
 * @param now the time in milliseconds
 */
export function withRejectionLimit(
  pool: QueryRunner,
  now: () => number = () => performance.now(),
): QueryRunner {
  /** The times of rejections, oldest first, by client. The client rejected last is the last. */
  const rejections = new Map<string, readonly number[]>()

  const recentOf = (client: string): readonly number[] =>
    (rejections.get(client) ?? []).filter((time) => time > now() - windowMs)

  function countRejection(client: string): void {
    const times = [...recentOf(client), now()]
    rejections.delete(client)
    rejections.set(client, times)
    const [oldest] = rejections.keys()
    if (rejections.size > maxClients && oldest !== undefined) rejections.delete(oldest)
  }

  return {
    async ask(request, client) {
      const first = recentOf(client.client).at(-maxRejections)
      if (first !== undefined)
        throw tooManyQueries(
          'Too many of your queries were rejected. Correct the query and try again later.',
          Math.ceil((first + windowMs - now()) / 1000),
        )
      try {
        return await pool.ask(request, client)
      } catch (error) {
        if (error instanceof InvalidError) countRejection(client.client)
        throw error
      }
    },
  }
}
