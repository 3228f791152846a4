// The places list: countries, their first-level regions and larger cities, as GeoNames has them
// (vocabularies/README.md names the source and its license).

import { readFile } from 'node:fs/promises'

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
  /** The GeoNames identifier of the region of a city, or of the country of a region. */
  readonly parent: number | null
}

export type Places = {
  /** Countries, then regions, then cities; each by country code and name. */
  readonly all: readonly Place[]
  find(geonameId: string): Place | undefined
  /** Those that have every term, in small letters, anywhere in their name, and are as the filters say. */
  search(filters: PlaceFilters): readonly Place[]
}

export type PlaceFilters = {
  readonly terms: readonly string[]
  readonly countryCode: string
  readonly level: string
}

/** @param file a table with tabs between its columns, their names in the first line */
export async function readPlaces(file: string): Promise<Places> {
  const [, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const all = rows.map(placeOf)
  const byId = new Map(all.map((place) => [String(place.geoname_id), place]))
  // Folded once: to fold 29,000 names takes longer than to look through them.
  const names = all.map(({ name }) => name.toLowerCase())
  return {
    all,
    find: (geonameId) => byId.get(geonameId),
    search({ terms, countryCode, level }) {
      return all.filter(
        (place, index) =>
          (countryCode === '' || place.country_code === countryCode) &&
          (level === '' || place.level === level) &&
          terms.every((term) => names[index]?.includes(term)),
      )
    },
  }
}

function placeOf(row: string): Place {
  const [id, name = '', country = '', admin1 = '', latitude, longitude, population, level, parent] =
    row.split('\t')
  return {
    geoname_id: Number(id),
    name,
    country_code: country,
    admin1_code: admin1,
    latitude: number(latitude),
    longitude: number(longitude),
    population: number(population),
    level: level as Place['level'],
    parent: number(parent),
  }
}

const number = (text: string | undefined): number | null => (text ? Number(text) : null)
