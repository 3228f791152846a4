// A set of stems, each with how well it matches what was typed, from 0 to 1.

export type Stems = {
  readonly stems: readonly number[]
  /** 0 for a stem that is not in the set. */
  shareOf(stem: number): number
}

/** @param count how many stems there are at all */
export function createStems(count: number) {
  const stems: number[] = []
  const shares = new Float32Array(count)
  return {
    stems,
    shareOf: (stem: number): number => shares[stem] ?? 0,
    /** Adds a stem; one that is there already keeps the higher share. */
    add(stem: number, share: number): void {
      const before = shares[stem] ?? 0
      if (before === 0) stems.push(stem)
      if (share > before) shares[stem] = share
    },
  }
}

/** A set of one stem, or an empty one. */
export const oneStem = (stem: number | undefined): Stems => ({
  stems: stem === undefined ? [] : [stem],
  shareOf: (other) => (other === stem ? 1 : 0),
})
