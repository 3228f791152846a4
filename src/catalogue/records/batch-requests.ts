// Combines requests for data that arrive within one turn of the event loop into one query.

import { yieldToEventLoop } from '../../lib/scheduling.js'

/**
 * Collects the items that are wanted within one turn of the event loop, by key, and sends them as
 * one query; each caller gets the whole result. Queries start in different turns, so that other
 * work runs between them.
 * @param batchSize how many items one query is for; a single caller may want more
 */
export function batchRequests<Item, Result>(
  batchSize: number,
  query: (items: ReadonlyMap<string, Item>) => Promise<Result>,
): (items: ReadonlyMap<string, Item>) => Promise<Result> {
  type Batch = { readonly items: Map<string, Item>; readonly result: Promise<Result> }
  let open: Batch | undefined
  let previousTurn: Promise<void> = Promise.resolve()

  function openBatch(): Batch {
    const items = new Map<string, Item>()
    previousTurn = previousTurn.then(yieldToEventLoop)
    const result = previousTurn.then(() => {
      if (open === batch) open = undefined
      return query(items)
    })
    const batch = { items, result }
    return batch
  }

  return (items) => {
    if (!open || open.items.size + items.size > batchSize) open = openBatch()
    for (const [key, item] of items) open.items.set(key, item)
    return open.result
  }
}
