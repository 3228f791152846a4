// The pages of a list of items. A list ends where the items end when the harvest begins: each
// record that stays as it is comes once, and what changes meanwhile comes with the next harvest.

import type { CurrentItems } from './items/item-index.js'
import type { HarvestItem, ItemRange } from './items/item-table.js'
import type { TokenContent } from './resumption-token.js'

/**
 * How many items a page has. The last may have one more, since some clients cannot read a page of
 * one.
 */
const itemsPerPage = 100

/** The items of a list, in their order. */
export type ItemsInOrder = Pick<CurrentItems, 'items' | 'count' | 'lastDate'>

export type Page = {
  readonly page: readonly HarvestItem[]
  readonly isLast: boolean
  readonly size: number
  readonly end: number
}

export function firstPage({ items, count, lastDate }: ItemsInOrder, range: ItemRange): Page {
  const pageItems: HarvestItem[] = []
  for (const item of items(range)) {
    pageItems.push(item)
    if (pageItems.length > itemsPerPage) break
  }
  const size = count(range)
  return { ...cut(pageItems, size), size, end: lastDate() + 1 }
}

export function nextPage({ items }: ItemsInOrder, range: ItemRange, token: TokenContent): Page {
  const { date, key, end, size } = token
  const pageItems: HarvestItem[] = []
  for (const item of items(range, { date, key })) {
    // Records that changed meanwhile fill up a page that would have one record or none.
    if (item.date >= end && pageItems.length >= 2) break
    pageItems.push(item)
    if (pageItems.length === itemsPerPage + 2) break
  }
  return { ...cut(pageItems, pageItems.length), size, end }
}

/** A page, which has one item more than others if no more are left. */
function cut(
  items: readonly HarvestItem[],
  count: number,
): { readonly page: readonly HarvestItem[]; readonly isLast: boolean } {
  const isLast = count <= itemsPerPage + 1
  return { isLast, page: isLast ? items : items.slice(0, itemsPerPage) }
}
