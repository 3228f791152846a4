// Finds names that are like a name: by the groups of three letters that they have in common, of
// which the likest are then compared word by word (docs/reference/reconciliation.md, "Scores").
// Names are added and removed at any time.

import { collectInSteps } from '../scheduling.js'
import { type SavedTextTable, TextTable } from '../text-table.js'
import { withRoom } from '../typed-arrays.js'
import { type NameForm, type NameKind, formsOf, likenessOf } from './name-likeness.js'

export type FoundName = {
  readonly id: string
  /** From 0 to 1. */
  readonly likeness: number
  readonly isSame: boolean
}

export type SavedNames = {
  /** The names, each once. */
  readonly texts: SavedTextTable
  readonly ids: SavedTextTable
  /**
   * By the number of a name of an entity: the name, the entity, its next name, and what else is
   * known of it.
   */
  readonly textNumbers: Int32Array
  readonly owners: Int32Array
  readonly nexts: Int32Array
  readonly percents: Int8Array
  readonly gramCounts: Uint16Array
  /** By the number of an entity. */
  readonly firsts: Int32Array
  readonly keys: ReadonlyMap<number, readonly string[]>
  readonly grams: readonly string[]
  /** The names with group n are from `ends[n - 1]` up to `ends[n]`. */
  readonly docs: Int32Array
  readonly ends: Int32Array
  readonly free: readonly number[]
}

/** So many names are compared word by word. */
const maxCompared = 80

/**
 * Of a name, the rarest groups of letters are looked up: so many, as long as there are not more
 * names with them than this. What has only common ones in common with a name is not like it.
 */
const maxGrams = 48
const maxLookedUp = 30_000

/** Of so many names that may begin as a text does, suggestions are chosen. */
const maxCompleted = 10_000

/** No name has as many groups. */
const maxGramCount = 2 ** 16 - 1

/** How many dead names are kept, besides a quarter of all. */
const maxDead = 10_000

/** What stands for no name, and for no entity. */
const none = -1

export class NameIndex {
  readonly #kind: NameKind
  /** The words of names, joined by spaces. */
  readonly #texts = new TextTable()
  readonly #ids = new TextTable()
  // Each name of each entity has a number: that of the text, or `none` where it was removed; that
  // of the entity; that of the entity's next name; its weight in percent, negative where it is not
  // whole; and how many groups it has.
  #length = 0
  #textNumbers: Int32Array = new Int32Array(0)
  #owners: Int32Array = new Int32Array(0)
  #nexts: Int32Array = new Int32Array(0)
  #percents = new Int8Array(0)
  #gramCounts = new Uint16Array(0)
  /** The first name of each entity, `none` where it has none. */
  #firsts: Int32Array = new Int32Array(0)
  #count = 0
  /** The identifiers of the entities that have any. */
  #keysOf = new Map<number, readonly string[]>()
  readonly #entitiesByKey = new Map<string, readonly number[]>()
  readonly #lists = new Map<string, DocList>()
  #free: number[] = []
  #dead: number[] = []
  #sweeping: Promise<void> | undefined
  #marks = new Float32Array(0)

  constructor(kind: NameKind) {
    this.#kind = kind
  }

