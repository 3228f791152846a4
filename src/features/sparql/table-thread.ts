// The thread with the table of public quads. It gets every commit, and gives the threads that run
// queries the quads that these need. No query runs here, so none can break it.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

import { countQuads, forEachQuad } from '../../rdf/nquads.js'
import type { QuadChange } from '../../store/commit-listeners.js'
import { type PatternSet, type QuadPattern, createPatternSet } from './quad-patterns.js'
import { type QuadPiece, QuadTable } from './quad-table.js'
import { lowerThreadPriority } from './thread-priority.js'
import type { FromTable, QuadMessage, QuadRequest, TableConfig, ToTable } from './table-protocol.js'

/** A thread that runs queries. */
type Reader = {
  readonly tell: (commit: readonly QuadChange[]) => void
  /** Serves a request that waited for a commit. */
  readonly goOn: () => void
  readonly isReading: () => boolean
}

// The cast: table-handle.ts gives it.
const { size, maxRemoved } = workerData as TableConfig
let table = new QuadTable(size)
/** The table that is being made to replace the other one. It gets all commits too. */
let smaller: QuadTable | undefined
/** The quads that were removed since the table was made. Their terms are still in it. */
let removedQuads = 0
/** The number of the last commit. */
let lastCommit = 0
/** The parts of each large commit that came so far. */
const parts = new Map<number, QuadChange[]>()
const readers = new Set<Reader>()

lowerThreadPriority()
parentPort?.on('message', (message: ToTable) => {
  if (message.kind === 'load') {
    table.load(message.nquads)
    parentPort?.postMessage({ kind: 'loaded' } satisfies FromTable)
  } else if (message.kind === 'change') {
    commit([message], message.number)
  } else if (message.kind === 'part') {
    const earlier = parts.get(message.id)
    if (earlier) earlier.push(message)
    else parts.set(message.id, [message])
  } else if (message.kind === 'complete') {
    commit(parts.get(message.id) ?? [], message.number)
    parts.delete(message.id)
  } else if (message.kind === 'count') {
    const counts = message.lists.map((patterns) => table.count(createPatternSet(patterns).parts))
    parentPort?.postMessage({ kind: 'counted', counts } satisfies FromTable)
  } else {
    connect(message.port)
  }
})

function commit(changes: readonly QuadChange[], number: number): void {
  for (const { removed, added } of changes) {
    for (const target of smaller ? [table, smaller] : [table]) {
      target.remove(removed)
      target.add(added)
    }
    removedQuads += countQuads(removed)
  }
  lastCommit = number
  for (const reader of readers) {
    reader.tell(changes)
    reader.goOn()
  }
  if (!smaller && removedQuads > (maxRemoved ?? Math.max(500_000, table.size))) dropOldTerms()
}

/**
 * Copies the table, without the terms that only removed quads had, in steps, so that queries need
 * not wait.
 */
function dropOldTerms(): void {
  removedQuads = 0
  const copy = new QuadTable(table.size)
  const pieces = table.select(createPatternSet([{}]).parts, createPatternSet().parts)
  smaller = copy
  const goOn = (): void => {
    const next = pieces.next()
    if (next.done !== true) {
      copy.add(new TextDecoder().decode(next.value.nquads))
      setImmediate(goOn)
    } else if ([...readers].some((reader) => reader.isReading())) {
      // They read from the table that gets the commits.
      setTimeout(goOn, waitMs)
    } else {
      table = copy
      smaller = undefined
    }
  }
  goOn()
}

const waitMs = 50

function connect(port: MessagePort): void {
  const known = createPatternSet()
  let waiting: (QuadRequest & { readonly kind: 'get' }) | undefined
  let pieces: Iterator<QuadPiece, void> | undefined
  let empty: readonly QuadPattern[] = []

  const post = (message: QuadMessage, transferred: ArrayBuffer[] = []): void =>
    port.postMessage(message, transferred)

  function begin(): void {
    if (!waiting || waiting.after > lastCommit) return
    const { patterns } = waiting
    waiting = undefined
    empty = patterns.filter((pattern) => !table.hasTerms(pattern))
    if (patterns.length > 0) {
      pieces = table.select(createPatternSet(patterns).parts, known.parts)
      patterns.forEach(known.add)
    }
    sendNext()
  }

  function sendNext(): void {
    const next = pieces?.next()
    if (next && next.done !== true)
      post({ kind: 'quads', ...next.value }, [next.value.nquads.buffer])
    else {
      pieces = undefined
      post({ kind: 'complete', empty })
    }
  }

  const reader: Reader = {
    tell(commit) {
      const parts = commit
        .map(({ removed, added }) => ({
          removed: matching(removed, known),
          added: matching(added, known),
        }))
        .filter(({ removed, added }) => removed !== '' || added !== '')
      if (parts.length > 0) post({ kind: 'change', parts })
    },
    goOn: begin,
    isReading: () => pieces !== undefined,
  }
  readers.add(reader)
  port.on('message', (request: QuadRequest) => {
    if (request.kind === 'get') {
      waiting = request
      begin()
    } else sendNext()
  })
  port.on('close', () => readers.delete(reader))
}

/** The quads with a pattern of the set. */
function matching(nquads: string, patterns: PatternSet): string {
  if (patterns.isEmpty()) return ''
  let matches = ''
  forEachQuad(nquads, (quad, start, end) => {
    if (patterns.matches(quad)) matches += nquads.slice(start, end)
  })
  return matches
}
