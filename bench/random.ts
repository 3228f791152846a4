// A random generator that gives the same values in every run, and words: few of them common and many of
// them rare, as in natural languages (Zipf's law).

export type Random = {
  /** From 0 up to 1, without 1. */
  number(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** One of the items, each with a probability in proportion to its weight. */
  pickWeighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item
  /** An index below `count`; lower ones are more common. */
  rank(count: number): number
  /** `count` different items; the first ones of the list are more common. */
  some<Item>(items: readonly Item[], count: number): Item[]
  /** `count` words, joined by spaces. */
  words(count: number): string
}

export function createRandom(seed: number): Random {
  let state = seed

  // Mulberry32: 32 bits of state, good enough for test data.
  function number(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (min: number, max: number): number => min + Math.floor(number() * (max - min + 1))

  // The inverse of 1/x: ranks 1 to 10 together come as often as 10 to 100.
  const rank = (count: number): number =>
    Math.min(count - 1, Math.floor((count + 1) ** number()) - 1)

  const pick = <Item>(items: readonly Item[]): Item =>
    at(items, Math.floor(number() * items.length))

  function pickWeighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
    let remaining = number() * items.reduce((sum, { weight }) => sum + weight, 0)
    return items.find(({ weight }) => (remaining -= weight) < 0) ?? pick(items)
  }

  function some<Item>(items: readonly Item[], count: number): Item[] {
    const chosen = new Set<Item>()
    while (chosen.size < Math.min(count, items.length)) chosen.add(at(items, rank(items.length)))
    return [...chosen]
  }

  return {
    number,
    between,
    chance: (probability) => number() < probability,
    pick,
    pickWeighted,
    rank,
    some,
    words: (count) =>
      Array.from({ length: count }, () => at(dictionary, rank(dictionary.length))).join(' '),
  }
}

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item ${index}`)
  return item
}

// The words that the benchmarks search for have fixed ranks: common, in between, and rare.
const searchedWords = new Map([
  [0, 'the'],
  [1, 'and'],
  [2, 'of'],
  [3, 'a'],
  [4, 'to'],
  [5, 'in'],
  [6, 'zine'],
  [11, 'about'],
  [40, 'music'],
  [300, 'bicycle'],
  [5000, 'marmalade'],
  [30000, 'xylophone'],
])

// prettier-ignore
const starts = ['b', 'c', 'd', 'f', 'g', 'h', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'st', 'pr', 'gr']
const middles = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou']
const ends = ['', '', 'n', 'r', 's', 't', 'l', 'nd', 'ck']

/** 40,000 words of syllables, the shorter ones first, as common words are short. */
const dictionary: readonly string[] = makeDictionary(40_000)

function makeDictionary(size: number): string[] {
  const random = createRandom(7)
  const syllable = (): string => random.pick(starts) + random.pick(middles) + random.pick(ends)
  const words = new Set<string>()
  while (words.size < size) {
    const syllables = random.between(1, words.size < 500 ? 2 : 4)
    words.add(Array.from({ length: syllables }, syllable).join(''))
  }
  const list = [...words]
  for (const [rank, word] of searchedWords) list[rank] = word
  return list
}