  /**
   * Sets the names and the identifiers of an entity, in place of those that it has; none remove it.
   */
  set(id: string, names: readonly string[], identifiers: readonly string[] = []): void {
    const before = this.#ids.find(id)
    if (before !== undefined && this.#isNamed(before)) this.#remove(before)
    const forms = distinctForms(names.flatMap((name) => formsOf(name, this.#kind)))
    const keys = [...new Set(identifiers.map(identifierKey).filter((key) => key !== ''))]
    if (forms.length === 0 && keys.length === 0) return
    const entity = this.#ids.add(id)
    this.#firsts = withRoom(this.#firsts, entity + 1)
    this.#firsts[entity] = none
    this.#count += 1
    this.#setKeys(entity, keys)
    let last = none
    for (const form of forms) {
      const doc = this.#addForm(form, entity)
      if (last === none) this.#firsts[entity] = doc
      else this.#nexts[last] = doc
      last = doc
    }
  }

  /** Frees memory that was used while names were added, in small steps. */
  *build(): Generator<void> {
    for (const list of this.#lists.values()) {
      list.trim()
      yield
    }
  }

  /** The entities whose names are most like a name, the likest first. */
  find(name: string, limit: number): readonly FoundName[] {
    const best = new Map<string, FoundName>()
    for (const form of formsOf(name, this.#kind))
      for (const doc of this.#candidatesOf(form)) {
        const known = this.#nameOf(doc)
        if (known === undefined) continue
        const weight = (this.#percents[doc] ?? 100) / 100
        const { value, isSame } = likenessOf(form.words, known.split(' '))
        const likeness = value * form.weight * Math.abs(weight)
        const id = this.#idOf(doc)
        const same = isSame && form.isWhole && weight > 0
        const before = best.get(id)
        if (!before || before.likeness < likeness || (same && !before.isSame))
          best.set(id, {
            id,
            likeness: Math.max(likeness, before?.likeness ?? 0),
            isSame: same || (before?.isSame ?? false),
          })
      }
    return sorted([...best.values()]).slice(0, limit)
  }

  /** The entities with a word that begins so, after words that are there too; for suggestions. */
  complete(prefix: string, limit: number): readonly FoundName[] {
    const [form] = formsOf(prefix, 'title')
    if (!form) return []
    const namesById = new Map<string, FoundName>()
    const last = form.words.at(-1) ?? ''
    const before = form.words.slice(0, -1)
    for (const doc of this.#narrowest(form.words)) {
      const known = this.#nameOf(doc)?.split(' ')
      if (!known) continue
      const isFound =
        before.every((word) => known.includes(word)) && known.some((word) => word.startsWith(last))
      if (!isFound) continue
      const atStart = known.join(' ').startsWith(form.words.join(' '))
      const likeness =
        (atStart ? 0.5 : 0) + 0.5 / (1 + Math.max(0, known.length - form.words.length))
      const id = this.#idOf(doc)
      if ((namesById.get(id)?.likeness ?? 0) < likeness)
        namesById.set(id, { id, likeness, isSame: false })
    }
    return sorted([...namesById.values()]).slice(0, limit)
  }

  /** The entities with an identifier, as `identifierKey` writes it. */
  withIdentifier(key: string): readonly string[] {
    return (this.#entitiesByKey.get(key) ?? []).map((entity) => this.#ids.at(entity))
  }

  /** The number of entities. */
  count(): number {
    return this.#count
  }

  /** All that it has, for `restore`. Nothing may be set meanwhile. */
  async save(): Promise<SavedNames> {
    await this.#sweeping
    await this.#sweep()
    const ends = new Int32Array(this.#lists.size)
    let end = 0
    for (const [position, list] of [...this.#lists.values()].entries())
      ends[position] = end += list.length()
    const docs = new Int32Array(end)
    for (const [position, list] of [...this.#lists.values()].entries())
      docs.set(list.docs().subarray(0, list.length()), ends[position - 1] ?? 0)
    return {
      texts: this.#texts.save(),
      ids: this.#ids.save(),
      textNumbers: this.#textNumbers.subarray(0, this.#length),
      owners: this.#owners.subarray(0, this.#length),
      nexts: this.#nexts.subarray(0, this.#length),
      percents: this.#percents.subarray(0, this.#length),
      gramCounts: this.#gramCounts.subarray(0, this.#length),
      firsts: this.#firsts.subarray(0, this.#ids.length),
      keys: this.#keysOf,
      grams: [...this.#lists.keys()],
      docs,
      ends,
      free: this.#free,
    }
  }

  /** Fills it while it is empty. */
  restore(state: SavedNames): void {
    this.#texts.restore(state.texts)
    this.#ids.restore(state.ids)
    this.#length = state.textNumbers.length
    this.#textNumbers = state.textNumbers.slice()
    this.#owners = state.owners.slice()
    this.#nexts = state.nexts.slice()
    this.#percents = state.percents.slice()
    this.#gramCounts = state.gramCounts.slice()
    this.#firsts = state.firsts.slice()
    this.#free = [...state.free]
    this.#keysOf = new Map()
    for (const [entity, keys] of state.keys) this.#setKeys(entity, keys)
    for (let entity = 0; entity < this.#firsts.length; entity += 1)
      if (this.#isNamed(entity)) this.#count += 1
    state.grams.forEach((gram, position) => {
      const start = state.ends[position - 1] ?? 0
      this.#lists.set(gram, createDocList(state.docs.slice(start, state.ends[position])))
    })
  }

  #isNamed(entity: number): boolean {
    return (this.#firsts[entity] ?? none) !== none || this.#keysOf.has(entity)
  }

  #nameOf(doc: number): string | undefined {
    const text = this.#textNumbers[doc] ?? none
    return text === none ? undefined : this.#texts.at(text)
  }

  #idOf(doc: number): string {
    return this.#ids.at(this.#owners[doc] ?? 0)
  }

  #setKeys(entity: number, keys: readonly string[]): void {
    if (keys.length > 0) this.#keysOf.set(entity, keys)
    for (const key of keys)
      this.#entitiesByKey.set(key, [...(this.#entitiesByKey.get(key) ?? []), entity])
  }

  #addForm({ words, weight, isWhole }: NameForm, entity: number): number {
    const doc = this.#free.pop() ?? this.#length++
    this.#textNumbers = withRoom(this.#textNumbers, this.#length)
    this.#owners = withRoom(this.#owners, this.#length)
    this.#nexts = withRoom(this.#nexts, this.#length)
    this.#percents = withRoom(this.#percents, this.#length)
    this.#gramCounts = withRoom(this.#gramCounts, this.#length)
    const grams = gramsOf(words)
    const percent = Math.round(100 * weight)
    this.#textNumbers[doc] = this.#texts.add(words.join(' '))
    this.#owners[doc] = entity
    this.#nexts[doc] = none
    this.#percents[doc] = isWhole ? percent : -percent
    this.#gramCounts[doc] = Math.min(grams.length, maxGramCount)
    for (const gram of grams) {
      const list = this.#lists.get(gram)
      if (list) list.push(doc)
      else this.#lists.set(gram, createDocList(Int32Array.of(doc)))
    }
    return doc
  }

  #remove(entity: number): void {
    for (const key of this.#keysOf.get(entity) ?? []) {
      const others = (this.#entitiesByKey.get(key) ?? []).filter((other) => other !== entity)
      if (others.length > 0) this.#entitiesByKey.set(key, others)
      else this.#entitiesByKey.delete(key)
    }
    this.#keysOf.delete(entity)
    for (let doc = this.#firsts[entity] ?? none; doc !== none; doc = this.#nexts[doc] ?? none) {
      this.#textNumbers[doc] = none
      this.#dead.push(doc)
    }
    this.#firsts[entity] = none
    this.#count -= 1
    if (this.#dead.length > Math.max(maxDead, this.#length / 4)) this.#sweeping ??= this.#sweep()
  }

  /** Removes dead names from all lists, so that their numbers can be used again. */
  async #sweep(): Promise<void> {
    const swept = this.#dead
    this.#dead = []
    await collectInSteps(this.#removeAll(new Set(swept)))
    for (const doc of swept) this.#free.push(doc)
    this.#sweeping = undefined
  }

  *#removeAll(dead: ReadonlySet<number>): Generator<void> {
    for (const list of this.#lists.values()) {
      list.removeAll(dead)
      yield
    }
  }

  /** The names that have most groups of letters in common with these words. */
  #candidatesOf({ words, isWhole }: NameForm): readonly number[] {
    const lists = gramsOf(words)
      .map((gram) => this.#lists.get(gram))
      .filter((list) => list !== undefined)
      .sort((a, b) => a.length() - b.length())
      .slice(0, maxGrams)
    if (this.#marks.length < this.#length)
      this.#marks = new Float32Array(Math.ceil(this.#length * 1.2) + 64)
    const touched: number[] = []
    let lookedUp = 0
    for (const list of lists) {
      lookedUp += list.length()
      if (lookedUp > maxLookedUp && touched.length > 0) break
      const rarity = Math.log(1 + this.#length / list.length())
      const docs = list.docs()
      for (let index = 0; index < list.length(); index += 1) {
        const doc = docs[index] ?? 0
        if (this.#marks[doc] === 0) touched.push(doc)
        this.#marks[doc] = (this.#marks[doc] ?? 0) + rarity
      }
    }
    const count = isWhole ? maxCompared : maxCompared / 4
    const best = likest(touched, count, (doc) =>
      this.#textNumbers[doc] === none
        ? 0
        : (this.#marks[doc] ?? 0) / (12 + (this.#gramCounts[doc] ?? 0)),
    )
    for (const doc of touched) this.#marks[doc] = 0
    return best
  }

  /**
   * The shortest list of names that have a group of letters which every name with these words has.
   */
  #narrowest(words: readonly string[]): Int32Array {
    const last = words.at(-1) ?? ''
    const required = [...words.slice(0, -1).flatMap(gramsOfWord), ...gramsOfBeginning(last)]
    const lists = required.map((gram) => this.#lists.get(gram))
    if (lists.includes(undefined)) return new Int32Array(0)
    const [shortest] = lists
      .filter((list) => list !== undefined)
      .sort((a, b) => a.length() - b.length())
    return shortest
      ? shortest.docs().subarray(0, Math.min(shortest.length(), maxCompleted))
      : new Int32Array(0)
  }
}

const sorted = (names: FoundName[]): FoundName[] =>
  names.sort((a, b) => b.likeness - a.likeness || (a.id < b.id ? -1 : 1))

/** The numbers with the highest values; a value of 0 is left out. */
function likest(
  docs: readonly number[],
  count: number,
  valueOf: (doc: number) => number,
): readonly number[] {
  const best: { readonly doc: number; readonly value: number }[] = []
  let least = 0
  for (const doc of docs) {
    const value = valueOf(doc)
    if (value <= least) continue
    best.push({ doc, value })
    if (best.length < 4 * count) continue
    best.sort((a, b) => b.value - a.value).splice(count)
    least = best.at(-1)?.value ?? 0
  }
  return best
    .sort((a, b) => b.value - a.value)
    .slice(0, count)
    .map(({ doc }) => doc)
}

function distinctForms(forms: readonly NameForm[]): readonly NameForm[] {
  const byText = new Map<string, NameForm>()
  for (const form of forms) {
    const text = form.words.join(' ')
    const before = byText.get(text)
    if (!before || before.weight < form.weight) byText.set(text, form)
  }
  return [...byText.values()]
}

/**
 * Groups of three letters of each word, with its first letter and its first two, and one of the
 * whole name.
 */
const gramsOf = (words: readonly string[]): readonly string[] => [
  wholeGram(words),
  ...new Set(words.flatMap(gramsOfWord)),
]

/** Few names have the same one, so that a name of common words only is found too. */
function wholeGram(words: readonly string[]): string {
  let hash = 0
  for (const letter of words.toSorted().join(' '))
    hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return `=${hash % wholeGrams}`
}

const wholeGrams = 4096

function gramsOfWord(word: string): readonly string[] {
  const grams = [...gramsOfBeginning(word)]
  // The end of a word too, so that a wrong letter in a short one leaves some.
  if (word.length > 2) grams.push(`${word.slice(-2)}$`)
  return grams
}

function gramsOfBeginning(word: string): readonly string[] {
  const grams = [`^${word.slice(0, 1)}`]
  if (word.length > 1) grams.push(`^${word.slice(0, 2)}`)
  for (let index = 0; index + 3 <= word.length; index += 1) grams.push(word.slice(index, index + 3))
  return grams
}

/** What an identifier is compared by: letters and digits, of a URL the last segment. */
export function identifierKey(identifier: string): string {
  const text = identifier.trim()
  const isUrl = /^https?:\/\//i.test(text)
  const segments = isUrl ? text.split(/[/?#=]/).filter(Boolean) : [text]
  return (segments.at(-1) ?? '')
    .replace(/^(?:isbn|issn|doi|orcid|isil|ror|viaf|isni|wikidata|urn:[a-z]+)[:\s]+/i, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

type DocList = ReturnType<typeof createDocList>

/** A list of numbers that grows. @param first become its own */
function createDocList(first: Int32Array) {
  let docs = first
  let length = first.length
  return {
    docs: (): Int32Array => docs,
    length: (): number => length,
    push(doc: number): void {
      if (length === docs.length) {
        const larger = new Int32Array(Math.ceil(length * 1.6) + 2)
        larger.set(docs)
        docs = larger
      }
      docs[length] = doc
      length += 1
    },
    removeAll(dead: ReadonlySet<number>): void {
      const livingDocs = docs.subarray(0, length).filter((doc) => !dead.has(doc))
      docs = livingDocs
      length = livingDocs.length
    },
    trim(): void {
      docs = docs.slice(0, length)
    },
  }
}
