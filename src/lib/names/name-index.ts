// Finds names that are like a name: by the groups of three letters that they have in common, of
// which the likest are then compared word by word (docs/reference/reconciliation.md, "Scores").
// Names are added and removed at any time.

import { collectInSteps } from '../scheduling.js'
import { type SavedTextTable, createTextTable } from '../text-table.js'
import { withRoom } from '../typed-arrays.js'
import { type NameForm, type NameKind, formsOf, likenessOf } from './name-likeness.js'

export type FoundName = {
  readonly id: string
  /** From 0 to 1. */
  readonly likeness: number
  readonly isSame: boolean
}

export type NameIndex = {
  /**
   * Sets the names and the identifiers of an entity, in place of those that it has; none remove it.
   */
  set(id: string, names: readonly string[], identifiers?: readonly string[]): void
  /** Frees memory that was used while names were added, in small steps. */
  build(): Generator<void>
  /** The entities whose names are most like a name, the likest first. */
  find(name: string, limit: number): readonly FoundName[]
  /** The entities with a word that begins so, after words that are there too; for suggestions. */
  complete(prefix: string, limit: number): readonly FoundName[]
  /** The entities with an identifier, as `identifierKey` writes it. */
  withIdentifier(key: string): readonly string[]
  /** The number of entities. */
  count(): number
  /** All that it has, for `restore`. Nothing may be set meanwhile. */
  save(): Promise<SavedNames>
  /** Fills it while it is empty. */
  restore(saved: SavedNames): void
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

export function createNameIndex(kind: NameKind): NameIndex {
  /** The words of names, joined by spaces. */
  const texts = createTextTable()
  const ids = createTextTable()
  // Each name of each entity has a number: that of the text, or `none` where it was removed; that
  // of the entity; that of the entity's next name; its weight in percent, negative where it is not
  // whole; and how many groups it has.
  let length = 0
  let textNumbers: Int32Array = new Int32Array(0)
  let owners: Int32Array = new Int32Array(0)
  let nexts: Int32Array = new Int32Array(0)
  let percents = new Int8Array(0)
  let gramCounts = new Uint16Array(0)
  /** The first name of each entity, `none` where it has none. */
  let firsts: Int32Array = new Int32Array(0)
  let count = 0
  /** The identifiers of the entities that have any. */
  let keysOf = new Map<number, readonly string[]>()
  const entitiesByKey = new Map<string, readonly number[]>()
  const lists = new Map<string, DocList>()
  let free: number[] = []
  let dead: number[] = []
  let sweeping: Promise<void> | undefined
  let marks = new Float32Array(0)

  const isNamed = (entity: number): boolean =>
    (firsts[entity] ?? none) !== none || keysOf.has(entity)

  function nameOf(doc: number): string | undefined {
    const text = textNumbers[doc] ?? none
    return text === none ? undefined : texts.at(text)
  }

  const idOf = (doc: number): string => ids.at(owners[doc] ?? 0)

  function set(id: string, given: readonly string[], identifiers: readonly string[] = []): void {
    const before = ids.find(id)
    if (before !== undefined && isNamed(before)) remove(before)
    const forms = distinctForms(given.flatMap((name) => formsOf(name, kind)))
    const keys = [...new Set(identifiers.map(identifierKey).filter((key) => key !== ''))]
    if (forms.length === 0 && keys.length === 0) return
    const entity = ids.add(id)
    firsts = withRoom(firsts, entity + 1)
    firsts[entity] = none
    count += 1
    setKeys(entity, keys)
    let last = none
    for (const form of forms) {
      const doc = addForm(form, entity)
      if (last === none) firsts[entity] = doc
      else nexts[last] = doc
      last = doc
    }
  }

  function setKeys(entity: number, keys: readonly string[]): void {
    if (keys.length > 0) keysOf.set(entity, keys)
    for (const key of keys) entitiesByKey.set(key, [...(entitiesByKey.get(key) ?? []), entity])
  }

  function addForm({ words, weight, isWhole }: NameForm, entity: number): number {
    const doc = free.pop() ?? length++
    textNumbers = withRoom(textNumbers, length)
    owners = withRoom(owners, length)
    nexts = withRoom(nexts, length)
    percents = withRoom(percents, length)
    gramCounts = withRoom(gramCounts, length)
    const grams = gramsOf(words)
    const percent = Math.round(100 * weight)
    textNumbers[doc] = texts.add(words.join(' '))
    owners[doc] = entity
    nexts[doc] = none
    percents[doc] = isWhole ? percent : -percent
    gramCounts[doc] = Math.min(grams.length, maxGramCount)
    for (const gram of grams) {
      const list = lists.get(gram)
      if (list) list.push(doc)
      else lists.set(gram, createDocList(Int32Array.of(doc)))
    }
    return doc
  }

  function remove(entity: number): void {
    for (const key of keysOf.get(entity) ?? []) {
      const others = (entitiesByKey.get(key) ?? []).filter((one) => one !== entity)
      if (others.length > 0) entitiesByKey.set(key, others)
      else entitiesByKey.delete(key)
    }
    keysOf.delete(entity)
    for (let doc = firsts[entity] ?? none; doc !== none; doc = nexts[doc] ?? none) {
      textNumbers[doc] = none
      dead.push(doc)
    }
    firsts[entity] = none
    count -= 1
    if (dead.length > Math.max(maxDead, length / 4)) sweeping ??= sweep()
  }

  /** Removes dead names from all lists, so that their numbers can be used again. */
  async function sweep(): Promise<void> {
    const swept = dead
    dead = []
    const isSwept = new Set(swept)
    await collectInSteps(
      (function* () {
        for (const list of lists.values()) {
          list.removeAll(isSwept)
          yield
        }
      })(),
    )
    for (const doc of swept) free.push(doc)
    sweeping = undefined
  }

  async function save(): Promise<SavedNames> {
    await sweeping
    await sweep()
    const ends = new Int32Array(lists.size)
    let end = 0
    for (const [position, list] of [...lists.values()].entries())
      ends[position] = end += list.length()
    const docs = new Int32Array(end)
    for (const [position, list] of [...lists.values()].entries())
      docs.set(list.docs().subarray(0, list.length()), ends[position - 1] ?? 0)
    return {
      texts: texts.save(),
      ids: ids.save(),
      textNumbers: textNumbers.subarray(0, length),
      owners: owners.subarray(0, length),
      nexts: nexts.subarray(0, length),
      percents: percents.subarray(0, length),
      gramCounts: gramCounts.subarray(0, length),
      firsts: firsts.subarray(0, ids.length),
      keys: keysOf,
      grams: [...lists.keys()],
      docs,
      ends,
      free,
    }
  }

  function restore(saved: SavedNames): void {
    texts.restore(saved.texts)
    ids.restore(saved.ids)
    length = saved.textNumbers.length
    textNumbers = saved.textNumbers.slice()
    owners = saved.owners.slice()
    nexts = saved.nexts.slice()
    percents = saved.percents.slice()
    gramCounts = saved.gramCounts.slice()
    firsts = saved.firsts.slice()
    free = [...saved.free]
    keysOf = new Map()
    for (const [entity, keys] of saved.keys) setKeys(entity, keys)
    for (let entity = 0; entity < firsts.length; entity += 1) if (isNamed(entity)) count += 1
    saved.grams.forEach((gram, position) => {
      const start = saved.ends[position - 1] ?? 0
      lists.set(gram, createDocList(saved.docs.slice(start, saved.ends[position])))
    })
  }

  /** The names that have most groups of letters in common with these words. */
  function candidatesOf({ words, isWhole }: NameForm): readonly number[] {
    const found = gramsOf(words)
      .map((gram) => lists.get(gram))
      .filter((list) => list !== undefined)
      .sort((one, other) => one.length() - other.length())
      .slice(0, maxGrams)
    if (marks.length < length) marks = new Float32Array(Math.ceil(length * 1.2) + 64)
    const touched: number[] = []
    let lookedUp = 0
    for (const list of found) {
      lookedUp += list.length()
      if (lookedUp > maxLookedUp && touched.length > 0) break
      const rarity = Math.log(1 + length / list.length())
      const docs = list.docs()
      for (let index = 0; index < list.length(); index += 1) {
        const doc = docs[index] ?? 0
        if (marks[doc] === 0) touched.push(doc)
        marks[doc] = (marks[doc] ?? 0) + rarity
      }
    }
    const count = isWhole ? maxCompared : maxCompared / 4
    const best = likest(touched, count, (doc) =>
      textNumbers[doc] === none ? 0 : (marks[doc] ?? 0) / (12 + (gramCounts[doc] ?? 0)),
    )
    for (const doc of touched) marks[doc] = 0
    return best
  }

  function find(name: string, limit: number): readonly FoundName[] {
    const best = new Map<string, FoundName>()
    for (const form of formsOf(name, kind))
      for (const doc of candidatesOf(form)) {
        const known = nameOf(doc)
        if (known === undefined) continue
        const weight = (percents[doc] ?? 100) / 100
        const { value, isSame } = likenessOf(form.words, known.split(' '))
        const likeness = value * form.weight * Math.abs(weight)
        const id = idOf(doc)
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

  function complete(prefix: string, limit: number): readonly FoundName[] {
    const [form] = formsOf(prefix, 'title')
    if (!form) return []
    const found = new Map<string, FoundName>()
    const last = form.words.at(-1) ?? ''
    const before = form.words.slice(0, -1)
    for (const doc of narrowest(form.words)) {
      const known = nameOf(doc)?.split(' ')
      if (!known) continue
      const isFound =
        before.every((word) => known.includes(word)) && known.some((word) => word.startsWith(last))
      if (!isFound) continue
      const atStart = known.join(' ').startsWith(form.words.join(' '))
      const likeness =
        (atStart ? 0.5 : 0) + 0.5 / (1 + Math.max(0, known.length - form.words.length))
      const id = idOf(doc)
      if ((found.get(id)?.likeness ?? 0) < likeness) found.set(id, { id, likeness, isSame: false })
    }
    return sorted([...found.values()]).slice(0, limit)
  }

  /**
   * The shortest list of names that have a group of letters which every name with these words has.
   */
  function narrowest(words: readonly string[]): Int32Array {
    const last = words.at(-1) ?? ''
    const required = [...words.slice(0, -1).flatMap(gramsOfWord), ...gramsOfBeginning(last)]
    const found = required.map((gram) => lists.get(gram))
    if (found.includes(undefined)) return new Int32Array(0)
    const [shortest] = found
      .filter((list) => list !== undefined)
      .sort((one, other) => one.length() - other.length())
    return shortest
      ? shortest.docs().subarray(0, Math.min(shortest.length(), maxCompleted))
      : new Int32Array(0)
  }

  return {
    set,
    *build() {
      for (const list of lists.values()) {
        list.trim()
        yield
      }
    },
    find,
    complete,
    withIdentifier: (key) => (entitiesByKey.get(key) ?? []).map(ids.at),
    count: () => count,
    save,
    restore,
  }
}

const sorted = (found: FoundName[]): FoundName[] =>
  found.sort((one, other) => other.likeness - one.likeness || (one.id < other.id ? -1 : 1))

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
    best.sort((one, other) => other.value - one.value).splice(count)
    least = best.at(-1)?.value ?? 0
  }
  return best
    .sort((one, other) => other.value - one.value)
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
      const kept = docs.subarray(0, length).filter((doc) => !dead.has(doc))
      docs = kept
      length = kept.length
    },
    trim(): void {
      docs = docs.slice(0, length)
    },
  }
}
