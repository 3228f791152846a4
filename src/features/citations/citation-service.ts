// Cites records in a thread, which is started with the first citation: citeproc takes too long for
// the event loop.

import { Worker } from 'node:worker_threads'

import { message } from '../../message.js'
import { UnavailableError } from '../../errors.js'
import type { Citations, CitedItem } from './styles.js'
import type { CitationRequest, CitationResponse } from './worker.js'

export type CitationService = {
  /** @throws UnavailableError */
  cite(item: CitedItem): Promise<Citations>
  close(): Promise<void>
}

type Pending = {
  readonly resolve: (citations: Citations) => void
  readonly reject: (error: Error) => void
}

/** More requests would wait for longer than clients do. */
const maxPending = 200

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
  let pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let count = 0

  function open(): Worker {
    const opened = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: directory,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    opened.on('message', (response: CitationResponse) => {
      const request = pending.get(response.id)
      pending.delete(response.id)
      if (pending.size === 0) opened.unref()
      if ('citations' in response) request?.resolve(response.citations)
      else request?.reject(new Error(`cannot be cited: ${response.error}`))
    })
    opened.on('error', (error) => drop(opened, error.message))
    opened.on('exit', () => drop(opened, 'the thread ended'))
    return opened
  }

  /** Fails everything that waits; the next citation starts another thread. */
  function drop(ended: Worker, why: string): void {
    if (worker !== ended) return
    worker = undefined
    const waiting = [...pending.values()]
    pending = new Map()
    for (const { reject } of waiting) reject(unavailable(why))
    void ended.terminate()
  }

  async function ask(item: CitedItem): Promise<Citations> {
    if (pending.size >= maxPending) throw unavailable('Too many citations are asked for.')
    const asked = (worker ??= open())
    asked.ref()
    const id = (count += 1)
    const timer = setTimeout(() => drop(asked, 'The citation took too long.'), timeoutMs)
    try {
      return await new Promise<Citations>((resolve, reject) => {
        pending.set(id, { resolve, reject })
        asked.postMessage({ id, item } satisfies CitationRequest)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    cite: ask,
    async close() {
      const ended = worker
      if (ended) drop(ended, 'The service is stopping.')
      await ended?.terminate()
    },
  }
}

const unavailable = (why: string): UnavailableError =>
  new UnavailableError(message('Citations cannot be made now.'), 5, { cause: new Error(why) })
