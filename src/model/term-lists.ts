// Finds the terms of a vocabulary that a value of a source stands for
// (docs/explanation/import.md, "Names, terms and duplicates").

import { type Vocabulary, altLabelsOf, broaderOf } from './vocabulary.js'
import { fold, foldWords, singularOf } from '../lib/names/folding.js'
import { addTo, allowedDistance, distanceOf, shortenings } from '../lib/names/spelling.js'

export type Term = {
  readonly code: string
  readonly label: string
  readonly altLabels: readonly string[]
  /** The codes of broader terms. */
  readonly broader: readonly string[]
}

export type TermList = {
  /** The name of the vocabulary, such as `subjects`. */
  readonly name: string
  readonly terms: readonly Term[]
}

/**
 * Why a term is suggested:
 * - `heading`: it is the heading before the subdivisions in `Feminism -- United States`
 * - `part`: it is one of several terms in the value, `gardening/food`
 * - `spelling`: few letters differ
 * - `broader`: the value has all its words and more
 * - `narrower`: it has all words of the value and more
 * - `ambiguous`: it is one of several terms with this label
 * - `elsewhere`: a term of another vocabulary is exactly this
 */
export type SuggestionReason =
  'heading' | 'part' | 'spelling' | 'broader' | 'narrower' | 'ambiguous' | 'elsewhere'

export type TermSuggestion = {
  /** The name of the vocabulary: its own one, or another one. */
  readonly vocabulary: string
  readonly code: string
  readonly label: string
  readonly reason: SuggestionReason
}

export type TermMatch =
  | { readonly kind: 'exact'; readonly code: string; readonly label: string }
  | {
      readonly kind: 'suggested'
      readonly suggestions: readonly TermSuggestion[]
      /**
       * The codes of the terms that the value lists, where each of its parts is one:
       * `How To / DIY`.
       */
      readonly all: readonly string[] | undefined
    }
  | { readonly kind: 'none' }

export type TermMatcher = { match(value: string): TermMatch }

const maxSuggestions = 6

/** The terms of a vocabulary, as `createTermMatcher` takes them. */
export const termListOf = (vocabulary: Vocabulary): TermList => ({
  name: vocabulary.name,
  terms: vocabulary.entries.map(({ code, label }) => ({
    code,
    label,
    // What other vocabularies call it is in their users' records.
    altLabels: [
      ...altLabelsOf(vocabulary, code),
      ...vocabulary.headings(code).map(({ text }) => text),
    ],
    broader: broaderOf(vocabulary, code),
  })),
})

/**
 * Compares values with the terms of a vocabulary.
 * @param others whose terms are suggested where a value is exactly one of them
 */
export function createTermMatcher(list: TermList, others: readonly TermList[] = []): TermMatcher {
  const index = indexTerms(list)
  const otherIndexes = others.map((other) => ({ name: other.name, find: exactFinderOf(other) }))

  const suggest = (terms: readonly Term[], reason: SuggestionReason): TermSuggestion[] =>
    terms.map(({ code, label }) => ({ vocabulary: list.name, code, label, reason }))

  const findElsewhere = (value: FoldedValue, reason: SuggestionReason): readonly TermSuggestion[] =>
    otherIndexes.flatMap(({ name, find }) =>
      find(value).map(({ code, label }) => ({ vocabulary: name, code, label, reason })),
    )

  /** The terms of the parts of a value, if each part is one term. */
  function findAll(parts: readonly FoldedValue[]): readonly string[] | undefined {
    const terms = parts.map((part) => index.find(part))
    const codes = new Set(terms.flatMap(([term]) => term?.code ?? []))
    return codes.size > 1 && terms.every(({ length }) => length === 1) ? [...codes] : undefined
  }

  function findSuggestions(
    value: string,
    parts: readonly FoldedValue[],
  ): readonly TermSuggestion[] {
    const headings = headingsOf(value).map(foldValue)
    return [
      ...headings.flatMap((heading) => suggest(index.find(heading), 'heading')),
      ...parts.flatMap((part) => suggest(index.find(part), 'part')),
      ...findElsewhere(foldValue(value), 'elsewhere'),
      // A list is no spelling of one term: `Race / Culture` is not `rape culture`.
      ...(parts.length > 0 ? [] : suggest(index.near(value), 'spelling')),
      ...suggest(index.within(value), 'broader'),
      ...suggest(index.around(value), 'narrower'),
      ...headings.flatMap((heading) => findElsewhere(heading, 'heading')),
      ...parts.flatMap((part) => findElsewhere(part, 'part')),
    ]
  }

  return {
    match(value) {
      const exact = index.find(foldValue(value))
      const [term] = exact
      if (term && exact.length === 1) return { kind: 'exact', code: term.code, label: term.label }
      const parts = partsOf(value).map(foldValue)
      const candidates =
        exact.length > 1 ? suggest(exact, 'ambiguous') : findSuggestions(value, parts)
      const all = findAll(parts)
      // Where each part is a term, terms that are like the whole say nothing more.
      const fitting = all ? candidates.filter(({ reason }) => reason === 'part') : candidates
      const suggestions = withoutRepeated(fitting).slice(0, maxSuggestions)
      return suggestions.length > 0 ? { kind: 'suggested', suggestions, all } : { kind: 'none' }
    },
  }
}

