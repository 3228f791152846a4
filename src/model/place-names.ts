// Finds the place that a text such as `Portland, Oregon, United States` names, where it names
// exactly one of the list of places (docs/reference/data-model.md, "Places of zines").

import type { Place, Places } from './places.js'
import { foldLetters } from '../lib/text-folding.js'

/**
 * Finds the place that a text names: its name, and after commas the region or the country, or both.
 * Undefined where none or several match, unless one of these contains all the others.
 */
export type FindPlace = (text: string) => Place | undefined

/** The places that texts name, each once. */
export const placesNamedIn = (texts: readonly string[], findPlace: FindPlace): readonly Place[] => [
  ...new Set(texts.flatMap((text) => findPlace(text) ?? [])),
]

/** Words that are also written in full. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['ft', 'fort'],
  ['mt', 'mount'],
])

/** Names of countries that the lists have under another one, by folded name. */
const otherCountryNames: ReadonlyMap<string, string> = new Map([
  ['usa', 'US'],
  ['united states of america', 'US'],
  ['uk', 'GB'],
  ['great britain', 'GB'],
  ['republic of ireland', 'IE'],
  ['holland', 'NL'],
  ['the netherlands', 'NL'],
  ['czech republic', 'CZ'],
  ['turkey', 'TR'],
  ['macedonia', 'MK'],
  ['russian federation', 'RU'],
  ['burma', 'MM'],
  ['east timor', 'TL'],
  ['ivory coast', 'CI'],
  ['cape verde', 'CV'],
  ['swaziland', 'SZ'],
  ['the bahamas', 'BS'],
  ['the gambia', 'GM'],
])

/** The code of a country in ISO 3166-1 by another name than the lists have, or by `US` and `GB`. */
export const otherCountryCode = (name: string): string | undefined =>
  ['US', 'GB'].find((code) => code === name) ?? otherCountryNames.get(foldName(name))

export function createPlaceFinder({
  all,
  ancestorsOf,
}: Pick<Places, 'all' | 'ancestorsOf'>): FindPlace {
  /** Made when a place is first asked for, as 29,000 names take longer than the rest of a model. */
  let index: ReadonlyMap<string, readonly Place[]> | undefined
  /** The names of regions and countries, which are asked for again and again. */
  const known = new Map<Place, readonly string[]>()

  function knownNamesOf(place: Place): readonly string[] {
    const names = known.get(place) ?? namesOf(place)
    known.set(place, names)
    return names
  }

  /** Whether each part names one of the places that it is in, in their order. */
  function isIn(place: Place, parts: readonly string[]): boolean {
    let ancestors = ancestorsOf(place)
    for (const part of parts) {
      const position = ancestors.findIndex((ancestor) => knownNamesOf(ancestor).includes(part))
      if (position < 0) return false
      ancestors = ancestors.slice(position + 1)
    }
    return true
  }

  function named(name: string, parts: readonly string[]): readonly Place[] {
    index ??= indexByName(all)
    return (index.get(name) ?? []).filter((place) => isIn(place, parts))
  }

  return (text) => {
    const [name, ...parts] = text.split(',').map(foldName).filter(Boolean)
    if (name === undefined) return undefined
    const matches = named(name, parts)
    // Cities are known without the word: New York, New York.
    const candidates = matches.length > 0 ? matches : named(`${name} city`, parts)
    const [only, ...others] = candidates
    if (only === undefined || others.length === 0) return only
    return candidates.find((place) =>
      candidates.every((other) => other === place || ancestorsOf(other).includes(place)),
    )
  }
}

function indexByName(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const index = new Map<string, Place[]>()
  for (const place of places)
    for (const name of indexedNames(place)) {
      const known = index.get(name)
      if (known) known.push(place)
      else index.set(name, [place])
    }
  return index
}

/** Codes of regions are known with a region's name before them only: `OR` alone is a word. */
const indexedNames = (place: Place): readonly string[] =>
  place.level === 'country' ? namesOf(place).filter(isName) : [foldName(place.name)]

const isName = (name: string): boolean => name.length > 2

/**
 * The names by which a region or a country follows after a comma, with its code where that has
 * letters.
 */
function namesOf({ name, level, country_code, admin1_code }: Place): readonly string[] {
  const mainName = foldName(name)
  if (level === 'admin1')
    return /^[A-Z]+$/.test(admin1_code) ? [mainName, admin1_code.toLowerCase()] : [mainName]
  if (level !== 'country') return [mainName]
  const others = [...otherCountryNames].filter(([, code]) => code === country_code)
  return [mainName, country_code.toLowerCase(), ...others.map(([other]) => other)]
}

/** A name by its words, whatever its case, accents and punctuation. */
function foldName(name: string): string {
  const words = isPlain.test(name)
    ? name.toLowerCase()
    : foldLetters(name.replaceAll('.', ''))
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
  return words.replace(abbreviated, (word) => abbreviations.get(word) ?? word)
}

/** Most names: folding these takes a tenth of the time. */
const isPlain = /^[A-Za-z]+(?: [A-Za-z]+)*$/

const abbreviated = /\b(?:ste?|ft|mt)\b/g
