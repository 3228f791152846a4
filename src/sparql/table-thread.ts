// The thread with the table of public quads. It gets every commit, and gives the threads that run queries the quads that
// these need. No query runs here, so none can break it.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

import { countQuads, forEachQuad } from '../rdf/nquads.js'
import { type PatternSet, createPatternSet } from './quad-patterns.js'
import { createQuadTable } from './quad-table.js'
import { lowerThreadPriority } from './thread-priority.js'
import type { FromTable, QuadMessage, QuadRequest, TableConfig, ToTable } from './table-protocol.js'

/** A thread that runs queries. */
type Reader = {
  readonly tell: (removed: string, added: string) => void
  /** Serves a request that waited for a commit. */
  readonly goOn: () => void
  readonly isReading: () => boolean
}

// The cast: table-handle.ts gives it.
const { size } = workerData as TableConfig
let table = createQuadTable(size)
/** The quads that were removed since the table was made. Their terms are still in it. */
let removedQuads = 0
/** The number of the last commit. */
let lastCommit = 0
/** The parts of a large commit that came so far. */
const parts: { readonly removed: string; readonly added: string }[] = []
const readers = new Set<Reader>()

lowerThreadPriority()
parentPort?.on('message', (message: ToTable) => {
  if (message.kind === 'load') {
    table.load(message.nquads)
    parentPort?.postMessage({ kind: 'loaded' } satisfies FromTable)
  } else if (message.kind === 'change') {
    commit([message], message.number)
  } else if (message.kind === 'part') {
    parts.push(message)
  } else if (message.kind === 'complete') {
    commit(parts.splice(0), message.number)
  } else {
    connect(message.port)
  }
})

function commit(
  changes: readonly { readonly removed: string; readonly added: string }[],
  number: number,
): void {
  for (const { removed, added } of changes) {
    table.remove(removed)
    table.add(added)
    removedQuads += countQuads(removed)
    for (const reader of readers) reader.tell(removed, added)
  }
  lastCommit = number
  for (const reader of readers) reader.goOn()
  dropOldTerms()
}

/** How many quads may be removed before the table is made again, without the terms that only these had. */
const maxRemoved = 500_000

function dropOldTerms(): void {
  if (removedQuads < Math.max(maxRemoved, table.size)) return
  if ([...readers].some((reader) => reader.isReading())) return
  const all = createPatternSet([{}]).parts
  const none = createPatternSet().parts
  const smaller = createQuadTable(table.size)
  for (const nquads of table.select(all, none)) smaller.load(nquads)
  table = smaller
  removedQuads = 0
}

function connect(port: MessagePort): void {
  const known = createPatternSet()
  let waiting: (QuadRequest & { readonly kind: 'get' }) | undefined
  let pieces: Iterator<string, void> | undefined

  const post = (message: QuadMessage): void => port.postMessage(message)

  function begin(): void {
    if (!waiting || waiting.after > lastCommit) return
    const { patterns } = waiting
    waiting = undefined
    if (patterns.length > 0) {
      pieces = table.select(createPatternSet(patterns).parts, known.parts)
      patterns.forEach(known.add)
    }
    sendNext()
  }

  function sendNext(): void {
    const next = pieces?.next()
    if (next && next.done !== true) post({ kind: 'quads', nquads: next.value })
    else {
      pieces = undefined
      post({ kind: 'complete' })
    }
  }

  const reader: Reader = {
    tell(removed, added) {
      const change = { removed: matching(removed, known), added: matching(added, known) }
      if (change.removed !== '' || change.added !== '') post({ kind: 'change', ...change })
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
  if (patterns.size === 0) return ''
  let found = ''
  forEachQuad(nquads, (quad, start, end) => {
    if (patterns.matches(quad)) found += nquads.slice(start, end)
  })
  return found
}
