// What was made lately, by what it was made for; what was not asked for longest goes first.

export type Kept<Item> = {
  get(key: string): Item | undefined
  keep(key: string, item: Item): void
}

/** @param room how much all items may weigh together, their keys included */
export function openKept<Item>(room: number, weigh: (item: Item) => number): Kept<Item> {
  const items = new Map<string, { readonly item: Item; readonly weight: number }>()
  let weight = 0

  function drop(key: string): void {
    weight -= items.get(key)?.weight ?? 0
    items.delete(key)
  }

  return {
    get(key) {
      const kept = items.get(key)
      if (kept) {
        // A Map keeps its order of arrival.
        items.delete(key)
        items.set(key, kept)
      }
      return kept?.item
    },
    keep(key, item) {
      drop(key)
      // A key can be longer than what it stands for.
      const own = weigh(item) + key.length
      items.set(key, { item, weight: own })
      weight += own
      for (const oldest of items.keys()) {
        if (weight <= room || oldest === key) return
        drop(oldest)
      }
    },
  }
}
