// The index in memory: answers lists, searches and facet counts without the store. It is filled
// while the store is loaded and updated with every commit. It answers exactly what the generated
// SPARQL of sparql-record-index.ts would (docs/explanation/record-index.md, "The record index").

import { type Iris, type ResourceName, forEachResource, resourceNames } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { redirectOfEntry } from '../../model/record/redirect.js'
import {
  type Field,
  type Resource,
  type Resources,
  countedValuesOf,
} from '../../model/resources.js'
import { dcterms } from '../../rdf/namespaces.js'
import { selectTriples } from '../../rdf/nquads.js'
import { type NamedNode, compareCodePoints } from '../../rdf/terms.js'
import { collectInSteps, createYielder, yieldToEventLoop } from '../../lib/scheduling.js'
import { fromMicroseconds } from '../clock.js'
import type { Commit, WrittenRecord } from '../../store/commit-listeners.js'
import { referenceOf } from '../records/record-cache.js'
import { createRevision, currentUntilWrite, readUnchanged } from '../revision.js'
import type { NamingRecords } from '../../queries/conditions.js'
import type { Counted, ListSpec } from '../../queries/list-queries.js'
import type { TextQuery } from '../../queries/text-query.js'
import { type ListPosition, type SortValues, positionBetween } from '../list-position.js'
import { textFields } from '../search/text-fields.js'
import { type TextMatches, TextSearch } from '../search/text-search.js'
import { type SavedWords, createWordList } from '../../lib/text-index/word-list.js'
import type { Ids, RecordIndex, Statistics } from '../sparql-record-index.js'
import { countDocs, crossDocs } from './cross-counts.js'
import {
  type EntryBuilder,
  type IndexEntry,
  createEntryBuilder,
  orderedFields,
  sortKeyOf,
  termOfSortKey,
} from './index-entry.js'
import { type IndexLimits, ResourceIndex, type SavedResourceIndex } from './resource-index.js'
import { createNamingRecords } from './naming-records.js'
import type { DocSet } from '../../lib/text-index/postings.js'
import { type KeyPosition, sortByKey } from './sort-order.js'

export type MemoryRecordIndex = RecordIndex & {
  /** Adds a record of the store, as N-Quads under its key. Lists have it after `build`. */
  readonly add: (key: string, nquads: string) => void
  /** Call after each commit, before the next one. No list has only a part of it. */
  onCommit(commit: Pick<Commit, 'records'>): Promise<void>
  /** Makes the index ready after all records were added; other work runs between its steps. */
  build(): Promise<void>
  /** The content in parts, for `restore`. Nothing may be written meanwhile. */
  save(): AsyncIterable<SavedIndexPart>
  /**
   * Fills the index while it is empty, in place of `add` and `build`, with the parts in their
   * order.
   */
  restore(parts: AsyncIterable<SavedIndexPart>): Promise<void>
}

/** The words come first. */
export type SavedIndexPart =
  | { readonly words: SavedWords }
  | { readonly name: ResourceName; readonly index: SavedResourceIndex }

type MemoryRecordIndexDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

/** What the index has of one resource. */
type IndexedResource = {
  readonly resource: Resource
  readonly index: ResourceIndex
  readonly entries: EntryBuilder
}

