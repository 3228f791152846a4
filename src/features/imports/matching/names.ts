// Finds the agents that a name of a source may be, and which names of a source are one
// (docs/explanation/import.md, "Names, terms and duplicates"). Only public names are compared.

import { message } from '../../../message.js'
import { createYielder } from '../../../lib/scheduling.js'
import { fold, foldWords, slugOf } from '../../../lib/names/folding.js'
import {
  type GuessedKind,
  type Contact,
  type NameParts,
  bareName,
  birthYearOf,
  contactIn,
  guessKind,
  isGroupWord,
  isUnknownName,
  isVariousName,
  naturalOrder,
  splitName,
} from '../../../lib/names/name-forms.js'
import { addTo, allowedDistance, distanceOf, shortenings } from '../../../lib/names/spelling.js'

/** An agent with its public names: the display name first, alternative names and the sort name. */
export type NamedAgent = {
  readonly id: string
  readonly kind: string
  readonly names: readonly string[]
}

type SimilarAgent = {
  readonly id: string
  /** From 0 to 1. */
  readonly score: number
  /** Why it is similar, for people: `one letter differs`. */
  readonly reason: string
}

export type NameMatch = {
  /** The agents of the same name, but for case, accents, punctuation and order. */
  readonly exact: readonly string[]
  /** At most five others, the most similar first. */
  readonly similar: readonly SimilarAgent[]
  readonly kind: GuessedKind['kind']
  readonly kindReason: string | undefined
  /** The name in its natural order. */
  readonly displayName: string
  /** An identifier made of the name, which may be taken; empty where the name has no letters. */
  readonly agentId: string
  /** The names that it may be parted into. */
  readonly parts: NameParts | undefined
  readonly isUnknown: boolean
  readonly isVarious: boolean
  /** What it has that must not become a public name. */
  readonly contact: Contact | undefined
}

export type NameMatcher = {
  match(name: string): NameMatch
  /** A name that stands in its natural order, and is one name, as the source says. */
  matchDirect(name: string): NameMatch
}

type KnownName = { readonly id: string; readonly folded: string; readonly words: readonly string[] }

const maxSimilar = 5

/** Of so many names with one key, no more are compared. */
const maxCompared = 400

export async function createNameMatcher(agents: Iterable<NamedAgent>): Promise<NameMatcher> {
  const idsByName = new Map<string, string[]>()
  const idsByVariant = new Map<string, { id: string; reason: string }[]>()
  const namesByKey = new Map<string, KnownName[]>()
  const maybeYield = createYielder()
  for (const { id, kind, names } of agents) {
    // The name of a group is never turned around at a comma.
    for (const name of new Set(names.map(kind === 'Person' ? naturalOrder : bareName))) {
      const words = foldWords(name)
      const folded = words.join(' ')
      if (folded === '') continue
      addTo(idsByName, folded, id)
      for (const { text, reason } of variantsOf(name)) addTo(idsByVariant, text, { id, reason })
      for (const key of keysOf(words)) addTo(namesByKey, key, { id, folded, words })
    }
    await maybeYield()
  }

  function findSimilar(name: string, exact: ReadonlySet<string>): readonly SimilarAgent[] {
    const best = new Map<string, SimilarAgent>()
    const propose = (agent: SimilarAgent): void => {
      if (!exact.has(agent.id) && (best.get(agent.id)?.score ?? 0) < agent.score)
        best.set(agent.id, agent)
    }
    const variants = variantsOf(name)
    const words = foldWords(name)
    for (const { id, reason } of idsByVariant.get(words.join(' ')) ?? [])
      propose({ id, score: 0.9, reason })
    for (const { text, reason } of variants) {
      for (const id of idsByName.get(text) ?? []) propose({ id, score: 0.9, reason })
      for (const { id } of idsByVariant.get(text) ?? []) propose({ id, score: 0.85, reason })
    }
    for (const key of keysOf(words))
      for (const known of namesByKey.get(key)?.slice(0, maxCompared) ?? []) {
        const likeness = compareWords(words, known)
        if (likeness) propose({ id: known.id, ...likeness })
      }
    return [...best.values()]
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, maxSimilar)
  }

  function match(name: string, displayName: string): NameMatch {
    const isUnknown = isUnknownName(name)
    const isVarious = isVariousName(name)
    const exact = [...new Set(idsByName.get(fold(displayName)))]
    const { kind, reason } = guessKind(displayName)
    const isNobody = isUnknown || isVarious
    return {
      exact,
      similar: isNobody ? [] : findSimilar(displayName, new Set(exact)),
      kind,
      kindReason: reason,
      displayName,
      agentId: slugOf(displayName),
      parts: isNobody ? undefined : splitName(name),
      isUnknown,
      isVarious,
      contact: contactIn(name),
    }
  }

  return {
    match: (name) => match(name, naturalOrder(name)),
    matchDirect: (name) => ({ ...match(name, bareName(name)), parts: undefined }),
  }
}

