// The index of one resource: finds the records of a list and sorts them. Records are numbers here
// (documents.ts), cached lists are left to list-cache.ts, and what is indexed of a record is
// decided in index-entry.ts (docs/explanation/record-index.md, "The record index").

import {
  type CountedValue,
  type IndexedValue,
  type Field,
  type Resource,
  indexedValuesOf,
} from '../../model/resources.js'
import type { ListSpec, TimeCondition } from '../../queries/list-queries.js'
import { collectInSteps, yieldToEventLoop } from '../../lib/scheduling.js'
import { toMicroseconds } from '../clock.js'
import { relevance } from '../search/relevance.js'
import type { TextMatches, TextSearch } from '../search/text-search.js'
import { type SavedTexts, type TextIndex, createTextIndex } from '../search/text-index.js'
import type { WordList } from '../../lib/text-index/word-list.js'
import { withRoom } from '../../lib/typed-arrays.js'
import { splitWords } from '../search-terms.js'
import type { MostFrequent } from '../../lib/text-index/postings.js'
import { currentUntilWrite } from '../revision.js'
import type { DocsByValue } from './cross-counts.js'
import { type SavedDocuments, createDocuments } from './documents.js'
import { type IndexEntry, orderedFields } from './index-entry.js'
import { type OrderedDocs, bestFirst, inOrder } from '../../lib/text-index/ordered-docs.js'
import { type ListCacheLimits, createListCache } from './list-cache.js'
import { type ConditionMarksDependencies, createConditionMarks } from './condition-marks.js'
import {
  type DocSet,
  type SavedPostings,
  createPostings,
  noDocs,
} from '../../lib/text-index/postings.js'
import {
  type KeyPosition,
  type Keys,
  type SortKey,
  type SortOrder,
  createComparator,
  createPositionTest,
  createSortOrder,
  onlyMarked,
  sortDocs,
  sortFew,
  sortIndexesById,
} from './sort-order.js'
import { countLeading } from '../../lib/text-index/sorted-ids.js'

export type IndexLimits = ListCacheLimits & {
  /** How many numbers may be dead before they are swept, besides a quarter of all. */
  readonly maxDeadDocs: number
}

export const defaultLimits: IndexLimits = {
  maxCachedDocs: 4e6,
  maxAppliedChanges: 64,
  maxRememberedChanges: 1024,
  maxDeadDocs: 10_000,
}

/** The records of a list in order, and what its search found. */
type FoundList = { readonly docs: OrderedDocs; readonly matches: TextMatches | undefined }

export type ResourceIndex = ReturnType<typeof createResourceIndex>

export type SavedResourceIndex = {
  readonly documents: SavedDocuments
  /** The numbers of the records in each order. */
  readonly orders: readonly Int32Array[]
  readonly postings: readonly SavedPostings[]
  readonly text: SavedTexts
}

/** The records of a list: their numbers, or a mark for each; undefined stands for all records. */
type MatchingDocs = Int32Array | DocSet | undefined

const isList = (docs: MatchingDocs): docs is Int32Array => docs instanceof Int32Array

/** Up to so many records are sorted by comparing them; for more, counting ranks is faster. */
const maxCompared = 1000

/** Few are at most such a part of all. */
const fewShare = 8

/** What the indexes of all resources share. */
export type SharedIndex = {
  readonly words: WordList
  /** Looks through the indexes of all resources. */
  readonly search: () => Pick<TextSearch, 'find' | 'links'>
} & Pick<ConditionMarksDependencies, 'markNamed' | 'isRecord' | 'textOf' | 'revision'>

