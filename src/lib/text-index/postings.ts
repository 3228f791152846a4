// Which records have a text: a dictionary of texts, and for each text the numbers of the records
// that have it. A record is not removed at once: callers ignore dead numbers, and `compact` leaves
// them out.

import { type SavedTextTable, TextTable } from '../text-table.js'
import { createAddedNumbers } from './added-numbers.js'
import { PostingLog } from './posting-log.js'
import { type RecordWeights, addWeight } from './record-weights.js'

/**
 * The most frequent values: so many, those that are as frequent as the last of them, and some that
 * are always wanted.
 */
export type MostFrequent = { readonly limit: number; readonly including: readonly string[] }

/** A mark for each record number: 1 for those in the set. */
export type DocSet = Uint8Array

export const noDocs = new Int32Array(0)

export type SavedPostings = {
  readonly texts: SavedTextTable
  /** The records of text n are those from `ends[n - 1]` up to `ends[n]`. */
  readonly docs: Int32Array
  readonly ends: Int32Array
}

type PostingsOptions = {
  /**
   * Whether its texts are looked through for parts, and never counted. Then compacting also does
   * what the next search for a part would have to do first.
   */
  readonly isLookedThrough?: boolean
}

/** How many texts are compacted in a step. */
const stepSize = 2000

export class Postings {
  /** The texts, by their numbers; also those that no record has any more. */
  readonly texts: Pick<TextTable, 'length' | 'at' | 'forEach'>
  readonly #isLookedThrough: boolean
  /** The same, to be changed. */
  readonly #texts = new TextTable()
  readonly #joined = createJoinedTexts(this.#texts)
  readonly #lists: PostingLists

  constructor({ isLookedThrough = false }: PostingsOptions = {}) {
    this.texts = this.#texts
    this.#isLookedThrough = isLookedThrough
    this.#lists = new PostingLists(!isLookedThrough)
  }

  /** @returns the number of the text */
  add(text: string, doc: number): number {
    const number = this.#texts.add(text)
    this.#lists.add(number, doc)
    return number
  }

  /** The number of a text; undefined where no record has had it. */
  find(text: string): number | undefined {
    return this.#texts.find(text)
  }

  /** The numbers of the records that have exactly this text. */
  docsWith(text: string): Int32Array {
    const number = this.#texts.find(text)
    return number === undefined ? noDocs : this.#lists.docsOf(number)
  }

  /** Calls a function with each record that has the text of a number, dead ones included. */
  forEachDoc(number: number, use: (doc: number) => void): void {
    this.#lists.forEachDoc(number, use)
  }

  /** Marks the records that have the text of a number. @returns how many of them were not marked */
  mark(number: number, marks: DocSet): number {
    return this.#lists.mark(number, marks)
  }

  /** Adds a weight to that of each record that has the text of a number. */
  addWeight(number: number, weight: number, into: RecordWeights): void {
    this.#lists.addWeights(number, weight, into)
  }

  /**
   * Marks the records that have a text which contains this part. The part has no line break.
   * @param maxNew how many records are not marked yet; the search ends when all of them are
   */
  addDocsContaining(part: string, marks: DocSet, maxNew: number): void {
    let left = maxNew
    for (const number of this.#joined.containing(part)) {
      left -= this.#lists.mark(number, marks)
      if (left <= 0) return
    }
  }