type Variant = { readonly text: string; readonly reason: string }

/**
 * Other forms of a name: without what is in parentheses, that alone, without `the`, in order of its
 * words.
 */
function variantsOf(name: string): readonly Variant[] {
  const inParentheses = [...name.matchAll(/[("“]([^()"“”]+)[)"”]/g)].map(([, text]) => text ?? '')
  const without = name.replace(/\s*[("“][^()"“”]+[)"”]\s*/g, ' ').trim()
  const words = foldWords(name)
  const sorted = [...words].sort().join(' ')
  const folded = words.join(' ')
  const nickname = message('one has a further name in parentheses')
  const all: Variant[] = [
    ...(inParentheses.length > 0 ? [{ text: fold(without), reason: nickname }] : []),
    ...inParentheses.map((text) => ({
      text: fold(text.replace(/^(?:as|aka|a\.k\.a\.)\s+/i, '')),
      reason: nickname,
    })),
    ...(words[0] === 'the'
      ? [{ text: words.slice(1).join(' '), reason: message('one begins with “the”') }]
      : []),
    ...(words.length > 1
      ? [{ text: `${sorted} \u0000`, reason: message('the words stand in another order') }]
      : []),
    { text: `${folded.replaceAll(' ', '')} \u0001`, reason: message('only the spaces differ') },
  ]
  return all.filter(({ text }) => text !== '' && text !== folded)
}

/** Names that are compared have one of these in common. */
function keysOf(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  if (words.length < 2) return first.length < 5 ? [] : shortenings(first)
  return [`${last}|${first.slice(0, 1)}`, `${first}||${last.slice(0, 1)}`, skeletonOf(words)]
}

/**
 * The name without vowels and doubled letters, so that `Jaky Wong` is compared with `Jacky Wang`.
 */
const skeletonOf = (words: readonly string[]): string =>
  `${words
    .join(' ')
    .replace(/(?<=\S)[aeiouy]/g, '')
    .replace(/(.)\1+/gu, '$1')}|||`

type Likeness = { readonly score: number; readonly reason: string }

function compareWords(words: readonly string[], known: KnownName): Likeness | undefined {
  const folded = words.join(' ')
  if (folded === known.folded) return undefined
  const distance = distanceOf(folded, known.folded, allowedDistance(folded.replaceAll(' ', '')))
  const byInitials = compareInitials(words, known.words)
  if (byInitials) return byInitials
  return distance === Infinity || !differOnlyInLetters(folded, known.folded)
    ? undefined
    : {
        score: distance === 1 ? 0.85 : 0.75,
        reason: distance === 1 ? message('one letter differs') : message('two letters differ'),
      }
}

/** Names that differ in a digit, such as those of two collectives of two years, are two. */
const differOnlyInLetters = (a: string, b: string): boolean =>
  a.replace(/\D/g, '') === b.replace(/\D/g, '')

/**
 * `J Wang`, `Jackie Q Wang` and `Jackie Wang` have the same last name, and no first names that
 * differ.
 */
function compareInitials(
  words: readonly string[],
  knownWords: readonly string[],
): Likeness | undefined {
  if (words.length < 2 || knownWords.length < 2) return undefined
  if (isGroupWord(words.at(-1) ?? '')) return undefined
  const [first = '', knownFirst = ''] = [words[0], knownWords[0]]
  const [last = '', knownLast = ''] = [words.at(-1), knownWords.at(-1)]
  if (last === knownLast && last.length > 1) {
    if (first === knownFirst && first.length > 1)
      return haveSameMiddle(words, knownWords)
        ? { score: 0.8, reason: message('one has a further middle name') }
        : undefined
    if (isInitialOf(first, knownFirst) || isInitialOf(knownFirst, first))
      return { score: 0.6, reason: message('one has initials only') }
  }
  // `Jordan F` and `Jordan Ferris`.
  if (first === knownFirst && first.length > 1 && words.length === 2 && knownWords.length === 2)
    if (isInitialOf(last, knownLast) || isInitialOf(knownLast, last))
      return { score: 0.55, reason: 'one has the initial of the last name only' }
  return undefined
}

/** Whether the middle names of the shorter name are in the other one, or are their initials. */
function haveSameMiddle(first: readonly string[], second: readonly string[]): boolean {
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  const [middle, longMiddle] = [short.slice(1, -1), long.slice(1, -1)]
  return middle.every((word) =>
    longMiddle.some(
      (known) => known === word || isInitialOf(word, known) || isInitialOf(known, word),
    ),
  )
}

/** Initials are at most three letters, which foldWords() joined. */
const isInitialOf = (initials: string, name: string): boolean =>
  initials.length <= 3 &&
  initials.length < name.length &&
  initials.startsWith(name.slice(0, 1)) &&
  isInitials(initials, name)

const isInitials = (initials: string, name: string): boolean =>
  initials.length === 1 || (!name.startsWith(initials) && !/[aeiouy]/.test(initials))

export type CountedName = {
  readonly name: string
  readonly count: number
  /** It stands in its natural order. */
  readonly isDirect?: true
}

export type NameGroup = {
  /** The most frequent spelling in natural order. */
  readonly displayName: string
  readonly count: number
  /** As the source has them, the most frequent first. */
  readonly spellings: readonly CountedName[]
  readonly isUnknown: boolean
  readonly isVarious: boolean
  /** Whether the source has a year of birth with the name. */
  readonly hasYear: boolean
  /** The year of birth that tells people of one name apart, who are several groups. */
  readonly apartBy: string | undefined
  /** Whether others of the same name are told apart so, and it may be one of them. */
  readonly isAmbiguous: boolean
}

/**
 * The spellings of a source that are one agent, the most frequent agent first. All that say that
 * nobody is known are one group, and all that say `various`.
 */
export async function groupNames(names: Iterable<CountedName>): Promise<readonly NameGroup[]> {
  const groups = new Map<string, CountedName[]>()
  const maybeYield = createYielder()
  for (const spelling of names) {
    addTo(groups, groupKey(spelling), spelling)
    await maybeYield()
  }
  return [...groups]
    .flatMap(([key, spellings]) => byBirthYear(spellings).map((part) => toGroup(key, part)))
    .sort((a, b) => b.count - a.count || (a.displayName < b.displayName ? -1 : 1))
}

const unknownKey = '\u0000unknown'
const variousKey = '\u0000various'

function groupKey(spelling: CountedName): string {
  if (isUnknownName(spelling.name)) return unknownKey
  if (isVariousName(spelling.name)) return variousKey
  return fold(displayNameOf(spelling))
}

const displayNameOf = ({ name, isDirect }: CountedName): string =>
  isDirect ? bareName(name) : naturalOrder(name)

type NamesOfOne = Pick<NameGroup, 'spellings' | 'hasYear' | 'apartBy' | 'isAmbiguous'>

/** Spellings without a year of birth are of the only one who has one. */
function byBirthYear(spellings: readonly CountedName[]): readonly NamesOfOne[] {
  const byYear = new Map<string | undefined, CountedName[]>()
  for (const spelling of spellings) addTo(byYear, birthYearOf(spelling.name), spelling)
  const years = [...byYear.keys()].filter((year) => year !== undefined)
  if (years.length < 2)
    return [{ spellings, hasYear: years.length > 0, apartBy: undefined, isAmbiguous: false }]
  return [...byYear].map(([year, ofYear]) => ({
    spellings: ofYear,
    hasYear: year !== undefined,
    apartBy: year,
    isAmbiguous: year === undefined,
  }))
}

function toGroup(key: string, { spellings, ...more }: NamesOfOne): NameGroup {
  const sorted = [...spellings].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  const natural =
    sorted.find((spelling) => displayNameOf(spelling) === bareName(spelling.name)) ?? sorted[0]
  return {
    displayName: natural ? displayNameOf(natural) : '',
    ...more,
    count: sorted.reduce((sum, { count }) => sum + count, 0),
    spellings: sorted,
    isUnknown: key === unknownKey,
    isVarious: key === variousKey,
  }
}
