// Keeps the last results of long work, so that the pages of an import that is worked on do not wait
// for it again.

import { createCache } from '../../lib/cache.js'

/** Each counts as a mebibyte, so that two or three are kept, however large they are. */
const weight = 1024 * 1024
const maxWeight = 4 * weight

export type RecentResults<Result> = {
  /**
   * The result of a key: that of the same key before, or what the work makes now. A failure is not
   * kept.
   */
  get(key: string, work: () => Promise<Result>): Promise<Result>
  clear(): void
}

export function createRecentResults<Result>(): RecentResults<Result> {
  const results = createCache<Promise<Result>>(maxWeight, () => weight)
  return {
    get(key, work) {
      const known = results.get(key)
      if (known) return known
      const result = work()
      results.set(key, result)
      result.catch(() => results.delete(key))
      return result
    },
    clear: () => results.clear(),
  }
}
