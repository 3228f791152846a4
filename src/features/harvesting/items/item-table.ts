// The items that harvesters get: for each record, and each identifier whose record is gone, when
// what it shows was last changed, and the sets that it is in. Records are numbered, and what is
// known of them is in arrays, so that an item takes less than 500 bytes.

import type { ResourceName } from '../../../model/iris.js'
import { compareCodePoints } from '../../../rdf/terms.js'
import { createYielder } from '../../../lib/scheduling.js'
import { referenceOf } from '../../../catalogue/records/record-cache.js'
import { type DatedList, type DatedPosition, type Item, createDatedList } from './dated-list.js'
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

export type ItemTable = ReturnType<typeof createItemTable>

type State = 'unknown' | 'present' | 'gone'

export function createItemTable() {
  const numbers = new Map<string, Item>()
  const keys: string[] = []
  const kindsOfItems: ResourceName[] = []
  const states: State[] = []
  /** When the record itself was changed. */
  const changed: number[] = []
  /** When a holding of the record last came or went. */
  const heldSince: number[] = []
  /** When what the item shows was changed; 0 before it is settled. */
  const dates: number[] = []
  const references: (readonly Item[])[] = []
  /** The items that refer to an item. Some may not do so any more. */
  const referrers: (Item[] | undefined)[] = []
  const combinations = createSetCombinations()
  /** By their own values, and with those that zines have from their holdings. */
  const ownSets: number[] = []
  const sets: number[] = []
  const lists = new Map<string, DatedList>()
  const everything = createDatedList({
    keyOf: (item) => keys[item] ?? '',
    isCurrent: (item, date) => dates[item] === date,
  })
  let unsettled = new Set<Item>()
  let latest = 0

  function numberOf(key: string): Item {
    const known = numbers.get(key)
    if (known !== undefined) return known
    const item = keys.length
    numbers.set(key, item)
    keys.push(key)
    kindsOfItems.push(referenceOf(key).target)
    states.push('unknown')
    changed.push(0)
    heldSince.push(0)
    dates.push(0)
    references.push(none)
    referrers.push(undefined)
    ownSets.push(0)
    sets.push(0)
    return item
  }

  function setReferences(item: Item, keysOfOthers: readonly string[]): void {
    const before = references[item] ?? none
    const after = keysOfOthers.length === 0 ? none : [...new Set(keysOfOthers.map(numberOf))]
    for (const other of after) if (!before.includes(other)) (referrers[other] ??= []).push(item)
    for (const other of before) if (isZine(other)) unsettled.add(other)
    for (const other of after) if (isZine(other)) unsettled.add(other)
    references[item] = after
  }

  const isZine = (item: Item): boolean => kindsOfItems[item] === 'zines'

  function put({ key, changed: time, references: others, sets: own }: ItemRecord): void {
    const item = numberOf(key)
    states[item] = 'present'
    changed[item] = time
    ownSets[item] = combinations.numberOf(own)
    setReferences(item, others)
    unsettled.add(item)
  }

  function remove({ key, changed: time, sets: own }: GoneItem): void {
    const item = numberOf(key)
    states[item] = 'gone'
    changed[item] = time
    ownSets[item] = combinations.numberOf(own)
    setReferences(item, [])
    unsettled.add(item)
  }

  /** Forgets a record that is gone. */
  function forget(key: string): void {
    const item = numbers.get(key)
    if (item === undefined || states[item] !== 'gone') return
    states[item] = 'unknown'
    unsettled.add(item)
  }

  /** A holding of the zine came or went. */
  function hold(zineKey: string, time: number): void {
    const item = numberOf(zineKey)
    heldSince[item] = Math.max(heldSince[item] ?? 0, time)
    unsettled.add(item)
  }

  /** Brings the dates and sets of all items up to date. Nothing may be read meanwhile. */
  async function settle(): Promise<void> {
    const affected = new Set(unsettled)
    unsettled = new Set()
    const maybeYield = createYielder()
    // A holding shows the makers of its zine: what refers to an item, and what refers to that.
    for (let level = 0; level < 2; level += 1)
      for (const item of [...affected]) {
        for (const other of referrers[item] ?? none) affected.add(other)
        await maybeYield()
      }
    const moved: { readonly item: Item; readonly date: number; readonly setsNow: number }[] = []
    for (const item of affected) {
      const [date, setsNow] = [dateOf(item), setsOf(item)]
      if (date !== dates[item] || setsNow !== sets[item]) moved.push({ item, date, setsNow })
      await maybeYield()
    }
    moved.sort(
      (one, other) =>
        one.date - other.date || compareCodePoints(keys[one.item] ?? '', keys[other.item] ?? ''),
    )
    for (const { item, date, setsNow } of moved) {
      dates[item] = date
      sets[item] = setsNow
      latest = Math.max(latest, date)
    }
    for (const { item, date, setsNow } of moved) {
      if (date === 0) continue
      everything.add(item, date)
      for (const set of combinations.get(setsNow)) listOf(set).add(item, date)
      await maybeYield()
    }
  }

  function dateOf(item: Item): number {
    const own = changed[item] ?? 0
    if (states[item] === 'unknown') return 0
    if (states[item] === 'gone') return own
    let last = Math.max(own, heldSince[item] ?? 0)
    for (const shown of references[item] ?? none) {
      last = Math.max(last, changed[shown] ?? 0)
      for (const second of references[shown] ?? none) last = Math.max(last, changed[second] ?? 0)
    }
    return last
  }

  /** A zine is in the sets of the repositories that hold it. */
  function setsOf(item: Item): number {
    const own = ownSets[item] ?? 0
    if (!isZine(item) || states[item] !== 'present') return own
    const held = (referrers[item] ?? none).filter((other) => references[other]?.includes(item))
    if (held.length === 0) return own
    const repositories = held.flatMap((other) =>
      combinations.get(ownSets[other] ?? 0).filter((set) => isWithinSet(set, 'repository')),
    )
    return combinations.numberOf([...combinations.get(own), ...repositories])
  }

  function listOf(set: string): DatedList {
    const known = lists.get(set)
    if (known) return known
    const list = createDatedList({
      keyOf: (item) => keys[item] ?? '',
      isCurrent: (item, date) =>
        dates[item] === date && combinations.get(sets[item] ?? 0).includes(set),
    })
    lists.set(set, list)
    return list
  }

  const toHarvestItem = (item: Item): HarvestItem => ({
    key: keys[item] ?? '',
    date: dates[item] ?? 0,
    sets: combinations.get(sets[item] ?? 0),
    isGone: states[item] === 'gone',
  })

  function get(key: string): HarvestItem | undefined {
    const item = numbers.get(key)
    return item === undefined || dates[item] === 0 ? undefined : toHarvestItem(item)
  }

  /** The list that has all items of a range, and the condition for those that are in the range. */
  function listFor({ set, kinds }: ItemRange) {
    const own = set === undefined ? everything : lists.get(set)
    const isInSet = own || set === undefined ? undefined : isWithin(set)
    const isIncluded = (item: Item): boolean =>
      kinds.has(kindsOfItems[item] ?? 'zines') && (!isInSet || isInSet(sets[item] ?? 0))
    return { list: own ?? everything, isIncluded }
  }

  /**
   * The items of a range in the order of their dates, and of their keys where these are the same.
   */
  function* items(range: ItemRange, after?: DatedPosition): Generator<HarvestItem> {
    const { list, isIncluded } = listFor(range)
    for (const item of list.items(range.from, after)) {
      if ((dates[item] ?? 0) >= range.before) return
      if (isIncluded(item)) yield toHarvestItem(item)
    }
  }

  /** How many items a range has. */
  function count(range: ItemRange): number {
    const { list, isIncluded } = listFor(range)
    return list.count(range.from, range.before, isIncluded)
  }

  /** Whether a combination has a set below this one, by the number of the combination. */
  function isWithin(set: string): (combination: number) => boolean {
    const found = new Map<number, boolean>()
    return (combination) => {
      const known = found.get(combination)
      if (known !== undefined) return known
      const is = combinations.get(combination).some((one) => isWithinSet(one, set))
      found.set(combination, is)
      return is
    }
  }

  return {
    put,
    remove,
    forget,
    hold,
    settle,
    get,
    items,
    count,
    /** The latest date of an item. */
    lastDate: (): number => latest,
    isPresent: (key: string): boolean => states[numbers.get(key) ?? -1] === 'present',
    /** The keys of the records that a record refers to. */
    referencesOf: (key: string): readonly string[] =>
      (references[numbers.get(key) ?? -1] ?? none).map((item) => keys[item] ?? ''),
    ownSetsOf: (key: string): readonly string[] =>
      combinations.get(ownSets[numbers.get(key) ?? -1] ?? 0),
    /** All sets that an item is or was in. */
    sets: (): readonly string[] => [...lists.keys()],
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
