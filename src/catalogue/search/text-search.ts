// Finds the records that match a search with `q`, and how well each does: BM25F, the words of all fields weighed together
// (docs/architecture.md, "Search"). What is typed is read in text-query.ts, what is looked at is listed in text-fields.ts.

import { type IsCurrent, createCache } from '../../cache.js'
import { type Iris, type ResourceName, resourceNames } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { type Field, type Resources, filtersOf } from '../../model/resources.js'
import { createYielder } from '../../scheduling.js'
import {
  type LinkedResource,
  type RecordLink,
  type RecordLinks,
  createRecordLinks,
} from './record-links.js'
import { type LabelIndex, createLabelIndex } from './label-index.js'
import { type LinkedText, checkTextFields, textFields } from './text-fields.js'
import { type Stems, createStems, oneStem } from './stems.js'
import type { NameMarks, TextIndex } from './text-index.js'
import type { Clause, TextQuery } from '../../queries/text-query.js'
import type { NearbyWord, WordList } from './word-list.js'

/** The records that a search finds. */
export type TextMatches = {
  /** Their numbers, ascending. */
  readonly docs: Int32Array
  /** How well they match, by number: higher is better. */
  readonly scores: Int32Array
  /** Whether words with other spellings were taken, since nothing has them all as they were typed. */
  readonly isFuzzy: boolean
}

/** What the search takes from the index of a resource. */
export type SearchedResource = LinkedResource & { readonly text: TextIndex }

export type TextSearch = {
  /** The records of a resource that a search finds, as they are now. */
  find(name: ResourceName, query: TextQuery): Promise<TextMatches>
  /** The same search with the words that were likely meant; undefined where there is none. */
  correct(name: ResourceName, query: TextQuery): Promise<string | undefined>
  readonly links: RecordLinks
  /** Has to be called with every write. */
  onWrite(): void
  /** How many writes there were. */
  readonly writes: () => number
}

type TextSearchDependencies = {
  readonly resources: Resources
  readonly iris: Iris
  readonly mapper: RdfMapper
  readonly words: WordList
  readonly indexes: Readonly<Record<ResourceName, SearchedResource>>
}

/** How fast further occurrences count less: the weight of an occurrence that counts half of the most. */
const saturation = 4
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

