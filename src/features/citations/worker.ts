// The thread that cites. citation-service.ts is the other side.

import { workerData } from 'node:worker_threads'

import { answerRequests } from '../../lib/worker-thread.js'
import { createProcessor } from './processor.js'
import type { Citations, CitedItem } from './styles.js'

// The cast: the other side sends the directory of the styles.
const processor = createProcessor(workerData as string)

answerRequests(async function* (item: CitedItem): AsyncGenerator<Citations, void> {
  yield (await processor).cite(item)
})