function withoutRepeated(suggestions: readonly TermSuggestion[]): TermSuggestion[] {
  const byTerm = new Map<string, TermSuggestion>()
  for (const suggestion of suggestions) {
    const key = `${suggestion.vocabulary} ${suggestion.code}`
    if (!byTerm.has(key)) byTerm.set(key, suggestion)
  }
  return [...byTerm.values()]
}

/** A value in the forms in which it is compared, from the nearest to the widest. */
type FoldedValue = readonly [plain: string, singular: string, joined: string]

function foldValue(text: string): FoldedValue {
  const words = foldWords(text)
  return [words.join(' '), words.map(singularOf).join(' '), singularOf(words.join(''))]
}

type FindExact = (value: FoldedValue) => readonly Term[]

/** One for each list, since a list is compared with the values of several fields. */
const exactFinders = new WeakMap<TermList, FindExact>()

function exactFinderOf(list: TermList): FindExact {
  const finder = exactFinders.get(list) ?? createExactFinder(list)
  exactFinders.set(list, finder)
  return finder
}

/**
 * The only term whose code, label or alternative label is a value; undefined where there is none,
 * or several.
 */
export function findExactTerm(list: TermList, value: string): Term | undefined {
  const [term, ...others] = exactFinderOf(list)(foldValue(value))
  return others.length === 0 ? term : undefined
}

/**
 * Finds the terms whose code, label or alternative label is a value. Codes come before labels,
 * labels before alternative ones; with the same number before in singular, and both before without
 * spaces and hyphens.
 */
function createExactFinder({ name, terms }: TermList): FindExact {
  const folded = terms.map((term) => ({
    term,
    names: [term.code, term.label].map(foldValue),
    altLabels: term.altLabels.map(foldValue),
  }))
  const steps = ([0, 1, 2] as const).flatMap((form) => {
    const byName = new Map<string, Term[]>()
    const byAltLabel = new Map<string, Term[]>()
    for (const { term, names, altLabels } of folded) {
      for (const key of new Set(names.map((foldedName) => foldedName[form])))
        addTo(byName, key, term)
      for (const key of new Set(altLabels.map((foldedLabel) => foldedLabel[form])))
        addTo(byAltLabel, key, term)
    }
    return [byName, byAltLabel].map((termsByName) => ({ form, termsByName }))
  })
  const find: FindExact = (value) => {
    if (value[0] === '') return []
    for (const { form, termsByName } of steps) {
      const matches = termsByName.get(value[form])
      if (matches) return matches
    }
    return []
  }
  if (name !== 'genres') return find
  // A zine of the genre `personal` is a personal zine.
  return (value) => {
    const [plain, inSingular, joined] = value
    const matches = find(value)
    if (matches.length > 0 || plain === '') return matches
    return find([`${plain} zine`, `${inSingular} zine`, `${joined}zine`])
  }
}

const singular = (text: string): string => singularWords(text).join(' ')

const singularWords = (text: string): string[] => foldWords(text).map(singularOf)

type TermIndex = {
  readonly find: FindExact
  /** The terms with few letters that differ. */
  near(value: string): readonly Term[]
  /** The terms all of whose words the value has, those with most words first. */
  within(value: string): readonly Term[]
  /** The terms that have all words of the value, those with fewest further words first. */
  around(value: string): readonly Term[]
}

type NameOfTerm = { readonly term: Term; readonly text: string; readonly words: readonly string[] }

/** Of so many names with one word, no more are compared. */
const maxCompared = 200

