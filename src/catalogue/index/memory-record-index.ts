// The index in memory: answers lists, searches and facet counts without the store. It is filled
// while the store is loaded and updated with every commit. It answers exactly what the generated
// SPARQL of sparql-record-index.ts would (docs/explanation/record-index.md, "The record index").

import { type Iris, type ResourceName, forEachResource, resourceNames } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { redirectOfEntry } from '../../model/record/redirect.js'
import type { Reference } from '../../model/record/views.js'
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
import type { Counted, ListSpec } from '../../queries/list-queries.js'
import type { TextQuery } from '../../queries/text-query.js'
import { type ListPosition, type SortValues, positionBetween } from '../list-position.js'
import { textFields } from '../search/text-fields.js'
import { type TextMatches, TextSearch } from '../search/text-search.js'
import { type SavedWords, WordList } from '../../lib/text-index/word-list.js'
import type {
  BestMatch,
  CrossCounts,
  Ids,
  FoundPage,
  PageFrom,
  PageRange,
  PositionRange,
  Ranked,
  RecordIndex,
  ReferenceField,
  Statistics,
} from '../sparql-record-index.js'
import { countDocs, crossDocs } from './cross-counts.js'
import {
  type EntryBuilder,
  type IndexEntry,
  createEntryBuilder,
  orderedFields,
  sortKeyOf,
  termOfSortKey,
} from './index-entry.js'
import {
  type IndexLimits,
  ResourceIndex,
  type SavedResourceIndex,
  type SharedIndex,
} from './resource-index.js'
import { NamingIndex } from './naming-records.js'
import type { MostFrequent } from '../../lib/text-index/postings.js'
import { type KeyPosition, sortByKey } from './sort-order.js'

/** The words come first. */
export type SavedIndexPart =
  | { readonly words: SavedWords }
  | { readonly name: ResourceName; readonly index: SavedResourceIndex }

