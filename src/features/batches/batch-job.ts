// Writes a batch as a piece of work of its own: a short one is waited for, and the page of a long one
// shows how far it is.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Account } from '../../accounts/accounts.js'
import type { BatchRequest } from '../../catalogue/writes/batches.js'
import type { Redirect } from '../../http/form-endpoint.js'
import type { Jobs } from '../../lib/jobs.js'
import { editingLinks } from '../../views/links.js'

/** Leads to the page of the batch. */
export async function writeBatchAsJob(
  jobs: Jobs,
  account: Account,
  run: (options: Pick<BatchRequest, 'isDryRun' | 'id' | 'onProgress'>) => Promise<void>,
): Promise<Redirect> {
  const { id, result } = jobs.start(
    (job, onProgress) => run({ isDryRun: false, id: job, onProgress }),
    { account: account.name },
  )
  const isWritten = await Promise.race([result.then(() => true), sleep(maxWaitMs, false)])
  return { to: editingLinks.batch(id), ...(isWritten ? { done: 'batch' } : {}) }
}

/** After so long the page of the batch shows how far it is. */
const maxWaitMs = 1000
