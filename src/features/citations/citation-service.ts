// Cites records in a thread, which is started with the first citation: citeproc takes too long for
// the event loop.

import { UnavailableError } from '../../errors.js'
import { threadModule } from '../../lib/package-files.js'
import { ThreadError, WorkerThread } from '../../lib/worker-thread.js'
import { message } from '../../message.js'
import type { Citations, CitedItem } from './styles.js'

export type CitationService = {
  /** @throws UnavailableError */
  cite(item: CitedItem): Promise<Citations>
  close(): Promise<void>
}

/** More requests would wait for longer than clients do. */
const maxRequests = 200

type CitationServiceOptions = {
  /** The directory of the styles. */
  readonly directory: string
  /** How long a citation may take, in milliseconds. */
  readonly timeoutMs?: number
}

export function createCitationService({
  directory,
  timeoutMs = 20_000,
}: CitationServiceOptions): CitationService {
  const thread = new WorkerThread<CitedItem, Citations>({
    module: threadModule('features/citations/worker.js'),
    data: directory,
    heapMb: 256,
    timeoutMs,
    maxRequests,
  })

  return {
    cite: (item) =>
      thread.answer(item).catch((error: unknown) => {
        if (!(error instanceof ThreadError) || error.code === 'failed') throw error
        throw new UnavailableError(message('Citations cannot be made now.'), 5, { cause: error })
      }),
    close: () => thread.close(),
  }
}
