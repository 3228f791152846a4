// Fills the Oxigraph of a worker with the quads that its queries need, and keeps these current.
// table-thread.ts is the other side.

import type { MessagePort } from 'node:worker_threads'

import { countQuads } from '../../rdf/nquads.js'
import type { QuadChange } from '../../store/commit-listeners.js'
import { type QuadPattern, createPatternSet } from './quad-patterns.js'
import type { QuadMessage, QuadRequest } from './table-protocol.js'

/** What is filled. */
type Target = {
  readonly load: (nquads: string) => void
  readonly change: (removed: string, added: string) => void
}

type SourceEvents = {
  /**
   * Called once, when a new target would be better that begins with these patterns: this one has
   * much garbage, or too many patterns.
   */
  readonly onStale: (patterns: readonly QuadPattern[]) => void
  /** Called when the target failed; its content is unknown then. */
  readonly onError: (error: Error) => void
}

type QuadSource = {
  /** Whether quads have to be loaded for these patterns. */
  readonly isMissing: (patterns: readonly QuadPattern[]) => boolean
  /**
   * Resolves when the target has the quads of these patterns, as they are after this commit or a
   * later one.
   */
  readonly provide: (patterns: readonly QuadPattern[], after: number) => Promise<void>
}

/** So many patterns are kept. Of more, those remain that most queries need: the predicates. */
const maxPatterns = 20_000

/**
 * So many quads may be removed in any case: about 60 MB. Oxigraph never frees them (garbage
 * collection is still to be done in its storage/memory.rs): each takes 1.2 KB and slows queries
 * about its subject.
 */
const minRemoved = 50_000

/**
 * @param maxRemoved how many quads may be removed from the target before it is stale, unless by its
 * size
 */
export function connectQuadSource(
  port: MessagePort,
  target: Target,
  { onStale, onError }: SourceEvents,
  maxRemoved?: number,
): QuadSource {
  const known = createPatternSet()
  const patterns: QuadPattern[] = []
  /** Those with a predicate alone that has quads, and that of all quads. */
  const general: QuadPattern[] = []
  let size = 0
  /** How many quads were removed. */
  let removed = 0
  let onComplete: ((empty: readonly QuadPattern[]) => void) | undefined
  let isStale = false

  port.on('message', (message: QuadMessage) => {
    try {
      handle(message)
    } catch (error) {
      onError(error as Error)
    }
  })

  function handle(message: QuadMessage): void {
    if (message.kind === 'complete') onComplete?.(message.empty)
    else if (message.kind === 'quads') {
      target.load(message.nquads)
      size += countQuads(message.nquads)
      post({ kind: 'next' })
    } else message.parts.forEach(apply)
  }

  function apply(part: QuadChange): void {
    target.change(part.removed, part.added)
    size += countQuads(part.added) - countQuads(part.removed)
    removed += countQuads(part.removed)
    if (removed > (maxRemoved ?? Math.max(minRemoved, size / 20))) becomeStale(patterns)
  }

  function becomeStale(wanted: readonly QuadPattern[]): void {
    if (!isStale) onStale(wanted)
    isStale = true
  }

  const post = (request: QuadRequest): void => port.postMessage(request)

  return {
    isMissing: (wanted) => !wanted.every(known.covers),
    provide(wanted, after) {
      const missing = wanted.filter((pattern) => !known.covers(pattern))
      missing.forEach(known.add)
      patterns.push(...missing)
      return new Promise((resolve) => {
        onComplete = (empty) => {
          const unused = new Set(empty.filter(isGeneral).map(({ predicate }) => predicate))
          general.push(...missing.filter((one) => isGeneral(one) && !unused.has(one.predicate)))
          if (patterns.length > maxPatterns) becomeStale(general)
          resolve()
        }
        post({ kind: 'get', patterns: missing, after })
      })
    },
  }
}

const isGeneral = ({ subject, object }: QuadPattern): boolean =>
  subject === undefined && object === undefined
