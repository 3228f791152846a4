// Keeps what is made of many records until the next write: counts, filters of lists, the order of a
// shelf, names of all makers. Who asks while it is made waits for the same; a failure is not kept.

import { type IsCurrent, createCache } from '../lib/cache.js'

export type KeptValues = {
  /**
   * What was made for a key since the last write, or what is made now.
   * @param key always has the result of the same function
   */
  readonly keepUntilNextWrite: <Value>(
    key: string,
    make: () => Promise<Value>,
    options?: KeepOptions<Value>,
  ) => Promise<Value>
}

type KeepOptions<Value> = {
  /** How much a value weighs, in bytes; some hundred unless given. */
  readonly weightOf?: (value: Value) => number
  /**
   * So old a value may be over a store that other processes write too, of which this one is not
   * told; there nothing is kept unless it is given.
   */
  readonly maxAgeMs?: number
}

type KeptValue = { readonly value: Promise<unknown>; readonly weight: number }

/** How much all values may weigh together, in bytes. */
const maxWeight = 32 * 1024 * 1024

const smallWeight = 500

export function createKeptValues(
  currentUntilNextWrite: (maxAgeMs?: number) => IsCurrent,
): KeptValues {
  const cache = createCache<KeptValue>(maxWeight, ({ weight }) => weight)
  return {
    keepUntilNextWrite<Value>(
      key: string,
      make: () => Promise<Value>,
      { weightOf = () => smallWeight, maxAgeMs }: KeepOptions<Value> = {},
    ) {
      const known = cache.get(key)
      // The cast: a key has the results of one function.
      if (known) return known.value as Promise<Value>
      const isCurrent = currentUntilNextWrite(maxAgeMs)
      const value = make()
      cache.set(key, { value, weight: smallWeight }, isCurrent)
      value.then(
        (result) => {
          // A write may have come, and another value be made meanwhile.
          if (isCurrent()) cache.set(key, { value, weight: weightOf(result) }, isCurrent)
        },
        () => cache.delete(key),
      )
      return value
    },
  }
}