  /**
   * The texts of these records, with how many of them have each: all, or those that most of them
   * have.
   * @param marks marks the same records
   */
  countByText(
    docs: Int32Array,
    marks: DocSet,
    { limit, including }: MostFrequent = wholeTexts,
  ): Map<string, number> {
    const counts = this.#lists.countDocs(this.#texts.length, docs, marks)
    const least = leastOfMostFrequent(counts, limit)
    const countsByText = new Map<string, number>()
    for (let number = 0; number < counts.length; number += 1) {
      const count = counts[number] ?? 0
      if (count >= least) countsByText.set(this.#texts.at(number), count)
    }
    for (const text of including) {
      const count = counts[this.#texts.find(text) ?? -1] ?? 0
      if (count > 0) countsByText.set(text, count)
    }
    return countsByText
  }

  /**
   * Leaves out dead numbers and stores the others densely, in small steps, between which it can be
   * used.
   */
  *compact(isAlive: (doc: number) => boolean): Generator<void> {
    yield* this.#lists.compact(() => this.#texts.length, isAlive)
    if (this.#isLookedThrough) this.#joined.join()
  }

  /** To be called after `compact`, when nothing was added since. */
  save(): SavedPostings {
    return { texts: this.#texts.save(), ...this.#lists.save() }
  }

  /** Fills it while it is empty. */
  restore(state: SavedPostings): void {
    this.#texts.restore(state.texts)
    this.#lists.restore(state)
    if (this.#isLookedThrough) this.#joined.join()
  }
}

/** All texts, one per line, so that one search goes through all; and where each of them begins. */
function createJoinedTexts(texts: TextTable) {
  let joined = ''
  const begins: number[] = []

  function join(): void {
    if (begins.length === texts.length) return
    let { length } = joined
    const added: string[] = []
    for (let number = begins.length; number < texts.length; number += 1) {
      const text = texts.at(number)
      begins.push(length)
      length += text.length + 1
      added.push(text)
    }
    joined += `${added.join('\n')}\n`
  }

  return {
    /** The numbers of the texts that contain a part. */
    *containing(part: string): Generator<number> {
      join()
      let number = 0
      let position = joined.indexOf(part)
      while (position >= 0) {
        while ((begins[number + 1] ?? Infinity) <= position) number += 1
        yield number
        const next = begins[number + 1]
        position = next === undefined ? -1 : joined.indexOf(part, next)
      }
    },
    /** Does now what the next search would have to do first. */
    join,
  }
}

/** The numbers of the texts of record n are those from `begins[n]` up to `begins[n + 1]`. */
type TextsOfDocs = { readonly numbers: Int32Array; readonly begins: Int32Array }

/** @param docs the records of text n are those from `ends[n - 1]` up to `ends[n]` */
function transpose(docs: Int32Array, ends: Int32Array): TextsOfDocs {
  const { length } = docs
  let docCount = 0
  for (let position = 0; position < length; position += 1)
    docCount = Math.max(docCount, (docs[position] ?? -1) + 1)
  const begins = new Int32Array(docCount + 1)
  for (let position = 0; position < length; position += 1) {
    const doc = docs[position] ?? -1
    begins[doc + 1] = (begins[doc + 1] ?? 0) + 1
  }
  for (let doc = 1; doc <= docCount; doc += 1)
    begins[doc] = (begins[doc] ?? 0) + (begins[doc - 1] ?? 0)
  const numbers = new Int32Array(length)
  const next = begins.slice()
  for (let number = 0, position = 0; number < ends.length; number += 1) {
    const end = ends[number] ?? 0
    for (; position < end; position += 1) {
      const doc = docs[position] ?? -1
      const place = next[doc] ?? -1
      numbers[place] = number
      next[doc] = place + 1
    }
  }
  return { numbers, begins }
}

/**
 * A list of record numbers for each text, by the number of the text.
 * @param isCounted whether `countDocs` is called
 */
class PostingLists {
  readonly #isCounted: boolean
  /** The records of text n are those from `ends[n - 1]` up to `ends[n]`. */
  #packed: Int32Array = new Int32Array(0)
  #ends: Int32Array = new Int32Array(0)
  /** The same by record, made when it is first needed. */
  #byDoc: TextsOfDocs | undefined
  /** The records that were added by text, and the texts by record. */
  readonly #added = createAddedNumbers()
  readonly #addedByDoc = createAddedNumbers()
  /** What is added before the first compaction, which nothing finds until then. */
  #log: PostingLog | undefined = new PostingLog(false)

  constructor(isCounted: boolean) {
    this.#isCounted = isCounted
  }

  forEachDoc(number: number, use: (doc: number) => void): void {
    const docs = this.#packed
    const end = this.#endOf(number)
    for (let position = this.#beginOf(number); position < end; position += 1)
      use(docs[position] ?? -1)
    for (const doc of this.#added.of(number)) use(doc)
  }

  addWeights(number: number, weight: number, into: RecordWeights): void {
    const docs = this.#packed
    const end = this.#endOf(number)
    for (let position = this.#beginOf(number); position < end; position += 1)
      addWeight(into, docs[position] ?? -1, weight)
    for (const doc of this.#added.of(number)) addWeight(into, doc, weight)
  }

  add(number: number, doc: number): void {
    if (this.#log) this.#log.add(number, doc, 0)
    else {
      this.#added.add(number, doc)
      if (this.#isCounted) this.#addedByDoc.add(doc, number)
    }
  }

  // It goes by position: a view of the array for each of a hundred thousand texts takes longer than
  // looking at their records.
  /** Marks the records of a text. @returns how many of them were not marked */
  mark(number: number, marks: DocSet): number {
    let marked = 0
    // V8 would read the field again for each record, here and below.
    const docs = this.#packed
    const end = this.#endOf(number)
    for (let position = this.#beginOf(number); position < end; position += 1) {
      const doc = docs[position] ?? -1
      if (marks[doc] === 0) marked += marks[doc] = 1
    }
    for (const doc of this.#added.of(number)) if (marks[doc] === 0) marked += marks[doc] = 1
    return marked
  }

  /**
   * How many of these records, which are marked, have each text, by the number of the text, of so
   * many texts.
   */
  countDocs(textCount: number, docs: Int32Array, marks: DocSet): Int32Array {
    const counts = new Int32Array(textCount)
    if (docs.length < this.#packed.length / 10) {
      this.#countByDoc(docs, counts)
      return counts
    }
    this.#countInPacked(marks, counts)
    this.#added.forEach((number, addedDocs) => {
      for (const doc of addedDocs) counts[number] = (counts[number] ?? 0) + (marks[doc] ?? 0)
    })
    return counts
  }

  docsOf(number: number): Int32Array {
    const docs = this.#packed.subarray(this.#beginOf(number), this.#endOf(number))
    const further = this.#added.of(number)
    if (further.length === 0) return docs
    const all = new Int32Array(docs.length + further.length)
    all.set(docs)
    all.set(further, docs.length)
    return all
  }

  /** @param textCount how many texts there are */
  *compact(textCount: () => number, isAlive: (doc: number) => boolean): Generator<void> {
    if (this.#log) {
      // What is added from now on waits for the next compaction.
      const first = this.#log
      this.#log = undefined
      ;({ docs: this.#packed, ends: this.#ends } = yield* first.pack(textCount(), isAlive))
      this.#byDoc = undefined
      return
    }
    const count = textCount()
    const beingPacked = this.#added.beginPacking()
    this.#addedByDoc.beginPacking()
    const packed = this.#packed
    let maxLength = packed.length
    for (const docs of beingPacked.values()) maxLength += docs.length
    const nextPacked = new Int32Array(maxLength)
    const nextEnds = new Int32Array(count)
    let end = 0
    for (let number = 0; number < count; number += 1) {
      const last = this.#endOf(number)
      for (let position = this.#beginOf(number); position < last; position += 1) {
        const doc = packed[position] ?? -1
        if (isAlive(doc)) nextPacked[end++] = doc
      }
      for (const doc of beingPacked.get(number) ?? []) if (isAlive(doc)) nextPacked[end++] = doc
      nextEnds[number] = end
      if (number % stepSize === 0) yield
    }
    this.#packed = end < maxLength ? nextPacked.slice(0, end) : nextPacked
    this.#ends = nextEnds
    this.#byDoc = undefined
    this.#added.endPacking()
    this.#addedByDoc.endPacking()
  }

  save(): Omit<SavedPostings, 'texts'> {
    return { docs: this.#packed, ends: this.#ends }
  }

  restore(state: Omit<SavedPostings, 'texts'>): void {
    this.#packed = state.docs.slice()
    this.#ends = state.ends.slice()
    this.#log = undefined
  }

  #beginOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0)
  }

  #endOf(number: number): number {
    return this.#ends[number] ?? 0
  }

  #countInPacked(marks: DocSet, counts: Int32Array): void {
    const [docs, ends] = [this.#packed, this.#ends]
    let position = 0
    for (let number = 0; number < ends.length; number += 1) {
      let count = 0
      const end = ends[number] ?? 0
      for (; position < end; position += 1) count += marks[docs[position] ?? -1] ?? 0
      counts[number] = count
    }
  }

  /**
   * Most lists have few of the records, and going through all lists of texts would take as long as
   * for all records.
   */
  #countByDoc(docs: Int32Array, counts: Int32Array): void {
    const { numbers, begins } = (this.#byDoc ??= transpose(this.#packed, this.#ends))
    const { length } = docs
    for (let index = 0; index < length; index += 1) {
      const doc = docs[index] ?? -1
      const end = begins[doc + 1] ?? 0
      for (let position = begins[doc] ?? 0; position < end; position += 1) {
        const number = numbers[position] ?? -1
        counts[number] = (counts[number] ?? 0) + 1
      }
      for (const number of this.#addedByDoc.of(doc)) counts[number] = (counts[number] ?? 0) + 1
    }
  }
}

const wholeTexts: MostFrequent = { limit: Infinity, including: [] }

/**
 * The lowest count that is among the highest ones, of which there are so many; 1 where no more are
 * positive.
 */
function leastOfMostFrequent(counts: Int32Array, limit: number): number {
  if (counts.length <= limit) return 1
  let highest = 0
  for (const count of counts) highest = Math.max(highest, count)
  const texts = new Int32Array(highest + 1)
  for (const count of counts) texts[count] = (texts[count] ?? 0) + 1
  let textCount = 0
  for (let count = highest; count > 1; count -= 1) {
    textCount += texts[count] ?? 0
    if (textCount >= limit) return count
  }
  return 1
}

// A part of a string keeps the whole string in memory; a copy does not.
export const detachedCopy = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
