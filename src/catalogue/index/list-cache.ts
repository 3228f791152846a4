// Caches lists of one resource as sorted record numbers. A write does not expire a list: the writes
// since it was made are applied to it when it is next used, unless there are too many. Lists that
// depend on other records are volatile: they are kept as they were found, until the next write.

import { type Cache, type IsCurrent, createCache } from '../../lib/cache.js'
import type { ListSpec } from '../../queries/list-queries.js'
import type { IndexEntry } from './index-entry.js'
import {
  type Compare,
  type DocIds,
  binarySearch,
  createDocIds,
} from '../../lib/text-index/sorted-ids.js'

export type ListCacheLimits = {
  /** How many records all cached lists may have together. */
  readonly maxCachedDocs: number
  /** How many writes are applied to a cached list; after more, it is made again. */
  readonly maxAppliedChanges: number
  /** How many writes are remembered. */
  readonly maxRememberedChanges: number
}

/** What a write did: the number that the record had, and its new number and entry. */
export type IndexChange = {
  readonly before: number | undefined
  readonly after: { readonly doc: number; readonly entry: IndexEntry } | undefined
}

/** A list as it was after so many writes. */
type CachedList = { readonly listSpec: ListSpec; readonly docs: DocIds; writes: number }

type ListCacheOptions<Volatile> = {
  readonly limits: ListCacheLimits
  /** Whether a record belongs in a list. */
  readonly matches: (listSpec: ListSpec, entry: IndexEntry) => boolean
  readonly comparatorFor: (listSpec: ListSpec) => Compare
  /** How many numbers a volatile list has in memory. */
  readonly lengthOf: (list: Volatile) => number
}

export class ListCache<Volatile> {
  readonly #limits: ListCacheLimits
  readonly #matches: (listSpec: ListSpec, entry: IndexEntry) => boolean
  readonly #comparatorFor: (listSpec: ListSpec) => Compare
  readonly #lists: Cache<{ readonly list: CachedList } | { readonly volatile: Volatile }>
  #writes = 0
  #changes: IndexChange[] = []

  constructor({ limits, matches, comparatorFor, lengthOf }: ListCacheOptions<Volatile>) {
    this.#limits = limits
    this.#matches = matches
    this.#comparatorFor = comparatorFor
    this.#lists = createCache(
      limits.maxCachedDocs,
      (entry) => ('list' in entry ? entry.list.docs.length : lengthOf(entry.volatile)) + 100,
    )
  }

  /** How many writes there were. */
  writes(): number {
    return this.#writes
  }

  onWrite(change: IndexChange): void {
    this.#writes += 1
    this.#changes.push(change)
    // Half of them at once, since each time the others are copied.
    if (this.#changes.length > 2 * this.#limits.maxRememberedChanges)
      this.#changes = this.#changes.slice(-this.#limits.maxRememberedChanges)
  }

  /** The list as it is now; undefined when it has to be made. */
  get(listSpec: ListSpec): DocIds | undefined {
    const known = this.#lists.get(cacheKey(listSpec))
    return known &&
      'list' in known &&
      this.#applyChanges(known.list, this.#limits.maxAppliedChanges)
      ? known.list.docs
      : undefined
  }

  getVolatile(listSpec: ListSpec): Volatile | undefined {
    const known = this.#lists.get(cacheKey(listSpec))
    return known && 'volatile' in known ? known.volatile : undefined
  }

  addVolatile(listSpec: ListSpec, volatile: Volatile, isCurrent: IsCurrent): void {
    this.#lists.set(cacheKey(listSpec), { volatile }, isCurrent)
  }

  /**
   * The list as it is now; undefined when it has to be made again, since too much was written.
   * @param docs the list as it was after so many writes; it becomes the cache's own
   */
  add(listSpec: ListSpec, docs: Int32Array, madeAfter: number): DocIds | undefined {
    const list = { listSpec, docs: createDocIds(docs), writes: madeAfter }
    if (!this.#applyChanges(list, this.#limits.maxRememberedChanges)) return undefined
    this.#lists.set(cacheKey(listSpec), { list })
    return list.docs
  }

  /** Applies the writes since the list was made; false when they are too many or forgotten. */
  #applyChanges(list: CachedList, maxChanges: number): boolean {
    const missed = this.#writes - list.writes
    if (missed > Math.min(maxChanges, this.#changes.length)) return false
    if (missed === 0) return true
    const touched = new Map<number, IndexEntry | undefined>()
    for (const { before, after } of this.#changes.slice(-missed)) {
      if (before !== undefined) touched.set(before, undefined)
      if (after) touched.set(after.doc, after.entry)
    }
    for (const doc of touched.keys()) {
      const position = list.docs.all().indexOf(doc)
      if (position >= 0) list.docs.remove(position)
    }
    const compare = this.#comparatorFor(list.listSpec)
    for (const [doc, entry] of touched)
      if (entry && this.#matches(list.listSpec, entry))
        list.docs.insert(binarySearch(list.docs, doc, compare), doc)
    list.writes = this.#writes
    return true
  }
}

const cacheKey = ({ filters, terms, times, order, text, conditions = [] }: ListSpec): string =>
  JSON.stringify([
    filters.map(({ filter, term }) => [filter.name, term.value]),
    terms,
    times ? [times.field.name, times.since, times.before] : null,
    order.map(({ field, descending }) => [field.name, descending]),
    text?.key,
    conditions.map(({ key, isMet }) => [key, isMet]),
  ])
