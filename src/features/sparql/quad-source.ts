// Fills the Oxigraph of a worker with the quads that its queries need, and keeps these current.
// table-thread.ts is the other side.

import type { MessagePort } from 'node:worker_threads'

import { countQuads } from '../../rdf/nquads.js'
import type { QuadChange } from '../../store/commit-listeners.js'
import { type QuadPattern, createPatternSet } from './quad-patterns.js'
import type { QuadMessage, QuadRequest } from './table-protocol.js'

/** What is filled. */
type Target = {
  readonly load: (nquads: Uint8Array) => void
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

/** So many patterns are kept. Of more, those remain that most queries need: the predicates. */
const maxPatterns = 20_000

/**
 * So many quads may be removed in any case: about 60 MB. Oxigraph never frees them (garbage
 * collection is still to be done in its storage/memory.rs): each takes 1.2 KB and slows queries
 * about its subject.
 */
const minRemoved = 50_000

export class QuadSource {
  readonly #port: MessagePort
  readonly #target: Target
  readonly #events: SourceEvents
  readonly #maxRemoved: number | undefined
  readonly #known = createPatternSet()
  readonly #patterns: QuadPattern[] = []
  /** Those with a predicate alone that has quads, and that of all quads. */
  readonly #general: QuadPattern[] = []
  #size = 0
  /** How many quads were removed. */
  #removed = 0
  #onComplete: ((empty: readonly QuadPattern[]) => void) | undefined
  #isStale = false

  /**
   * @param maxRemoved how many quads may be removed from the target before it is stale, unless by its
   * size
   */
  constructor(port: MessagePort, target: Target, events: SourceEvents, maxRemoved?: number) {
    this.#port = port
    this.#target = target
    this.#events = events
    this.#maxRemoved = maxRemoved
    port.on('message', (message: QuadMessage) => {
      try {
        this.#handle(message)
      } catch (error) {
        this.#events.onError(error as Error)
      }
    })
  }

  /** Whether quads have to be loaded for these patterns. */
  isMissing(patterns: readonly QuadPattern[]): boolean {
    return !patterns.every(this.#known.covers)
  }

  /**
   * Resolves when the target has the quads of these patterns, as they are after this commit or a
   * later one.
   */
  provide(patterns: readonly QuadPattern[], after: number): Promise<void> {
    const missing = patterns.filter((pattern) => !this.#known.covers(pattern))
    missing.forEach(this.#known.add)
    this.#patterns.push(...missing)
    return new Promise((resolve) => {
      this.#onComplete = (empty) => {
        const unused = new Set(empty.filter(isGeneral).map(({ predicate }) => predicate))
        this.#general.push(
          ...missing.filter((pattern) => isGeneral(pattern) && !unused.has(pattern.predicate)),
        )
        if (this.#patterns.length > maxPatterns) this.#becomeStale(this.#general)
        resolve()
      }
      this.#post({ kind: 'get', patterns: missing, after })
    })
  }

  #handle(message: QuadMessage): void {
    if (message.kind === 'complete') this.#onComplete?.(message.empty)
    else if (message.kind === 'quads') {
      // First, so that the table makes the next piece while this one is loaded.
      this.#post({ kind: 'next' })
      this.#target.load(message.nquads)
      this.#size += message.quads
    } else message.parts.forEach((part) => this.#apply(part))
  }

  #apply(part: QuadChange): void {
    this.#target.change(part.removed, part.added)
    this.#size += countQuads(part.added) - countQuads(part.removed)
    this.#removed += countQuads(part.removed)
    if (this.#removed > (this.#maxRemoved ?? Math.max(minRemoved, this.#size / 20)))
      this.#becomeStale(this.#patterns)
  }

  #becomeStale(patterns: readonly QuadPattern[]): void {
    if (!this.#isStale) this.#events.onStale(patterns)
    this.#isStale = true
  }

  #post(request: QuadRequest): void {
    this.#port.postMessage(request)
  }
}

const isGeneral = ({ subject, object }: QuadPattern): boolean =>
  subject === undefined && object === undefined
