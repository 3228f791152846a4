// The index of one resource: finds the records of a list and sorts them. Records are numbers here
// (documents.ts), cached lists are left to list-cache.ts, and what is indexed of a record is
// decided in index-entry.ts (docs/explanation/record-index.md, "The record index").

import {
  type CountedValue,
  type IndexedValue,
  type Field,
  type Resource,
  type SortField,
  indexedValuesOf,
} from '../../model/resources.js'
import type { ListCondition } from '../../queries/conditions.js'
import type { ListSpec, TimeCondition } from '../../queries/list-queries.js'
import { collectInSteps, yieldToEventLoop } from '../../lib/scheduling.js'
import { toMicroseconds } from '../clock.js'
import { relevance } from '../search/relevance.js'
import type { TextMatches, TextSearch } from '../search/text-search.js'
import { type SavedTexts, TextIndex } from '../search/text-index.js'
import type { WordList } from '../../lib/text-index/word-list.js'
import { withRoom } from '../../lib/typed-arrays.js'
import { splitWords } from '../search-terms.js'
import type { MostFrequent } from '../../lib/text-index/postings.js'
import { type Revision, currentUntilWrite } from '../revision.js'
import type { DocsByValue } from './cross-counts.js'
import { Documents, type SavedDocuments } from './documents.js'
import { type IndexEntry, orderedFields } from './index-entry.js'
import { type OrderedDocs, bestFirst, inOrder } from '../../lib/text-index/ordered-docs.js'
import { ListCache, type ListCacheLimits } from './list-cache.js'
import { type ConditionMarksDependencies, createConditionMarks } from './condition-marks.js'
import { type DocSet, type SavedPostings, Postings, noDocs } from '../../lib/text-index/postings.js'
import {
  type KeyPosition,
  type Keys,
  type SortKey,
  SortOrder,
  createComparator,
  createPositionTest,
  onlyMarked,
  sortDocs,
  sortFew,
  sortIndexesById,
} from './sort-order.js'
import { type Compare, countLeading } from '../../lib/text-index/sorted-ids.js'

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

export class ResourceIndex {
  readonly #resource: Resource
  readonly #textSearch: SharedIndex['search']
  readonly #limits: IndexLimits
  readonly #revision: Revision
  /** By the positions of fields and filters. */
  readonly #fields: readonly SortField[]
  readonly #filters: readonly IndexedValue[]
  readonly documents: Documents
  readonly #ids: Documents['ids']
  readonly #keys: Documents['keys']
  readonly #byId: SortOrder
  readonly #orders: readonly SortOrder[]
  readonly #allOrders: readonly SortOrder[]
  /** By the position of the filter. */
  readonly values: readonly Postings[]
  readonly #words = new Postings({ isLookedThrough: true })
  readonly #allPostings: readonly Postings[]
  readonly text: TextIndex
  #sweeping: Promise<void> | undefined
  readonly #marksOf: (condition: ListCondition) => DocSet
  // How well records match a search, by number: those of the search that was sorted or used last,
  // which is done at once.
  #scores: Int32Array = noScores
  #scored: TextMatches | undefined
  readonly #lists: ListCache<FoundList>