export function createResourceIndex(
  resource: Resource,
  { words: wordList, search: textSearch, ...others }: SharedIndex,
  limits: IndexLimits = defaultLimits,
) {
  const { revision } = others
  const fields = orderedFields(resource)
  const filters = indexedValuesOf(resource)

  const documents = createDocuments(fields.length)
  const { ids, keys, isAlive } = documents
  const byId = createSortOrder([], ids)
  const orders = keys.map((own) => createSortOrder(own, ids))
  const allOrders = [byId, ...orders]

  const values = filters.map(() => createPostings())
  const words = createPostings({ isLookedThrough: true })
  const allPostings = [...values, words]
  const text: TextIndex = createTextIndex(resource, wordList)
  let sweeping: Promise<void> | undefined
  const marksOf = createConditionMarks({
    filters,
    values,
    documents,
    ...others,
  })

  // How well records match a search, by number: those of the search that was sorted or used last,
  // which is done at once.
  let scores: Int32Array = noScores
  let scored: TextMatches | undefined
  const lists = createListCache<FoundList>({
    limits,
    matches: (listSpec, entry) =>
      matches(listSpec, entry, filters) && matchesTimes(listSpec, entry),
    comparatorFor: ({ order }) => comparatorFor(order),
    lengthOf: ({ docs, matches: found }) => docs.length + 2 * (found?.docs.length ?? 0),
  })

  /** Adds a record that the index does not have; lists have it after `build`. */
  function add(entry: IndexEntry): number {
    const doc = documents.add(entry)
    values.forEach((own, position) => {
      for (const value of entry.values[position] ?? []) {
        const known = own.texts.length
        const number = own.add(value, doc)
        if (number === known) textSearch().links.onNewValue(resource.name, position, value, number)
      }
    })
    text.add(doc, entry.fieldTexts)
    textSearch().links.onAdd(resource.name, entry.id, doc, entry.values)
    for (const word of new Set(entry.texts.flatMap(splitWords))) words.add(word, doc)
    return doc
  }

  /** Sorts and compacts everything that was added, in small steps. */
  function* build(): Generator<void> {
    for (const order of allOrders) yield* order.fill(documents.numbers())
    for (const postings of allPostings) yield* postings.compact(isAlive)
    yield* text.compact(isAlive)
    byId.positions()
    yield
    for (const order of orders) {
      order.ranks()
      yield
    }
  }

  /**
   * Has to be called for every write: with the record's new entry, or without one when it was
   * removed.
   */
  function update(id: string, entry: IndexEntry | undefined): void {
    const before = documents.numberOf(id)
    /** Where the record stays in an order. */
    const places = new Map<SortOrder, number>()
    if (before !== undefined) {
      if (entry)
        for (const order of ordersOfSameKeys(before, entry))
          places.set(order, order.positionOf(before))
      for (const order of allOrders) if (!places.has(order)) order.remove(before)
      documents.remove(before)
      text.remove(before)
      textSearch().links.onRemove(resource.name, before)
    }
    const doc = entry && add(entry)
    if (doc !== undefined)
      for (const order of allOrders) {
        const place = places.get(order)
        if (place === undefined) order.insert(doc)
        else order.replace(place, doc)
      }
    revision.onWrite([])
    lists.onWrite({ before, after: entry && doc !== undefined ? { doc, entry } : undefined })
    if (documents.hasManyDead(limits.maxDeadDocs)) sweeping ??= sweep()
  }

  const ordersOfSameKeys = (doc: number, entry: IndexEntry): readonly SortOrder[] => [
    byId,
    ...orders.filter((_, position) => keys[position]?.[doc] === entry.keys[position]),
  ]

  /** Removes all traces of dead numbers, so that they can be used again. */
  async function sweep(): Promise<void> {
    const dead = documents.takeDead()
    for (const postings of allPostings) await collectInSteps(postings.compact(isAlive))
    await collectInSteps(text.compact(isAlive))
    documents.release(dead)
    sweeping = undefined
  }

  /**
   * Finds the records of a list, in its order, as they are now.
   * @param use takes what it needs from the numbers at once: later they may stand for other records
   */
  async function find<Result>(
    listSpec: ListSpec,
    use: (docs: OrderedDocs) => Result,
  ): Promise<Result> {
    if (dependsOnOthers(listSpec)) return findAnew(listSpec, use)
    const cached = lists.get(listSpec)
    if (cached) return use(inOrder(cached.all()))
    for (;;) {
      const madeAfter = lists.writes()
      const list = lists.add(listSpec, sort(listSpec, await search(listSpec)), madeAfter)
      if (list) return use(inOrder(list.all()))
    }
  }

  /** A list that any write may change: it is kept until the next one. */
  async function findAnew<Result>(
    listSpec: ListSpec,
    use: (docs: OrderedDocs) => Result,
  ): Promise<Result> {
    for (;;) {
      const known = lists.getVolatile(listSpec)
      if (known) {
        setScores(known.matches)
        return use(known.docs)
      }
      const isCurrent = currentUntilWrite(revision)
      const matching = await search(listSpec)
      const matches = listSpec.text && (await textSearch().find(resource.name, listSpec.text))
      // What is used has to be of this moment, so it is not left to `readUnchanged`.
      if (!isCurrent()) continue
      setScores(matches)
      const docs = ordered(listSpec, inBoth(matching, matches))
      lists.addVolatile(listSpec, { docs, matches }, isCurrent)
      return use(docs)
    }
  }

  /** Other records keep the scores of earlier searches. */
  function setScores(matches: TextMatches | undefined): void {
    if (!matches || matches === scored) return
    const { docs, scores: own } = matches
    const { length } = docs
    const all = (scores = withRoom(scores, ids.length))
    for (let index = 0; index < length; index += 1) all[docs[index] ?? -1] = own[index] ?? 0
    scored = matches
  }

  const inBoth = (docs: MatchingDocs, matches: TextMatches | undefined): MatchingDocs => {
    if (!matches) return docs
    const marks = isList(docs) ? markDocs(docs, ids.length) : docs
    return marks ? onlyMarked(matches.docs, marks) : matches.docs
  }

  function ordered(listSpec: ListSpec, docs: MatchingDocs): OrderedDocs {
    const [first, ...further] = listSpec.order
    if (!isList(docs) || first?.field !== relevance || !first.descending || further.length > 0)
      return inOrder(sort(listSpec, docs))
    return bestFirst(docs, {
      scores: () => scores,
      compare: () => comparatorFor(listSpec.order),
      sort: () => sort(listSpec, docs),
    })
  }

  async function search(listSpec: ListSpec): Promise<MatchingDocs> {
    const { terms, conditions = [] } = listSpec
    const found = matchFilters(listSpec)
    const ofConditions = conditions.map(marksOf)
    const ofTerms = await matchTerms(terms)
    const sets = ofTerms ? [...ofConditions, ofTerms] : ofConditions
    if (!found) return inAll(sets)
    return onlyWanted(found, (doc) => isAlive(doc) && isInAll(doc, sets))
  }

  /**
   * How many records a list has. It is not sorted for that where it differs from another one by its
   * conditions.
   */
  const countOf = ({ conditions = [], ...listSpec }: ListSpec): Promise<number> =>
    find(listSpec, (docs) => {
      const marks = inAll(conditions.map(marksOf))
      return marks ? countMarked(docs.unsorted(), marks) : docs.length
    })

  function matchFilters({ filters: conditions, times }: ListSpec): Int32Array | undefined {
    const matching = [
      ...conditions.map(
        ({ filter, term }) => values[filters.indexOf(filter)]?.docsWith(term.value) ?? noDocs,
      ),
      ...(times ? [docsInTimes(times)] : []),
    ]
    const [first, ...others] = matching
    return first && others.reduce((found, docs) => intersection(found, docs, ids.length), first)
  }

  function docsInTimes({ field, since, before }: TimeCondition): Int32Array {
    const position = fields.indexOf(field)
    const docs = orders[position]?.all() ?? noDocs
    const countEarlier = (time: string): number => {
      const limit = toMicroseconds(time)
      return countLeading(docs, (doc) => Number(keys[position]?.[doc]) < limit)
    }
    const start = since === undefined ? 0 : countEarlier(since)
    // The array changes with the next write.
    return docs.slice(start, before === undefined ? undefined : countEarlier(before))
  }

  function matchesTimes({ times }: ListSpec, { keys: own }: IndexEntry): boolean {
    if (!times) return true
    const time = Number(own[fields.indexOf(times.field)])
    return (
      (times.since === undefined || time >= toMicroseconds(times.since)) &&
      (times.before === undefined || time < toMicroseconds(times.before))
    )
  }

  /** Marks the records that have every term; also dead numbers, which no list has. */
  async function matchTerms(terms: readonly string[]): Promise<DocSet | undefined> {
    let marks: DocSet | undefined
    for (const [index, term] of terms.entries()) {
      // Each term takes some milliseconds.
      if (index > 0) await yieldToEventLoop()
      // With these marked from the start, the search of a term ends when all others are found.
      const own = documents.markUnused()
      words.addDocsContaining(term, own, documents.count())
      marks = marks ? marks.map((mark, doc) => mark & (own[doc] ?? 0)) : own
    }
    return marks
  }

  function sort({ order }: ListSpec, docs: MatchingDocs): Int32Array {
    if (isList(docs) && docs.length <= maxCompared) return docs.slice().sort(comparatorFor(order))
    const steps = order.map(({ field, descending }) =>
      field === relevance
        ? { scores, descending }
        : { order: orders[fields.indexOf(field)] ?? byId, descending },
    )
    if (isList(docs) && docs.length <= ids.length / fewShare) return sortFew(byId, steps, docs)
    return sortDocs(byId, steps, isList(docs) ? markDocs(docs, ids.length) : docs)
  }

  const comparatorFor = (order: ListSpec['order']) => createComparator(sortKeysOf(order), ids)

  const sortKeysOf = (order: ListSpec['order']): SortKey[] =>
    order.map(({ field, descending }) => ({
      keys: field === relevance ? scores : (keys[fields.indexOf(field)] ?? []),
      descending,
    }))

  /** How many records of a list, which is sorted, come before a position. */
  const countBefore = ({ order }: ListSpec, docs: Int32Array, position: KeyPosition): number =>
    countLeading(docs, createPositionTest(sortKeysOf(order), ids, position))

  /** The keys that a record is sorted by, with the identifier last. */
  const keysOf = ({ order }: ListSpec, doc: number): KeyPosition => [
    ...sortKeysOf(order).map(({ keys: own }) => own[doc]),
    idOf(doc),
  ]

  const idOf = (doc: number): string => ids[doc] ?? ''

  /** How many records of a list have each value of a filter. */
  function facetCounts(
    listSpec: ListSpec,
    filter: CountedValue,
    options?: MostFrequent,
  ): Promise<Map<string, number>> {
    const postings = values[filters.indexOf(filter)]
    return find(listSpec, (found) => {
      const docs = found.unsorted()
      return (
        postings?.countByText(docs, markDocs(docs, ids.length), options) ??
        new Map<string, number>()
      )
    })
  }

  /** Those of these records that have each value of a filter. */
  function docsByValue(docs: Int32Array, filter: CountedValue): DocsByValue {
    const marks = markDocs(docs, ids.length)
    const postings = values[filters.indexOf(filter)]
    const found = new Map<string, readonly number[]>()
    postings?.texts.forEach((text, number) => {
      const own: number[] = []
      postings.forEachDoc(number, (doc) => {
        if (marks[doc] === 1) own.push(doc)
      })
      if (own.length > 0) found.set(text, own)
    })
    return found
  }

  /** The first and the last key of a field. */
  function firstAndLastKey(field: Field): readonly [Keys[number], Keys[number]] {
    const position = fields.indexOf(field)
    const docs = orders[position]?.all()
    const keyOf = (doc: number | undefined) =>
      doc === undefined ? undefined : keys[position]?.[doc]
    return [keyOf(docs?.[0]), keyOf(docs?.at(-1))]
  }

  /** What `restore` needs. Nothing may be written meanwhile. */
  async function save(): Promise<SavedResourceIndex> {
    await sweeping
    await sweep()
    return {
      documents: documents.save(),
      orders: allOrders.map((order) => order.all()),
      postings: allPostings.map((postings) => postings.save()),
      text: text.save(),
    }
  }

  /** Fills the index while it is empty. The words have to be restored before. */
  function restore(saved: SavedResourceIndex): void {
    documents.restore(saved.documents)
    allOrders.forEach((order, position) => order.restore(saved.orders[position] ?? noScores))
    allPostings.forEach((postings, position) => {
      const own = saved.postings[position]
      if (own) postings.restore(own)
    })
    text.restore(saved.text)
    for (const order of orders) order.ranks()
    byId.positions()
  }

  return {
    add,
    build,
    save,
    restore,
    update,
    find,
    facetCounts,
    docsByValue,
    firstAndLastKey,
    has: (id: string): boolean => documents.numberOf(id) !== undefined,
    idOf,
    countOf,
    countBefore,
    keysOf,
    /** The positions of records in an array, in the order of their identifiers. */
    sortById: (docs: Int32Array): Int32Array => sortIndexesById(byId, docs),
    count: documents.count,
    text,
    values,
    documents,
    docsWith: matchFilters,
  }
}

