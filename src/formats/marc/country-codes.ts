// The MARC code of the place of publication (008/15-17; MARC Code List for Countries): of the first
// place, as the catalogue's list of places knows it, else by the country, state or province that
// its text ends with (standards/marc-countries.tsv, marc-divisions.tsv).

import type { FindPlace } from '../../model/place-names.js'
import type { Place, Places } from '../../model/places.js'
import { standardTable } from '../../lib/standards.js'

type PlaceCoderDependencies = {
  readonly places: Pick<Places, 'ancestorsOf'>
  readonly findPlace: FindPlace
  /** Finds a country's code in ISO 3166-1 by its English name. */
  readonly findCountry: (name: string) => string | undefined
}

/**
 * A function that gives the code of places such as `Leeds, England`: three characters, `xx ` where
 * it is not known.
 */
export function createPlaceCoder({ places, findPlace, findCountry }: PlaceCoderDependencies) {
  return ([first = '']: readonly string[]): string => {
    const text = first.replace(/[[\]?]/g, '').trim()
    const place = findPlace(text)
    return ((place ? codeOfPlace(place) : codeOfText(text)) ?? 'xx').padEnd(3)
  }

  function codeOfPlace(place: Place): string | undefined {
    const region = [place, ...places.ancestorsOf(place)].find(({ level }) => level === 'admin1')
    return codeIn(place.country_code, region?.name)
  }

  function codeOfText(text: string): string | undefined {
    const parts = text.split(',').map((part) => part.replaceAll('.', '').trim())
    const [last = '', before] = parts.toReversed()
    // The republic, or the state of the USA.
    if (last === 'Georgia' && before !== undefined) return undefined
    const country = findCountry(last)
    return country === undefined ? divisionsOf(last)[0]?.code : codeIn(country, before)
  }
}

/** The code of the country, or of its state or province where MARC has one. */
function codeIn(country: string, region = ''): string | undefined {
  const ofCountry = divisionsOf(region).find((division) => division.country === country)
  return ofCountry?.code ?? countryCodes().get(country)
}

/**
 * The states and provinces with a name or an abbreviation: `WA` is Washington and Western
 * Australia.
 */
function divisionsOf(text: string): readonly Division[] {
  const name = text.toLowerCase()
  return divisions().filter((division) => division.name === name || division.abbreviation === text)
}

const countryCodes = standardTable(
  'marc-countries',
  { country: /^[A-Z]{2}$/, code: /^[a-z]{2,3}$/ },
  (rows) => new Map(rows.map(({ country, code }) => [country, code])),
)

type Division = {
  /** Empty for the USSR. */
  readonly country: string
  /** In lower case. */
  readonly name: string
  readonly abbreviation: string | undefined
  readonly code: string
}

const divisions = standardTable(
  'marc-divisions',
  {
    country: /^(?:[A-Z]{2})?$/,
    name: /^\p{L}[\p{L} ]+$/u,
    abbreviation: /^[A-Z]{0,3}$/,
    code: /^[a-z]{3}$/,
  },
  (rows): readonly Division[] =>
    rows.map(({ country, name, abbreviation, code }) => ({
      country,
      name: name.toLowerCase(),
      abbreviation: abbreviation || undefined,
      code,
    })),
)
