// Finds the records that match a search with `q`, and how well each does: BM25F, the words of all
// fields weighed together (docs/explanation/record-index.md, "Search"). What is typed is read in
// text-query.ts, what is looked at is listed in text-fields.ts.

import { createCache } from '../../lib/cache.js'
import { type Iris, type ResourceName, resourceNames, forEachResource } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { type Field, type Resources, filtersOf } from '../../model/resources.js'
import { compareCodePoints } from '../../rdf/terms.js'
import { allowedDistance } from '../../lib/names/spelling.js'
import { createYielder, limitConcurrency } from '../../lib/scheduling.js'
import { type Revision, currentUntilWrite, readUnchanged } from '../revision.js'
import { type LinkedResource, type RecordLink, RecordLinks } from './record-links.js'
import {
  type RecordWeights,
  addWeight,
  byNumber,
  createWeights,
  raiseWeight,
} from '../../lib/text-index/record-weights.js'
import {
  type ClauseMatches,
  type FoundClause,
  type ScoreTotals,
  addUp,
  matchesOf,
} from '../../lib/text-index/score-totals.js'
import { LabelIndex } from './label-index.js'
import { type LinkedText, checkTextFields, textFields } from './text-fields.js'
import { type Stems, createStems, oneStem } from '../../lib/text-index/stems.js'
import type { TextIndex } from './text-index.js'
import { hasUnspacedLetters } from '../../lib/text-index/text-tokens.js'
import { type Clause, type TextQuery, isOneWord } from '../../queries/text-query.js'
import type { NearbyWord, WordList } from '../../lib/text-index/word-list.js'

/** The records that a search finds. */
export type TextMatches = {
  /** Their numbers, ascending. */
  readonly docs: Int32Array
  /** How well each matches, in the same order: higher is better. */
  readonly scores: Int32Array
  /**
   * Whether words with other spellings were taken, since nothing has them all as they were typed.
   */
  readonly isFuzzy: boolean
}

/** What the search takes from the index of a resource. */
type SearchedResource = LinkedResource & { readonly text: TextIndex }

type TextSearchDependencies = {
  readonly resources: Resources
  readonly iris: Iris
  readonly mapper: RdfMapper
  readonly words: WordList
  /** That of the records of all resources. */
  readonly revision: Revision
  readonly indexes: Readonly<Record<ResourceName, SearchedResource>>
}

/** How much better a record is that has all words in its name. */
const nameBonus = 0.6
const wholeNameBonus = 1.2
/** How well words match that go on, and that are spelled otherwise, by letters that are off. */
const prefixShare = 0.35
const nearbyShares = [1, 0.5, 0.2]
const scoreScale = 1e5
/** How much the matches in memory may weigh together, in bytes. */
const maxCachedWeight = 16 * 1024 * 1024

/** How tolerant the search is: of nothing; of words that do not occur; of all. */
const stages = ['exact', 'unknown', 'all'] as const

export class TextSearch {
  readonly #words: WordList
  readonly #revision: Revision
  readonly #indexes: Readonly<Record<ResourceName, SearchedResource>>
  readonly links: RecordLinks
  readonly #labels: (name: ResourceName, field: string) => SearchedLabels
  readonly #matches = createCache<TextMatches>(maxCachedWeight, ({ docs }) => 8 * docs.length + 200)
  // One search at a time: several at once would take as long together, and more memory.
  readonly #inTurn = limitConcurrency(1)

  constructor(dependencies: TextSearchDependencies) {
    checkTextFields(dependencies.resources)
    this.#words = dependencies.words
    this.#revision = dependencies.revision
    this.#indexes = dependencies.indexes
    this.links = new RecordLinks(dependencies)
    this.#labels = createLabels(dependencies)
  }

  /** The records of a resource that a search finds, as they are now. */
  async find(name: ResourceName, query: TextQuery): Promise<TextMatches> {
    const key = `${name} ${query.key}`
    return this.#matches.get(key) ?? this.#inTurn(() => this.#findAnew(name, query, key))
  }

