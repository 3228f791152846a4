// The items that harvesters get: for each record, and each identifier whose record is gone, when
// what it shows was last changed, and the sets that it is in. Records are numbered, and what is
// known of them is in arrays, so that an item takes less than 500 bytes.

import type { ResourceName } from '../../../model/iris.js'
import { compareCodePoints } from '../../../rdf/terms.js'
import { createYielder } from '../../../lib/scheduling.js'
import { referenceOf } from '../../../catalogue/records/record-cache.js'
import { DatedList, type DatedPosition, type Item } from './dated-list.js'
import { isWithinSet } from './sets.js'

/** What is known of a record. Keys are those of `recordKey`, times are microseconds since 1970. */
export type ItemRecord = {
  readonly key: string
  /** The time of its last change. */
  readonly changed: number
  /** The keys of the records that it refers to. */
  readonly references: readonly string[]
  /** The sets that it is in by its own values. */
  readonly sets: readonly string[]
}

/** A record that was deleted or merged, with the sets that it was in. */
export type GoneItem = Omit<ItemRecord, 'references'>

export type HarvestItem = {
  readonly key: string
  /** The time of the last change of what it shows. */
  readonly date: number
  readonly sets: readonly string[]
  readonly isGone: boolean
}

/** Which items are asked for; the times are microseconds. */
export type ItemRange = {
  readonly set: string | undefined
  readonly kinds: ReadonlySet<ResourceName>
  /** The least date. */
  readonly from: number
  /** Dates are less than this. */
  readonly before: number
}

type State = 'unknown' | 'present' | 'gone'

/** What an item is to have from now on. */
type Move = { readonly item: Item; readonly date: number; readonly sets: number }

