// Finds the records that match all clauses of a search, and adds up what these give to them. The
// records that match a clause are sorted by their numbers, so clauses are gone through side by
// side.

import { type RecordWeights, byNumber } from './record-weights.js'

/** The records that match a clause. */
export type ClauseMatches = {
  /** Their numbers, ascending. */
  readonly docs: Int32Array
  /** What each gets, in the same order. */
  readonly weights: Float32Array
  /** 1 for those that have it in a name, in the same order. */
  readonly areNames: Uint8Array
}

/** A clause that records must match, that only raises them, or that they must not match. */
export type FoundClause = {
  readonly kind: 'required' | 'optional' | 'excluded'
  readonly matches: ClauseMatches
}

/** The records that match a search. */
export type ScoreTotals = {
  /** Their numbers, ascending. */
  readonly docs: Int32Array
  /** What each got, in the same order. */
  readonly scores: Float32Array
  /** How many of the words that it must have each has in its names, in the same order. */
  readonly namedWords: Uint8Array
}

/**
 * How fast further occurrences count less: the weight of an occurrence that counts half of the
 * most.
 */
const saturation = 4

/** The identifiers of all records; undefined for dead ones. */
type Ids = readonly (string | undefined)[]

/** @param living the records that there are now: how rare a word is depends on them alone */
export function addUp(
  clauses: readonly FoundClause[],
  living: { readonly ids: Ids; count(): number },
): ScoreTotals {
  const docs = matchingDocs(clauses, living.ids)
  const { length } = docs
  const totals = {
    docs,
    scores: new Float32Array(length),
    namedWords: new Uint8Array(length),
  }
  for (const clause of clauses)
    if (clause.kind !== 'excluded') addScores(clause, totals, living.count())
  return totals
}

/** @returns the records that match all of the clauses, ascending */
function matchingDocs(clauses: readonly FoundClause[], ids: Ids): Int32Array {
  const docsOf = (kind: FoundClause['kind']): Int32Array[] =>
    clauses.filter((clause) => clause.kind === kind).map(({ matches }) => matches.docs)
  const [fewest = livingDocs(ids), ...others] = docsOf('required').sort(
    (a, b) => a.length - b.length,
  )
  const matching = others.reduce((docs, clauseDocs) => select(docs, clauseDocs, true), fewest)
  return docsOf('excluded').reduce((docs, clauseDocs) => select(docs, clauseDocs, false), matching)
}

function livingDocs(ids: Ids): Int32Array {
  const docs = new Int32Array(ids.length)
  let count = 0
  for (let doc = 0; doc < ids.length; doc += 1) if (ids[doc] !== undefined) docs[count++] = doc
  return docs.subarray(0, count)
}

/** Those numbers that are among others, or that are not. */
function select(docs: Int32Array, others: Int32Array, areAmong: boolean): Int32Array {
  const { length } = docs
  const selected = new Int32Array(length)
  let count = 0
  let position = 0
  for (let index = 0; index < length; index += 1) {
    const doc = docs[index] ?? -1
    position = seek(others, doc, position)
    selected[count] = doc
    count += Number((others[position] === doc) === areAmong)
  }
  return selected.subarray(0, count)
}

/** @param size how many records there are */
function addScores(
  { kind, matches }: FoundClause,
  { docs, scores, namedWords }: ScoreTotals,
  size: number,
): void {
  const { docs: foundDocs, weights, areNames } = matches
  const count = foundDocs.length
  const rarity = Math.log(1 + (size - count + 0.5) / (count + 0.5))
  const nameStep = kind === 'required' ? 1 : 0
  const { length } = docs
  // Those of a search for one word are those that have it.
  const areSame = foundDocs === docs
  let position = 0
  for (let index = 0; index < length; index += 1) {
    if (areSame) position = index
    else {
      const doc = docs[index] ?? -1
      position = seek(foundDocs, doc, position)
      if (position === foundDocs.length) break
      if (foundDocs[position] !== doc) continue
    }
    const weight = weights[position] ?? 0
    scores[index] = (scores[index] ?? 0) + (rarity * weight) / (saturation + weight)
    namedWords[index] = (namedWords[index] ?? 0) + nameStep * (areNames[position] ?? 0)
  }
}

/**
 * So many numbers are passed one by one before larger steps are taken: most lists that are compared
 * are about as dense.
 */
const maxSingleSteps = 8

/**
 * The first position, from one on, of ascending numbers where there is a number or a higher one.
 */
function seek(numbers: Int32Array, number: number, from: number): number {
  const { length } = numbers
  const near = Math.min(from + maxSingleSteps, length)
  let low = from
  while (low < near && (numbers[low] ?? 0) < number) low += 1
  if (low < near || low === length || (numbers[low] ?? 0) >= number) return low
  // The number at `low` is lower.
  let step = 1
  while (low + step < length && (numbers[low + step] ?? 0) < number) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, length)
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < number) low = middle
    else high = middle
  }
  return high
}

/** @returns what the living records among those that got something have */
export function matchesOf(into: RecordWeights, ids: Ids): ClauseMatches {
  const { values, names } = into
  const docs = byNumber(into, ids)
  const { length } = docs
  const weights = new Float32Array(length)
  const areNames = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) {
    const doc = docs[index] ?? -1
    weights[index] = values[doc] ?? 0
    areNames[index] = names[doc] ?? 0
  }
  return { docs, weights, areNames }
}
