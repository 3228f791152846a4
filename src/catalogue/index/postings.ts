// Which records have a text: a dictionary of texts, and for each the numbers of the records that have
// it. Nothing is taken out of it at once: whoever asks knows which numbers are alive, and a sweep now
// and then leaves out the others.

/** A mark for each number: 1 where something is true of it. */
export type DocSet = Uint8Array

export type Postings = {
  add(text: string, doc: number): void
  /** The numbers of those that have this text. */
  docsWith(text: string): readonly number[]
  /**
   * Marks those that have a text with this part anywhere in it, which holds no line break.
   * @param most how many there are that are not marked: where they all are, it looks no further
   */
  addDocsContaining(part: string, marks: DocSet, most: number): void
  /** The texts, and the number of marked ones that have each. */
  countByText(marks: DocSet): Map<string, number>
  /** Packs what is alive closely, in small steps; meanwhile everything goes on. */
  compact(isAlive: (doc: number) => boolean): Generator<void>
}

/** How many texts are packed in a step. */
const stepSize = 2000

export function createPostings(): Postings {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  // All texts one under the other, to be looked through at once, and where each of them begins.
  let joined = ''
  const begins: number[] = []

  /** The numbers of the records with text n are those from `ends[n - 1]` up to `ends[n]`. */
  let packed = new Int32Array(0)
  let ends: readonly number[] = []
  /** What came since it was last packed; and while it is being packed, what came before that. */
  let added = new Map<number, number[]>()
  let waiting: typeof added = new Map()

  function add(text: string, doc: number): void {
    let number = numbers.get(text)
    if (number === undefined) {
      const own = detachedCopy(text)
      number = texts.push(own) - 1
      numbers.set(own, number)
    }
    const docs = added.get(number)
    if (docs) docs.push(doc)
    else added.set(number, [doc])
  }

  // Walked through by the place: a view for each of a hundred thousand texts takes longer than they do.
  const beginOf = (number: number): number => (number === 0 ? 0 : (ends[number - 1] ?? 0))
  const endOf = (number: number): number => ends[number] ?? 0

  const laterOf = (number: number): readonly number[] => {
    const [before = none, since = none] = [waiting.get(number), added.get(number)]
    return before.length > 0 ? [...before, ...since] : since
  }

  function docsWith(text: string): readonly number[] {
    const number = numbers.get(text)
    return number === undefined
      ? none
      : [...packed.subarray(beginOf(number), endOf(number)), ...laterOf(number)]
  }

  function addDocsContaining(part: string, marks: DocSet, most: number): void {
    join()
    let left = most
    let number = 0
    let found = joined.indexOf(part)
    while (found >= 0 && left > 0) {
      while ((begins[number + 1] ?? Infinity) <= found) number += 1
      const end = endOf(number)
      for (let place = beginOf(number); place < end; place += 1) {
        const doc = packed[place] ?? -1
        if (marks[doc] === 0) left -= marks[doc] = 1
      }
      for (const doc of laterOf(number)) if (marks[doc] === 0) left -= marks[doc] = 1
      const next = begins[number + 1]
      found = next === undefined ? -1 : joined.indexOf(part, next)
    }
  }

  function join(): void {
    let length = joined.length
    const fresh = texts.slice(begins.length)
    for (const text of fresh) {
      begins.push(length)
      length += text.length + 1
    }
    if (fresh.length > 0) joined += `${fresh.join('\n')}\n`
  }

  function countByText(marks: DocSet): Map<string, number> {
    const counts = new Map<string, number>()
    texts.forEach((text, number) => {
      let count = 0
      const end = endOf(number)
      for (let place = beginOf(number); place < end; place += 1)
        count += marks[packed[place] ?? -1] ?? 0
      for (const doc of laterOf(number)) count += marks[doc] ?? 0
      if (count > 0) counts.set(text, count)
    })
    return counts
  }

  function* compact(isAlive: (doc: number) => boolean): Generator<void> {
    waiting = added
    added = new Map()
    const count = texts.length
    let room = packed.length
    for (const docs of waiting.values()) room += docs.length
    const nextPacked = new Int32Array(room)
    const nextEnds: number[] = []
    let end = 0
    for (let number = 0; number < count; number += 1) {
      for (let place = beginOf(number); place < endOf(number); place += 1) {
        const doc = packed[place] ?? -1
        if (isAlive(doc)) nextPacked[end++] = doc
      }
      for (const doc of waiting.get(number) ?? none) if (isAlive(doc)) nextPacked[end++] = doc
      nextEnds.push(end)
      if (number % stepSize === 0) yield
    }
    packed = end < room ? nextPacked.slice(0, end) : nextPacked
    ends = nextEnds
    waiting = new Map()
    join()
  }

  return { add, docsWith, addDocsContaining, countByText, compact }
}

const none: readonly number[] = []

// What is cut out of a text keeps the whole of it in memory; a copy does not.
export const detachedCopy = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