/** Whether other records than its own can change a list. */
const dependsOnOthers = ({ text, conditions = [] }: ListSpec): boolean =>
  text !== undefined || conditions.length > 0

const noScores: Int32Array = new Int32Array(0)

function isInAll(doc: number, sets: readonly DocSet[]): boolean {
  for (const marks of sets) if (marks[doc] !== 1) return false
  return true
}

/** The records that all sets have; undefined without any set. None of the sets is changed. */
function inAll(sets: readonly DocSet[]): DocSet | undefined {
  const [first, ...others] = sets
  if (!first || others.length === 0) return first
  return first.map((mark, doc) => (isInAll(doc, others) ? mark : 0))
}

/** Whether a record belongs in a list. */
const matches = (
  { filters: conditions, terms }: ListSpec,
  entry: IndexEntry,
  filters: readonly IndexedValue[],
): boolean =>
  conditions.every(({ filter, term }) =>
    entry.values[filters.indexOf(filter)]?.includes(term.value),
  ) && terms.every((term) => entry.texts.some((text) => text.includes(term)))

// Here and in sort-order.ts and postings.ts loops over typed arrays go by position: with their
// iterators or `forEach` they take four times as long.

/** @param length how many numbers there are */
export function markDocs(docs: readonly number[] | Int32Array, length: number): DocSet {
  const marks = new Uint8Array(length)
  const { length: count } = docs
  for (let position = 0; position < count; position += 1) marks[docs[position] ?? -1] = 1
  return marks
}

function intersection(some: Int32Array, others: Int32Array, length: number): Int32Array {
  const [fewer, more] = some.length < others.length ? [some, others] : [others, some]
  return onlyMarked(fewer, markDocs(more, length))
}

function countMarked(docs: Int32Array, marks: DocSet): number {
  const { length } = docs
  let count = 0
  for (let position = 0; position < length; position += 1) count += marks[docs[position] ?? -1] ?? 0
  return count
}

function onlyWanted(docs: Int32Array, isWanted: (doc: number) => boolean): Int32Array {
  const { length } = docs
  const found = new Int32Array(length)
  let count = 0
  for (let position = 0; position < length; position += 1) {
    const doc = docs[position] ?? -1
    if (isWanted(doc)) found[count++] = doc
  }
  return found.subarray(0, count)
}
