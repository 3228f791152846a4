// The names of all makers by letter, for the page that lists them from A to Z. They are read when
// they are first needed, and again after a write; a letter is sorted when somebody asks for it.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { AgentName } from '../../catalogue/lists.js'
import { foldLetters } from '../../lib/text-folding.js'
import { createYielder } from '../../lib/scheduling.js'

/** The letter of names that begin with none from A to Z. */
export const otherLetters = '#'

type FiledName = AgentName & { readonly key: string }

type NamesByLetter = ReadonlyMap<string, FiledName[]>

export type MakerNames = {
  /** The letters that names begin with, from A to Z, with the number of names of each. */
  letters(): Promise<readonly { readonly letter: string; readonly count: number }[]>
  /** The names of a letter in their order. */
  of(letter: string): Promise<readonly AgentName[]>
}

/** How old the names may be over a store that other processes write too. */
const maxAgeMs = 10_000

export function createMakerNames(
  catalogue: Pick<Catalogue, 'agentNames' | 'keepUntilNextWrite'>,
): MakerNames {
  const sorted = new WeakSet<FiledName[]>()
  const read = (): Promise<NamesByLetter> =>
    catalogue.keepUntilNextWrite('names of makers', () => readByLetter(catalogue), {
      weightOf,
      maxAgeMs,
    })

  return {
    async letters() {
      const byLetter = await read()
      return [...byLetter]
        .map(([letter, names]) => ({ letter, count: names.length }))
        .sort((a, b) => order(a.letter).localeCompare(order(b.letter), 'en'))
    },
    async of(letter) {
      const names = (await read()).get(letter) ?? []
      if (!sorted.has(names)) {
        names.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : 1))
        sorted.add(names)
      }
      return names
    },
  }
}

/** About 300 bytes for each name. */
const weightOf = (byLetter: NamesByLetter): number =>
  300 * [...byLetter.values()].reduce((sum, { length }) => sum + length, 0)

/** Those of no letter come last. */
const order = (letter: string): string => (letter === otherLetters ? 'ZZ' : letter)

async function readByLetter(catalogue: Pick<Catalogue, 'agentNames'>): Promise<NamesByLetter> {
  const maybeYield = createYielder()
  const byLetter = new Map<string, FiledName[]>()
  for (const name of await catalogue.agentNames()) {
    const key = keyOf(name.filedAs)
    const letter = letterOf(key)
    const names = byLetter.get(letter)
    if (names) names.push({ ...name, key })
    else byLetter.set(letter, [{ ...name, key }])
    await maybeYield()
  }
  return byLetter
}

/** What a name is sorted by: its letters, without an article before it. */
const keyOf = (name: string): string =>
  foldLetters(name)
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^(?:the|an?) (?=\S)/, '')

const letterOf = (key: string): string => {
  const first = key.charAt(0).toUpperCase()
  return /^[A-Z]$/.test(first) ? first : otherLetters
}
