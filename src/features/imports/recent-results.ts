// Keeps the last results of long work, so that the pages of an import that is worked on do not wait
// for it again.

/** How many results are kept. */
const maxKept = 2

export type RecentResults<Result> = {
  /**
   * The result of a key: that of the same key before, or what the work makes now. A failure is not
   * kept.
   */
  get(key: string, work: () => Promise<Result>): Promise<Result>
  clear(): void
}

export function createRecentResults<Result>(): RecentResults<Result> {
  const results = new Map<string, Promise<Result>>()
  return {
    get(key, work) {
      const known = results.get(key)
      if (known) return known
      for (const old of [...results.keys()].slice(0, 1 - maxKept)) results.delete(old)
      const result = work()
      results.set(key, result)
      result.catch(() => results.delete(key))
      return result
    },
    clear: () => results.clear(),
  }
}
