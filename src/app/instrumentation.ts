// Parts that do as they do otherwise, with the end of what is asked of them counted.

import type { Accounts } from '../accounts/accounts.js'
import type { Metrics } from '../metrics.js'
import type { Pool } from '../sparql/worker-pool.js'

/** The accounts, with every login counted. */
export const withLoginMetrics = (accounts: Accounts, { onLogin }: Metrics): Accounts => ({
  ...accounts,
  login: counted((...asked) => accounts.login(...asked), 'accepted', onLogin),
  verifyLogin: counted((...asked) => accounts.verifyLogin(...asked), 'accepted', onLogin),
})

/** Those who answer queries, with every query counted. */
export const withQueryMetrics = (pool: Pool, { onQuery }: Metrics): Pool => ({
  ...pool,
  ask: counted((...asked) => pool.ask(...asked), 'answered', onQuery),
})

/** The same, but told how each ended: well, or with the class of its failure. */
const counted =
  <Asked extends unknown[], Answer>(
    ask: (...asked: Asked) => Promise<Answer>,
    well: string,
    told: (outcome: string) => void,
  ) =>
  async (...asked: Asked): Promise<Answer> => {
    try {
      const answer = await ask(...asked)
      told(well)
      return answer
    } catch (error) {
      told(error instanceof Error ? error.constructor.name : 'unknown')
      throw error
    }
  }
