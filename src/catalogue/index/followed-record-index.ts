// The record index over a store that other processes share: the index in memory, which is filled
// from the store while the service answers already, and kept current by the commits that this
// process learns of. Until it is full, and whenever it may be outdated, the generated SPARQL
// answers (docs/explanation/remote-store.md, "The index in memory").

import type { IsCurrent } from '../../lib/cache.js'
import type { MostFrequent } from '../../lib/text-index/postings.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import { redirectOfEntry } from '../../model/record/redirect.js'
import type { Reference } from '../../model/record/views.js'
import type { Counted, ListSpec } from '../../queries/list-queries.js'
import type { TextQuery } from '../../queries/text-query.js'
import { createYielder } from '../../lib/scheduling.js'
import type { WrittenRecord } from '../../store/commit-listeners.js'
import type { SharedStore } from '../../store/store.js'
import { indexNotReady } from '../errors.js'
import type { SortValues } from '../list-position.js'
import { createRevision, currentUntilWrite } from '../revision.js'
import type {
  BestMatch,
  CrossCounts,
  FoundPage,
  Ids,
  PageFrom,
  PageRange,
  PositionRange,
  Ranked,
  RecordIndex,
  ReferenceField,
  Statistics,
} from '../sparql-record-index.js'
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

const defaultRetryMs = 2000

export class FollowedRecordIndex implements RecordIndex {
  readonly findsWords = true
  readonly #commits: SharedStore['commits']
  readonly #iris: Iris
  readonly #createIndex: () => MemoryRecordIndex
  readonly #sparql: RecordIndex
  readonly #onFilled: FollowedRecordIndexDependencies['onFilled']
  readonly #onError: FollowedRecordIndexDependencies['onError']
  readonly #retryMs: number
  #index: MemoryRecordIndex | undefined
  /** What was written while the index is being filled: the last state of each record. */
  #written: Map<string, WrittenRecord> | undefined
  /** Counts the fillings: a further one ends the one that is under way. */
  readonly #fillings = createRevision()
  #filling: Promise<void> | undefined
  #retryTimer: NodeJS.Timeout | undefined
  readonly #waiting = new Set<() => void>()
  readonly #stopListening: () => void

  constructor({
    store: { commits, listeners },
    iris,
    createIndex,
    filled: index,
    sparql,
    onFilled,
    onError,
    retryMs = defaultRetryMs,
  }: FollowedRecordIndexDependencies) {
    this.#commits = commits
    this.#iris = iris
    this.#createIndex = createIndex
    this.#sparql = sparql
    this.#onFilled = onFilled
    this.#onError = onError
    this.#retryMs = retryMs
    this.#index = index
    this.#stopListening = listeners.add('record index', {
      onCommit: async (commit) => {
        if (this.#written)
          for (const record of commit.records) this.#written.set(record.key, record)
        else await this.#index?.onCommit(commit)
      },
      onGap: () => this.#fillAnew(),
    })
    commits.follow()
    // The one who writes has no gaps.
    if (!this.#index && commits.isCurrent()) this.#fillAnew()
  }

  /** Resolves when the index is full, or after this time. */
  async whenReady(maxMs: number): Promise<void> {
    if (this.filled()) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(done, maxMs)
      this.#waiting.add(done)
    })
  }

  has(reference: Reference): Promise<boolean> {
    return (this.filled() ?? this.#sparql).has(reference)
  }

  async page(listSpec: ListSpec, range: PageRange): Promise<FoundPage> {
    return this.#answering(listSpec).page(listSpec, range)
  }

  async pageFrom(listSpec: ListSpec, range: PositionRange): Promise<PageFrom> {
    return this.#answering(listSpec).pageFrom(listSpec, range)
  }

  async sortValues(listSpec: ListSpec, range: PageRange): Promise<readonly SortValues[]> {
    return this.#answering(listSpec).sortValues(listSpec, range)
  }

  async all(listSpec: ListSpec): Promise<Ids> {
    return this.#answering(listSpec).all(listSpec)
  }

  referrers(by: ReferenceField, to: readonly Reference[]): Promise<Ids> {
    return (this.filled() ?? this.#sparql).referrers(by, to)
  }

  async count(listSpec: ListSpec): Promise<number> {
    return this.#answering(listSpec).count(listSpec)
  }

  async facetCounts(
    listSpec: ListSpec,
    counted: Counted,
    options?: MostFrequent,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#answering(listSpec).facetCounts(listSpec, counted, options)
  }

  async crossCounts(listSpec: ListSpec, rows: Counted, columns: Counted): Promise<CrossCounts> {
    return this.#answering(listSpec).crossCounts(listSpec, rows, columns)
  }

  async ranked(names: readonly ResourceName[], text: TextQuery, range: PageRange): Promise<Ranked> {
    return this.#answering({ text }).ranked(names, text, range)
  }

  async best(listSpec: ListSpec, limit: number): Promise<readonly BestMatch[]> {
    return this.#answering(listSpec).best(listSpec, limit)
  }

  async correct(listSpec: ListSpec): Promise<string | undefined> {
    return this.#answering(listSpec).correct(listSpec)
  }

  statistics(): Promise<Statistics> {
    return (this.filled() ?? this.#sparql).statistics()
  }

  /**
   * The index with all records; undefined while it is being filled, and where it may be outdated.
   */
  filled(): MemoryRecordIndex | undefined {
    return this.#index && this.#commits.isCurrent() ? this.#index : undefined
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#fillings.onWrite([])
    clearTimeout(this.#retryTimer)
    await this.#filling
  }

  #fillAnew(): void {
    // Dropped before the next one is made, since two would need twice the memory.
    this.#index = undefined
    this.#written = new Map()
    this.#fillings.onWrite([])
    clearTimeout(this.#retryTimer)
    const isWanted = currentUntilWrite(this.#fillings)
    this.#filling = Promise.resolve(this.#filling).then(() => this.#fill(isWanted))
  }

  async #fill(isWanted: IsCurrent): Promise<void> {
    if (!isWanted()) return
    const startedAt = performance.now()
    try {
      const filled = this.#createIndex()
      const count = await this.#addAll(filled, isWanted)
      if (!isWanted()) return
      await filled.build()
      // What is written while these are added is added too, and then nothing is left.
      while (isWanted() && this.#written && this.#written.size > 0) {
        const records = [...this.#written.values()]
        this.#written.clear()
        await filled.onCommit({ records })
      }
      if (!isWanted()) return
      this.#index = filled
      this.#written = undefined
      for (const done of this.#waiting) done()
      this.#onFilled?.(count, (performance.now() - startedAt) / 1000)
    } catch (error) {
      if (!isWanted()) return
      this.#onError?.(error)
      this.#retryTimer = setTimeout(() => this.#fillAnew(), this.#retryMs).unref()
    }
  }

  async #addAll(filled: MemoryRecordIndex, isWanted: IsCurrent): Promise<number> {
    const maybeYield = createYielder()
    let count = 0
    for await (const records of this.#commits.records())
      for (const [key, nquads] of records) {
        if (!isWanted()) return count
        if (redirectOfEntry(this.#iris, nquads) === undefined) {
          filled.add(key, nquads)
          count += 1
        }
        await maybeYield()
      }
    return count
  }

  /** The one that answers a list. */
  #answering({ text }: Pick<ListSpec, 'text'>): RecordIndex {
    const index = this.filled()
    if (!index && text) throw indexNotReady()
    return index ?? this.#sparql
  }
}
