// The public lists of editors as sets: `list:{slug}`. What is in them is looked up for each answer, so
// that a list that is not public any more is in none. An item comes to such a set when it comes to
// the list: its date there is the later one of this time and its own.

import { recordKey, referenceOf } from '../../catalogue/records/record-cache.js'
import type { Redirects } from '../../catalogue/redirects.js'
import type { Reference } from '../../model/record/views.js'
import { compareCodePoints } from '../../rdf/terms.js'
import type { DatedPosition } from './items/dated-list.js'
import type { CurrentItems, ItemIndex } from './items/item-index.js'
import type { HarvestItem, ItemRange } from './items/item-table.js'
import type { ItemsInOrder } from './pages.js'
import type { DescribedSet } from './set-list.js'

/** What is read of the lists that editors make (features/lists/). */
export type HarvestedLists = {
  all(): readonly HarvestedList[]
  isEmpty(): boolean
  /** Those that name a record. */
  naming(reference: Reference): readonly HarvestedList[]
  /** When the records of a public list came to it, by their keys; of another list nothing. */
  arrivals(slug: string): ReadonlyMap<string, string>
}

type HarvestedList = { readonly slug: string; readonly title: string; readonly isPublic: boolean }

type CuratedListSetsDependencies = {
  readonly items: ItemIndex
  readonly lists: HarvestedLists
  readonly redirects: Redirects
}

/** The former identifiers of records: keys by the key that they lead to. */
type FormerKeys = ReadonlyMap<string, readonly string[]>

const parent = 'list:'

/** So many lists are named in a header. */
const maxListsOfItem = 100

export class CuratedListSets {
  readonly #items: ItemIndex
  readonly #lists: HarvestedLists
  readonly #redirects: Redirects

  constructor({ items, lists, redirects }: CuratedListSetsDependencies) {
    this.#items = items
    this.#lists = lists
    this.#redirects = redirects
  }

  describe(): readonly DescribedSet[] {
    const lists = this.#lists.all().filter(({ isPublic }) => isPublic)
    return lists.map(({ slug, title }) => ({ spec: parent + slug, name: title }))
  }

  /**
   * Reads the items of a set, of whichever kind it is, or all of them.
   * @returns also since when writes may be missing in what was read
   */
  async read<Result>(
    set: string | undefined,
    read: (items: ItemsInOrder) => Result,
  ): Promise<{ readonly now: number; readonly result: Result }> {
    if (!set?.startsWith(parent))
      return this.#items.read((items) => ({ now: items.now, result: read(items) }))
    // Before the list is looked up: a change that is missing then gets a later time.
    const now = await this.#items.read((items) => items.now)
    const slug = set.slice(parent.length)
    const listed = [...this.#lists.arrivals(slug).keys()]
    const into = await this.#redirects.intoOf(listed.map(referenceOf))
    const followed = [...into].map(([key, id]) => recordKey({ ...referenceOf(key), id }))
    const formerKeys = await this.#findFormerKeys(followed)
    return this.#items.read(({ get }) => {
      const items = [...new Set([...listed, ...followed])].flatMap((key) => get(key) ?? [])
      const dated = items.flatMap((item) => {
        const arrival = this.#arrivalOf(item, slug, { formerKeys, get })
        return arrival === undefined ? [] : [{ ...item, date: Math.max(item.date, arrival) }]
      })
      return { now, result: read(inOrder(dated)) }
    })
  }

  /** Adds the sets of lists to the others that items are in. */
  async addTo(items: readonly HarvestItem[]): Promise<readonly HarvestItem[]> {
    if (this.#lists.isEmpty()) return items
    const formerKeys = await this.#findFormerKeys(items.map(({ key }) => key))
    return this.#items.read(({ get }) =>
      items.map((item) => {
        const keys = [item.key, ...(formerKeys.get(item.key) ?? [])]
        const lists = new Set(keys.flatMap((key) => this.#lists.naming(referenceOf(key))))
        const specs = [...lists]
          .filter(({ slug }) => this.#arrivalOf(item, slug, { formerKeys, get }) !== undefined)
          .slice(0, maxListsOfItem)
          .map(({ slug }) => parent + slug)
        return { ...item, sets: [...item.sets, ...specs].sort() }
      }),
    )
  }

  async #findFormerKeys(keys: readonly string[]): Promise<FormerKeys> {
    const redirects = await this.#redirects.leadingTo(keys.map(referenceOf))
    const formerKeys = new Map<string, string[]>()
    for (const { reference, into } of redirects) {
      const key = recordKey({ ...reference, id: into })
      formerKeys.set(key, [...(formerKeys.get(key) ?? []), recordKey(reference)])
    }
    return formerKeys
  }

  /**
   * When an item came to a list, in microseconds; undefined if it is not in the list. One that was
   * gone before is in no list, so nobody learns that editors list what is hidden.
   */
  #arrivalOf(
    { key, date, isGone }: HarvestItem,
    slug: string,
    { formerKeys, get }: { readonly formerKeys: FormerKeys } & Pick<CurrentItems, 'get'>,
  ): number | undefined {
    const arrivals = this.#lists.arrivals(slug)
    const timeOf = (listed: string): readonly number[] => {
      const time = arrivals.get(listed)
      return time === undefined ? [] : [Date.parse(time) * 1000]
    }
    const former = formerKeys.get(key) ?? []
    // A merge may leave the record that stays as it was, and its date with it.
    const merged = Math.max(0, ...former.map((name) => get(name)?.date ?? 0))
    const times = former.flatMap(timeOf).map((time) => Math.max(time, merged))
    const arrival = Math.min(...timeOf(key), ...times)
    return arrival === Infinity || (isGone && date < arrival) ? undefined : arrival
  }
}

function inOrder(unordered: readonly HarvestItem[]): ItemsInOrder {
  const sorted = unordered.toSorted(compareItems)
  const items = ({ kinds, from, before }: ItemRange, after?: DatedPosition) =>
    sorted.filter(
      (item) =>
        kinds.has(referenceOf(item.key).target) &&
        item.date >= from &&
        item.date < before &&
        (!after || compareItems(item, after) > 0),
    )
  return {
    items,
    count: (range) => items(range).length,
    lastDate: () => sorted.at(-1)?.date ?? 0,
  }
}

const compareItems = (a: DatedPosition, b: DatedPosition): number =>
  a.date - b.date || compareCodePoints(a.key, b.key)