  constructor(
    resource: Resource,
    { words: wordList, search: textSearch, ...others }: SharedIndex,
    limits: IndexLimits = defaultLimits,
  ) {
    this.#resource = resource
    this.#textSearch = textSearch
    this.#limits = limits
    this.#revision = others.revision
    this.#fields = orderedFields(resource)
    this.#filters = indexedValuesOf(resource)
    this.documents = new Documents(this.#fields.length)
    this.#ids = this.documents.ids
    this.#keys = this.documents.keys
    this.#byId = new SortOrder([], this.#ids)
    this.#orders = this.#keys.map((column) => new SortOrder(column, this.#ids))
    this.#allOrders = [this.#byId, ...this.#orders]
    this.values = this.#filters.map(() => new Postings())
    this.#allPostings = [...this.values, this.#words]
    this.text = new TextIndex(resource, wordList)
    this.#marksOf = createConditionMarks({
      filters: this.#filters,
      values: this.values,
      documents: this.documents,
      ...others,
    })
    this.#lists = new ListCache({
      limits,
      matches: (listSpec, entry) =>
        matches(listSpec, entry, this.#filters) && this.#matchesTimes(listSpec, entry),
      comparatorFor: ({ order }) => this.#comparatorFor(order),
      lengthOf: ({ docs, matches: textMatches }) =>
        docs.length + 2 * (textMatches?.docs.length ?? 0),
    })
  }

  /** Adds a record that the index does not have; lists have it after `build`. */
  add(entry: IndexEntry): number {
    const doc = this.documents.add(entry)
    this.values.forEach((postings, position) => {
      for (const value of entry.values[position] ?? []) {
        const known = postings.texts.length
        const number = postings.add(value, doc)
        if (number === known)
          this.#textSearch().links.onNewValue(this.#resource.name, position, value, number)
      }
    })
    this.text.add(doc, entry.fieldTexts)
    this.#textSearch().links.onAdd(this.#resource.name, entry.id, doc, entry.values)
    for (const word of new Set(entry.texts.flatMap(splitWords))) this.#words.add(word, doc)
    return doc
  }

  /** Sorts and compacts everything that was added, in small steps. */
  *build(): Generator<void> {
    for (const order of this.#allOrders) yield* order.fill(this.documents.numbers())
    for (const postings of this.#allPostings) yield* postings.compact(this.documents.isAlive)
    yield* this.text.compact(this.documents.isAlive)
    this.#byId.positions()
    yield
    for (const order of this.#orders) {
      order.ranks()
      yield
    }
  }

  /** What `restore` needs. Nothing may be written meanwhile. */
  async save(): Promise<SavedResourceIndex> {
    await this.#sweeping
    await this.#sweep()
    return {
      documents: this.documents.save(),
      orders: this.#allOrders.map((order) => order.all()),
      postings: this.#allPostings.map((postings) => postings.save()),
      text: this.text.save(),
    }
  }

  /** Fills the index while it is empty. The words have to be restored before. */
  restore(state: SavedResourceIndex): void {
    this.documents.restore(state.documents)
    this.#allOrders.forEach((order, position) => order.restore(state.orders[position] ?? noScores))
    this.#allPostings.forEach((postings, position) => {
      const savedPostings = state.postings[position]
      if (savedPostings) postings.restore(savedPostings)
    })
    this.text.restore(state.text)
    for (const order of this.#orders) order.ranks()
    this.#byId.positions()
  }

  /**
   * Has to be called for every write: with the record's new entry, or without one when it was
   * removed.
   */
  update(id: string, entry: IndexEntry | undefined): void {
    const before = this.documents.numberOf(id)
    /** Where the record stays in an order. */
    const places = new Map<SortOrder, number>()
    if (before !== undefined) {
      if (entry)
        for (const order of this.#ordersOfSameKeys(before, entry))
          places.set(order, order.positionOf(before))
      for (const order of this.#allOrders) if (!places.has(order)) order.remove(before)
      this.documents.remove(before)
      this.text.remove(before)
      this.#textSearch().links.onRemove(this.#resource.name, before)
    }
    const doc = entry && this.add(entry)
    if (doc !== undefined)
      for (const order of this.#allOrders) {
        const place = places.get(order)
        if (place === undefined) order.insert(doc)
        else order.replace(place, doc)
      }
    this.#revision.onWrite([])
    this.#lists.onWrite({ before, after: entry && doc !== undefined ? { doc, entry } : undefined })
    if (this.documents.hasManyDead(this.#limits.maxDeadDocs)) this.#sweeping ??= this.#sweep()
  }

  /**
   * Finds the records of a list, in its order, as they are now.
   * @param use takes what it needs from the numbers at once: later they may stand for other records
   */
  async find<Result>(listSpec: ListSpec, use: (docs: OrderedDocs) => Result): Promise<Result> {
    if (dependsOnOthers(listSpec)) return this.#findAnew(listSpec, use)
    const cached = this.#lists.get(listSpec)
    if (cached) return use(inOrder(cached.all()))
    for (;;) {
      const madeAfter = this.#lists.writes()
      const list = this.#lists.add(
        listSpec,
        this.#sort(listSpec, await this.#search(listSpec)),
        madeAfter,
      )
      if (list) return use(inOrder(list.all()))
    }
  }

  /** How many records of a list have each value of a filter. */
  facetCounts(
    listSpec: ListSpec,
    filter: CountedValue,
    options?: MostFrequent,
  ): Promise<Map<string, number>> {
    const postings = this.values[this.#filters.indexOf(filter)]
    return this.find(listSpec, (matching) => {
      const docs = matching.unsorted()
      return (
        postings?.countByText(docs, markDocs(docs, this.#ids.length), options) ??
        new Map<string, number>()
      )
    })
  }

  /** Those of these records that have each value of a filter. */
  docsByValue(docs: Int32Array, filter: CountedValue): DocsByValue {
    const marks = markDocs(docs, this.#ids.length)
    const postings = this.values[this.#filters.indexOf(filter)]
    const byValue = new Map<string, readonly number[]>()
    postings?.texts.forEach((text, number) => {
      const docsOfValue: number[] = []
      postings.forEachDoc(number, (doc) => {
        if (marks[doc] === 1) docsOfValue.push(doc)
      })
      if (docsOfValue.length > 0) byValue.set(text, docsOfValue)
    })
    return byValue
  }

  /** The first and the last key of a field. */
  firstAndLastKey(field: Field): readonly [Keys[number], Keys[number]] {
    const position = this.#fields.indexOf(field)
    const docs = this.#orders[position]?.all()
    const keyOf = (doc: number | undefined) =>
      doc === undefined ? undefined : this.#keys[position]?.[doc]
    return [keyOf(docs?.[0]), keyOf(docs?.at(-1))]
  }

  has(id: string): boolean {
    return this.documents.numberOf(id) !== undefined
  }

  idOf(doc: number): string {
    return this.#ids[doc] ?? ''
  }

  /**
   * How many records a list has. It is not sorted for that where it differs from another one by its
   * conditions.
   */
  countOf({ conditions = [], ...listSpec }: ListSpec): Promise<number> {
    return this.find(listSpec, (docs) => {
      const marks = inAll(conditions.map(this.#marksOf))
      return marks ? countMarked(docs.unsorted(), marks) : docs.length
    })
  }

  /** How many records of a list, which is sorted, come before a position. */
  countBefore({ order }: ListSpec, docs: Int32Array, position: KeyPosition): number {
    return countLeading(docs, createPositionTest(this.#sortKeysOf(order), this.#ids, position))
  }

  /** The keys that a record is sorted by, with the identifier last. */
  keysOf({ order }: ListSpec, doc: number): KeyPosition {
    return [...this.#sortKeysOf(order).map(({ keys: column }) => column[doc]), this.idOf(doc)]
  }

  /** How well a record matches the search that is looked at: to be called as `keysOf`. */
  scoreOf(doc: number): number {
    return this.#scores[doc] ?? 0
  }

  /** The positions of records in an array, in the order of their identifiers. */
  sortById(docs: Int32Array): Int32Array {
    return sortIndexesById(this.#byId, docs)
  }

  count(): number {
    return this.documents.count()
  }

  /** The records that filters and times find, dead ones included; undefined without any of these. */
  docsWith({ filters: conditions, times }: ListSpec): Int32Array | undefined {
    const matching = [
      ...conditions.map(
        ({ filter, term }) =>
          this.values[this.#filters.indexOf(filter)]?.docsWith(term.value) ?? noDocs,
      ),
      ...(times ? [this.#docsInTimes(times)] : []),
    ]
    const [first, ...others] = matching
    return (
      first && others.reduce((common, docs) => intersection(common, docs, this.#ids.length), first)
    )
  }

  #ordersOfSameKeys(doc: number, entry: IndexEntry): readonly SortOrder[] {
    return [
      this.#byId,
      ...this.#orders.filter((_, position) => this.#keys[position]?.[doc] === entry.keys[position]),
    ]
  }

  /** Removes all traces of dead numbers, so that they can be used again. */
  async #sweep(): Promise<void> {
    const dead = this.documents.takeDead()
    for (const postings of this.#allPostings)
      await collectInSteps(postings.compact(this.documents.isAlive))
    await collectInSteps(this.text.compact(this.documents.isAlive))
    this.documents.release(dead)
    this.#sweeping = undefined
  }

  /** A list that any write may change: it is kept until the next one. */
  async #findAnew<Result>(listSpec: ListSpec, use: (docs: OrderedDocs) => Result): Promise<Result> {
    for (;;) {
      const known = this.#lists.getVolatile(listSpec)
      if (known) {
        this.#setScores(known.matches)
        return use(known.docs)
      }
      const isCurrent = currentUntilWrite(this.#revision)
      const matching = await this.#search(listSpec)
      const matches =
        listSpec.text && (await this.#textSearch().find(this.#resource.name, listSpec.text))
      // What is used has to be of this moment, so it is not left to `readUnchanged`.
      if (!isCurrent()) continue
      this.#setScores(matches)
      const docs = this.#ordered(listSpec, this.#inBoth(matching, matches))
      this.#lists.addVolatile(listSpec, { docs, matches }, isCurrent)
      return use(docs)
    }
  }

  /** Other records keep the scores of earlier searches. */
  #setScores(matches: TextMatches | undefined): void {
    if (!matches || matches === this.#scored) return
    const { docs, scores: ofMatches } = matches
    const { length } = docs
    const all = (this.#scores = withRoom(this.#scores, this.#ids.length))
    for (let index = 0; index < length; index += 1) all[docs[index] ?? -1] = ofMatches[index] ?? 0
    this.#scored = matches
  }

  #inBoth(docs: MatchingDocs, matches: TextMatches | undefined): MatchingDocs {
    if (!matches) return docs
    const marks = isList(docs) ? markDocs(docs, this.#ids.length) : docs
    return marks ? onlyMarked(matches.docs, marks) : matches.docs
  }

  #ordered(listSpec: ListSpec, docs: MatchingDocs): OrderedDocs {
    const [first, ...further] = listSpec.order
    if (!isList(docs) || first?.field !== relevance || !first.descending || further.length > 0)
      return inOrder(this.#sort(listSpec, docs))
    return bestFirst(docs, {
      scores: () => this.#scores,
      compare: () => this.#comparatorFor(listSpec.order),
      sort: () => this.#sort(listSpec, docs),
    })
  }

  async #search(listSpec: ListSpec): Promise<MatchingDocs> {
    const { terms, conditions = [] } = listSpec
    const candidates = this.docsWith(listSpec)
    const ofConditions = conditions.map(this.#marksOf)
    const ofTerms = await this.#matchTerms(terms)
    const sets = ofTerms ? [...ofConditions, ofTerms] : ofConditions
    if (!candidates) return inAll(sets)
    return onlyWanted(candidates, (doc) => this.documents.isAlive(doc) && isInAll(doc, sets))
  }

  #docsInTimes({ field, since, before }: TimeCondition): Int32Array {
    const position = this.#fields.indexOf(field)
    const docs = this.#orders[position]?.all() ?? noDocs
    const countEarlier = (time: string): number => {
      const limit = toMicroseconds(time)
      return countLeading(docs, (doc) => Number(this.#keys[position]?.[doc]) < limit)
    }
    const start = since === undefined ? 0 : countEarlier(since)
    // The array changes with the next write.
    return docs.slice(start, before === undefined ? undefined : countEarlier(before))
  }

  #matchesTimes({ times }: ListSpec, { keys }: IndexEntry): boolean {
    if (!times) return true
    const time = Number(keys[this.#fields.indexOf(times.field)])
    return (
      (times.since === undefined || time >= toMicroseconds(times.since)) &&
      (times.before === undefined || time < toMicroseconds(times.before))
    )
  }

  /** Marks the records that have every term; also dead numbers, which no list has. */
  async #matchTerms(terms: readonly string[]): Promise<DocSet | undefined> {
    let marks: DocSet | undefined
    for (const [index, term] of terms.entries()) {
      // Each term takes some milliseconds.
      if (index > 0) await yieldToEventLoop()
      // With these marked from the start, the search of a term ends when all others are found.
      const ofTerm = this.documents.markUnused()
      this.#words.addDocsContaining(term, ofTerm, this.documents.count())
      marks = marks ? marks.map((mark, doc) => mark & (ofTerm[doc] ?? 0)) : ofTerm
    }
    return marks
  }

  #sort({ order }: ListSpec, docs: MatchingDocs): Int32Array {
    if (isList(docs) && docs.length <= maxCompared)
      return docs.slice().sort(this.#comparatorFor(order))
    const steps = order.map(({ field, descending }) =>
      field === relevance
        ? { scores: this.#scores, descending }
        : { order: this.#orders[this.#fields.indexOf(field)] ?? this.#byId, descending },
    )
    if (isList(docs) && docs.length <= this.#ids.length / fewShare)
      return sortFew(this.#byId, steps, docs)
    return sortDocs(this.#byId, steps, isList(docs) ? markDocs(docs, this.#ids.length) : docs)
  }

  #comparatorFor(order: ListSpec['order']): Compare {
    return createComparator(this.#sortKeysOf(order), this.#ids)
  }

  #sortKeysOf(order: ListSpec['order']): SortKey[] {
    return order.map(({ field, descending }) => ({
      keys: field === relevance ? this.#scores : (this.#keys[this.#fields.indexOf(field)] ?? []),
      descending,
    }))
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
  const matching = new Int32Array(length)
  let count = 0
  for (let position = 0; position < length; position += 1) {
    const doc = docs[position] ?? -1
    if (isWanted(doc)) matching[count++] = doc
  }
  return matching.subarray(0, count)
}