  /** The same search with the words that were likely meant; undefined where there is none. */
  async correct(name: ResourceName, query: TextQuery): Promise<string | undefined> {
    const matches = await this.find(name, query)
    const { isFuzzy, docs } = matches
    if (!isFuzzy && docs.length > maxCorrected) return undefined
    const known = {
      isFuzzy,
      count: docs.length,
      best: bestOf(matches, this.#indexes[name].documents.ids),
    }
    return this.#inTurn(() => this.#correctFound(name, query, known))
  }

  async #findAnew(name: ResourceName, query: TextQuery, key: string): Promise<TextMatches> {
    return readUnchanged(this.#revision, async (_, before) => {
      const known = this.#matches.get(key)
      if (known) return known
      const isCurrent = currentUntilWrite(this.#revision)
      // While much is written, it goes on without letting others write.
      const matches = await this.#findOnce(name, query, before < 3 ? createYielder() : noYield)
      if (isCurrent()) this.#matches.set(key, matches, isCurrent)
      return matches
    })
  }

  async #findOnce(name: ResourceName, query: TextQuery, pause: Pause): Promise<TextMatches> {
    const unknown = new Set<Clause>()
    const weighed: Weighed = new Map()
    for (const stage of stages) {
      const isFuzzy = stage !== 'exact'
      if (isFuzzy && !(query.isTolerant && query.clauses.some(mayBeMisspelled))) break
      if (stage === 'all' && query.clauses.length > maxTolerated) break
      if (stage === 'unknown' && unknown.size === 0) continue
      const isTolerant = (clause: Clause): boolean =>
        mayBeMisspelled(clause) && (stage === 'all' || (isFuzzy && unknown.has(clause)))
      const matches = await this.#evaluate(name, query.clauses, {
        isTolerant,
        unknown,
        weighed,
        pause,
      })
      if (matches.docs.length > 0) return { ...matches, isFuzzy }
    }
    return { ...nothing, isFuzzy: false }
  }

  async #evaluate(
    name: ResourceName,
    clauses: readonly Clause[],
    { isTolerant, unknown, weighed, pause }: Evaluation,
  ): Promise<Pick<TextMatches, 'docs' | 'scores'>> {
    // A search for nothing but signs finds nothing.
    if (clauses.length === 0) return nothing
    const clauseMatches: FoundClause[] = []
    for (const [position, clause] of clauses.entries()) {
      const joined = isTolerant(clause) ? this.#neighboursOf(clauses, position) : []
      const matching = { isTolerant: isTolerant(clause), joined, pause }
      // The stages of a search have most clauses in common.
      const key = `${position} ${matching.isTolerant}`
      const matches = weighed.get(key) ?? (await this.#matchClause(name, clause, matching))
      weighed.set(key, matches)
      const kind = kindOf(clause)
      clauseMatches.push({ kind, matches })
      if (matches.docs.length === 0 && kind !== 'excluded') unknown.add(clause)
      await pause()
    }
    const totals = addUp(clauseMatches, this.#indexes[name].documents)
    const required = clauseMatches.filter(({ kind }) => kind === 'required').length
    return { docs: totals.docs, scores: this.#scoresOf(name, totals, required) }
  }

  /** @param required how many words a record must have */
  #scoresOf(
    name: ResourceName,
    { docs, scores: totals, namedWords }: ScoreTotals,
    required: number,
  ): Int32Array {
    const { text } = this.#indexes[name]
    const { length } = docs
    const scores = new Int32Array(length)
    for (let index = 0; index < length; index += 1) {
      const isNamed = required > 0 && namedWords[index] === required
      const factor = isNamed ? nameFactor(required, text.lengthOf(docs[index] ?? -1, 0)) : 1
      // The array keeps the whole part.
      scores[index] = (totals[index] ?? 0) * factor * scoreScale + 0.5
    }
    return scores
  }

  /** How often a stem occurs in records and in those that they name, together. */
  #usesOf(name: ResourceName, stem: number): number {
    return [name, ...textFields[name].linked.map(({ target }) => target)].reduce(
      (sum, resourceName) => {
        const { text, documents } = this.#indexes[resourceName]
        return sum + text.countLiving(stem, documents.isAlive)
      },
      0,
    )
  }

  /** The records that match a clause. */
  async #matchClause(
    name: ResourceName,
    clause: Clause,
    { isTolerant, joined, pause }: ClauseMatching,
  ): Promise<ClauseMatches> {
    const sequences = [
      ...this.#sequencesOf(clause, isTolerant),
      ...joined.map((word) => [this.#exactly(word)]),
    ]
    return this.#weigh(name, clause.field, sequences, pause)
  }

  /** The records that have one of several sequences of words. */
  async #weigh(
    name: ResourceName,
    field: string | undefined,
    sequences: readonly (readonly Stems[])[],
    pause: Pause,
  ): Promise<ClauseMatches> {
    const { text, documents, values } = this.#indexes[name]
    const { ownFields, labels: labelled } = textFields[name]
    const into = createWeights(documents.ids.length)
    const isSearched = (fieldName: string): boolean =>
      field === undefined || field === fieldName || `${field}_id` === fieldName
    const weights = text.weightsFor(
      ownFields.map((ownField) => (isSearched(ownField.field) ? ownField.weight : 0)),
    )
    for (const sequence of sequences) {
      text.addWeights(sequence, weights, into)
      await pause()
    }
    for (const labelField of labelled) {
      if (!isSearched(labelField.field)) continue
      const { position, index, keyOf } = this.#labels(name, labelField.field)
      for (const sequence of sequences)
        for (const [code, share] of index.matching(sequence)) {
          const number = values[position]?.find(keyOf(code))
          if (number !== undefined)
            values[position]?.addWeight(number, labelField.weight * share, into)
        }
    }
    for (const group of groups[name]) {
      const uses = group.filter((linked) => isSearched(linked.field))
      if (uses.length > 0) this.#addLinked(name, uses, sequences, into)
      await pause()
    }
    return matchesOf(into, documents.ids)
  }

  /**
   * @param uses with the same target, and the same fields of it or the same field `by` of theirs
   */
  #addLinked(
    name: ResourceName,
    uses: readonly LinkedText[],
    sequences: readonly (readonly Stems[])[],
    into: RecordWeights,
  ): void {
    const [first] = uses
    if (!first) return
    const { target, by, fields } = first
    const { text, documents } = this.#indexes[target]
    // Most words are in no record of the target.
    const occurs = (sequence: readonly Stems[]): boolean =>
      sequence.every(({ stems }) => stems.some((stem) => text.count(stem) > 0))
    const occurring = sequences.filter(occurs)
    if (occurring.length === 0) return
    const { ids } = documents
    const from = createWeights(ids.length)
    const weights = text.weightsFor(
      textFields[target].ownFields.map(({ field }) =>
        by === undefined
          ? (fields[field] ?? 0)
          : uses.reduce((sum, use) => sum + use.weight * (use.fields[field] ?? 0), 0),
      ),
    )
    for (const sequence of occurring) text.addWeights(sequence, weights, from)
    if (by === undefined) {
      const docs = byNumber(from, ids)
      for (const { field, weight } of uses)
        addNamed(this.links.get(name, field), { from, into, docs, weight })
    } else {
      const best = createWeights(this.#indexes[name].documents.ids.length)
      addNaming(this.links.get(target, by), { from, ids, into, best })
    }
  }

  /** The stems that may stand at each position of a clause. */
  #sequencesOf(clause: Clause, isTolerant: boolean): (readonly Stems[])[] {
    const sequences: (readonly Stems[])[] = clause.sequences.map((sequence) =>
      sequence.map((word) => this.#exactly(word)),
    )
    const [word = ''] = clause.sequences[0] ?? []
    if (!clause.isPrefix && !isTolerant) return sequences
    const nearby = isTolerant ? this.#nearbyWords(word) : []
    const longer = clause.isPrefix ? this.#words.startingWith(word) : []
    const stems = createStems(this.#words.stemCount(), 1 + nearby.length + longer.length)
    for (const stem of this.#exactly(word).stems) stems.add(stem, 1)
    for (const { stem, distance } of nearby) stems.add(stem, nearbyShares[distance] ?? 0)
    for (const stem of longer) stems.add(stem, prefixShare)
    return [[stems], ...sequences.slice(1), ...(isTolerant ? this.#splits(word) : [])]
  }

  #exactly(word: string): Stems {
    return oneStem(this.#words.findStem(word))
  }

  /** A word that was written as one and is two. Scripts without spaces have no such words. */
  #splits(word: string): (readonly Stems[])[] {
    const splits: (readonly Stems[])[] = []
    if (hasUnspacedLetters(word)) return splits
    for (let end = 2; end <= word.length - 2; end += 1) {
      const parts = [word.slice(0, end), word.slice(end)].map((part) => this.#exactly(part))
      if (parts.every(({ stems }) => stems.length > 0)) splits.push(parts)
    }
    return splits
  }

  /** A word that was written as two and is one. */
  #neighboursOf(clauses: readonly Clause[], position: number): readonly string[] {
    const wordAt = (index: number): string | undefined => {
      const clause = clauses[index]
      return clause && mayBeMisspelled(clause) ? clause.sequences[0]?.[0] : undefined
    }
    const [before, word, after] = [-1, 0, 1].map((offset) => wordAt(position + offset))
    return [
      ...(before === undefined ? [] : [`${before}${word}`]),
      ...(after === undefined ? [] : [`${word}${after}`]),
    ].filter((word) => this.#words.findStem(word) !== undefined)
  }

  #nearbyWords(word: string): readonly NearbyWord[] {
    const allowed = toleratedDistance(word)
    return allowed === 0 ? [] : this.#words.nearby(word, allowed)
  }

  async #correctFound(
    name: ResourceName,
    query: TextQuery,
    { isFuzzy, count, best }: FoundBefore,
  ): Promise<string | undefined> {
    const pause = createYielder()
    const corrected: Clause[] = []
    for (const clause of query.clauses) {
      const better = mayBeMisspelled(clause)
        ? await this.#betterWord(name, clause, isFuzzy ? best : undefined, pause)
        : undefined
      corrected.push(
        better === undefined
          ? clause
          : {
              ...clause,
              text: inCaseOf(clause.text, better),
              sequences: [[better]],
              isPrefix: false,
            },
      )
      await pause()
    }
    if (corrected.every((clause, index) => clause === query.clauses[index])) return undefined
    const unknown = new Set<Clause>()
    const isTolerant = (): boolean => false
    const evaluation = { isTolerant, unknown, weighed: new Map(), pause }
    const { docs } = await this.#evaluate(name, corrected, evaluation)
    if (docs.length === 0 || (!isFuzzy && docs.length <= count)) return undefined
    return corrected.map(writeClause).join(' ')
  }

  /**
   * A word that is spelled nearly like that of a clause: one that the record has, or one that is
   * far more frequent.
   */
  async #betterWord(
    name: ResourceName,
    clause: Clause,
    best: number | undefined,
    pause: Pause,
  ): Promise<string | undefined> {
    const [word = ''] = clause.sequences[0] ?? []
    const { docs } = await this.#matchClause(name, clause, {
      isTolerant: false,
      joined: [],
      pause,
    })
    if (best !== undefined && docs.includes(best)) return undefined
    const count = docs.length
    if (best === undefined && count > maxCorrected) return undefined
    const candidates = this.#nearbyWords(word)
      .filter((candidate) => candidate.distance > 0)
      .map((candidate) => ({ ...candidate, uses: this.#usesOf(name, candidate.stem) }))
      .sort(
        (a, b) => a.distance - b.distance || b.uses - a.uses || compareCodePoints(a.word, b.word),
      )
      .slice(0, maxCandidates)
    for (const { word: other, stem } of candidates) {
      const { docs } = await this.#weigh(name, clause.field, [[oneStem(stem)]], pause)
      const isBetter =
        best === undefined ? docs.length >= Math.max(1, 5 * count) : docs.includes(best)
      if (isBetter) return other
    }
    return undefined
  }
}

type Evaluation = {
  readonly isTolerant: (clause: Clause) => boolean
  /** Gets the clauses that nothing matches. */
  readonly unknown: Set<Clause>
  readonly weighed: Weighed
  readonly pause: Pause
}

/** The records of each clause, by its position and whether other spellings were taken. */
type Weighed = Map<string, ClauseMatches>

type ClauseMatching = {
  readonly isTolerant: boolean
  /** What words that were written as two may be. */
  readonly joined: readonly string[]
  readonly pause: Pause
}

/** The labels of a field by which its codes are found. */
type SearchedLabels = {
  /** That of the filter. */
  readonly position: number
  readonly index: LabelIndex
  readonly keyOf: (code: string) => string
}

/** @returns the labels of a field of a resource */
function createLabels({
  resources,
  mapper,
  words,
}: TextSearchDependencies): (name: ResourceName, field: string) => SearchedLabels {
  const labelsByField = new Map<string, SearchedLabels>()
  for (const name of resourceNames)
    for (const { field } of textFields[name].labels) {
      const position = filtersOf(resources[name]).findIndex((filter) => filter.name === field)
      const filter = filtersOf(resources[name])[position] as Field | undefined
      if (!filter?.vocabulary) throw new Error(`${name}.${field} is no filter with a vocabulary`)
      const index = new LabelIndex(filter.vocabulary, words)
      labelsByField.set(`${name}.${field}`, {
        position,
        index,
        keyOf: (code) => mapper.termOf(filter, code).value,
      })
    }
  return (name: ResourceName, field: string) => {
    const labelled = labelsByField.get(`${name}.${field}`)
    if (!labelled) throw new Error(`${name}.${field} has no labels`)
    return labelled
  }
}

/** How much better a record is whose names have all words, where its first name has so many. */
const nameFactor = (words: number, length: number): number =>
  1 + nameBonus + wholeNameBonus * Math.min(1, words / Math.max(1, length))

function kindOf({ isExcluded, isOptional }: Clause): FoundClause['kind'] {
  if (isExcluded) return 'excluded'
  return isOptional ? 'optional' : 'required'
}

type Ids = readonly (string | undefined)[]

/** How many records a search found, and the best of them. */
type FoundBefore = {
  readonly isFuzzy: boolean
  readonly count: number
  readonly best: number | undefined
}

type Linking = {
  /** What each record of the target gets. */
  readonly from: RecordWeights
  /** What each record gets of them. */
  readonly into: RecordWeights
}

/**
 * Adds to records what those that they name get.
 * @param docs those that are found, in one order: a record may name several, and sums depend on it
 */
function addNamed(
  { postings, numbers }: RecordLink,
  { from, into, docs, weight }: Linking & { docs: Int32Array; weight: number },
): void {
  const { length } = docs
  for (let index = 0; index < length; index += 1) {
    const doc = docs[index] ?? -1
    const number = numbers[doc] ?? -1
    if (number >= 0) postings.addWeight(number, (from.values[doc] ?? 0) * weight, into)
  }
}

/** Adds to records the most that one gets of those that name them. */
function addNaming(
  { namedBy }: RecordLink,
  { from, ids, into, best }: Linking & { readonly ids: Ids; readonly best: RecordWeights },
): void {
  const named = namedBy()
  for (let index = 0; index < from.count; index += 1) {
    const other = from.docs[index] ?? -1
    if (ids[other] !== undefined) raiseWeight(best, named[other] ?? -1, from.values[other] ?? 0)
  }
  for (let index = 0; index < best.count; index += 1) {
    const doc = best.docs[index] ?? -1
    addWeight(into, doc, best.values[doc] ?? 0)
  }
}

/** The linked texts of a resource that are looked through together. */
function groupLinked(name: ResourceName): readonly (readonly LinkedText[])[] {
  const byTarget = new Map<string, LinkedText[]>()
  for (const linked of textFields[name].linked) {
    const key = JSON.stringify([linked.target, linked.by ?? linked.fields])
    byTarget.set(key, [...(byTarget.get(key) ?? []), linked])
  }
  return [...byTarget.values()]
}

const groups = forEachResource(groupLinked)

const nothing = { docs: new Int32Array(0), scores: new Int32Array(0) }

type Pause = () => Promise<void>
const noYield: Pause = () => Promise.resolve()

/** Of so many words, all may be misspelt; of more, only those that do not occur. */
const maxTolerated = 8

/** Where so many are found, another spelling is not proposed. */
const maxCorrected = 3
const maxCandidates = 12

/**
 * Up to so many letters may be off: short words that differ are other words, as are pairs of
 * scripts without spaces.
 */
export const toleratedDistance = (word: string): number =>
  /^\d+$/.test(word) || hasUnspacedLetters(word) ? 0 : allowedDistance(word, { one: 3, two: 6 })

const mayBeMisspelled = (clause: Clause): boolean =>
  !clause.isExact && !clause.isExcluded && !clause.isOptional && isOneWord(clause)

/** A word with capitals where another one was typed with them. */
function inCaseOf(typed: string, word: string): string {
  const [first = '', ...others] = typed
  if (first === first.toLowerCase()) return word
  const isInCapitals = others.length > 0 && typed === typed.toUpperCase()
  return isInCapitals ? word.toUpperCase() : first.toUpperCase() + word.slice(1)
}

function writeClause({ text, field, isExcluded, isExact }: Clause): string {
  const content = isExact ? `"${text}"` : text
  return `${isExcluded ? '-' : ''}${field === undefined ? '' : `${field}:`}${content}`
}

/** The record that matches best; of equal ones that whose identifier comes first. */
function bestOf({ docs, scores }: TextMatches, ids: Ids): number | undefined {
  const idAt = (index: number): string => ids[docs[index] ?? -1] ?? ''
  let best = 0
  for (let index = 1; index < docs.length; index += 1) {
    const difference = (scores[index] ?? 0) - (scores[best] ?? 0)
    if (difference > 0 || (difference === 0 && compareCodePoints(idAt(index), idAt(best)) < 0))
      best = index
  }
  return docs[best]
}
