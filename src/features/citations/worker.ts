// The thread that cites. citation-service.ts is the other side.

import { parentPort, workerData } from 'node:worker_threads'

import { createProcessor } from './processor.js'
import type { Citations, CitedItem } from './styles.js'

export type CitationRequest = { readonly id: number; readonly item: CitedItem }

export type CitationResponse = { readonly id: number } & (
  { readonly citations: Citations } | { readonly error: string }
)

// The cast: the other side sends the directory of the styles.
const processor = createProcessor(workerData as string)

parentPort?.on('message', ({ id, item }: CitationRequest) => {
  void answer(id, item).then((response) => parentPort?.postMessage(response))
})

async function answer(id: number, item: CitedItem): Promise<CitationResponse> {
  try {
    return { id, citations: (await processor).cite(item) }
  } catch (error) {
    return { id, error: (error as Error).message }
  }
}