export function createTextSearch(dependencies: TextSearchDependencies): TextSearch {
  const { resources, mapper, words, indexes } = dependencies
  checkTextFields(resources)
  const links = createRecordLinks(dependencies)
  const labels = createLabels(dependencies)
  const matches = createCache<TextMatches>(
    maxCachedWeight,
    ({ docs, scores }) => 4 * (docs.length + scores.length) + 200,
  )
  let writes = 0

  async function find(name: ResourceName, query: TextQuery): Promise<TextMatches> {
    const key = `${name} ${query.key}`
    for (let attempt = 0; ; attempt += 1) {
      const known = matches.get(key)
      if (known) return known
      const startedAt = writes
      const isCurrent = (): boolean => writes === startedAt
      // While much is written, it goes on without letting others write.
      const found = await findOnce(name, query, attempt < 3 ? createYielder() : noYield)
      if (isCurrent()) {
        matches.set(key, found, isCurrent satisfies IsCurrent)
        return found
      }
    }
  }

  async function findOnce(
    name: ResourceName,
    query: TextQuery,
    pause: Pause,
  ): Promise<TextMatches> {
    const unknown = new Set<Clause>()
    for (const stage of stages) {
      const isFuzzy = stage !== 'exact'
      if (isFuzzy && !query.clauses.some(mayBeMisspelled)) break
      if (stage === 'all' && query.clauses.length > maxTolerated) break
      if (stage === 'unknown' && unknown.size === 0) continue
      const isTolerant = (clause: Clause): boolean =>
        mayBeMisspelled(clause) && (stage === 'all' || (isFuzzy && unknown.has(clause)))
      const found = await evaluate(name, query, { isTolerant, unknown, pause })
      if (found.docs.length > 0) return { ...found, isFuzzy }
    }
    return { docs: new Int32Array(0), scores: new Int32Array(0), isFuzzy: false }
  }

  type Evaluation = {
    readonly isTolerant: (clause: Clause) => boolean
    /** Gets the clauses that nothing matches. */
    readonly unknown: Set<Clause>
    readonly pause: Pause
  }

  async function evaluate(
    name: ResourceName,
    { clauses }: TextQuery,
    { isTolerant, unknown, pause }: Evaluation,
  ): Promise<Pick<TextMatches, 'docs' | 'scores'>> {
    const { ids } = indexes[name].documents
    const size = ids.length
    const total = new Float32Array(size)
    const missing = new Uint8Array(size)
    const inName = createNameMatches(size)
    let wanted = 0
    for (const [position, clause] of clauses.entries()) {
      const joined = isTolerant(clause) ? neighboursOf(clauses, position) : []
      const sequences = [...sequencesOf(clause, isTolerant(clause)), ...joined]
      if (!clause.isExcluded) wanted += clause.isOptional ? 0 : 1
      const isNeeded = !clause.isExcluded && !clause.isOptional
      const own = isNeeded ? inName.forWord(wanted - 1) : undefined
      const weights = await weigh(name, clause.field, sequences, { names: own, pause })
      const count = countPositive(weights, ids)
      if (count === 0 && !clause.isExcluded) unknown.add(clause)
      if (clause.isExcluded) exclude(weights, missing)
      else {
        const rarity = Math.log(1 + (size - count + 0.5) / (count + 0.5))
        addSaturated(weights, rarity, total)
        if (isNeeded) requireWeight(weights, missing)
      }
      await pause()
    }
    // A search for nothing but signs finds nothing.
    if (clauses.length === 0) missing.fill(1)
    return collect(name, { total, missing, inName, wanted })
  }

  function collect(
    name: ResourceName,
    parts: {
      readonly total: Float32Array
      readonly missing: Uint8Array
      readonly inName: NameMatches
      readonly wanted: number
    },
  ): Pick<TextMatches, 'docs' | 'scores'> {
    const { total, missing, inName, wanted } = parts
    const { text, documents } = indexes[name]
    const { ids } = documents
    const docs = new Int32Array(ids.length)
    const scores = new Int32Array(ids.length)
    let count = 0
    for (let doc = 0; doc < ids.length; doc += 1) {
      if (missing[doc] === 1 || ids[doc] === undefined) continue
      docs[count++] = doc
      let score = total[doc] ?? 0
      if (wanted > 0 && inName.words(doc) >= Math.min(wanted, 31)) {
        const title = Math.max(1, text.lengthOf(doc, 0))
        score *= 1 + nameBonus + wholeNameBonus * Math.min(1, wanted / title)
      }
      scores[doc] = Math.round(score * scoreScale)
    }
    return { docs: docs.slice(0, count), scores }
  }

  /** What each record gets for one of several sequences of words. */
  async function weigh(
    name: ResourceName,
    field: string | undefined,
    sequences: readonly (readonly Stems[])[],
    { names, pause }: { readonly names?: NameMarks | undefined; readonly pause: Pause },
  ): Promise<Float32Array> {
    const { text, documents, values } = indexes[name]
    const { own, labels: labelled } = textFields[name]
    const into = new Float32Array(documents.ids.length)
    const isSearched = (one: string): boolean =>
      field === undefined || field === one || `${field}_id` === one
    const weights = text.weightsFor(
      own.map((one) => (isSearched(one.field) ? one.weight : 0)),
      names,
    )
    for (const sequence of sequences) {
      text.addWeights(sequence, weights, into)
      await pause()
    }
    for (const one of labelled) {
      if (!isSearched(one.field)) continue
      const { position, index, keyOf } = labels(name, one.field)
      for (const sequence of sequences)
        for (const [code, share] of index.matching(sequence)) {
          const number = values[position]?.find(keyOf(code))
          if (number !== undefined) values[position]?.addWeight(number, one.weight * share, into)
        }
    }
    for (const group of groups[name]) {
      const uses = group.filter((one) => isSearched(one.field))
      if (uses.length > 0) addLinked(name, uses, sequences, into)
      await pause()
    }
    return into
  }

  /** @param uses with the same target, and the same fields of it or the same field `by` of theirs */
  function addLinked(
    name: ResourceName,
    uses: readonly LinkedText[],
    sequences: readonly (readonly Stems[])[],
    into: Float32Array,
  ): void {
    const [first] = uses
    if (!first) return
    const { target, by, fields } = first
    const { text, documents } = indexes[target]
    // Most words are in no record of the target.
    const occurs = (sequence: readonly Stems[]): boolean =>
      sequence.every(({ stems }) => stems.some((stem) => text.count(stem) > 0))
    const occurring = sequences.filter(occurs)
    if (occurring.length === 0) return
    const { ids } = documents
    const found = new Float32Array(ids.length)
    const weights = text.weightsFor(
      textFields[target].own.map(({ field }) =>
        by === undefined
          ? (fields[field] ?? 0)
          : uses.reduce((sum, one) => sum + one.weight * (one.fields[field] ?? 0), 0),
      ),
    )
    for (const sequence of occurring) text.addWeights(sequence, weights, found)
    if (by !== undefined) addNaming(links.get(target, by), { found, ids, into })
    else
      for (const { field, weight } of uses)
        addNamed(links.get(name, field), { found, ids, into, weight })
  }

  /** The stems that may stand at each position of a clause. */
  function sequencesOf(clause: Clause, isTolerant: boolean): (readonly Stems[])[] {
    const sequences: (readonly Stems[])[] = clause.sequences.map((sequence) =>
      sequence.map(exactly),
    )
    const [word = ''] = clause.sequences[0] ?? []
    if (!clause.isPrefix && !isTolerant) return sequences
    const stems = createStems(words.stemCount())
    for (const stem of exactly(word).stems) stems.add(stem, 1)
    if (isTolerant)
      for (const { stem, distance } of nearbyWords(word))
        stems.add(stem, nearbyShares[distance] ?? 0)
    if (clause.isPrefix) for (const stem of words.startingWith(word)) stems.add(stem, prefixShare)
    return [[stems], ...sequences.slice(1), ...(isTolerant ? splits(word) : [])]
  }

  const exactly = (word: string): Stems => oneStem(words.findStem(word))

  /** A word that was written as one and is two. */
  function splits(word: string): (readonly Stems[])[] {
    const found: (readonly Stems[])[] = []
    for (let end = 2; end <= word.length - 2; end += 1) {
      const parts = [word.slice(0, end), word.slice(end)].map(exactly)
      if (parts.every(({ stems }) => stems.length > 0)) found.push(parts)
    }
    return found
  }

  /** A word that was written as two and is one. */
  function neighboursOf(clauses: readonly Clause[], position: number): (readonly Stems[])[] {
    const wordAt = (index: number): string | undefined => {
      const clause = clauses[index]
      return clause && mayBeMisspelled(clause) ? clause.sequences[0]?.[0] : undefined
    }
    const [before, own, after] = [-1, 0, 1].map((offset) => wordAt(position + offset))
    return [
      ...(before === undefined ? [] : [exactly(`${before}${own}`)]),
      ...(after === undefined ? [] : [exactly(`${own}${after}`)]),
    ]
      .filter(({ stems }) => stems.length > 0)
      .map((stems) => [stems])
  }

  const nearbyWords = (word: string): readonly NearbyWord[] => {
    const allowed = allowedDistance(word)
    return allowed === 0 ? [] : words.nearby(word, allowed)
  }

  async function correct(name: ResourceName, query: TextQuery): Promise<string | undefined> {
    const found = await find(name, query)
    if (!found.isFuzzy && found.docs.length > maxCorrected) return undefined
    const best = bestOf(found)
    const pause = createYielder()
    const corrected: Clause[] = []
    for (const clause of query.clauses) {
      const better = mayBeMisspelled(clause)
        ? await betterWord(name, clause, found.isFuzzy ? best : undefined, pause)
        : undefined
      corrected.push(
        better === undefined
          ? clause
          : { ...clause, text: better, sequences: [[better]], isPrefix: false },
      )
      await pause()
    }
    if (corrected.every((clause, index) => clause === query.clauses[index])) return undefined
    const unknown = new Set<Clause>()
    const isTolerant = (): boolean => false
    const { docs } = await evaluate(
      name,
      { clauses: corrected, key: '' },
      { isTolerant, unknown, pause },
    )
    if (docs.length === 0 || (!found.isFuzzy && docs.length <= found.docs.length)) return undefined
    return corrected.map(writeClause).join(' ')
  }

  /** A word that is spelled nearly like that of a clause: one that the record has, or one that is far more frequent. */
  async function betterWord(
    name: ResourceName,
    clause: Clause,
    best: number | undefined,
    pause: Pause,
  ): Promise<string | undefined> {
    const [word = ''] = clause.sequences[0] ?? []
    const { ids } = indexes[name].documents
    const own = await weigh(name, clause.field, sequencesOf(clause, false), { pause })
    if (best !== undefined && (own[best] ?? 0) > 0) return undefined
    const count = countPositive(own, ids)
    if (best === undefined && count > maxCorrected) return undefined
    const candidates = nearbyWords(word)
      .filter((one) => one.distance > 0)
      .map((one) => ({ ...one, uses: usesOf(name, one.stem) }))
      .sort((a, b) => a.distance - b.distance || b.uses - a.uses)
      .slice(0, maxCandidates)
    for (const { word: other, stem } of candidates) {
      const weights = await weigh(name, clause.field, [[oneStem(stem)]], { pause })
      const isBetter =
        best === undefined
          ? countPositive(weights, ids) >= 5 * Math.max(1, count)
          : (weights[best] ?? 0) > 0
      if (isBetter) return other
    }
    return undefined
  }

  const usesOf = (name: ResourceName, stem: number): number =>
    [name, ...textFields[name].linked.map(({ target }) => target)]
      .map((one) => indexes[one].text.count(stem))
      .reduce((sum, one) => sum + one, 0)

  return {
    find,
    correct,
    links,
    onWrite() {
      writes += 1
    },
    writes: () => writes,
  }

  function createLabels({ resources: all }: TextSearchDependencies) {
    const found = new Map<
      string,
      { position: number; index: LabelIndex; keyOf: (code: string) => string }
    >()
    for (const name of resourceNames)
      for (const { field } of textFields[name].labels) {
        const position = filtersOf(all[name]).findIndex((filter) => filter.name === field)
        const filter = filtersOf(all[name])[position] as Field | undefined
        if (!filter?.vocabulary) throw new Error(`${name}.${field} is no filter with a vocabulary`)
        const index = createLabelIndex(filter.vocabulary, words)
        found.set(`${name}.${field}`, {
          position,
          index,
          keyOf: (code) => mapper.termOf(filter, code).value,
        })
      }
    return (name: ResourceName, field: string) => {
      const labelled = found.get(`${name}.${field}`)
      if (!labelled) throw new Error(`${name}.${field} has no labels`)
      return labelled
    }
  }
}

