// Which records have a text: a dictionary of texts, and for each text the numbers of the records that
// have it. A record is not removed at once: callers ignore dead numbers, and `compact` leaves them out.

/** A mark for each record number: 1 for those in the set. */
export type DocSet = Uint8Array

export type Postings = {
  /** @returns the number of the text */
  add(text: string, doc: number): number
  /** The number of a text; undefined where no record has had it. */
  find(text: string): number | undefined
  /** The texts, by their numbers; also those that no record has any more. */
  readonly texts: readonly string[]
  /** The numbers of the records that have exactly this text. */
  docsWith(text: string): readonly number[]
  /** Calls a function with each record that has the text of a number, dead ones included. */
  forEachDoc(number: number, use: (doc: number) => void): void
  /** Adds a weight to that of each record that has the text of a number. */
  addWeight(number: number, weight: number, into: Float32Array): void
  /**
   * Marks the records that have a text which contains this part. The part has no line break.
   * @param maxNew how many records are not marked yet; the search ends when all of them are
   */
  addDocsContaining(part: string, marks: DocSet, maxNew: number): void
  /** The texts of marked records, with how many of them have each. */
  countByText(marks: DocSet): Map<string, number>
  /** Leaves out dead numbers and stores the others densely, in small steps, between which it can be used. */
  compact(isAlive: (doc: number) => boolean): Generator<void>
  /** To be called after `compact`, when nothing was added since. */
  save(): SavedPostings
  /** Fills it while it is empty. */
  restore(saved: SavedPostings): void
}

export type SavedPostings = {
  /** By their numbers. */
  readonly texts: readonly string[]
  /** The records of text n are those from `ends[n - 1]` up to `ends[n]`. */
  readonly docs: Int32Array
  readonly ends: Int32Array
}

/** How many texts are compacted in a step. */
const stepSize = 2000

export function createPostings(): Postings {
  const dictionary = createDictionary()
  const lists = createPostingLists()

  return {
    add(text, doc) {
      const number = dictionary.numberFor(text)
      lists.add(number, doc)
      return number
    },
    find: dictionary.find,
    texts: dictionary.texts,
    docsWith(text) {
      const number = dictionary.find(text)
      return number === undefined ? none : lists.docsOf(number)
    },
    forEachDoc: lists.forEachDoc,
    addWeight: lists.addWeight,
    addDocsContaining(part, marks, maxNew) {
      let left = maxNew
      for (const number of dictionary.containing(part)) {
        left -= lists.mark(number, marks)
        if (left <= 0) return
      }
    },
    countByText(marks) {
      const counts = new Map<string, number>()
      dictionary.texts.forEach((text, number) => {
        const count = lists.countMarked(number, marks)
        if (count > 0) counts.set(text, count)
      })
      return counts
    },
    *compact(isAlive) {
      yield* lists.compact(dictionary.texts.length, isAlive)
      dictionary.join()
    },
    save: () => ({ texts: dictionary.texts, ...lists.save() }),
    restore({ texts, ...saved }) {
      dictionary.restore(texts)
      lists.restore(saved)
    },
  }
}

/** Numbers texts, and finds those that contain a part. */
function createDictionary() {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  // All texts, one per line, so that one search goes through all; and where each of them begins.
  let joined = ''
  const begins: number[] = []

  function join(): void {
    let length = joined.length
    const added = texts.slice(begins.length)
    for (const text of added) {
      begins.push(length)
      length += text.length + 1
    }
    if (added.length > 0) joined += `${added.join('\n')}\n`
  }

  return {
    texts: texts as readonly string[],
    find: (text: string): number | undefined => numbers.get(text),
    /** The number of a text, which is added when it is new. */
    numberFor(text: string): number {
      const known = numbers.get(text)
      if (known !== undefined) return known
      const own = detachedCopy(text)
      const number = texts.push(own) - 1
      numbers.set(own, number)
      return number
    },
    /** The numbers of the texts that contain a part. */
    *containing(part: string): Generator<number> {
      join()
      let number = 0
      let found = joined.indexOf(part)
      while (found >= 0) {
        while ((begins[number + 1] ?? Infinity) <= found) number += 1
        yield number
        const next = begins[number + 1]
        found = next === undefined ? -1 : joined.indexOf(part, next)
      }
    },
    /** Does now what the next search would have to do first. */
    join,
    restore(saved: readonly string[]): void {
      for (const text of saved) numbers.set(text, texts.push(text) - 1)
      join()
    },
  }
}

