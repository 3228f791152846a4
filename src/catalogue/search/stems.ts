// A set of stems, each with how well it matches what was typed, from 0 to 1.

export type Stems = {
  readonly stems: readonly number[]
  /** 0 for a stem that is not in the set. */
  shareOf(stem: number): number
}

/**
 * @param count how many stems there are at all
 * @param expected how many are added at most: for few, a map takes less than an array for all stems
 */
export function createStems(count: number, expected = count) {
  const stems: number[] = []
  const few = expected < count / 64 ? new Map<number, number>() : undefined
  const many = new Float32Array(few ? 0 : count)
  const shareOf = (stem: number): number => (few ? few.get(stem) : many[stem]) ?? 0
  return {
    stems,
    shareOf,
    /** Adds a stem; one that is there already keeps the higher share. */
    add(stem: number, share: number): void {
      const before = shareOf(stem)
      if (before === 0) stems.push(stem)
      if (share <= before) return
      if (few) few.set(stem, Math.fround(share))
      else many[stem] = share
    },
  }
}

/** A set of one stem, or an empty one. */
export const oneStem = (stem: number | undefined): Stems => ({
  stems: stem === undefined ? [] : [stem],
  shareOf: (other) => (other === stem ? 1 : 0),
})