type Linking = {
  /** What each record of the target gets. */
  readonly found: Float32Array
  readonly ids: readonly (string | undefined)[]
  /** What each record gets of them. */
  readonly into: Float32Array
}

/** Adds to records what those that they name get. */
function addNamed(
  { postings, numbers }: RecordLink,
  { found, ids, into, weight }: Linking & { readonly weight: number },
): void {
  for (let doc = 0; doc < found.length; doc += 1) {
    const share = found[doc] ?? 0
    const number = numbers[doc] ?? -1
    if (share > 0 && number >= 0 && ids[doc] !== undefined)
      postings.addWeight(number, share * weight, into)
  }
}

/** Adds to records the most that one gets of those that name them. */
function addNaming({ namedBy }: RecordLink, { found, ids, into }: Linking): void {
  const named = namedBy()
  const best = new Float32Array(into.length)
  for (let other = 0; other < found.length; other += 1) {
    const share = found[other] ?? 0
    if (share === 0 || ids[other] === undefined) continue
    const doc = named[other] ?? -1
    if (share > (best[doc] ?? Infinity)) best[doc] = share
  }
  for (let doc = 0; doc < best.length; doc += 1) {
    const share = best[doc] ?? 0
    if (share > 0) into[doc] = (into[doc] ?? 0) + share
  }
}

