// Adds up what the clauses of a search give to the records, and takes out those that do not match them all. After the first
// clause that a record must match, only those are looked at that have matched all so far.

import { type RecordWeights, addWeight, isMost } from './record-weights.js'

/** The records that match a clause. */
export type ClauseMatches = {
  /** Their numbers, each once. */
  readonly docs: Int32Array
  /** What each gets, in the same order. */
  readonly weights: Float32Array
  /** 1 for those that have it in a name, in the same order. */
  readonly areNames: Uint8Array
}

export type ScoreTotals = ReturnType<typeof createScoreTotals>

/** How fast further occurrences count less: the weight of an occurrence that counts half of the most. */
const saturation = 4
/** A record with a word that it must not have: there are not so many words in a search. */
const excludedStep = 255
/** So many words of a search are told apart in names; further ones count as the last. */
const maxNameBits = 31

/**
 * @param total weights of nothing
 * @param ids of all records; undefined for dead ones
 */
export function createScoreTotals(total: RecordWeights, ids: readonly (string | undefined)[]) {
  const size = ids.length
  /** How many clauses a record must match, of those that were added. */
  let required = 0
  /** Those that match them; all where there are none yet. */
  let left: Int32Array | undefined

  const rarityOf = ({ docs: { length } }: ClauseMatches): number =>
    Math.log(1 + (size - length + 0.5) / (length + 0.5))

  /** @returns whether the record is still looked for */
  const isLeft = (doc: number): boolean => total.steps[doc] === required

  return {
    /** Has to be called before `exclude`, as `addOptional`. */
    addRequired(found: ClauseMatches): void {
      const rarity = rarityOf(found)
      const { docs, weights, areNames } = found
      const { steps, names } = total
      const bit = 1 << Math.min(required, maxNameBits - 1)
      const next = new Int32Array(docs.length)
      let count = 0
      for (let index = 0; index < docs.length; index += 1) {
        const doc = docs[index] ?? 0
        if (steps[doc] !== required) continue
        addWeight(total, doc, saturate(weights[index] ?? 0, rarity))
        steps[doc] = required + 1
        if (areNames[index] === 1) names[doc] = (names[doc] ?? 0) | bit
        next[count++] = doc
      }
      left = next.subarray(0, count)
      required += 1
    },
    addOptional(found: ClauseMatches): void {
      const rarity = rarityOf(found)
      const { docs, weights } = found
      for (let index = 0; index < docs.length; index += 1) {
        const doc = docs[index] ?? 0
        if (isLeft(doc)) addWeight(total, doc, saturate(weights[index] ?? 0, rarity))
      }
    },
    exclude({ docs }: ClauseMatches): void {
      const { steps, values } = total
      const { length } = docs
      for (let index = 0; index < length; index += 1) {
        const doc = docs[index] ?? -1
        if (!isLeft(doc)) continue
        if (values[doc] === 0) total.docs[total.count++] = doc
        steps[doc] = excludedStep
      }
    },
    /** The records that match all, ascending. */
    collect(): Int32Array {
      if (left && !isMost(left.length, size)) return left.filter(isLeft).sort()
      const docs = new Int32Array(left?.length ?? size)
      let count = 0
      for (let doc = 0; doc < size; doc += 1)
        if (total.steps[doc] === required && ids[doc] !== undefined) docs[count++] = doc
      return docs.slice(0, count)
    },
    scoreOf: (doc: number): number => total.values[doc] ?? 0,
    /** Of how many words that it must have: 0 unless the record has all of them in its names. */
    wordsInName: (doc: number): number =>
      countBits(total.names[doc] ?? 0) >= Math.min(required, maxNameBits) ? required : 0,
  }
}

const saturate = (weight: number, rarity: number): number =>
  (rarity * weight) / (saturation + weight)

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** What the living records among those that got something have. */
export function matchesOf(
  { values, names, docs: found, count: foundCount }: RecordWeights,
  ids: readonly (string | undefined)[],
): ClauseMatches {
  const docs = new Int32Array(foundCount)
  const weights = new Float32Array(foundCount)
  const areNames = new Uint8Array(foundCount)
  let count = 0
  for (let index = 0; index < foundCount; index += 1) {
    const doc = found[index] ?? 0
    if (ids[doc] === undefined) continue
    docs[count] = doc
    weights[count] = values[doc] ?? 0
    areNames[count++] = names[doc] ?? 0
  }
  if (count === foundCount) return { docs, weights, areNames }
  return {
    docs: docs.slice(0, count),
    weights: weights.slice(0, count),
    areNames: areNames.slice(0, count),
  }
}
