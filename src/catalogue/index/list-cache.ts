// Caches lists of one resource as sorted record numbers. A write does not expire a list: the writes
// since it was made are applied to it when it is next used, unless there are too many. Lists that
// depend on other records are volatile: they are kept as they were found, until the next write.

import { type IsCurrent, createCache } from '../../lib/cache.js'
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
  readonly lengthOf: (found: Volatile) => number
}

export function createListCache<Volatile>({
  limits,
  matches,
  comparatorFor,
  lengthOf,
}: ListCacheOptions<Volatile>) {
  let writes = 0
  let changes: IndexChange[] = []
  const lists = createCache<{ readonly list: CachedList } | { readonly found: Volatile }>(
    limits.maxCachedDocs,
    (one) => ('list' in one ? one.list.docs.length : lengthOf(one.found)) + 100,
  )

  /** Applies the writes since the list was made; false when they are too many or forgotten. */
  function applyChanges(list: CachedList, maxChanges: number): boolean {
    const missed = writes - list.writes
    if (missed > Math.min(maxChanges, changes.length)) return false
    if (missed === 0) return true
    const touched = new Map<number, IndexEntry | undefined>()
    for (const { before, after } of changes.slice(-missed)) {
      if (before !== undefined) touched.set(before, undefined)
      if (after) touched.set(after.doc, after.entry)
    }
    for (const doc of touched.keys()) {
      const position = list.docs.all().indexOf(doc)
      if (position >= 0) list.docs.remove(position)
    }
    const compare = comparatorFor(list.listSpec)
    for (const [doc, entry] of touched)
      if (entry && matches(list.listSpec, entry))
        list.docs.insert(binarySearch(list.docs, doc, compare), doc)
    list.writes = writes
    return true
  }

  return {
    /** How many writes there were. */
    writes: (): number => writes,
    onWrite(change: IndexChange): void {
      writes += 1
      changes.push(change)
      // Half of them at once, since each time the others are copied.
      if (changes.length > 2 * limits.maxRememberedChanges)
        changes = changes.slice(-limits.maxRememberedChanges)
    },
    /** The list as it is now; undefined when it has to be made. */
    get(listSpec: ListSpec): DocIds | undefined {
      const known = lists.get(cacheKey(listSpec))
      return known && 'list' in known && applyChanges(known.list, limits.maxAppliedChanges)
        ? known.list.docs
        : undefined
    },
    getVolatile(listSpec: ListSpec): Volatile | undefined {
      const known = lists.get(cacheKey(listSpec))
      return known && 'found' in known ? known.found : undefined
    },
    addVolatile(listSpec: ListSpec, found: Volatile, isCurrent: IsCurrent): void {
      lists.set(cacheKey(listSpec), { found }, isCurrent)
    },
    /**
     * The list as it is now; undefined when it has to be made again, since too much was written.
     * @param docs the list as it was after so many writes; it becomes the cache's own
     */
    add(listSpec: ListSpec, docs: Int32Array, madeAfter: number): DocIds | undefined {
      const list = { listSpec, docs: createDocIds(docs), writes: madeAfter }
      if (!applyChanges(list, limits.maxRememberedChanges)) return undefined
      lists.set(cacheKey(listSpec), { list })
      return list.docs
    },
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
