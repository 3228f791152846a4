// How alike two names are, word by word: in any order, with initials, with a letter wrong
// (docs/reference/reconciliation.md, "Scores"). Finding the names to compare is left to
// name-index.ts.

import { isUnknownName, isVariousName, naturalOrder } from './name-forms.js'
import { foldSingleWords } from './folding.js'
import { distanceOf } from './spelling.js'

/**
 * What kind of name it is: the order of the words of a title matters, and a title has no initials.
 */
export type NameKind = 'person' | 'title'

/** One of the forms in which a name may be written. */
export type NameForm = {
  readonly words: readonly string[]
  /** How sure it is, from 0 to 1, that the form is the name. */
  readonly weight: number
  /** Whether a form with the same words is the same name. */
  readonly isWhole: boolean
}

export type Likeness = {
  /** From 0 to 1. */
  readonly value: number
  /**
   * Whether they are the same but for case, accents, punctuation, order and what is in parentheses.
   */
  readonly isSame: boolean
}

const different: Likeness = { value: 0, isSame: false }

const parenthesized = /\s*[("“][^()"“”]+[)"”]\s*/g

/**
 * The forms of a name: the whole, without what is in parentheses, and with that in place of the
 * first name.
 */
export function formsOf(name: string, kind: NameKind): readonly NameForm[] {
  // Most names need nothing, which is found faster than their order.
  const natural =
    kind === 'person' && /[^\p{L}\s'’-]|\bby\b|\beds?$/iu.test(name) ? naturalOrder(name) : name
  const whole = { words: wordsOf(natural), weight: 1, isWhole: true }
  const inner = [...natural.matchAll(/[("“]([^()"“”]+)[)"”]/g)].map(([, text = '']) =>
    text.replace(/^(?:as|aka|a\.k\.a\.)\s+/i, ''),
  )
  if (inner.length === 0) return [whole].filter(hasWords)
  const rest = wordsOf(natural.replace(parenthesized, ' '))
  const forms = [whole, { words: rest, weight: 0.98, isWhole: true }]
  if (kind === 'person')
    for (const words of inner.map(wordsOf))
      forms.push(
        { words, weight: 0.85, isWhole: false },
        { words: [...words, ...rest.slice(1)], weight: 0.92, isWhole: false },
      )
  return forms.filter(hasWords)
}

/** Of a very long title, the beginning is compared. */
const wordsOf = (text: string): readonly string[] => foldSingleWords(text).slice(0, maxWords)

const maxWords = 32

const hasWords = ({ words }: NameForm): boolean => words.length > 0

/** Whether a name says that nobody is known, or several are. */
export const isNobody = (name: string): boolean => isUnknownName(name) || isVariousName(name)

/** How alike two names are in any of their forms. */
export function likenessOfNames(name: string, other: string, kind: NameKind): Likeness {
  let best = different
  for (const form of formsOf(name, kind))
    for (const otherForm of formsOf(other, kind)) {
      const { value, isSame } = likenessOf(form.words, otherForm.words)
      const weighted = value * form.weight * otherForm.weight
      if (weighted > best.value)
        best = { value: weighted, isSame: isSame && form.isWhole && otherForm.isWhole }
    }
  return best
}

type Pair = {
  readonly index: number
  readonly otherIndex: number
  readonly likeness: number
}

/** Compares two names by their words. */
export function likenessOf(words: readonly string[], other: readonly string[]): Likeness {
  const [joined, otherJoined] = [words.join(''), other.join('')]
  if (joined === otherJoined) {
    // `Jackie Wang` and `JackieWang`.
    const isSame = joined !== ''
    return { value: words.length === other.length ? 1 : 0.98, isSame }
  }
  const pairs = alignWords(words, other)
  if (pairs.length === 0) return compareJoined(joined, otherJoined)
  const weights = [words.map(weightOf), other.map(weightOf)] as const
  for (const { index, otherIndex } of pairs)
    if (words[index]?.length === 1 || other[otherIndex]?.length === 1) {
      // The letters that an initial leaves out say nothing.
      weights[0][index] = initialWeight
      weights[1][otherIndex] = initialWeight
    }
  const total = sum(weights[0]) + sum(weights[1])
  const common = sum(
    pairs.map((pair) => {
      const weight = (weights[0][pair.index] ?? 0) + (weights[1][pair.otherIndex] ?? 0)
      return pair.likeness * weight
    }),
  )
  const isOrdered = pairs.every(
    (pair, index) => index === 0 || pair.otherIndex > (pairs[index - 1]?.otherIndex ?? -1),
  )
  const isSame =
    pairs.length === words.length &&
    pairs.length === other.length &&
    pairs.every(({ likeness }) => likeness === 1)
  const value = (common / total) * (isOrdered ? 1 : 0.97)
  // With as many words in both, the words say as much.
  if (isSame || words.length === other.length) return { value, isSame }
  const byLetters = compareJoined(joined, otherJoined)
  return value >= byLetters.value ? { value, isSame } : byLetters
}

/** Names of one word more, such as `Mary Ann` and `Maryan`, by their letters. */
function compareJoined(first: string, second: string): Likeness {
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  if (short.length < 6 || long.length > maxJoined || !haveAnEndInCommon(first, second))
    return different
  if (long.length - short.length > 2 || hasDigit(first + second)) return different
  const distance = distanceOf(first, second, 2)
  return distance === Infinity
    ? different
    : { value: Math.max(0, 1 - (1.3 * distance) / short.length), isSame: false }
}

const maxJoined = 60

/**
 * The pairs of words that are alike, each word in one pair at most, in the order of the first name.
 */
function alignWords(words: readonly string[], other: readonly string[]): readonly Pair[] {
  const candidates: Pair[] = []
  words.forEach((word, index) => {
    other.forEach((otherWord, otherIndex) => {
      const likeness = likenessOfWords(word, otherWord)
      if (likeness > 0) candidates.push({ index, otherIndex, likeness })
    })
  })
  candidates.sort(
    (a, b) =>
      b.likeness - a.likeness ||
      Math.abs(a.index - a.otherIndex) - Math.abs(b.index - b.otherIndex),
  )
  const [used, otherUsed] = [new Set<number>(), new Set<number>()]
  const pairs: Pair[] = []
  for (const pair of candidates) {
    if (used.has(pair.index) || otherUsed.has(pair.otherIndex)) continue
    used.add(pair.index)
    otherUsed.add(pair.otherIndex)
    pairs.push(pair)
  }
  return pairs.sort((a, b) => a.index - b.index)
}

/** From 0 to 1. */
function likenessOfWords(first: string, second: string): number {
  if (first === second) return 1
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  if (short === '' || hasDigit(short) || hasDigit(long)) return 0
  if (short.length === 1) return long.startsWith(short) && long.length > 1 ? 0.7 : 0
  if (long.length - short.length > 2) return byBeginning(short, long)
  if (!haveAnEndInCommon(first, second)) return 0
  const allowed = short.length < 3 ? 0 : long.length < 8 ? 1 : 2
  const distance = allowed === 0 ? Infinity : distanceOf(first, second, allowed)
  if (distance === Infinity) return byBeginning(short, long)
  // Two letters that changed their places are the likeliest mistake.
  const isSwapped =
    distance === 1 && first.length === second.length && hasSameLetters(first, second)
  return Math.max(0.6, 1 - ((isSwapped ? 1 : 1.1) * distance) / long.length)
}

const hasSameLetters = (a: string, b: string): boolean => sortedLetters(a) === sortedLetters(b)

const sortedLetters = (word: string): string => Array.from(word).sort().join('')

/** `Chris` and `Christopher`. */
const byBeginning = (short: string, long: string): number =>
  short.length >= 3 && long.startsWith(short) ? 0.6 : 0

/** A wrong letter leaves the first or the last one, which is seen faster than the distance. */
const haveAnEndInCommon = (a: string, b: string): boolean =>
  a.charCodeAt(0) === b.charCodeAt(0) || a.charCodeAt(a.length - 1) === b.charCodeAt(b.length - 1)

const hasDigit = (word: string): boolean => /\d/.test(word)

/** Words that say little. */
const lightWords = new Set(
  'an and the of in on for to no nr num number issue vol volume part zine und et der die das la le el'.split(
    ' ',
  ),
)

const initialWeight = 2.5

const weightOf = (word: string): number => {
  if (word.length === 1 && !hasDigit(word))
    return word === 'a' || word === 'y' ? 1.5 : initialWeight
  if (lightWords.has(word)) return 0.5
  return hasDigit(word) ? 3 : Math.min(word.length, 8)
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)