export type MemoryRecordIndexDependencies = {
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

export class MemoryRecordIndex implements RecordIndex {
  readonly findsWords = true
  readonly #iris: Iris
  readonly #mapper: RdfMapper
  readonly #words = new WordList()
  readonly #revision = createRevision()
  readonly #indexed: Readonly<Record<ResourceName, IndexedResource>>
  readonly #search: TextSearch
  readonly #naming: NamingIndex
  /** A large commit that is being added in steps. */
  #updating: Promise<void> | undefined
  /** Counts the large commits. */
  readonly #largeCommits = createRevision()

  constructor({ iris, resources, mapper }: MemoryRecordIndexDependencies, limits?: IndexLimits) {
    this.#iris = iris
    this.#mapper = mapper
    const shared: SharedIndex = {
      words: this.#words,
      revision: this.#revision,
      search: () => this.#search,
      isRecord: (target, iri) => this.#isRecord(target, iri),
      textOf: (field, target, iri) => this.#textOf(field, target, iri),
      markNamed: (by, marks) => this.#naming.mark(by, marks),
    }
    this.#indexed = Object.fromEntries(
      Object.values(resources).map((resource) => [
        resource.name,
        {
          resource,
          index: new ResourceIndex(resource, shared, limits),
          entries: createEntryBuilder(resource, { iris, mapper }),
        },
      ]),
    ) as Readonly<Record<ResourceName, IndexedResource>>
    const indexes = forEachResource((name) => this.#indexed[name].index)
    this.#search = new TextSearch({
      resources,
      iris,
      mapper,
      words: this.#words,
      revision: this.#revision,
      indexes,
    })
    this.#naming = new NamingIndex({ iris, links: this.#search.links, indexes })
  }

  /** Adds a record of the store, as N-Quads under its key. Lists have it after `build`. */
  add(key: string, nquads: string): void {
    this.#indexed[referenceOf(key).target].index.add(this.#entryOf(key, nquads))
  }

  /** Makes the index ready after all records were added; other work runs between its steps. */
  async build(): Promise<void> {
    for (const { index } of Object.values(this.#indexed)) await collectInSteps(index.build())
    await collectInSteps(this.#words.build())
  }

  /** The content in parts, for `restore`. Nothing may be written meanwhile. */
  async *save(): AsyncGenerator<SavedIndexPart> {
    yield { words: this.#words.save() }
    for (const name of resourceNames) yield { name, index: await this.#indexed[name].index.save() }
  }

  /**
   * Fills the index while it is empty, in place of `add` and `build`, with the parts in their
   * order.
   */
  async restore(parts: AsyncIterable<SavedIndexPart>): Promise<void> {
    for await (const part of parts)
      if ('words' in part) this.#words.restore(part.words)
      else this.#indexed[part.name].index.restore(part.index)
    const maybeYield = createYielder()
    for (const name of resourceNames)
      for (const [doc, id] of this.#indexed[name].index.documents.ids.entries()) {
        if (id !== undefined) this.#search.links.onAdd(name, id, doc)
        await maybeYield()
      }
  }

  has({ target, id }: Reference): Promise<boolean> {
    return this.#whenComplete(() => this.#indexed[target].index.has(id))
  }

  page(listSpec: ListSpec, { limit, offset }: PageRange): Promise<FoundPage> {
    const { index } = this.#indexed[listSpec.resource.name]
    return this.#whenComplete(() =>
      index.find(listSpec, (docs) => ({
        count: docs.length,
        ids: this.#idsOf(index, docs.slice(offset, offset + limit)),
      })),
    )
  }

  pageFrom(listSpec: ListSpec, { limit, start }: PositionRange): Promise<PageFrom> {
    const { index } = this.#indexed[listSpec.resource.name]
    const valuesOf = (doc: number) => this.#toValues(listSpec, index.keysOf(listSpec, doc))
    return this.#whenComplete(() =>
      index.find(listSpec, (docs) => {
        const offset = start
          ? index.countBefore(listSpec, docs.all(), this.#toKeys(listSpec, start))
          : 0
        const end = offset + limit
        const [last, following] = docs.slice(end - 1, end + 1)
        const next =
          last === undefined || following === undefined
            ? undefined
            : positionBetween(listSpec.order, valuesOf(last), valuesOf(following))
        return { count: docs.length, ids: this.#idsOf(index, docs.slice(offset, end)), next }
      }),
    )
  }

  async sortValues(
    listSpec: ListSpec,
    { limit, offset }: PageRange,
  ): Promise<readonly SortValues[]> {
    const { index } = this.#indexed[listSpec.resource.name]
    const values: SortValues[] = []
    for (let start = offset; start < offset + limit; start += maxValuesInOneStep) {
      const end = Math.min(offset + limit, start + maxValuesInOneStep)
      const part = await this.#whenComplete(() =>
        index.find(listSpec, (docs) =>
          Array.from(docs.slice(start, end), (doc) =>
            this.#toValues(listSpec, index.keysOf(listSpec, doc)),
          ),
        ),
      )
      values.push(...part)
      if (part.length < end - start) break
      await yieldToEventLoop()
    }
    return values
  }

  all(listSpec: ListSpec): Promise<Ids> {
    const { index } = this.#indexed[listSpec.resource.name]
    return this.#whenComplete(() => index.find(listSpec, (docs) => this.#idsOf(index, docs.all())))
  }

  referrers({ resource, field }: ReferenceField, to: readonly Reference[]): Promise<Ids> {
    return this.#whenComplete(() => {
      const { index } = this.#indexed[resource.name]
      const postings = index.values[countedValuesOf(resource).indexOf(field)]
      if (!postings) throw new Error(`${resource.name}.${field.name} is not indexed`)
      const docs = to.flatMap(({ target, id }) => [
        ...postings.docsWith(this.#iris.thing(target, id).value),
      ])
      const alive = Int32Array.from(new Set(docs)).filter(index.documents.isAlive)
      return [...this.#idsOf(index, alive)].sort(compareCodePoints)
    })
  }

  count(listSpec: ListSpec): Promise<number> {
    return this.#whenComplete(() => this.#indexed[listSpec.resource.name].index.countOf(listSpec))
  }

  facetCounts(
    listSpec: ListSpec,
    counted: Counted,
    options?: MostFrequent,
  ): Promise<ReadonlyMap<string, number>> {
    return this.#whenComplete(() => {
      const { name } = listSpec.resource
      const { index } = this.#indexed[name]
      return 'by' in counted
        ? index.find(listSpec, (docs) => this.#naming.countByValue(name, docs.unsorted(), counted))
        : index.facetCounts(listSpec, counted, options)
    })
  }

  crossCounts(listSpec: ListSpec, rows: Counted, columns: Counted): Promise<CrossCounts> {
    return this.#whenComplete(async () => {
      const { name } = listSpec.resource
      const { index } = this.#indexed[name]
      const docsBy = (counted: Counted, docs: Int32Array) =>
        'by' in counted
          ? this.#naming.docsByValue(name, docs, counted)
          : index.docsByValue(docs, counted)
      // Both at once: later the numbers may stand for other records.
      const docsByFacet = await index.find(listSpec, (docs) => ({
        rows: docsBy(rows, docs.unsorted()),
        columns: docsBy(columns, docs.unsorted()),
      }))
      return {
        rows: countDocs(docsByFacet.rows),
        columns: countDocs(docsByFacet.columns),
        cells: await crossDocs(docsByFacet.rows, docsByFacet.columns),
      }
    })
  }

  ranked(
    names: readonly ResourceName[],
    text: TextQuery,
    { limit, offset }: PageRange,
  ): Promise<Ranked> {
    return this.#whenComplete(async () => {
      const { docs: ranked, isFuzzy } = await this.#rank(names, text)
      return {
        count: ranked.length,
        counts: countByName(ranked),
        isFuzzy,
        references: Array.from(ranked.subarray(offset, offset + limit), (number) => {
          const { name, doc } = readRankedNumber(number)
          return { target: name, id: this.#indexed[name].index.idOf(doc) }
        }),
      }
    })
  }

  best(listSpec: ListSpec, limit: number): Promise<readonly BestMatch[]> {
    const { index } = this.#indexed[listSpec.resource.name]
    return this.#whenComplete(() =>
      index.find(listSpec, (docs) =>
        Array.from(docs.slice(0, limit), (doc) => ({
          id: index.idOf(doc),
          score: index.scoreOf(doc),
        })),
      ),
    )
  }

  correct({ resource, text }: ListSpec): Promise<string | undefined> {
    return text
      ? this.#whenComplete(() => this.#search.correct(resource.name, text))
      : Promise.resolve(undefined)
  }

  statistics(): Promise<Statistics> {
    return this.#whenComplete(() => statisticsOf(Object.values(this.#indexed)))
  }

  /** Call after each commit, before the next one. No list has only a part of it. */
  async onCommit({ records }: Pick<Commit, 'records'>): Promise<void> {
    if (records.length <= maxUpdatesInOneStep) {
      for (const record of records) this.#update(record)
      return
    }
    // Large commits are made under the exclusive lock, so there is one at a time.
    this.#updating = this.#updateInSteps(records)
    this.#largeCommits.onWrite([])
    await this.#updating
    this.#updating = undefined
  }

  #toKeys({ resource, order }: ListSpec, position: ListPosition): KeyPosition {
    return position.map((value, index) => {
      const field = order[index]?.field ?? resource.id
      return value === undefined
        ? undefined
        : sortKeyOf(field, this.#mapper.termOf(field, value).value)
    })
  }

  #toValues({ resource, order }: ListSpec, keys: KeyPosition): SortValues {
    return keys.map((key, index) => {
      const field = order[index]?.field ?? resource.id
      return key === undefined ? undefined : this.#mapper.valueOf(field, termOfSortKey(field, key))
    })
  }

  #idsOf(index: ResourceIndex, docs: Int32Array): Ids {
    return Array.from(docs, (doc) => index.idOf(doc))
  }

  /** All that a search finds, the best first. */
  async #rank(names: readonly ResourceName[], text: TextQuery): Promise<Ranking> {
    for (;;) {
      const isCurrent = currentUntilWrite(this.#revision)
      let best: readonly NamedMatches[] = []
      let isFuzzy = true
      for (const name of names) {
        const matches = await this.#search.find(name, text)
        // What has the words as they were typed comes alone.
        if (matches.docs.length > 0 && isFuzzy && !matches.isFuzzy) {
          isFuzzy = false
          best = []
        }
        if (matches.isFuzzy === isFuzzy) best = [...best, { ...matches, name }]
        await yieldToEventLoop()
      }
      // What is sorted has to be of this moment, so it is not left to `readUnchanged`.
      if (isCurrent())
        return { docs: sortRanked(best, (name) => this.#indexed[name].index), isFuzzy }
    }
  }

  #isRecord(target: ResourceName, iri: string): boolean {
    return this.#indexed[target].index.documents.numberOf(this.#iris.idFromIri(iri)) !== undefined
  }

  #textOf(field: Field, target: ResourceName, iri: string): string | undefined {
    const { resource, index } = this.#indexed[target]
    const doc = index.documents.numberOf(this.#iris.idFromIri(iri))
    const keys = index.documents.keys[orderedFields(resource).indexOf(field)]
    const key = doc === undefined ? undefined : keys?.[doc]
    return key === undefined ? undefined : String(key)
  }

  #entryOf(key: string, nquads: string): IndexEntry {
    const { target, id } = referenceOf(key)
    const { entries } = this.#indexed[target]
    return entries.buildEntry(
      id,
      selectTriples(nquads, this.#iris.graphs.public, entries.properties),
    )
  }

  #update({ key, nquads }: WrittenRecord): void {
    const { target, id } = referenceOf(key)
    const isRecord = nquads !== undefined && redirectOfEntry(this.#iris, nquads) === undefined
    this.#indexed[target].index.update(id, isRecord ? this.#entryOf(key, nquads) : undefined)
  }

  async #updateInSteps(records: readonly WrittenRecord[]): Promise<void> {
    const maybeYield = createYielder()
    for (const record of records) {
      this.#update(record)
      await maybeYield()
    }
  }

  /**
   * Reads while no large commit is half in the index: waits for one, and repeats what one overtook.
   */
  async #whenComplete<Result>(read: () => Result | Promise<Result>): Promise<Result> {
    return readUnchanged(this.#largeCommits, async () => {
      while (this.#updating) await this.#updating
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
  matches: readonly NamedMatches[],
  indexOf: (name: ResourceName) => Pick<ResourceIndex, 'sortById'>,
): Int32Array {
  const count = matches.reduce((sum, { docs }) => sum + docs.length, 0)
  const numbers = new Int32Array(count)
  const keys = new Int32Array(count)
  let end = 0
  for (const { name, docs, scores } of matches) {
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
