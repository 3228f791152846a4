// What was added to lists of numbers since they were packed into one array, by the number of the
// list. While they are packed again, it has what was added before and meanwhile.

import { withRoom } from '../typed-arrays.js'

const none: readonly number[] = []

export function createAddedNumbers() {
  let added = new Map<number, number[]>()
  let beingPacked: typeof added = new Map()
  /**
   * By list: 1 where it is in one of the maps. Most are in none, and a search asks for a hundred
   * thousand.
   */
  let areAdded = new Uint8Array(0)

  function listOf(list: number): number[] {
    const known = added.get(list)
    if (known) return known
    const numbers: number[] = []
    added.set(list, numbers)
    areAdded = withRoom(areAdded, list + 1)
    areAdded[list] = 1
    return numbers
  }

  return {
    /** Adds a number to a list, or two that belong together. */
    add(list: number, number: number, second?: number): void {
      const numbers = listOf(list)
      numbers.push(number)
      if (second !== undefined) numbers.push(second)
    },
    /** What was added to a list, in its order. */
    of(list: number): readonly number[] {
      if (areAdded[list] !== 1) return none
      const [before = none, since = none] = [beingPacked.get(list), added.get(list)]
      if (before.length === 0) return since
      return since.length === 0 ? before : [...before, ...since]
    },
    /** Calls a function with what was added to each list, perhaps in two parts. */
    forEach(use: (list: number, numbers: readonly number[]) => void): void {
      for (const lists of [beingPacked, added])
        for (const [list, numbers] of lists) use(list, numbers)
    },
    /** @returns what is to be packed now. Until `endPacking` it is still there. */
    beginPacking(): ReadonlyMap<number, readonly number[]> {
      beingPacked = added
      added = new Map()
      return beingPacked
    },
    endPacking(): void {
      beingPacked = new Map()
      areAdded = new Uint8Array(areAdded.length)
      for (const list of added.keys()) areAdded[list] = 1
    },
  }
}
