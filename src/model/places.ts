// The list of places: countries, their first-level regions and larger cities, from GeoNames. The
// source and its license are in vocabularies/README.md (docs/reference/data-model.md, "Places").

import { readFile } from 'node:fs/promises'

import { type NamedNode, iri } from '../rdf/terms.js'

export type Place = {
  readonly geoname_id: number
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country_code: string
  readonly admin1_code: string
  /** Decimal degrees, WGS 84. */
  readonly latitude: number | null
  readonly longitude: number | null
  readonly population: number | null
  readonly level: 'country' | 'admin1' | 'city'
  /** The GeoNames identifier of a city's region, or of a region's country. */
  readonly parent: number | null
}

const geonames = 'https://sws.geonames.org/'

/** The IRI that GeoNames gives a place. */
export const placeIri = (geonameId: number | string): NamedNode => iri(`${geonames}${geonameId}/`)

/** The identifier of a place, from its IRI; undefined for any other IRI. */
export const geonameIdOf = (place: string): string | undefined =>
  place.startsWith(geonames) ? place.slice(geonames.length, -1) : undefined

/** The names of what is known of a place. */
export const placeFields = [
  'geoname_id',
  'name',
  'country_code',
  'admin1_code',
  'latitude',
  'longitude',
  'population',
  'level',
  'parent',
] as const satisfies readonly (keyof Place)[]

export type Places = {
  /** Countries, then regions, then cities; each by country code and name. */
  readonly all: readonly Place[]
  find(geonameId: string): Place | undefined
  /** The places that a place is in, the smallest first. */
  ancestorsOf(place: Place): readonly Place[]
  /** Whether an IRI is that of a place, or of one that is in it. */
  isWithin(iri: string, place: Place): boolean
  /** The places whose name contains every term, ignoring case, and that pass the filters. */
  search(filters: PlaceFilters): readonly Place[]
}

export type PlaceFilters = {
  /** In lower case. */
  readonly terms: readonly string[]
  /** Empty for all, like `level`. */
  readonly countryCode: string
  readonly level: string
}

/** @param file tab-separated values with a header line */
export async function readPlaces(file: string): Promise<Places> {
  const [, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const all = rows.map(parsePlace)
  const byId = new Map(all.map((place) => [String(place.geoname_id), place]))
  // Made once: making 29,000 names lower-case takes longer than searching them.
  const lowerCaseNames = all.map(({ name }) => name.toLowerCase())
  const ancestorsOf = ({ parent }: Place): readonly Place[] => {
    const next = parent === null ? undefined : byId.get(String(parent))
    return next ? [next, ...ancestorsOf(next)] : []
  }
  return {
    all,
    find: (geonameId) => byId.get(geonameId),
    ancestorsOf,
    isWithin(placeOrPart, place) {
      const innerPlace = byId.get(geonameIdOf(placeOrPart) ?? '')
      return innerPlace !== undefined && [innerPlace, ...ancestorsOf(innerPlace)].includes(place)
    },
    search({ terms, countryCode, level }) {
      return all.filter(
        (place, index) =>
          (countryCode === '' || place.country_code === countryCode) &&
          (level === '' || place.level === level) &&
          terms.every((term) => lowerCaseNames[index]?.includes(term)),
      )
    },
  }
}

function parsePlace(row: string): Place {
  const [id, name = '', country = '', admin1 = '', latitude, longitude, population, level, parent] =
    row.split('\t')
  return {
    geoname_id: Number(id),
    name,
    country_code: country,
    admin1_code: admin1,
    latitude: parseNumber(latitude),
    longitude: parseNumber(longitude),
    population: parseNumber(population),
    level: level as Place['level'],
    parent: parseNumber(parent),
  }
}

const parseNumber = (text: string | undefined): number | null => (text ? Number(text) : null)