/** The linked texts of a resource that are looked through together. */
function groupLinked(name: ResourceName): readonly (readonly LinkedText[])[] {
  const byTarget = new Map<string, LinkedText[]>()
  for (const one of textFields[name].linked) {
    const key = JSON.stringify([one.target, one.by ?? one.fields])
    byTarget.set(key, [...(byTarget.get(key) ?? []), one])
  }
  return [...byTarget.values()]
}

const groups = {
  zines: groupLinked('zines'),
  agents: groupLinked('agents'),
  repositories: groupLinked('repositories'),
  holdings: groupLinked('holdings'),
}

type Pause = () => Promise<void>
const noYield: Pause = () => Promise.resolve()

/** Of so many words, all may be misspelt; of more, only those that do not occur. */
const maxTolerated = 8

/** Where so many are found, another spelling is not proposed. */
const maxCorrected = 3
const maxCandidates = 12

/** Up to so many letters may be off: short words that differ are other words. */
export const allowedDistance = (word: string): number => {
  if (/^\d+$/.test(word) || word.length < 3) return 0
  return word.length < 6 ? 1 : 2
}

const mayBeMisspelled = ({ isExact, isExcluded, isOptional, sequences }: Clause): boolean =>
  !isExact && !isExcluded && !isOptional && sequences.length === 1 && sequences[0]?.length === 1