export class ItemTable {
  readonly #numbers = new Map<string, Item>()
  readonly #keys: string[] = []
  readonly #kinds: ResourceName[] = []
  readonly #states: State[] = []
  /** When the record itself was changed. */
  readonly #changed: number[] = []
  /** When a holding of the record last came or went. */
  readonly #heldSince: number[] = []
  /** When what the item shows was changed; 0 before it is settled. */
  readonly #dates: number[] = []
  readonly #references: (readonly Item[])[] = []
  /** The items that refer to an item. Some may not do so any more. */
  readonly #referrers: (Item[] | undefined)[] = []
  readonly #combinations = createSetCombinations()
  /** By their own values, and with those that zines have from their holdings. */
  readonly #ownSets: number[] = []
  readonly #sets: number[] = []
  readonly #lists = new Map<string, DatedList>()
  readonly #everything = new DatedList({
    keyOf: (item) => this.#keyOf(item),
    isCurrent: (item, date) => this.#dates[item] === date,
  })
  #unsettled = new Set<Item>()
  #latest = 0

  put({ key, changed, references, sets }: ItemRecord): void {
    this.#set(key, 'present', { changed, references, sets })
  }

  remove({ key, changed, sets }: GoneItem): void {
    this.#set(key, 'gone', { changed, references: [], sets })
  }

  /** Forgets a record that is gone. */
  forget(key: string): void {
    const item = this.#numbers.get(key)
    if (item === undefined || this.#states[item] !== 'gone') return
    this.#states[item] = 'unknown'
    this.#unsettled.add(item)
  }

  /** A holding of the zine came or went. */
  hold(zineKey: string, time: number): void {
    const item = this.#numberOf(zineKey)
    this.#heldSince[item] = Math.max(this.#heldSince[item] ?? 0, time)
    this.#unsettled.add(item)
  }

  /** Brings the dates and sets of all items up to date. Nothing may be read meanwhile. */
  async settle(): Promise<void> {
    const maybeYield = createYielder()
    const moves = await this.#findMoves(await this.#takeAffected(maybeYield), maybeYield)
    for (const { item, date, sets } of moves) {
      this.#dates[item] = date
      this.#sets[item] = sets
      this.#latest = Math.max(this.#latest, date)
    }
    for (const { item, date, sets } of moves) {
      if (date === 0) continue
      this.#everything.add(item, date)
      for (const set of this.#combinations.get(sets)) this.#listOf(set).add(item, date)
      await maybeYield()
    }
  }

  get(key: string): HarvestItem | undefined {
    const item = this.#numbers.get(key)
    return item === undefined || this.#dates[item] === 0 ? undefined : this.#toHarvestItem(item)
  }

  /**
   * The items of a range in the order of their dates, and of their keys where these are the same.
   */
  *items(range: ItemRange, after?: DatedPosition): Generator<HarvestItem> {
    const { list, isIncluded } = this.#listFor(range)
    for (const item of list.items(range.from, after)) {
      if ((this.#dates[item] ?? 0) >= range.before) return
      if (isIncluded(item)) yield this.#toHarvestItem(item)
    }
  }

  /** How many items a range has. */
  count(range: ItemRange): number {
    const { list, isIncluded } = this.#listFor(range)
    return list.count(range.from, range.before, isIncluded)
  }

  /** The latest date of an item. */
  lastDate(): number {
    return this.#latest
  }

  /** All sets that an item is or was in. */
  sets(): readonly string[] {
    return [...this.#lists.keys()]
  }

  isPresent(key: string): boolean {
    return this.#states[this.#numbers.get(key) ?? -1] === 'present'
  }

  /** The keys of the records that a record refers to. */
  referencesOf(key: string): readonly string[] {
    const references = this.#references[this.#numbers.get(key) ?? -1] ?? none
    return references.map((item) => this.#keyOf(item))
  }

  ownSetsOf(key: string): readonly string[] {
    return this.#combinations.get(this.#ownSets[this.#numbers.get(key) ?? -1] ?? 0)
  }

  #set(key: string, state: State, { changed, references, sets }: Omit<ItemRecord, 'key'>): void {
    const item = this.#numberOf(key)
    this.#states[item] = state
    this.#changed[item] = changed
    this.#ownSets[item] = this.#combinations.numberOf(sets)
    this.#setReferences(item, references)
    this.#unsettled.add(item)
  }

  #numberOf(key: string): Item {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const item = this.#keys.length
    this.#numbers.set(key, item)
    this.#keys.push(key)
    this.#kinds.push(referenceOf(key).target)
    this.#states.push('unknown')
    this.#changed.push(0)
    this.#heldSince.push(0)
    this.#dates.push(0)
    this.#references.push(none)
    this.#referrers.push(undefined)
    this.#ownSets.push(0)
    this.#sets.push(0)
    return item
  }

  #keyOf(item: Item): string {
    return this.#keys[item] ?? ''
  }

  #isZine(item: Item): boolean {
    return this.#kinds[item] === 'zines'
  }

  #setReferences(item: Item, keys: readonly string[]): void {
    const before = this.#references[item] ?? none
    const after = keys.length === 0 ? none : [...new Set(keys.map((key) => this.#numberOf(key)))]
    for (const other of after)
      if (!before.includes(other)) (this.#referrers[other] ??= []).push(item)
    for (const other of before) if (this.#isZine(other)) this.#unsettled.add(other)
    for (const other of after) if (this.#isZine(other)) this.#unsettled.add(other)
    this.#references[item] = after
  }

  /** The items that are not settled, and all that show them. */
  async #takeAffected(maybeYield: () => Promise<void>): Promise<ReadonlySet<Item>> {
    const affected = new Set(this.#unsettled)
    this.#unsettled = new Set()
    // A holding shows the makers of its zine: what refers to an item, and what refers to that.
    for (let level = 0; level < 2; level += 1)
      for (const item of [...affected]) {
        for (const other of this.#referrers[item] ?? none) affected.add(other)
        await maybeYield()
      }
    return affected
  }

  /** The items whose date or sets are others now, in the order of lists. */
  async #findMoves(
    affected: ReadonlySet<Item>,
    maybeYield: () => Promise<void>,
  ): Promise<readonly Move[]> {
    const moves: Move[] = []
    for (const item of affected) {
      const [date, sets] = [this.#dateOf(item), this.#setsOf(item)]
      if (date !== this.#dates[item] || sets !== this.#sets[item]) moves.push({ item, date, sets })
      await maybeYield()
    }
    return moves.sort(
      (a, b) => a.date - b.date || compareCodePoints(this.#keyOf(a.item), this.#keyOf(b.item)),
    )
  }

  #dateOf(item: Item): number {
    const changed = this.#changed[item] ?? 0
    if (this.#states[item] === 'unknown') return 0
    if (this.#states[item] === 'gone') return changed
    let last = Math.max(changed, this.#heldSince[item] ?? 0)
    for (const shown of this.#references[item] ?? none) {
      last = Math.max(last, this.#changed[shown] ?? 0)
      for (const second of this.#references[shown] ?? none)
        last = Math.max(last, this.#changed[second] ?? 0)
    }
    return last
  }

  /** A zine is in the sets of the repositories that hold it. */
  #setsOf(item: Item): number {
    const ownSets = this.#ownSets[item] ?? 0
    if (!this.#isZine(item) || this.#states[item] !== 'present') return ownSets
    const holdings = (this.#referrers[item] ?? none).filter((other) =>
      this.#references[other]?.includes(item),
    )
    if (holdings.length === 0) return ownSets
    const repositories = holdings.flatMap((other) =>
      this.#combinations
        .get(this.#ownSets[other] ?? 0)
        .filter((set) => isWithinSet(set, 'repository')),
    )
    return this.#combinations.numberOf([...this.#combinations.get(ownSets), ...repositories])
  }

  #listOf(set: string): DatedList {
    const known = this.#lists.get(set)
    if (known) return known
    const list = new DatedList({
      keyOf: (item) => this.#keyOf(item),
      isCurrent: (item, date) =>
        this.#dates[item] === date && this.#combinations.get(this.#sets[item] ?? 0).includes(set),
    })
    this.#lists.set(set, list)
    return list
  }

  #toHarvestItem(item: Item): HarvestItem {
    return {
      key: this.#keyOf(item),
      date: this.#dates[item] ?? 0,
      sets: this.#combinations.get(this.#sets[item] ?? 0),
      isGone: this.#states[item] === 'gone',
    }
  }

  /** The list that has all items of a range, and the condition for those that are in the range. */
  #listFor({ set, kinds }: ItemRange) {
    const list = set === undefined ? this.#everything : this.#lists.get(set)
    const isInSet = list || set === undefined ? undefined : this.#isWithin(set)
    const isIncluded = (item: Item): boolean =>
      kinds.has(this.#kinds[item] ?? 'zines') && (!isInSet || isInSet(this.#sets[item] ?? 0))
    return { list: list ?? this.#everything, isIncluded }
  }

  /** Whether a combination has a set below this one, by the number of the combination. */
  #isWithin(set: string): (combination: number) => boolean {
    const answers = new Map<number, boolean>()
    return (combination) => {
      const known = answers.get(combination)
      if (known !== undefined) return known
      const is = this.#combinations.get(combination).some((other) => isWithinSet(other, set))
      answers.set(combination, is)
      return is
    }
  }
}

const none: readonly Item[] = []

/** Many items are in the same sets, so each combination of sets is kept once. */
function createSetCombinations() {
  const combinations: (readonly string[])[] = [[]]
  const numbers = new Map<string, number>([['', 0]])
  return {
    get: (number: number): readonly string[] => combinations[number] ?? [],
    numberOf(sets: readonly string[]): number {
      const sorted = [...new Set(sets)].sort()
      // No set has a space in it.
      const text = sorted.join(' ')
      const known = numbers.get(text)
      if (known !== undefined) return known
      const number = combinations.length
      combinations.push(sorted)
      numbers.set(text, number)
      return number
    },
  }
}