function indexTerms(list: TermList): TermIndex {
  const names = list.terms.flatMap((term): NameOfTerm[] =>
    [...new Set([term.label, ...term.altLabels].map(singular))].map((text) => ({
      term,
      text,
      words: text.split(' ').filter((word) => !isStopWord(word, list)),
    })),
  )
  const byShortening = new Map<string, NameOfTerm[]>()
  const byWord = new Map<string, NameOfTerm[]>()
  for (const name of names) {
    for (const key of shortenings(name.text)) addTo(byShortening, key, name)
    for (const word of new Set(name.words)) addTo(byWord, word, name)
  }
  const countOf = (word: string): number => byWord.get(word)?.length ?? 0
  const rarestOf = (words: readonly string[]): string | undefined =>
    words.toSorted((a, b) => countOf(a) - countOf(b))[0]
  // A value has all words of a name only if it has its rarest one, which few names have.
  const byRarestWord = new Map<string, NameOfTerm[]>()
  for (const name of names) {
    const rarest = rarestOf(name.words)
    if (rarest !== undefined) addTo(byRarestWord, rarest, name)
  }
  /**
   * A word that terms have is no misspelling of another one: `race culture` is not `rape culture`.
   */
  const hasUnknownWord = (words: readonly string[], others: readonly string[]): boolean =>
    words.length !== others.length ||
    words.some((word, at) => word !== others[at] && !byWord.has(word))
  const wordsOf = (value: string): string[] =>
    singularWords(value).filter((word) => !isStopWord(word, list))
  return {
    find: exactFinderOf(list),
    near(value) {
      const text = singular(value)
      const atMost = allowedDistance(text)
      const compared = new Set(shortenings(text).flatMap((key) => byShortening.get(key) ?? []))
      const nearNames = [...compared]
        .filter((name) => hasUnknownWord(text.split(' '), name.text.split(' ')))
        .map((name) => ({ name, distance: distanceOf(text, name.text, atMost) }))
        .filter(({ distance }) => distance <= atMost)
      return termsOf(nearNames.sort((a, b) => a.distance - b.distance))
    },
    within(value) {
      const words = new Set(wordsOf(value))
      const compared = new Set([...words].flatMap((word) => byRarestWord.get(word) ?? []))
      const namesWithin = [...compared]
        .filter(
          (name) => name.words.length < words.size && name.words.every((word) => words.has(word)),
        )
        .map((name) => ({ name }))
      return leaveOutBroader(
        termsOf(namesWithin.sort((a, b) => b.name.words.length - a.name.words.length)),
      )
    },
    around(value) {
      const words = wordsOf(value)
      const rarest = rarestOf(words)
      if (rarest === undefined) return []
      const namesAround = (byWord.get(rarest) ?? [])
        .slice(0, maxCompared)
        .filter((name) => words.every((word) => name.words.includes(word)))
        .map((name) => ({ name }))
      return termsOf(namesAround.sort((a, b) => a.name.words.length - b.name.words.length))
    },
  }
}

const termsOf = (names: readonly { readonly name: NameOfTerm }[]): readonly Term[] => [
  ...new Set(names.map(({ name }) => name.term)),
]

/** `punk house show`: of `punk` and a term below it, the latter says more. */
const leaveOutBroader = (terms: readonly Term[]): readonly Term[] => {
  const broader = new Set(terms.flatMap((term) => term.broader))
  return terms.filter(({ code }) => !broader.has(code))
}

const stopWords = new Set(
  'and or of the a an in on for to with by from at as is about other no not'.split(' '),
)

/** Among genres, every one is of zines; `Zine culture` of subjects is not about all culture. */
const isStopWord = (word: string, { name }: TermList): boolean =>
  stopWords.has(word) || (name === 'genres' && word === 'zine')

/**
 * What a Library of Congress subject heading is about: the heading before its subdivisions, without
 * what stands in parentheses behind it, and the words of an inverted heading such as
 * `Art, American` in their order.
 */
function headingsOf(value: string): readonly string[] {
  const [heading = '', ...subdivisions] = value.split(/\s*--\s*|\s+[-–—]\s+|\s*[–—]\s*/)
  const [, before] = /^([^()]+?)\s*\([^()]*\)\.?$/.exec(heading) ?? []
  const [, last, first] = /^([^,()]+),\s*([^,()]+)$/.exec(before ?? heading) ?? []
  return [
    ...(subdivisions.length > 0 ? [heading] : []),
    ...(before === undefined ? [] : [before]),
    ...(last === undefined || first === undefined ? [] : [`${first} ${last}`]),
  ]
}

/** The terms in `education and school`, `gardening/food` and `food, farming & gardening`. */
function partsOf(value: string): readonly string[] {
  const parts = value.split(/\s*[,;/|+]\s*|\s+(?:and|or)\s+|\s*&(?:amp;)?\s*|\.\s+/i)
  return parts.length > 1 ? parts.filter((part) => fold(part) !== '') : []
}