/** A list of record numbers for each text, by the number of the text. */
function createPostingLists() {
  /** The records of text n are those from `ends[n - 1]` up to `ends[n]`. */
  let packed = new Int32Array(0)
  let ends = new Int32Array(0)
  /** What was added since the last compaction; and while one is under way, what was added before it. */
  let added = new Map<number, number[]>()
  let beingPacked: typeof added = new Map()

  const beginOf = (number: number): number => (number === 0 ? 0 : (ends[number - 1] ?? 0))
  const endOf = (number: number): number => ends[number] ?? 0

  const addedTo = (number: number): readonly number[] => {
    // Asked a hundred thousand times in a search.
    if (beingPacked.size === 0) return added.size === 0 ? none : (added.get(number) ?? none)
    const [before = none, since = none] = [beingPacked.get(number), added.get(number)]
    return before.length > 0 ? [...before, ...since] : since
  }

  // These two go by position: a view of the array for each of a hundred thousand texts takes longer than
  // looking at their records.

  /** Marks the records of a text. @returns how many of them were not marked */
  function mark(number: number, marks: DocSet): number {
    let marked = 0
    const end = endOf(number)
    for (let position = beginOf(number); position < end; position += 1) {
      const doc = packed[position] ?? -1
      if (marks[doc] === 0) marked += marks[doc] = 1
    }
    for (const doc of addedTo(number)) if (marks[doc] === 0) marked += marks[doc] = 1
    return marked
  }

  function countMarked(number: number, marks: DocSet): number {
    let count = 0
    const end = endOf(number)
    for (let position = beginOf(number); position < end; position += 1)
      count += marks[packed[position] ?? -1] ?? 0
    for (const doc of addedTo(number)) count += marks[doc] ?? 0
    return count
  }

  function forEachDoc(number: number, use: (doc: number) => void): void {
    const end = endOf(number)
    for (let position = beginOf(number); position < end; position += 1) use(packed[position] ?? -1)
    for (const doc of addedTo(number)) use(doc)
  }

  function addWeight(number: number, weight: number, into: Float32Array): void {
    const end = endOf(number)
    for (let position = beginOf(number); position < end; position += 1) {
      const doc = packed[position] ?? 0
      into[doc] = (into[doc] ?? 0) + weight
    }
    for (const doc of addedTo(number)) into[doc] = (into[doc] ?? 0) + weight
  }

  return {
    forEachDoc,
    addWeight,
    add(number: number, doc: number): void {
      const docs = added.get(number)
      if (docs) docs.push(doc)
      else added.set(number, [doc])
    },
    mark,
    countMarked,
    docsOf: (number: number): readonly number[] => [
      ...packed.subarray(beginOf(number), endOf(number)),
      ...addedTo(number),
    ],
    /** @param count how many texts there are */
    *compact(count: number, isAlive: (doc: number) => boolean): Generator<void> {
      beingPacked = added
      added = new Map()
      let maxLength = packed.length
      for (const docs of beingPacked.values()) maxLength += docs.length
      const nextPacked = new Int32Array(maxLength)
      const nextEnds = new Int32Array(count)
      let end = 0
      for (let number = 0; number < count; number += 1) {
        for (let position = beginOf(number); position < endOf(number); position += 1) {
          const doc = packed[position] ?? -1
          if (isAlive(doc)) nextPacked[end++] = doc
        }
        for (const doc of beingPacked.get(number) ?? none) if (isAlive(doc)) nextPacked[end++] = doc
        nextEnds[number] = end
        if (number % stepSize === 0) yield
      }
      packed = end < maxLength ? nextPacked.slice(0, end) : nextPacked
      ends = nextEnds
      beingPacked = new Map()
    },
    save: () => ({ docs: packed, ends }),
    restore(saved: Omit<SavedPostings, 'texts'>): void {
      packed = saved.docs.slice()
      ends = saved.ends.slice()
    },
  }
}

const none: readonly number[] = []

// A part of a string keeps the whole string in memory; a copy does not.
export const detachedCopy = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
