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
  /** The shares that stems have, which are few, and 0. */
  const shares = [0]
  /** By stem: the position of its share. */
  const few = expected < count / 64 ? new Map<number, number>() : undefined
  const many = new Uint8Array(few ? 0 : count)
  const shareOf = (stem: number): number => shares[(few ? few.get(stem) : many[stem]) ?? 0] ?? 0

  function positionOf(share: number): number {
    const known = shares.indexOf(share)
    return known >= 0 ? known : shares.push(share) - 1
  }

  return {
    stems,
    shareOf,
    /**
     * Adds a stem; one that is there already keeps the higher share.
     * @param share one of up to 255
     */
    add(stem: number, share: number): void {
      const before = shareOf(stem)
      if (before === 0) stems.push(stem)
      if (share <= before) return
      if (few) few.set(stem, positionOf(share))
      else many[stem] = positionOf(share)
    },
  }
}

/** A set of one stem, or an empty one. */
export const oneStem = (stem: number | undefined): Stems => ({
  stems: stem === undefined ? [] : [stem],
  shareOf: (other) => (other === stem ? 1 : 0),
})