export function createMemoryRecordIndex(
  { iris, resources, mapper }: MemoryRecordIndexDependencies,
  limits?: IndexLimits,
): MemoryRecordIndex {
  const graph = iris.graphs.public
  const words = createWordList()
  const revision = createRevision()
  const shared = {
    words,
    revision,
    search: () => search,
    isRecord,
    textOf,
    markNamed(by: NamingRecords, marks: DocSet) {
      naming.mark(by, marks)
    },
  }
  const indexed = Object.fromEntries(
    Object.values(resources).map((resource) => [
      resource.name,
      {
        resource,
        index: new ResourceIndex(resource, shared, limits),
        entries: createEntryBuilder(resource, { iris, mapper }),
      },
    ]),
  ) as Readonly<Record<ResourceName, IndexedResource>>
  const indexes = forEachResource((name) => indexed[name].index)
  const search = new TextSearch({
    resources,
    iris,
    mapper,
    words,
    revision,
    indexes,
  })
  const naming = createNamingRecords({ iris, links: search.links, indexes })

  const toKeys = ({ resource, order }: ListSpec, position: ListPosition): KeyPosition =>
    position.map((value, index) => {
      const field = order[index]?.field ?? resource.id
      return value === undefined ? undefined : sortKeyOf(field, mapper.termOf(field, value).value)
    })

  const toValues = ({ resource, order }: ListSpec, keys: KeyPosition): SortValues =>
    keys.map((key, index) => {
      const field = order[index]?.field ?? resource.id
      return key === undefined ? undefined : mapper.valueOf(field, termOfSortKey(field, key))
    })
  /** A large commit that is being added in steps. */
  let updating: Promise<void> | undefined
  /** Counts the large commits. */
  const largeCommits = createRevision()

  const idsOf = (index: ResourceIndex, docs: Int32Array): Ids =>
    Array.from(docs, (doc) => index.idOf(doc))

  return {
    findsWords: true,
    add(key, nquads) {
      indexed[referenceOf(key).target].index.add(entryOf(key, nquads))
    },
    async build() {
      for (const { index } of Object.values(indexed)) await collectInSteps(index.build())
      await collectInSteps(words.build())
    },
    async *save() {
      yield { words: words.save() }
      for (const name of resourceNames) yield { name, index: await indexed[name].index.save() }
    },
    async restore(parts) {
      for await (const part of parts)
        if ('words' in part) words.restore(part.words)
        else indexed[part.name].index.restore(part.index)
      const maybeYield = createYielder()
      for (const name of resourceNames)
        for (const [doc, id] of indexed[name].index.documents.ids.entries()) {
          if (id !== undefined) search.links.onAdd(name, id, doc)
          await maybeYield()
        }
    },
    has: ({ target, id }) => whenComplete(() => indexed[target].index.has(id)),
    page(listSpec, { limit, offset }) {
      const { index } = indexed[listSpec.resource.name]
      return whenComplete(() =>
        index.find(listSpec, (docs) => ({
          count: docs.length,
          ids: idsOf(index, docs.slice(offset, offset + limit)),
        })),
      )
    },
    pageFrom(listSpec, { limit, start }) {
      const { index } = indexed[listSpec.resource.name]
      const valuesOf = (doc: number) => toValues(listSpec, index.keysOf(listSpec, doc))
      return whenComplete(() =>
        index.find(listSpec, (docs) => {
          const offset = start
            ? index.countBefore(listSpec, docs.all(), toKeys(listSpec, start))
            : 0
          const end = offset + limit
          const [last, following] = docs.slice(end - 1, end + 1)
          const next =
            last === undefined || following === undefined
              ? undefined
              : positionBetween(listSpec.order, valuesOf(last), valuesOf(following))
          return { count: docs.length, ids: idsOf(index, docs.slice(offset, end)), next }
        }),
      )
    },
    async sortValues(listSpec, { limit, offset }) {
      const { index } = indexed[listSpec.resource.name]
      const found: SortValues[] = []
      for (let start = offset; start < offset + limit; start += maxValuesInOneStep) {
        const end = Math.min(offset + limit, start + maxValuesInOneStep)
        const part = await whenComplete(() =>
          index.find(listSpec, (docs) =>
            Array.from(docs.slice(start, end), (doc) =>
              toValues(listSpec, index.keysOf(listSpec, doc)),
            ),
          ),
        )
        found.push(...part)
        if (part.length < end - start) break
        await yieldToEventLoop()
      }
      return found
    },
    all(listSpec) {
      const { index } = indexed[listSpec.resource.name]
      return whenComplete(() => index.find(listSpec, (docs) => idsOf(index, docs.all())))
    },
    referrers: ({ resource, field }, { target, id }) =>
      whenComplete(() => {
        const { index } = indexed[resource.name]
        const postings = index.values[countedValuesOf(resource).indexOf(field)]
        if (!postings) throw new Error(`${resource.name}.${field.name} is not indexed`)
        const docs = postings.docsWith(iris.thing(target, id).value)
        return [...idsOf(index, docs.filter(index.documents.isAlive))].sort(compareCodePoints)
      }),
    count: (listSpec) =>
      whenComplete(() => indexed[listSpec.resource.name].index.countOf(listSpec)),
    facetCounts: (listSpec, counted, options) =>
      whenComplete(() => {
        const { name } = listSpec.resource
        const { index } = indexed[name]
        return 'by' in counted
          ? index.find(listSpec, (docs) => naming.countByValue(name, docs.unsorted(), counted))
          : index.facetCounts(listSpec, counted, options)
      }),
    crossCounts: (listSpec, rows, columns) =>
      whenComplete(async () => {
        const { name } = listSpec.resource
        const { index } = indexed[name]
        const docsBy = (counted: Counted, docs: Int32Array) =>
          'by' in counted
            ? naming.docsByValue(name, docs, counted)
            : index.docsByValue(docs, counted)
        // Both at once: later the numbers may stand for other records.
        const found = await index.find(listSpec, (docs) => ({
          rows: docsBy(rows, docs.unsorted()),
          columns: docsBy(columns, docs.unsorted()),
        }))
        return {
          rows: countDocs(found.rows),
          columns: countDocs(found.columns),
          cells: await crossDocs(found.rows, found.columns),
        }
      }),
    ranked: (names, text, { limit, offset }) =>
      whenComplete(async () => {
        const { docs: ranked, isFuzzy } = await rank(names, text)
        return {
          count: ranked.length,
          counts: countByName(ranked),
          isFuzzy,
          references: Array.from(ranked.subarray(offset, offset + limit), (number) => {
            const { name, doc } = readRankedNumber(number)
            return { target: name, id: indexed[name].index.idOf(doc) }
          }),
        }
      }),
    correct: ({ resource, text }) =>
      text ? whenComplete(() => search.correct(resource.name, text)) : Promise.resolve(undefined),
    statistics: () => whenComplete(() => statisticsOf(Object.values(indexed))),
    async onCommit({ records }) {
      if (records.length <= maxUpdatesInOneStep) {
        records.forEach(update)
        return
      }
      // Large commits are made under the exclusive lock, so there is one at a time.
      updating = updateInSteps(records)
      largeCommits.onWrite([])
      await updating
      updating = undefined
    },
  }

  /** All that a search finds, the best first. */
  async function rank(names: readonly ResourceName[], text: TextQuery): Promise<Ranking> {
    for (;;) {
      const isCurrent = currentUntilWrite(revision)
      let found: readonly NamedMatches[] = []
      let isFuzzy = true
      for (const name of names) {
        const own = await search.find(name, text)
        // What has the words as they were typed comes alone.
        if (own.docs.length > 0 && isFuzzy && !own.isFuzzy) {
          isFuzzy = false
          found = []
        }
        if (own.isFuzzy === isFuzzy) found = [...found, { ...own, name }]
        await yieldToEventLoop()
      }
      // What is sorted has to be of this moment, so it is not left to `readUnchanged`.
      if (isCurrent()) return { docs: sortRanked(found, (name) => indexed[name].index), isFuzzy }
    }
  }

  function isRecord(target: ResourceName, iri: string): boolean {
    return indexed[target].index.documents.numberOf(iris.idFromIri(iri)) !== undefined
  }

  function textOf(field: Field, target: ResourceName, iri: string): string | undefined {
    const { resource, index } = indexed[target]
    const doc = index.documents.numberOf(iris.idFromIri(iri))
    const keys = index.documents.keys[orderedFields(resource).indexOf(field)]
    const key = doc === undefined ? undefined : keys?.[doc]
    return key === undefined ? undefined : String(key)
  }

  function entryOf(key: string, nquads: string): IndexEntry {
    const { target, id } = referenceOf(key)
    const { entries } = indexed[target]
    return entries.buildEntry(id, selectTriples(nquads, graph, entries.properties))
  }

  function update({ key, nquads }: WrittenRecord): void {
    const { target, id } = referenceOf(key)
    const isRecord = nquads !== undefined && redirectOfEntry(iris, nquads) === undefined
    indexed[target].index.update(id, isRecord ? entryOf(key, nquads) : undefined)
  }

  async function updateInSteps(records: readonly WrittenRecord[]): Promise<void> {
    const maybeYield = createYielder()
    for (const record of records) {
      update(record)
      await maybeYield()
    }
  }

  /**
   * Reads while no large commit is half in the index: waits for one, and repeats what one overtook.
   */
  async function whenComplete<Result>(read: () => Result | Promise<Result>): Promise<Result> {
    return readUnchanged(largeCommits, async () => {
      while (updating) await updating
      return read()
    })
  }
}

