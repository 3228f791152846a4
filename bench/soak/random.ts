// Chance that comes out the same in every run (mulberry32).

/** From 0 to below 1. */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of several, which may not be none. */
export const pick = <One>(all: readonly One[], random: Random): One =>
  // The cast: there is one at every whole number below the length.
  all[Math.floor(random() * all.length)] as One

/** One of several, each as often as its weight says. */
export function choose<One extends { readonly weight: number }>(
  all: readonly One[],
  random: Random,
): One {
  let left = random() * all.reduce((sum, { weight }) => sum + weight, 0)
  for (const one of all) if ((left -= one.weight) < 0) return one
  return pick(all, random)
}
