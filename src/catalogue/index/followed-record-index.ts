// The record index over a store that other processes share: the index in memory, which is filled
// from the store while the service answers already, and kept current by the commits that this
// process learns of. Until it is full, and whenever it may be outdated, the generated SPARQL
// answers (docs/explanation/remote-store.md, "The index in memory").

import type { IsCurrent } from '../../lib/cache.js'
import type { Iris } from '../../model/iris.js'
import { redirectOfEntry } from '../../model/record/redirect.js'
import type { ListSpec } from '../../queries/list-queries.js'
import { createYielder } from '../../lib/scheduling.js'
import type { WrittenRecord } from '../../store/commit-listeners.js'
import type { SharedStore } from '../../store/store.js'
import { indexNotReady } from '../errors.js'
import { createRevision, currentUntilWrite } from '../revision.js'
import type { RecordIndex } from '../sparql-record-index.js'
import type { MemoryRecordIndex } from './memory-record-index.js'

type FollowedRecordIndexDependencies = {
  readonly store: Pick<SharedStore, 'commits' | 'listeners'>
  readonly iris: Iris
  readonly createIndex: () => MemoryRecordIndex
  /** An index with all records, where there is one. Only for the one who writes. */
  readonly filled?: MemoryRecordIndex | undefined
  /** Answers while the index in memory cannot. */
  readonly sparql: RecordIndex
  /** Called when the index is full, with the number of records and the seconds that it took. */
  readonly onFilled?: ((records: number, seconds: number) => void) | undefined
  readonly onError?: ((error: unknown) => void) | undefined
  /** The pause before it is filled again after an error. */
  readonly retryMs?: number
}

export type FollowedRecordIndex = RecordIndex & {
  /** Resolves when the index is full, or after this time. */
  whenReady(maxMs: number): Promise<void>
  /**
   * The index with all records; undefined while it is being filled, and where it may be outdated.
   */
  filled(): MemoryRecordIndex | undefined
  close(): Promise<void>
}

const defaultRetryMs = 2000

export function createFollowedRecordIndex({
  store: { commits, listeners },
  iris,
  createIndex,
  filled: given,
  sparql,
  onFilled,
  onError,
  retryMs = defaultRetryMs,
}: FollowedRecordIndexDependencies): FollowedRecordIndex {
  let index = given
  /** What was written while the index is being filled: the last state of each record. */
  let written: Map<string, WrittenRecord> | undefined
  /** Counts the fillings: a further one ends the one that is under way. */
  const fillings = createRevision()
  let filling: Promise<void> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  const waiting = new Set<() => void>()

  const stopListening = listeners.add('record index', {
    async onCommit(commit) {
      if (written) for (const record of commit.records) written.set(record.key, record)
      else await index?.onCommit(commit)
    },
    onGap: fillAnew,
  })
  commits.follow()
  // The one who writes has no gaps.
  if (!index && commits.isCurrent()) fillAnew()

  function fillAnew(): void {
    // Dropped before the next one is made, since two would need twice the memory.
    index = undefined
    written = new Map()
    fillings.onWrite([])
    clearTimeout(retryTimer)
    const isWanted = currentUntilWrite(fillings)
    filling = Promise.resolve(filling).then(() => fill(isWanted))
  }

  async function fill(isWanted: IsCurrent): Promise<void> {
    if (!isWanted()) return
    const startedAt = performance.now()
    try {
      const filled = createIndex()
      const count = await addAll(filled, isWanted)
      if (!isWanted()) return
      await filled.build()
      // What is written while these are added is added too, and then nothing is left.
      while (isWanted() && written && written.size > 0) {
        const records = [...written.values()]
        written.clear()
        await filled.onCommit({ records })
      }
      if (!isWanted()) return
      index = filled
      written = undefined
      for (const done of waiting) done()
      onFilled?.(count, (performance.now() - startedAt) / 1000)
    } catch (error) {
      if (!isWanted()) return
      onError?.(error)
      retryTimer = setTimeout(fillAnew, retryMs).unref()
    }
  }

  async function addAll(filled: MemoryRecordIndex, isWanted: IsCurrent): Promise<number> {
    const maybeYield = createYielder()
    let count = 0
    for await (const records of commits.records())
      for (const [key, nquads] of records) {
        if (!isWanted()) return count
        if (redirectOfEntry(iris, nquads) === undefined) {
          filled.add(key, nquads)
          count += 1
        }
        await maybeYield()
      }
    return count
  }

  const ready = (): MemoryRecordIndex | undefined =>
    index && commits.isCurrent() ? index : undefined

  /** The one that answers a list. */
  function answering({ text }: Pick<ListSpec, 'text'>): RecordIndex {
    const found = ready()
    if (!found && text) throw indexNotReady()
    return found ?? sparql
  }

  return {
    findsWords: true,
    async whenReady(maxMs) {
      if (ready()) return
      await new Promise<void>((resolve) => {
        const done = (): void => {
          waiting.delete(done)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(done, maxMs)
        waiting.add(done)
      })
    },
    has: (reference) => (ready() ?? sparql).has(reference),
    page: async (listSpec, range) => answering(listSpec).page(listSpec, range),
    pageFrom: async (listSpec, range) => answering(listSpec).pageFrom(listSpec, range),
    sortValues: async (listSpec, range) => answering(listSpec).sortValues(listSpec, range),
    all: async (listSpec) => answering(listSpec).all(listSpec),
    referrers: (by, to) => (ready() ?? sparql).referrers(by, to),
    count: async (listSpec) => answering(listSpec).count(listSpec),
    facetCounts: async (listSpec, counted, options) =>
      answering(listSpec).facetCounts(listSpec, counted, options),
    crossCounts: async (listSpec, rows, columns) =>
      answering(listSpec).crossCounts(listSpec, rows, columns),
    ranked: async (names, text, range) => answering({ text }).ranked(names, text, range),
    correct: async (listSpec) => answering(listSpec).correct(listSpec),
    statistics: () => (ready() ?? sparql).statistics(),
    filled: ready,
    async close() {
      stopListening()
      fillings.onWrite([])
      clearTimeout(retryTimer)
      await filling
    },
  }
}