type NamedMatches = TextMatches & { readonly name: ResourceName }

type Ranking = {
  /** As `rankedNumber` makes them. */
  readonly docs: Int32Array
  readonly isFuzzy: boolean
}

/** One number for a record of any resource: the number of the record, and that of its resource. */
const rankedNumber = (name: ResourceName, doc: number): number =>
  doc * resourceNames.length + resourceNames.indexOf(name)

function readRankedNumber(number: number): { readonly name: ResourceName; readonly doc: number } {
  const name = resourceNames[number % resourceNames.length]
  if (!name) throw new RangeError(`${number} is no number of a record`)
  return { name, doc: Math.floor(number / resourceNames.length) }
}

function countByName(ranked: Int32Array): Readonly<Record<ResourceName, number>> {
  const counts = { zines: 0, agents: 0, repositories: 0, holdings: 0 }
  for (const number of ranked) counts[readRankedNumber(number).name] += 1
  return counts
}

/** The best first, whichever resource they are of; of equal ones by resource and identifier. */
function sortRanked(
  found: readonly NamedMatches[],
  indexOf: (name: ResourceName) => Pick<ResourceIndex, 'sortById'>,
): Int32Array {
  const count = found.reduce((sum, { docs }) => sum + docs.length, 0)
  const numbers = new Int32Array(count)
  const keys = new Int32Array(count)
  let end = 0
  for (const { name, docs, scores } of found) {
    const { share } = textFields[name]
    const sorted = indexOf(name).sortById(docs)
    const { length } = sorted
    for (let place = 0; place < length; place += 1) {
      const index = sorted[place] ?? -1
      numbers[end] = rankedNumber(name, docs[index] ?? 0)
      keys[end++] = Math.max(0, highestRank - Math.round((scores[index] ?? 0) * share))
    }
  }
  return sortByKey(numbers, keys, highestRank)
}

/** The rank of what does not match at all. */
const highestRank = 2 ** 30

/** The values of so many records are read at once. */
const maxValuesInOneStep = 500

/** A commit of more records is added in steps. */
const maxUpdatesInOneStep = 50

function statisticsOf(indexed: readonly IndexedResource[]): Statistics {
  const timesOf = (property: NamedNode, end: 0 | 1): number[] =>
    indexed
      .map(({ resource, index }) => index.firstAndLastKey(requireField(resource, property))[end])
      .filter((time) => typeof time === 'number')
  const created = timesOf(dcterms('created'), 0)
  const modified = timesOf(dcterms('modified'), 1)
  return {
    counts: Object.fromEntries(
      indexed.map(({ resource, index }) => [resource.name, index.count()]),
    ) as Statistics['counts'],
    issued: created.length > 0 ? fromMicroseconds(Math.min(...created)) : undefined,
    modified: modified.length > 0 ? fromMicroseconds(Math.max(...modified)) : undefined,
  }
}

function requireField({ name, fields }: Resource, property: NamedNode): Field {
  const field = fields.find(({ path }) => path.at(-1)?.equals(property))
  if (!field) throw new Error(`${name} have no field with the property <${property.value}>`)
  return field
}
