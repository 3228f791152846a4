// Wraps accounts and the pool of SPARQL workers, so that every login and every query is counted by
// its outcome. What the metrics look like: metrics.ts.

import type { Accounts } from '../accounts/accounts.js'
import type { Metrics } from '../metrics.js'
import type { QueryRunner } from '../features/sparql/worker-pool.js'

/** The outcome of a login that did not fail. */
export const acceptedLogin = 'accepted'

export const withLoginMetrics = (
  accounts: Accounts,
  onLogin: (outcome: string) => void,
): Accounts => ({
  ...accounts,
  login: counted((...args) => accounts.login(...args), acceptedLogin, onLogin),
  verifyLogin: counted((...args) => accounts.verifyLogin(...args), acceptedLogin, onLogin),
})

export const withQueryMetrics = (pool: QueryRunner, { onQuery }: Metrics): QueryRunner => ({
  ask: counted((...args) => pool.ask(...args), 'answered', onQuery),
})

/** Reports the outcome of each call: `success`, or the name of the error's class. */
const counted =
  <Args extends unknown[], Result>(
    run: (...args: Args) => Promise<Result>,
    success: string,
    onOutcome: (outcome: string) => void,
  ) =>
  async (...args: Args): Promise<Result> => {
    try {
      const result = await run(...args)
      onOutcome(success)
      return result
    } catch (error) {
      onOutcome(error instanceof Error ? error.constructor.name : 'unknown')
      throw error
    }
  }
