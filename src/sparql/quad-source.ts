// Fills the Oxigraph of a worker with the quads that its queries need, and keeps these current. table-thread.ts is the
// other side.

import type { MessagePort } from 'node:worker_threads'

import { countQuads } from '../rdf/nquads.js'
import { createGarbageCounter } from '../store/embedded/garbage-counter.js'
import { type QuadPattern, createPatternSet } from './quad-patterns.js'
import type { QuadMessage, QuadRequest } from './table-protocol.js'

/** What is filled. */
type Target = {
  readonly load: (nquads: string) => void
  readonly change: (removed: string, added: string) => void
}

type SourceEvents = {
  /**
   * Called when a new target with these patterns would be better: this one has much garbage, or more patterns than it is
   * worth to keep current.
   */
  readonly onStale: (patterns: readonly QuadPattern[]) => void
  /** Called when the target failed; its content is unknown then. */
  readonly onError: (error: Error) => void
}

export type QuadSource = {
  /** Whether quads have to be loaded for these patterns. */
  readonly isMissing: (patterns: readonly QuadPattern[]) => boolean
  /** Resolves when the target has the quads of these patterns, as they are after this commit or a later one. */
  readonly provide: (patterns: readonly QuadPattern[], after: number) => Promise<void>
}

/** So many patterns are kept current: each change is compared with all. */
const maxPatterns = 1_000

/** @param maxRemoved how many quads may be removed from the target before it is stale, unless by its size */
export function connectQuadSource(
  port: MessagePort,
  target: Target,
  { onStale, onError }: SourceEvents,
  maxRemoved?: number,
): QuadSource {
  const known = createPatternSet()
  const patterns: QuadPattern[] = []
  let loaded = 0
  const garbage = createGarbageCounter(
    () => loaded,
    maxRemoved === undefined ? undefined : () => maxRemoved,
  )
  let onComplete: (() => void) | undefined

  port.on('message', (message: QuadMessage) => {
    try {
      handle(message)
    } catch (error) {
      onError(error as Error)
    }
  })

  function handle(message: QuadMessage): void {
    if (message.kind === 'complete') onComplete?.()
    else if (message.kind === 'quads') {
      target.load(message.nquads)
      loaded += countQuads(message.nquads)
      post({ kind: 'next' })
    } else {
      target.change(message.removed, message.added)
      loaded += countQuads(message.added)
      if (garbage.add(message)) onStale(patterns)
    }
  }

  const post = (request: QuadRequest): void => port.postMessage(request)

  return {
    isMissing: (wanted) => !wanted.every(known.covers),
    provide(wanted, after) {
      const missing = wanted.filter((pattern) => !known.covers(pattern))
      missing.forEach(known.add)
      patterns.push(...missing)
      if (patterns.length > maxPatterns) onStale([])
      return new Promise((resolve) => {
        onComplete = resolve
        post({ kind: 'get', patterns: missing, after })
      })
    },
  }
}
