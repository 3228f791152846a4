// Writes names as people and other catalogues write them: in another order, with initials, with other accents,
// with a nickname, with a wrong letter. It is done by rule and from a seed, so every run has the same names.

/** Numbers from 0 to 1 that look random. */
type Random = () => number

function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Gives the name another form; undefined for a name that has no such form. */
type Garble = (name: string, random: Random) => string | undefined

const wordsOf = (name: string): readonly string[] => name.split(/\s+/).filter(Boolean)

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)]

const accented: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'ï',
  n: 'ñ',
  o: 'ö',
  u: 'ü',
  A: 'Á',
  E: 'É',
  O: 'Ø',
}

const withoutAccents = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '')

function addAccents(name: string): string | undefined {
  const other = name.replace(/[aceinouAEO]/g, (letter) => accented[letter] ?? letter)
  return other === name ? undefined : other
}

const isPlainName = (name: string): boolean =>
  /^\p{L}[\p{L}'’-]+(?: \p{L}\.?| \p{L}[\p{L}'’-]+){1,3}$/u.test(name)

const nicknames = ['Moose', 'Ziggy', 'Bean', 'Spike', 'Pixie', 'Dusty'] as const

/** The index of a letter, not the first, of a word of at least five letters. */
function letterOf(name: string, random: Random): number | undefined {
  const places = [...name.matchAll(/\p{L}{5,}/gu)].flatMap(({ index, 0: word }) =>
    Array.from({ length: word.length - 1 }, (_, offset) => index + offset + 1),
  )
  return pick(places, random)
}

const typos: readonly ((name: string, at: number, letter: string) => string)[] = [
  (name, at) => name.slice(0, at) + name.slice(at + 1),
  (name, at, letter) => name.slice(0, at) + letter + name.slice(at),
  (name, at, letter) => name.slice(0, at) + letter + name.slice(at + 1),
  (name, at) =>
    name.slice(0, at - 1) + name.slice(at, at + 1) + name.slice(at - 1, at) + name.slice(at + 1),
]

const garblings: Readonly<Record<string, Garble>> = {
  order: (name) => {
    if (!isPlainName(name)) return undefined
    const words = wordsOf(name)
    return `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`
  },
  'order without a comma': (name) => {
    if (!isPlainName(name)) return undefined
    const words = wordsOf(name)
    return [words.at(-1), ...words.slice(0, -1)].join(' ')
  },
  initials: (name) => {
    if (!isPlainName(name)) return undefined
    const words = wordsOf(name)
    return [...words.slice(0, -1).map((word) => `${word.slice(0, 1)}.`), words.at(-1)].join(' ')
  },
  accents: (name) => (withoutAccents(name) === name ? addAccents(name) : withoutAccents(name)),
  nickname: (name, random) => {
    if (!isPlainName(name)) return undefined
    const [first = '', ...rest] = wordsOf(name)
    return [first, `(${pick(nicknames, random)})`, ...rest].join(' ')
  },
  'one typo': (name, random) => {
    const at = letterOf(name, random)
    const typo = pick(typos, random)
    const letter = pick(['a', 'e', 'i', 'n', 'o', 'r', 's', 't'], random)
    const other = at === undefined ? undefined : typo?.(name, at, letter ?? '')
    return other === name ? undefined : other
  },
  'case and punctuation': (name) => {
    const other = name.toUpperCase().replace(/[.'’-]/g, '')
    return other === name ? undefined : other
  },
}

export type GarbledName = { readonly kind: string; readonly name: string; readonly garbled: string }

/** Garbled names, about as many of each kind. */
export function garbleNames(
  names: readonly string[],
  count: number,
  seed: number,
): readonly GarbledName[] {
  const random = createRandom(seed)
  const kinds = Object.entries(garblings)
  const found: GarbledName[] = []
  for (let tries = 0; found.length < count && tries < 100 * count; tries += 1) {
    const name = pick(names, random) ?? ''
    const [kind, garble] = kinds[found.length % kinds.length] ?? ['', () => undefined]
    const garbled = garble(name, random)
    if (garbled !== undefined) found.push({ kind, name, garbled })
  }
  return found
}