function writeClause({ text, field, isExcluded, isExact }: Clause): string {
  const content = isExact ? `"${text}"` : text
  return `${isExcluded ? '-' : ''}${field === undefined ? '' : `${field}:`}${content}`
}

function bestOf({ docs, scores }: TextMatches): number | undefined {
  let best: number | undefined
  for (const doc of docs)
    if (best === undefined || (scores[doc] ?? 0) > (scores[best] ?? 0)) best = doc
  return best
}

// Loops over all records have functions of their own: in one that waits they are several times as slow.

function exclude(weights: Float32Array, missing: Uint8Array): void {
  for (let doc = 0; doc < weights.length; doc += 1) if ((weights[doc] ?? 0) > 0) missing[doc] = 1
}

function requireWeight(weights: Float32Array, missing: Uint8Array): void {
  for (let doc = 0; doc < weights.length; doc += 1) if ((weights[doc] ?? 0) === 0) missing[doc] = 1
}

function addSaturated(weights: Float32Array, rarity: number, total: Float32Array): void {
  for (let doc = 0; doc < weights.length; doc += 1) {
    const weight = weights[doc] ?? 0
    if (weight > 0) total[doc] = (total[doc] ?? 0) + (rarity * weight) / (saturation + weight)
  }
}

function countPositive(weights: Float32Array, ids: readonly (string | undefined)[]): number {
  let count = 0
  for (let doc = 0; doc < weights.length; doc += 1)
    if ((weights[doc] ?? 0) > 0 && ids[doc] !== undefined) count += 1
  return count
}

type NameMatches = ReturnType<typeof createNameMatches>

/** Which words of a search each record has in its names. */
function createNameMatches(size: number) {
  const marks = new Int32Array(size)
  return {
    /** @param position of the word in the search; further words count as the last */
    forWord: (position: number): NameMarks => ({ marks, bit: 1 << Math.min(position, 30) }),
    words: (doc: number): number => countBits(marks[doc] ?? 0),
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}
